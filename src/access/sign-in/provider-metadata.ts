import type { ServerMetadata } from 'openid-client'

import { SignInRefused } from './refusals.ts'

/** Without which nobody signs in. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** Refuses (`provider_wrong`) a provider that publishes no address for what it has to be asked, or one to which no browser should be sent. */
export function requireEndpoints(metadata: ServerMetadata): void {
  const isPlain = URL.parse(metadata.issuer)?.protocol === 'http:'
  const what = endpoints.find((name) => {
    const { protocol } = URL.parse(String(metadata[name])) ?? {}
    return protocol !== 'https:' && !(isPlain && protocol === 'http:')
  })
  if (what !== undefined) throw new SignInRefused('provider_wrong', { what })
}

/**
 * Refuses (`set_up_wrong`) a provider whose issuer is a pattern, as Microsoft's is for all tenants at once: the library takes the
 * tokens of every one of them, and whoever governs another could call anybody by any id.
 */
export function requireOneIssuer({ issuer }: ServerMetadata): void {
  if (!/[{}]/.test(issuer)) return
  const mend = 'OIDC_ISSUER must name the tenant by its own id.'
  throw new SignInRefused('set_up_wrong', { what: 'issuer', mend })
}

/** What the provider lists; nothing where that is no list. */
export function listed(list: unknown): readonly string[] {
  const members: readonly unknown[] = Array.isArray(list) ? list : []
  return members.filter((member) => typeof member === 'string')
}
