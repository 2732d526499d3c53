/* Sync tokens must be URIs (RFC 6578 section 4): `data:` needs no address. */
import type { Instant } from '../domain/world.ts'
import type { PublicationName, SyncPoint } from '../publishing/calendar-objects.ts'

const pattern = /^data:,([\w-]{8})\.([0-9a-z]{1,9})(?:\.([0-9a-z]{1,9})\.([0-9a-f]{14}))?$/

/**
 * `data:,{link}.{publication}`; after a truncated answer followed by its last change, `.{publication}.{name}`. Publications
 * are named by their Last-Modified in seconds, in base 36.
 */
export function syncToken({ link, at, upTo }: PublicationName & Pick<SyncPoint, 'upTo'>): string {
  const end = upTo ? `.${seconds(upTo.publishedAt)}.${upTo.name}` : ''
  return `data:,${link}.${seconds(at)}${end}`
}

/** Undefined if it is not such a token. */
export function parseSyncToken(text: string): SyncPoint | undefined {
  const [, link, at = '', publishedAt, name] = pattern.exec(text) ?? []
  if (link === undefined) return undefined
  const upTo =
    publishedAt !== undefined && name !== undefined
      ? { publishedAt: instant(publishedAt), name }
      : undefined
  return { link, at: instant(at), upTo }
}

function seconds(at: Instant): string {
  return (at / 1000).toString(36)
}

function instant(text: string): Instant {
  return Number.parseInt(text, 36) * 1000
}
