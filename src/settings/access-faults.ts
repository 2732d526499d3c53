import { isLoopbackName } from '../domain/loopback.ts'
import type { Environment } from './environment.ts'

const issuerParts = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_PERSON',
  'OIDC_ADMIN',
  'OIDC_SUPPORT',
] as const

const clientMissing =
  'OIDC_CLIENT_ID must be set with OIDC_ISSUER: the provider gave it when the bridge was registered there.'
const issuerExposed =
  'OIDC_ISSUER must be an https address: over http everybody on the way could sign in under any name. Where the network between them is trusted, ALLOW_INSECURE=true lets it be.'
const issuerOfAll =
  'OIDC_ISSUER must name the tenant by its own id: common, organizations and consumers let in the accounts of every other one.'

/** Microsoft's addresses at which whoever has an account of any organization signs in. */
const ofAllTenants =
  /^\s*https:\/\/login\.microsoftonline\.com\/+(?:common|organizations|consumers)(?:\/|\s*$)/i

/** A sentence for each setting of sign-in and mail that lacks another, or would let in others than the company's people. */
export function accessFaults(given: Environment, allowInsecure: boolean): readonly string[] {
  return [...issuerFaults(given, allowInsecure), ...mailFaults(given)]
}

function issuerFaults(given: Environment, allowInsecure: boolean): readonly string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client } = given
  if (issuer === undefined) {
    return issuerParts
      .filter((name) => given[name] !== undefined)
      .map((name) => `${name} must stand with OIDC_ISSUER: without it nobody signs in.`)
  }
  return [
    ...(client === undefined ? [clientMissing] : []),
    ...(!allowInsecure && isPlainAbroad(issuer) ? [issuerExposed] : []),
    ...(ofAllTenants.test(issuer) ? [issuerOfAll] : []),
  ]
}

function mailFaults({ SMTP_URL: smtp, MAIL_FROM: from }: Environment): readonly string[] {
  if ((smtp === undefined) === (from === undefined)) return []
  return [
    from === undefined
      ? 'MAIL_FROM must be set with SMTP_URL: the address from which mail comes.'
      : 'MAIL_FROM must stand with SMTP_URL: without it nothing is mailed.',
  ]
}

function isPlainAbroad(address: string): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:') return false
  return !isLoopbackName(url.hostname)
}
