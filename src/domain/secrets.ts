import { createHmac, hash, randomBytes } from 'node:crypto'

/** Of a link, of a token for the API, and of a browser that signs in. */
type SecretKind = 'cfb' | 'cft' | 'cfs'

const patterns = {
  cfb: /^cfb_[\w-]{43}$/,
  cft: /^cft_[\w-]{43}$/,
  cfs: /^cfs_[\w-]{43}$/,
} as const satisfies Record<SecretKind, RegExp>

/** A new secret: the kind and 32 random bytes in base64url (RFC 4648 section 5). */
export function makeSecret(kind: SecretKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`
}

/** The SHA-256 by which a secret is known in the store; undefined for what cannot be a secret of that kind. */
export function hashSecret(kind: SecretKind, secret: string): Uint8Array | undefined {
  return patterns[kind].test(secret) ? hash('sha256', secret, 'buffer') : undefined
}

/** The text with all secrets made by this program blotted out, for logs and errors. */
export function withoutSecrets(text: string): string {
  return text.replace(/(cf[bst]_)[A-Za-z0-9_-]{43}/g, '$1…')
}

export function makeFormKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The secret of the link that a form makes: the same one however often the form is sent. */
export function secretOfForm(key: string, ...made: readonly string[]): string {
  return `cfb_${createHmac('sha256', key).update(JSON.stringify(made)).digest('base64url')}`
}
