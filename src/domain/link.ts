import { createHash, randomBytes } from 'node:crypto'

import type { Feed } from './feed.ts'
import type { Instant } from './world.ts'

/** One secret address of a feed. Only the SHA-256 of its token is known. */
export interface FeedLink {
  readonly feedId: string
  readonly label: string
  readonly tokenHash: Uint8Array
  readonly createdAt: Instant
  /** When the link ends, or ended; null while it has no end. */
  readonly endsAt: Instant | null
  /** When it was told to end; null while it has no end. */
  readonly endingSince: Instant | null
  /** Whether the link, once ended, says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  readonly publication: Publication | null
}

/** By which a link is told from all others. */
export function linkName({ feedId, label }: Pick<FeedLink, 'feedId' | 'label'>): string {
  return `${feedId} ${label}`
}

/** What a link served last: enough to answer "has anything changed?" without rendering. */
export interface Publication {
  readonly fingerprint: string
  /** The entity tag with its quotes and weakness mark (RFC 9110 section 8.8.3). */
  readonly etag: string
  readonly lastModified: Instant
}

/** What becomes of a link that another one replaces. */
export interface RotatedLink {
  /** Its new label; a number is added where that is taken. */
  readonly label: string
  readonly endsAt: Instant
}

/** The links of feeds; one that has ended stays, so that its token is known to have ended. */
export interface LinkStore {
  /** The link of that token and its feed, ended, revoked and closed ones as well. */
  findByTokenHash(tokenHash: Uint8Array): Promise<{ feed: Feed; link: FeedLink } | undefined>
  listLinks(feedIds: readonly string[]): Promise<readonly FeedLink[]>
  /** `conflict` if the label is in use by a link of the feed that has not ended. An ended link of that label is renamed apart. */
  createLink(link: FeedLink): Promise<void>
  /**
   * Ends a link, with `purged` after 30 days of a calendar that says so; one that ends earlier anyway keeps its end.
   * False if there is none of that label.
   */
  endLink(feedId: string, label: string, endsAt: Instant, purged?: boolean): Promise<boolean>
  /**
   * Puts a link in the place of the one of its label, which is renamed apart, with all that is known of its clients,
   * and ends. False if there is none of that label.
   */
  rotateLink(link: FeedLink, old: RotatedLink): Promise<boolean>
  /** Stores what a link now serves, if it still served `before`; false otherwise. */
  savePublication(link: FeedLink, before: Publication | null, now: Publication): Promise<boolean>
}

const tokenPattern = /^cfb_[A-Za-z0-9_-]{43}$/

/** A new secret: `cfb_` and 32 random bytes in base64url (RFC 4648 section 5). */
export function makeToken(): string {
  return `cfb_${randomBytes(32).toString('base64url')}`
}

/** The SHA-256 by which a token is known in the store, or undefined for what cannot be a token. */
export function hashToken(token: string): Uint8Array | undefined {
  return tokenPattern.test(token) ? createHash('sha256').update(token).digest() : undefined
}

const tokens = /cfb_[A-Za-z0-9_-]{43}/g

/** The text with every link's secret blotted out, however it came into it: for logs and errors. */
export function withoutTokens(text: string): string {
  return text.replace(tokens, 'cfb_…')
}
