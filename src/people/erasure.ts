import { personalKeys } from '../copies/kinds.ts'
import { logAuditEvent } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { ActivityStore, ClientActivity } from '../domain/activity.ts'
import { noCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import { contentHashOf, type Copy } from '../domain/copy.ts'
import type { ErasedPerson, NamedFeed, TakenAway } from '../domain/erasure.ts'
import { AppError } from '../domain/errors.ts'
import { endsWithPerson, type Feed } from '../domain/feed.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { PeopleDeps } from './people-deps.ts'
import { followAllTeams } from './teams.ts'

export type ErasureDeps = Pick<
  PeopleDeps,
  'erasure' | 'copies' | 'connections' | 'feeds' | 'teams' | 'clock' | 'log'
> & { readonly activity: ActivityStore }

interface ErasureInput {
  readonly userId: string
  /** Required where several companies know the id: it may be another person's in each. */
  readonly companyId?: string | undefined
  readonly isDry?: boolean
}

/** What was removed about a person, and what remains elsewhere. */
export interface Erasure {
  readonly userId: string
  readonly companyId: string
  /** Feeds of that person alone, or of their team: removed with their links, which then answer 404. */
  readonly removedFeeds: readonly string[]
  /** Feeds with others, which continue without the person. */
  readonly changedFeeds: readonly NamedFeed[]
  /** Copies of the person's records that were removed, and of tasks that were changed. */
  readonly copies: number
  readonly heldBy: readonly HeldCalendar[]
  readonly backups: readonly string[]
  readonly dryRun: boolean
  /** Sentences about what is not removed. */
  readonly remains: readonly string[]
}

interface HeldCalendar extends Pick<ClientActivity, 'feedId' | 'label' | 'client'> {
  readonly lastPolledAt: string
}

/**
 * Removes everything that is kept about a person in one company; a feed made for them later ends that. Doing it again does no
 * harm. The audit log says who did it, not to whom. Staff of one company find no person of another. `invalid` where several
 * companies know the id and none is given, or there is no such company; `not_found` where nothing is kept.
 */
export async function erasePerson(
  deps: ErasureDeps,
  { userId, companyId: wanted, isDry = false }: ErasureInput,
  by: Actor,
): Promise<Erasure> {
  const { erasure, activity } = deps
  const { person, isKnown } = await findPerson(deps, { userId, companyId: wanted }, by)
  const { companyId } = person
  // A misspelt id must not look like one that has been erased.
  if (!isKnown && (await findTasksNaming(deps, person)).length === 0) throw nothingKept(person)
  const feeds = await erasure.listFeedsOf(person)
  const polled = await activity.listActivity(feeds.map(({ id }) => id))
  const { removed, changed, copies } = isDry
    ? await foresee(deps, person, feeds)
    : await remove(deps, person, by)
  const backups = erasure.listBackups()
  return {
    userId,
    companyId,
    removedFeeds: removed.map(({ id }) => id),
    changedFeeds: changed,
    copies,
    heldBy: polled
      .filter(({ hasChangeOf }) => hasChangeOf !== null)
      .map(({ feedId, label, client, lastPolledAt: at }) => {
        return { feedId, label, client, lastPolledAt: new Date(at).toISOString() }
      }),
    backups,
    dryRun: isDry,
    remains: remains(userId, backups),
  }
}

/**
 * Who is meant, and whether the company knows the id or has erased it; tasks that name it do not count. Fails like
 * `erasePerson`, except for an id about which nothing is kept.
 */
export async function findPerson(
  deps: Pick<ErasureDeps, 'erasure' | 'connections'>,
  { userId, companyId: wanted }: Pick<ErasureInput, 'userId' | 'companyId'>,
  by: Actor,
): Promise<{ readonly person: ErasedPerson; readonly isKnown: boolean }> {
  const { erasure, connections } = deps
  const meant = ownCompany(deps, by, wanted)
  const ids = new Map([...connections].map(([company, { id }]) => [company, id]))
  const knowing = await erasure.listCompaniesOf(userId, personalKeys(userId), ids)
  const companyId = companyOf([...connections.keys()], knowing, userId, meant)
  const person = erasedPerson(connections, { userId, companyId }, by.companyId === null)
  return { person, isKnown: knowing.includes(companyId) }
}

export function nothingKept({ userId, companyId }: PersonInCompany): AppError {
  const message = `Nothing is kept about ${userId} in ${companyId}: is the id right?`
  return new AppError('not_found', message)
}

function ownCompany(
  { connections }: Pick<ErasureDeps, 'connections'>,
  { companyId: own }: Actor,
  wanted: string | undefined,
): string | undefined {
  if (own === null) return wanted
  if (connections.has(own) && (wanted ?? own) === own) return own
  throw new AppError('not_found', 'There is no such company.')
}

function companyOf(
  known: readonly string[],
  knowing: readonly string[],
  userId: string,
  wanted: string | undefined,
): string {
  const possible = [...new Set([...known, ...knowing])]
  if (wanted !== undefined) {
    if (possible.includes(wanted)) return wanted
    throw wrongCompany(noCompany(wanted, possible))
  }
  if (knowing.length > 1) {
    const detail = `Must be one of ${knowing.join(', ')}, since each of them knows "${userId}".`
    throw wrongCompany(detail)
  }
  const only = knowing[0] ?? (known.length === 1 ? known[0] : undefined)
  if (only !== undefined) return only
  throw new AppError('not_found', `No company knows "${userId}".`)
}

export function wrongCompany(detail: string): AppError {
  const faults = [{ pointer: '/companyId', detail }]
  return new AppError('invalid', 'It is not clear who is meant.', { faults })
}

async function foresee(
  deps: ErasureDeps,
  person: ErasedPerson,
  feeds: readonly Feed[],
): Promise<TakenAway> {
  const { userId } = person
  const ends = (feed: Feed): boolean => endsWithPerson(feed, userId)
  const [tasks, own] = [await findTasksNaming(deps, person), await deps.erasure.countCopies(person)]
  return {
    removed: feeds.filter(ends),
    changed: feeds.filter((feed) => !ends(feed)).map(({ id, name }) => ({ id, name })),
    copies: own + tasks.length,
  }
}

async function remove(deps: ErasureDeps, person: ErasedPerson, by: Actor): Promise<TakenAway> {
  const { erasure, clock, log } = deps
  const event = { at: clock.now(), actor: by.actor, action: 'person_erased' } as const
  const own = await erasure.deletePerson(person, event)
  logAuditEvent(log, event, { companyId: person.companyId })
  const tasks = await removeFromTasks(deps, person)
  // People who reported to the person are in fewer teams now.
  await followAllTeams(deps, person.companyId)
  await erasure.forgetDeleted()
  return { ...own, copies: own.copies + tasks }
}

function remains(userId: string, backups: readonly string[]): readonly string[] {
  return [
    `Calendar programs keep what they fetched until the subscription is removed in them; downloaded files stay where they are.`,
    `The Read API itself is not changed: while it names ${userId}, tasks shared with others bring the name again.`,
    `Backups and logs from before still name ${userId}.`,
    ...backups.map(
      (file) =>
        `The database as it was before an update is one of them; it goes 30 days after that, or now: rm '${file}'`,
    ),
  ]
}

export function describeErasure(erasure: Erasure): string {
  const { userId, companyId, dryRun, removedFeeds, changedFeeds, copies, heldBy } = erasure
  const [removed, goesOn] = dryRun ? ['Would remove', 'Would go on'] : ['Removed', 'Goes on']
  return [
    `${removed} of ${userId} in ${companyId}: feeds with their links: ${removedFeeds.length}, copies of records: ${copies}.`,
    ...changedFeeds.map(
      ({ id, name }) =>
        `${goesOn} without ${userId}: ${id}, "${name}" (a name stays as it was set).`,
    ),
    ...heldBy.map(
      ({ feedId, label, client, lastPolledAt }) =>
        `Still holds what it fetched: ${client}, by the link "${label}" of ${feedId}, last on ${lastPolledAt}.`,
    ),
    ...erasure.remains,
  ].join('\n')
}

/** Copies lie in all connections but those of other companies: a company may have had others before. */
export function erasedPerson(
  connections: ReadonlyMap<string, Connection>,
  { companyId, userId }: PersonInCompany,
  isStaffAnywhere: boolean,
): ErasedPerson {
  const others = [...connections].filter(([id]) => id !== companyId)
  const otherConnectionIds = others.map(([, { id }]) => id)
  return { companyId, userId, copyKeys: personalKeys(userId), otherConnectionIds, isStaffAnywhere }
}

type TasksDeps = Pick<ErasureDeps, 'erasure' | 'copies'>

/** Copies of tasks that name the person, with their connections. */
export async function findTasksNaming(
  { erasure, copies }: TasksDeps,
  person: ErasedPerson,
): Promise<readonly { readonly connectionId: string; readonly copy: Copy<'tasks'> }[]> {
  const found = []
  for (const { connectionId, key } of await erasure.listTaskCopies(person)) {
    const copy = await copies.findCopy<'tasks'>(connectionId, key)
    const isNamed = copy?.records.some((it) => it.assignees?.some(({ id }) => id === person.userId))
    if (copy && isNamed) found.push({ connectionId, copy })
  }
  return found
}

/** Removes the person from these tasks; returns the number of copies changed. Newer copies stay. */
export async function removeFromTasks(deps: TasksDeps, person: ErasedPerson): Promise<number> {
  let count = 0
  for (const { connectionId, copy } of await findTasksNaming(deps, person)) {
    const records = copy.records.map((task) => ({
      ...task,
      assignees: task.assignees?.filter(({ id }) => id !== person.userId),
    }))
    const without = { ...copy, contentHash: contentHashOf(records), records }
    if (await deps.copies.keepCopy(connectionId, without)) count += 1
  }
  return count
}
