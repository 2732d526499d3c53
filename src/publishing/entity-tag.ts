import { createHash } from 'node:crypto'

/** Enough of a SHA-256 that no two texts share it. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

/** The weak entity tag of a text: one for every content coding (RFC 9110 section 8.8.3). */
export function weakTag(text: string): string {
  return `W/"${hashText(text)}"`
}
