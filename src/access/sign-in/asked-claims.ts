import type { ServerMetadata } from 'openid-client'

import { listed } from './provider-metadata.ts'

/** The scopes that bring the standard's claims, besides those of everybody (OpenID Connect Core, 5.4). */
const scopeOfClaim: Readonly<Record<string, string>> = {
  phone_number: 'phone',
  phone_number_verified: 'phone',
  address: 'address',
}

type Asked = { readonly scope: string; readonly claims?: string }

/** What a sign-in asks the provider to tell: as scopes, and by name where the provider takes that (OpenID Connect Core, 5.5). */
export function askedClaims(metadata: ServerMetadata, names: readonly string[]): Asked {
  const known = listed(metadata.scopes_supported)
  const more = names
    .map((name) => scopeOfClaim[name] ?? name)
    .filter((scope) => known.includes(scope))
  const scope = [...new Set(['openid', 'email', 'profile', ...more])].join(' ')
  if (metadata.claims_parameter_supported !== true) return { scope }
  const each = Object.fromEntries(names.map((name) => [name, null]))
  return { scope, claims: JSON.stringify({ id_token: each, userinfo: each }) }
}
