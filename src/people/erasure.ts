import { personalKeys } from '../copies/kinds/kinds.ts'
import type { ClientFamily, ActivityStore } from '../domain/activity.ts'
import { contentHashOf, type CopyName, type CopyStore } from '../domain/copy.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import type { ErasureStore } from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'

export interface ErasureDeps {
  readonly erasure: ErasureStore
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly copies: Pick<CopyStore, 'findCopy' | 'keepCopy'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  /** Of all companies: in none of them the person is to be seen again. */
  readonly companyIds: readonly string[]
}

/** What was removed of a person, and what of them is still outside. */
export interface Erasure {
  readonly userId: string
  /** Feeds of that person alone: removed with their links, so that these answer 404. */
  readonly removedFeeds: readonly string[]
  /** Feeds about others too: they go on without the person. */
  readonly changedFeeds: readonly { readonly id: string; readonly name: string }[]
  /** Copies of the person's own records that were removed, and of tasks out of which the person was taken. */
  readonly copies: number
  /** Calendar programs that have fetched any of these feeds, and hold what they fetched. */
  readonly heldBy: readonly HeldCalendar[]
}

export interface HeldCalendar {
  readonly feedId: string
  readonly label: string
  readonly client: ClientFamily
  readonly lastPolledAt: Instant
}

/**
 * Removes everything that is kept about a person, in every company; a feed made for them later ends that. Doing it again does
 * no harm and finds nothing.
 */
export async function erasePerson(deps: ErasureDeps, userId: string): Promise<Erasure> {
  const { erasure, activity, companyIds } = deps
  const feeds = await erasure.listFeedsOf(userId)
  const polled = await activity.listActivity(feeds.map(({ id }) => id))
  const [removed, changed] = [feeds.filter(isOnlyOf(userId)), feeds.filter(isAlsoOfOthers(userId))]
  for (const { id } of removed) await erasure.deleteFeed(id)
  for (const { id } of changed) await removeFromFeed(deps, id, userId)
  const own = await erasure.deletePerson(userId, personalKeys(userId), companyIds)
  const tasks = await removeFromTasks(deps, userId)
  await erasure.forgetDeleted()
  return {
    userId,
    removedFeeds: removed.map(({ id }) => id),
    changedFeeds: changed.map(({ id, name }) => ({ id, name })),
    copies: own + tasks,
    heldBy: polled
      .filter(({ hasChangeOf }) => hasChangeOf !== null)
      .map(({ feedId, label, client, lastPolledAt }) => ({ feedId, label, client, lastPolledAt })),
  }
}

function isOnlyOf(userId: string): (feed: Feed) => boolean {
  return ({ userIds }) => userIds.every((id) => id === userId)
}

function isAlsoOfOthers(userId: string): (feed: Feed) => boolean {
  return ({ userIds }) => userIds.some((id) => id !== userId)
}

async function removeFromFeed({ feeds }: ErasureDeps, id: string, userId: string): Promise<void> {
  await feeds.changeFeed(id, (feed) => ({
    ...feed,
    userIds: feed.userIds.filter((other) => other !== userId),
  }))
}

async function removeFromTasks(deps: ErasureDeps, userId: string): Promise<number> {
  let changed = 0
  for (const copy of await deps.erasure.listTaskCopies()) {
    if (await removeFromCopy(deps, copy, userId)) changed += 1
  }
  return changed
}

async function removeFromCopy(
  { copies }: ErasureDeps,
  { connectionId, key }: CopyName,
  userId: string,
): Promise<boolean> {
  const copy = await copies.findCopy<'tasks'>(connectionId, key)
  if (!copy?.records.some(({ assignees }) => assignees?.some(({ id }) => id === userId))) {
    return false
  }
  const records = copy.records.map((task) => ({
    ...task,
    assignees: task.assignees?.filter(({ id }) => id !== userId),
  }))
  const contentHash = contentHashOf(records)
  return copies.keepCopy(connectionId, { ...copy, contentHash, records })
}
