import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What begins a secret, so that it is known as one wherever it comes to stand. */
type SecretKind = 'cft' | 'cfs'

const patterns = { cft: /^cft_[\w-]{43}$/, cfs: /^cfs_[\w-]{43}$/ } as const

/** A new secret, 32 random bytes in base64url (RFC 4648 section 5) behind that beginning, and by what it is known. */
export function makeSecret(kind: SecretKind): {
  readonly secret: string
  readonly hash: Uint8Array
} {
  const secret = `${kind}_${randomBytes(32).toString('base64url')}`
  return { secret, hash: sha256(secret) }
}

/** By which a secret is known; undefined for what can be none of that kind. */
export function hashSecret(kind: SecretKind, secret: string): Uint8Array | undefined {
  return patterns[kind].test(secret) ? sha256(secret) : undefined
}

function sha256(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Whether what somebody gives is the admin token; it takes the same time whatever they give. */
export function isAdminToken(given: string, adminToken: string): boolean {
  return timingSafeEqual(sha256(given), sha256(adminToken))
}
