import type { CollectionState } from '../copies/failures.ts'
import { feedRequests } from '../copies/feed-collections.ts'
import type { Source } from '../copies/source.ts'
import { collectionKey, type CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import { defaultSchedules } from '../domain/schedule.ts'

const retryAfterMs = 300_000

/** A feed as it is shown, and the collections that it is made of. */
export interface ShownFeed {
  readonly feed: Feed
  readonly states: readonly CollectionState[]
}

/**
 * The feed with its schedules: where they were not known yet they are filled in, once for all nodes, as soon as the
 * company's have been read; `feeds` is null for a feed that is only a draft. `unavailable` until then, unless its shifts
 * follow a rotation: a calendar without shifts would take them away.
 */
export async function withKnownSchedules(
  copies: CopyStore,
  feeds: FeedStore | null,
  source: Source,
  feed: Feed,
  states: readonly CollectionState[],
): Promise<ShownFeed> {
  const { scheduleIds, rotation } = feed.options.shifts
  const schedules = states.find(({ request }) => request.collection.kind === 'schedules')
  if (scheduleIds !== null || !schedules) return { feed, states }
  const usual = await usualSchedules(copies, source, schedules)
  if (!usual) {
    if (rotation !== null) return { feed, states }
    const message = 'The workforce system has not said yet which schedules it has.'
    throw new AppError('unavailable', message, { retryAfterMs })
  }
  const known = await keepSchedules(feeds, feed, usual)
  // Where there turn out to be no schedules, some of what was asked for is not needed.
  const requests = feedRequests(known, source.connection.company)
  const keys = new Set(requests.map(({ collection }) => collectionKey(collection)))
  const needed = states.filter(({ request }) => keys.has(collectionKey(request.collection)))
  return { feed: known, states: needed }
}

/** Undefined while the company's have not been read: an older copy may name schedules of another time for good. */
async function usualSchedules(
  copies: CopyStore,
  { connection: { id, company } }: Source,
  { head, failed, late }: CollectionState,
): Promise<readonly string[] | undefined> {
  if (company.schedules.length > 0) return company.schedules
  const isNew = head && !failed && !late
  const copy = isNew ? await copies.findCopy<'schedules'>(id, head.key) : undefined
  return copy && defaultSchedules(company, copy.records)
}

/** What another node has filled in meanwhile stands. */
async function keepSchedules(
  feeds: FeedStore | null,
  feed: Feed,
  scheduleIds: readonly string[],
): Promise<Feed> {
  if (!feeds) return withSchedules(feed, scheduleIds)
  const kept = await feeds.changeFeed(feed.id, (before) =>
    before.options.shifts.scheduleIds === null ? withSchedules(before, scheduleIds) : null,
  )
  if (!kept) throw new AppError('not_found', 'There is no such calendar.')
  return withSchedules(feed, kept.options.shifts.scheduleIds)
}

function withSchedules(feed: Feed, scheduleIds: readonly string[] | null): Feed {
  const { options, ownOptions } = feed
  return {
    ...feed,
    options: { ...options, shifts: { ...options.shifts, scheduleIds } },
    ownOptions: { ...ownOptions, shifts: { ...ownOptions.shifts, scheduleIds } },
  }
}
