import { type Deed, tellDeed } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { ActivityStore, ClientFamily } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { ErasedPerson, ErasureStore, NamedFeed, TakenAway } from '../domain/people/erasure.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { findPersonToErase } from './person-to-erase.ts'
import { findTasksNaming, removeFromTasks } from './tasks-naming.ts'

export interface ErasureDeps {
  readonly erasure: ErasureStore
  readonly copies: Pick<CopyStore, 'findCopy' | 'keepCopy'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  readonly log: Log
}

/** Whom to erase. */
export interface ErasureInput {
  readonly userId: string
  /** Needed where several companies know the id: in each it may be another person's. */
  readonly companyId?: string | undefined
  /** Whether it is only to be said what would be removed. */
  readonly isDry?: boolean
}

/** What was removed of a person, and what of them is still outside. */
export interface Erasure {
  readonly userId: string
  readonly companyId: string
  /** Whether nothing was removed, only counted. */
  readonly isDry: boolean
  /** Feeds of that person alone: removed with their links, so that these answer 404. */
  readonly removedFeeds: readonly string[]
  /** Feeds about others too: they go on without the person. */
  readonly changedFeeds: readonly NamedFeed[]
  /** Copies of the person's own records that were removed, and of tasks out of which the person was taken. */
  readonly copies: number
  /** Calendar programs that have fetched any of these feeds, and hold what they fetched. */
  readonly heldBy: readonly HeldCalendar[]
  /** Backups that the program has made of its database, which name the person still. */
  readonly backups: readonly string[]
}

export interface HeldCalendar {
  readonly feedId: string
  readonly label: string
  readonly client: ClientFamily
  readonly lastPolledAt: Instant
}

/**
 * Removes everything that is kept about a person in one company; a feed made for them later ends that. Doing it again does
 * no harm and finds nothing. Noted is who did it and in which company, not to whom. Those of one company find nobody in
 * another. Fails as `findPersonToErase`, and with `not_found` where nothing has been kept there.
 */
export async function erasePerson(
  deps: ErasureDeps,
  { userId, companyId, isDry = false }: ErasureInput,
  by: Actor,
): Promise<Erasure> {
  const { erasure, activity } = deps
  const where = within(deps, by, companyId)
  const person = await findPersonToErase(deps, { userId, companyId: where }, by)
  await refuseUnknown(deps, person)
  const feeds = await erasure.listFeedsOf(person)
  const polled = await activity.listActivity(feeds.map(({ id }) => id))
  const deed = { at: deps.clock.now(), actor: by.actor, action: 'person_erased' } as const
  const { removed, changed, copies } = isDry
    ? await foresee(deps, person, feeds)
    : await remove(deps, person, deed)
  return {
    userId,
    companyId: person.companyId,
    isDry,
    removedFeeds: removed.map(({ id }) => id),
    changedFeeds: changed,
    copies,
    heldBy: polled
      .filter(({ hasChangeOf }) => hasChangeOf !== null)
      .map(({ feedId, label, client, lastPolledAt }) => ({ feedId, label, client, lastPolledAt })),
    backups: erasure.listBackups(),
  }
}

/** Where to look for them: in no other company than the only one that may be seen, whether or not there is one. */
function within(
  { connections }: Pick<ErasureDeps, 'connections'>,
  { companyId: only }: Pick<Actor, 'companyId'>,
  wanted: string | undefined,
): string | undefined {
  if (only === null) return wanted
  if (connections.has(only) && (wanted ?? only) === only) return only
  throw new AppError('not_found', 'There is no such company.')
}

/** An id with a wrong letter must not look like one that is done with. */
async function refuseUnknown(deps: ErasureDeps, person: ErasedPerson): Promise<void> {
  const { userId, companyId, copyKeys } = person
  const all = new Map([...deps.connections].map(([id, connection]) => [id, connection.id]))
  if ((await deps.erasure.listCompaniesOf(userId, copyKeys, all)).includes(companyId)) return
  if ((await findTasksNaming(deps, person)).length > 0) return
  const message = `Nothing is kept about ${userId} in ${companyId}: is the id right?`
  throw new AppError('not_found', message)
}

function isOnlyOf(userId: string): (feed: Feed) => boolean {
  return ({ userIds }) => userIds.every((id) => id === userId)
}

function isAlsoOfOthers(userId: string): (feed: Feed) => boolean {
  return ({ userIds }) => userIds.some((id) => id !== userId)
}

/** What `remove` would. */
async function foresee(
  deps: ErasureDeps,
  person: ErasedPerson,
  feeds: readonly Feed[],
): Promise<TakenAway> {
  const named = await findTasksNaming(deps, person)
  const own = await deps.erasure.countCopies(person)
  return {
    removed: feeds.filter(isOnlyOf(person.userId)),
    changed: feeds.filter(isAlsoOfOthers(person.userId)).map(({ id, name }) => ({ id, name })),
    copies: own + named.length,
  }
}

/** The copies are those of the person alone, and of tasks out of which they were taken. */
async function remove(deps: ErasureDeps, person: ErasedPerson, deed: Deed): Promise<TakenAway> {
  const { erasure, log } = deps
  const own = await erasure.deletePerson(person, deed)
  tellDeed(log, deed, { companyId: person.companyId })
  let tasks = 0
  for (const found of await findTasksNaming(deps, person)) {
    if (await removeFromTasks(deps, found, person.userId)) tasks += 1
  }
  await erasure.forgetDeleted()
  return { ...own, copies: own.copies + tasks }
}
