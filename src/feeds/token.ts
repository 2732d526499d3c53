import { createHash, randomBytes } from 'node:crypto'

const tokenPattern = /^cfb_[A-Za-z0-9_-]{43}$/

/** A new secret: `cfb_` and 32 random bytes in base64url (RFC 4648 section 5). */
export function makeToken(): string {
  return `cfb_${randomBytes(32).toString('base64url')}`
}

/** The SHA-256 by which a token is known in the store, or undefined for what cannot be a token. */
export function hashToken(token: string): Uint8Array | undefined {
  return tokenPattern.test(token) ? createHash('sha256').update(token).digest() : undefined
}
