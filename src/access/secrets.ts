import { createHash, randomBytes } from 'node:crypto'

/** What begins a secret, so that it is known as one wherever it comes to stand. */
type SecretKind = 'cft' | 'cfs'

/** A new secret: 32 random bytes in base64url (RFC 4648 section 5) behind that beginning. */
export function makeSecret(kind: SecretKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`
}

/** By which a secret is known; undefined for what can be none of that kind. */
export function hashSecret(kind: SecretKind, secret: string): Uint8Array | undefined {
  const isOne = secret.startsWith(`${kind}_`) && /^cf._[A-Za-z0-9_-]{43}$/.test(secret)
  return isOne ? createHash('sha256').update(secret).digest() : undefined
}
