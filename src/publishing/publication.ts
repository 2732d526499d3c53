import type { Publication } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { weakTag } from './entity-tag.ts'

/** Changes the validators only where the bytes differ; Last-Modified always moves forward then. */
export function nextPublication(
  before: Publication | null,
  text: string,
  fingerprint: string,
  now: Instant,
): Publication {
  const etag = weakTag(text)
  if (before?.etag === etag) {
    return before.fingerprint === fingerprint ? before : { ...before, fingerprint }
  }
  const second = Math.floor(now / 1000) * 1000
  const lastModified = before ? Math.max(second, before.lastModified + 1000) : second
  return { fingerprint, etag, lastModified }
}
