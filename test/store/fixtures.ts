import { randomBytes } from 'node:crypto'

import type { Copy } from '../../src/domain/copy.ts'
import { readOptions } from '../../src/domain/feed-options.ts'
import type { Feed } from '../../src/domain/feed.ts'
import type { FeedLink } from '../../src/domain/link.ts'
import type { Store } from '../../src/store/open-store.ts'

/** An identifier that no other test has. */
export function uniqueId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

const adasOptions = {
  shifts: { scheduleIds: ['sch_day'] },
  invoices: { hideStatuses: ['PAID', 'CANCELLED', 'VOID'] },
}

/** Ada's own calendar, as it is made. */
export function adasFeed(changes: Partial<Feed> = {}): Feed {
  return {
    id: uniqueId('feed'),
    companyId: uniqueId('company'),
    userIds: [uniqueId('usr_ada')],
    audience: 'own',
    name: "Ada's work calendar",
    timezone: 'Europe/Berlin',
    locale: 'en',
    ownOptions: adasOptions,
    options: readOptions(changes.audience ?? 'own', changes.ownOptions ?? adasOptions),
    choices: null,
    revision: 1,
    leavesShown: false,
    createdAt: Date.UTC(2026, 0, 5, 8),
    revokedAt: null,
    purged: false,
    closedAt: null,
    closedBecause: null,
    ...changes,
  }
}

/** Ada's own calendar, made. */
export async function makeFeed(store: Store, changes: Partial<Feed> = {}): Promise<Feed> {
  const feed = adasFeed(changes)
  await store.feeds.createFeed(feed, linkTo(feed))
  return feed
}

/** A link to the feed, with a token of its own. */
export function linkTo(feed: Feed, changes: Partial<FeedLink> = {}): FeedLink {
  return {
    feedId: feed.id,
    label: 'default',
    tokenHash: new Uint8Array(randomBytes(32)),
    createdAt: feed.createdAt,
    endsAt: null,
    endingSince: null,
    purged: false,
    publication: null,
    ...changes,
  }
}

/** A copy of Ada's leaves, whose hash and one record say which refresh brought it. */
export function copyBegunAt(begunAt: number, changes: Partial<Copy> = {}): Copy<'leaves'> {
  return {
    key: 'leaves:usr_ada',
    contentHash: `hash of ${begunAt}`,
    begunAt,
    fetchedAt: begunAt + 40,
    reach: null,
    missingSince: null,
    ...changes,
    records: [
      {
        id: `lv_${begunAt}`,
        startDate: Date.UTC(2026, 1, 2),
        endDate: Date.UTC(2026, 1, 6),
        days: 4.5,
        status: 'APPROVED',
        reason: 'Ski — “été” 🎿',
        leaveType: { name: 'Annual leave', category: 'ANNUAL' },
      },
    ],
  }
}
