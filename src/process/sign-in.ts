import { Provider } from '../access/sign-in/provider.ts'
import { SignIn, type SignInDeps } from '../access/sign-in/sign-in.ts'
import type { Settings } from '../settings/read-settings.ts'
import { createPlainFetch } from '../transport/plain-fetch.ts'

/** Sign-in with the identity provider that is set; null where none is. */
export function openSignIn(
  settings: Settings,
  deps: Omit<SignInDeps, 'provider' | 'rules'>,
): SignIn | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings
  if (issuer === undefined || clientId === undefined) return null
  const { oidcPerson: person, oidcAdmin: admin, oidcSupport: support } = settings
  const { clock } = deps
  const fetch = createPlainFetch(settings)
  const provider = new Provider({ issuer, clientId, clientSecret, fetch, clock })
  return new SignIn({ ...deps, provider, rules: { person, admin, support } })
}

/** By which provider and rules people sign in, as one text that is another for others. */
export function signInBy(settings: Settings): string {
  const { oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport } = settings
  return JSON.stringify({ oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport })
}
