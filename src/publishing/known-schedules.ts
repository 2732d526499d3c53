import type { CollectionState } from '../copies/failures.ts'
import { feedRequests } from '../copies/feed-collections.ts'
import type { Source } from '../copies/source.ts'
import { collectionKey, type CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import { defaultSchedules } from '../domain/schedule.ts'

const retryAfterMs = 300_000

export interface ShownFeed {
  readonly feed: Feed
  readonly states: readonly CollectionState[]
}

/**
 * The feed with its schedules: unknown ones are filled in, once for all nodes, when the company's schedules have been read;
 * `feeds` is null for a draft. Until then `unavailable`, since a calendar without shifts would delete them, unless the feed
 * has a rotation.
 */
export async function withKnownSchedules(
  copies: CopyStore,
  feeds: FeedStore | null,
  source: Source,
  feed: Feed,
  states: readonly CollectionState[],
): Promise<ShownFeed> {
  const { show, scheduleIds, rotation } = feed.options.shifts
  const schedules = states.find(({ request }) => request.collection.kind === 'schedules')
  if (!show || scheduleIds !== null || !schedules) return { feed, states }
  const usual = await usualSchedules(copies, source, schedules)
  if (!usual) {
    if (rotation !== null) return { feed, states }
    const message = 'The workforce system has not said yet which schedules it has.'
    throw new AppError('unavailable', message, { retryAfterMs })
  }
  const known = await keepSchedules(feeds, feed, usual)
  // Without schedules, some collections are not needed.
  const requests = feedRequests(known, source.connection.company)
  const keys = new Set(requests.map(({ collection }) => collectionKey(collection)))
  const needed = states.filter(({ request }) => keys.has(collectionKey(request.collection)))
  return { feed: known, states: needed }
}

/** Undefined until the company's schedules are read now: an older copy may name schedules of another time. */
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

/** If another node has filled them in meanwhile, its schedules are kept. */
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
