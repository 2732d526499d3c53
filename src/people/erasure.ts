import { personalKeys } from '../copies/kinds.ts'
import { type AuditEvent, logAuditEvent } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { ActivityStore, ClientFamily } from '../domain/activity.ts'
import { noCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { ErasedPerson, ErasureStore, NamedFeed, TakenAway } from '../domain/erasure.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
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
  const auditEvent = { at: deps.clock.now(), actor: by.actor, action: 'person_erased' } as const
  const { removed, changed, copies } = isDry
    ? await foresee(deps, person, feeds)
    : await remove(deps, person, auditEvent)
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
async function remove(
  deps: ErasureDeps,
  person: ErasedPerson,
  auditEvent: AuditEvent,
): Promise<TakenAway> {
  const { erasure, log } = deps
  const own = await erasure.deletePerson(person, auditEvent)
  logAuditEvent(log, auditEvent, { companyId: person.companyId })
  let tasks = 0
  for (const found of await findTasksNaming(deps, person)) {
    if (await removeFromTasks(deps, found, person.userId)) tasks += 1
  }
  await erasure.forgetDeleted()
  return { ...own, copies: own.copies + tasks }
}

interface FindingDeps {
  readonly erasure: Pick<ErasureStore, 'listCompaniesOf'>
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
}

/**
 * The person in the company that is named, or in the only one that knows them. `invalid` where several do and none is named, or
 * where there is no such company; `not_found` where none of several does.
 */
async function findPersonToErase(
  deps: FindingDeps,
  { userId, companyId }: { readonly userId: string; readonly companyId: string | undefined },
  { companyId: only }: Pick<Actor, 'companyId'>,
): Promise<ErasedPerson> {
  const person = { userId, companyId: await companyOf(deps, userId, companyId) }
  return { ...person, ...keptOf(deps, person), isStaffAnywhere: only === null }
}

async function companyOf(
  { erasure, connections }: FindingDeps,
  userId: string,
  wanted: string | undefined,
): Promise<string> {
  const all = new Map([...connections].map(([id, connection]) => [id, connection.id]))
  const knowing = await erasure.listCompaniesOf(userId, personalKeys(userId), all)
  const possible = [...new Set([...connections.keys(), ...knowing])]
  if (wanted !== undefined) {
    if (possible.includes(wanted)) return wanted
    throw wrongCompany(noCompany(wanted, possible))
  }
  if (knowing.length > 1) {
    const detail = `Must be one of ${knowing.join(', ')}, since each of them knows "${userId}".`
    throw wrongCompany(detail)
  }
  const only = knowing[0] ?? (connections.size === 1 ? [...connections.keys()][0] : undefined)
  if (only !== undefined) return only
  throw new AppError('not_found', `No company knows "${userId}".`)
}

function wrongCompany(detail: string): AppError {
  const faults = [{ pointer: '/companyId', detail }]
  return new AppError('invalid', 'It is not clear whom to erase.', { faults })
}

function keptOf(
  { connections }: FindingDeps,
  { companyId, userId }: PersonInCompany,
): Pick<ErasedPerson, 'copyKeys' | 'otherConnectionIds'> {
  const others = [...connections].filter(([id]) => id !== companyId)
  const otherConnectionIds = others.map(([, { id }]) => id)
  return { copyKeys: personalKeys(userId), otherConnectionIds }
}

/** What was removed, as programs read it. */
export interface ErasureView {
  readonly userId: string
  readonly companyId: string
  readonly removedFeeds: string[]
  readonly changedFeeds: { readonly id: string; readonly name: string }[]
  readonly copies: number
  readonly backups: string[]
  readonly dryRun: boolean
  readonly heldBy: HeldView[]
  readonly remains: string[]
}

interface HeldView {
  readonly feedId: string
  readonly label: string
  readonly client: ClientFamily
  /** RFC 3339. */
  readonly lastPolledAt: string
}

/** What was removed, as programs read it. */
export function viewErasure({ heldBy, isDry, ...erasure }: Erasure): ErasureView {
  return {
    ...erasure,
    removedFeeds: [...erasure.removedFeeds],
    changedFeeds: [...erasure.changedFeeds],
    backups: [...erasure.backups],
    dryRun: isDry,
    heldBy: heldBy.map((held) => ({
      ...held,
      lastPolledAt: new Date(held.lastPolledAt).toISOString(),
    })),
    remains: [...remains(erasure)],
  }
}

/** What was removed, in sentences. */
export function describeErasure(erasure: Erasure): string {
  const { userId, companyId, isDry, removedFeeds, changedFeeds, copies, heldBy } = erasure
  const [removed, goesOn] = isDry ? ['Would remove', 'Would go on'] : ['Removed', 'Goes on']
  return [
    `${removed} of ${userId} in ${companyId}: feeds with their links: ${removedFeeds.length}, copies of records: ${copies}.`,
    ...changedFeeds.map(
      ({ id, name }) =>
        `${goesOn} without ${userId}: ${id}, "${name}" (a name stays as it was set).`,
    ),
    ...heldBy.map((held) => `Still holds what it fetched: ${describeHeld(held)}.`),
    ...remains(erasure),
  ].join('\n')
}

function describeHeld({ feedId, label, client, lastPolledAt }: HeldCalendar): string {
  return `${client}, by the link "${label}" of ${feedId}, last on ${new Date(lastPolledAt).toISOString()}`
}

/** What is not taken away with it. */
function remains({ userId, backups }: Pick<Erasure, 'userId' | 'backups'>): readonly string[] {
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
