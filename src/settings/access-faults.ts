import type { Environment } from './environment.ts'

const issuerParts = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_PERSON',
  'OIDC_ADMIN',
  'OIDC_SUPPORT',
] as const

/** A sentence for each setting of sign-in and mail that lacks another, or would send a secret where everybody on the way could read it. */
export function accessFaults(given: Environment, allowInsecure: boolean): readonly string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client, SMTP_URL: smtp, MAIL_FROM: from } = given
  const lonely = issuerParts.filter((name) => issuer === undefined && given[name] !== undefined)
  const isExposed = issuer !== undefined && !allowInsecure && isPlainAbroad(issuer)
  return [
    ...lonely.map((name) => `${name} must stand with OIDC_ISSUER: without it nobody signs in.`),
    ...(issuer !== undefined && client === undefined
      ? [
          'OIDC_CLIENT_ID must be set with OIDC_ISSUER: the provider gave it when the bridge was registered there.',
        ]
      : []),
    ...(isExposed
      ? [
          'OIDC_ISSUER must be an https address: over http everybody on the way could sign in under any name. Where the network between them is trusted, ALLOW_INSECURE=true lets it be.',
        ]
      : []),
    ...(smtp !== undefined && from === undefined
      ? ['MAIL_FROM must be set with SMTP_URL: the address from which mail comes.']
      : []),
    ...(from !== undefined && smtp === undefined
      ? ['MAIL_FROM must stand with SMTP_URL: without it nothing is mailed.']
      : []),
  ]
}

function isPlainAbroad(address: string): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:') return false
  return !isLoopbackName(url.hostname)
}

/** Whether that is this machine, whoever answers there. */
export function isLoopbackName(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host)
}
