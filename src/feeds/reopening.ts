/* What staff have ended by mistake can go on within a day, unless strangers know its address. */
import { type AuditEntry, saveAuditEvent } from '../domain/access/audit-entry.ts'
import { AppError } from '../domain/errors.ts'
import { anotherPerson, type Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import { dayMs, type Instant } from '../domain/world.ts'
import type { FeedsDeps } from './deps.ts'
import type { FeedChanges } from './feed-changes.ts'
import type { FeedLinks } from './feed-links.ts'
import { auditEventOf, labelBefore, noFeed, tellOfFeed } from './link-replacement.ts'

const reopenableMs = dayMs
const ends = ['feed_revoked', 'feed_leaked', 'link_ended', 'link_leaked'] as const
/** More than staff end in one feed. */
const entriesMax = 2000

/** Until when each can be reopened. */
interface Reopenable {
  /** null if the feed itself cannot. */
  readonly feed: Instant | null
  /** By label. */
  readonly links: ReadonlyMap<string, Instant>
}

type ReopeningDeps = FeedsDeps & {
  readonly changes: Pick<FeedChanges, 'revoke'>
  readonly feedLinks: Pick<FeedLinks, 'end'>
}

/** Ends feeds and links, saying whether strangers know their address, and reopens them. */
export class Reopening {
  readonly #deps: ReopeningDeps

  constructor(deps: ReopeningDeps) {
    this.#deps = deps
  }

  /** As `FeedChanges.revoke`; a leaked one is never reopened. */
  async revoke({ id, companyId, userIds }: Feed, isLeaked: boolean): Promise<void> {
    const subject = { companyId, feedId: id, userIds }
    if (isLeaked) await this.#noteLeak('feed_leaked', subject)
    await this.#deps.changes.revoke(id, false)
  }

  /** As `FeedLinks.end`; a leaked one is never reopened. */
  async end({ id, companyId, userIds }: Feed, label: string, isLeaked: boolean): Promise<void> {
    const subject = { companyId, feedId: id, userIds, label }
    if (isLeaked) await this.#noteLeak('link_leaked', subject)
    await this.#deps.feedLinks.end(id, label, false)
  }

  /** Which of them staff have ended within the last day, without a leak and without a last calendar that says so. */
  async listReopenable(feed: Feed, links: readonly FeedLink[]): Promise<Reopenable> {
    const now = this.#deps.clock.now()
    const isRecent = (end: Instant | null): end is Instant =>
      end !== null && end <= now && end > now - reopenableMs
    const recent = links.filter(({ endsAt, purged }) => isRecent(endsAt) && !purged)
    const isOfAnother = feed.closedBecause === anotherPerson
    const isOfFeed = isRecent(feed.revokedAt) && feed.purgedAt === null && !isOfAnother
    if (recent.length === 0 && !isOfFeed) return { feed: null, links: new Map() }
    const entries = await this.#deps.audit.listEntries({
      feedId: feed.id,
      actions: ends,
      limit: entriesMax,
    })
    const found = recent.filter((link) => isEndedByStaff(link, entries))
    return {
      feed: isOfFeed && isRevokedByStaff(feed, entries) ? feed.revokedAt + reopenableMs : null,
      links: new Map(found.map(({ label, endsAt }) => [label, (endsAt ?? now) + reopenableMs])),
    }
  }

  /** `not_found`; `conflict` if it cannot be reopened. */
  async reopenFeed(id: string): Promise<void> {
    const auditEvent = auditEventOf(this.#deps, 'feed_reopened')
    const reopened = await this.#deps.feeds.changeFeed(
      id,
      async (feed) => {
        if ((await this.listReopenable(feed, [])).feed === null) throw tooLate()
        return { ...feed, revokedAt: null }
      },
      auditEvent,
    )
    if (!reopened) throw noFeed(id)
    tellOfFeed(this.#deps, auditEvent, reopened)
  }

  /** `not_found`; `conflict` if it cannot be reopened. */
  async reopenLink(id: string, label: string): Promise<void> {
    const { feeds, links } = this.#deps
    const feed = await feeds.findFeed(id)
    if (!feed) throw noFeed(id)
    const link = (await links.listLinks([id])).find((it) => it.label === label)
    if (!link || !(await this.listReopenable(feed, [link])).links.has(label)) throw tooLate()
    const auditEvent = auditEventOf(this.#deps, 'link_reopened')
    if (!(await links.reopenLink(link, auditEvent))) throw tooLate()
    tellOfFeed(this.#deps, auditEvent, feed, label)
  }

  /** Before the end: then none lacks the note. */
  #noteLeak(
    action: 'feed_leaked' | 'link_leaked',
    subject: Parameters<typeof saveAuditEvent>[2],
  ): Promise<void> {
    return saveAuditEvent(this.#deps, { actor: this.#deps.by.actor, action }, subject)
  }
}

function tooLate(): AppError {
  return new AppError('conflict', 'This cannot be reopened.')
}

/** A replaced link stays ended, and so does one that its holder has ended. */
function isEndedByStaff(
  { label, endsAt, createdAt }: FeedLink,
  entries: readonly AuditEntry[],
): boolean {
  if (labelBefore(label) !== label) return false
  // Another link may have had that label before.
  const ofLink = entries.filter((it) => it.label === label && it.at >= createdAt)
  return (
    ofLink.some((it) => it.action === 'link_ended' && it.at === endsAt && isByStaff(it)) &&
    ofLink.every(({ action }) => action !== 'link_leaked')
  )
}

function isRevokedByStaff({ revokedAt }: Feed, entries: readonly AuditEntry[]): boolean {
  return (
    entries.some((it) => it.action === 'feed_revoked' && it.at === revokedAt && isByStaff(it)) &&
    entries.every(({ action }) => action !== 'feed_leaked')
  )
}

function isByStaff({ actor }: AuditEntry): boolean {
  return actor !== 'holder' && actor !== 'bridge' && !actor.startsWith('person:')
}
