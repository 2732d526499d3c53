import type { Authentication } from '../domain/connection.ts'

/**
 * Returns the header fields that carry the credential (RFC 6750 section 2.1, RFC 7617 section 2); none if the query carries
 * it.
 */
export function credentialHeaders(authentication: Authentication): Record<string, string> {
  const { scheme } = authentication
  if (scheme === 'bearer') return { authorization: `Bearer ${authentication.token}` }
  if (scheme === 'basic') return { authorization: `Basic ${basicCredential(authentication)}` }
  if (scheme === 'header') return { [authentication.name.toLowerCase()]: authentication.value }
  return {}
}

/** Returns the query parameters that carry the credential; none if the headers carry it. */
export function credentialQuery(authentication: Authentication): Record<string, string> {
  const { scheme } = authentication
  return scheme === 'query' ? { [authentication.name]: authentication.value } : {}
}

/** Returns the text with the credential masked, for text from the other side that we repeat. */
export function withoutSecrets(authentication: Authentication, text: string): string {
  return secretsOf(authentication)
    .flatMap((secret) => (secret === '' ? [] : [secret, encodeURIComponent(secret)]))
    .reduce(
      (clean, secret) => clean.replaceAll(new RegExp(RegExp.escape(secret), 'gi'), '***'),
      text,
    )
}

function secretsOf(authentication: Authentication): readonly string[] {
  const { scheme } = authentication
  if (scheme === 'none') return []
  if (scheme === 'bearer') return [authentication.token]
  if (scheme === 'basic') return [authentication.password, basicCredential(authentication)]
  return [authentication.value]
}

function basicCredential({ user, password }: { user: string; password: string }): string {
  return Buffer.from(`${user}:${password}`, 'utf8').toString('base64')
}
