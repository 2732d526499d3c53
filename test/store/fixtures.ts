import { randomBytes } from 'node:crypto'

import type { Copy } from '../../src/domain/copy.ts'
import type { Departure } from '../../src/domain/departure.ts'
import type { ErasedPerson } from '../../src/domain/erasure.ts'
import { readOptions } from '../../src/domain/feed-options.ts'
import { type Feed, noDefaults } from '../../src/domain/feed.ts'
import type { LeaveProof, LeavesRead } from '../../src/domain/leave.ts'
import type { FeedLink } from '../../src/domain/link.ts'
import { newLink } from '../../src/feeds/link-replacement.ts'
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
    team: null,
    audience: 'own',
    name: "Ada's work calendar",
    namedAfter: 'Ada',
    timezone: 'Europe/Berlin',
    locale: 'en',
    isLocaleSet: true,
    defaults: noDefaults,
    ownOptions: adasOptions,
    options: readOptions(changes.audience ?? 'own', changes.ownOptions ?? adasOptions),
    revision: 1,
    leavesShown: false,
    shownCollections: [],
    createdAt: Date.UTC(2026, 0, 5, 8),
    revokedAt: null,
    purgedAt: null,
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

/** Somebody of a company, of whom nothing but what is said is kept. */
export function erasedPerson(changes: Partial<ErasedPerson> = {}): ErasedPerson {
  const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
  const kept = { copyKeys: [`leaves:${userId}`], otherConnectionIds: [] }
  return { companyId, userId, ...kept, isStaffAnywhere: true, ...changes }
}

/** Removes a feed as the erasure of everybody in it does. */
export async function removeFeed(store: Store, { companyId, userIds }: Feed): Promise<void> {
  for (const userId of userIds) {
    await store.erasure.deletePerson(erasedPerson({ companyId, userId, copyKeys: [''] }))
  }
}

/** A link to the feed, with a token of its own. */
export function linkTo(feed: Feed, changes: Partial<FeedLink> = {}): FeedLink {
  const { link } = newLink({ feedId: feed.id, label: 'default', createdAt: feed.createdAt })
  return { ...link, tokenHash: new Uint8Array(link.tokenHash), ...changes }
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

/** Someone who has become inactive, which is not believed yet. */
export function departureOf(companyId: string, userId: string): Departure {
  return {
    companyId,
    userId,
    because: 'user_inactive',
    since: 1,
    readAt: 2,
    leftAt: null,
    wasHere: true,
    isHeldBack: false,
    isCleared: false,
  }
}

/** A filter of leaves that is proven. */
export function proofOf(changes: Partial<LeaveProof> = {}): LeaveProof {
  return {
    state: 'proven',
    reason: null,
    since: 5,
    batteryAt: null,
    triedAt: null,
    credential: null,
    ...changes,
  }
}

/** When the first reading was made. */
export const firstRead = Date.UTC(2026, 0, 5, 8)

/** Leaves read for that person, theirs where they are nobody else's. */
export function readingOf(userId: string, changes: Partial<LeavesRead> = {}): LeavesRead {
  return {
    companyId: 'main',
    userId,
    present: [],
    absent: [],
    now: firstRead,
    mayOwn: true,
    isGone: false,
    onlyInFeed: false,
    ...changes,
  }
}

/** To whom the leave belongs: one at most. */
export async function ownersOf(
  { proofs }: Store,
  connectionId: string,
  leaveId: string,
): Promise<readonly string[]> {
  const claims = await proofs.findClaims(connectionId, [leaveId])
  return claims.filter(({ isOwner }) => isOwner).map(({ userId }) => userId)
}
