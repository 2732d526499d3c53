import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import {
  findableMail,
  foldedId,
  type Identity,
  identityOf,
  type LostManagers,
  type ManagerChange,
  type PeopleStore,
  type Person,
  type PersonInCompany,
  type PersonReading,
  type ReadingPlan,
  sortNameOf,
} from '../domain/person.ts'
import type { PersonReference, User } from '../domain/user.ts'
import { dayMs, type Instant, type Maybe } from '../domain/world.ts'
import { plainLine } from '../text/plain-text.ts'
import { isInFeed } from './feeds.ts'
import { changeRow, inParts, inRanges, isOfCompany, members } from './rows.ts'
import type { PersonRow, Queries, StoreDatabase } from './tables.ts'
import { findLostManagers } from './teams.ts'

/** The turn for adding to the directory or erasing from it. */
export const directoryTurn = 'people'

export function peopleStore({ queries, shareTurn, takeTurn }: StoreDatabase): PeopleStore {
  const peopleOf = (companyId: string) =>
    queries.selectFrom('people').where('companyId', '=', companyId)
  /** Erasures wait for it. */
  const add = <T>(work: (people: Queries) => Promise<T>): Promise<T> =>
    queries.transaction().execute(async (transaction) => {
      await shareTurn(transaction, directoryTurn)
      return work(transaction)
    })
  const lostBefore = async (people: Queries, companyId: string): Promise<LostManagers> => {
    // One change after the other, so that each knows what the earlier ones have made of the company.
    await takeTurn(people, `managers of ${companyId}`)
    return findLostManagers(people, companyId)
  }
  const seePeople: PeopleStore['seePeople'] = async (companyId, people, seenAt) => {
    // Without duplicates and in the same order on every node, to prevent deadlocks.
    const byId = new Map(people.map((person) => [person.id, person]))
    const inOrder = [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const some of inParts(inOrder, peopleAtOnce)) {
      await add((transaction) => seeSome(transaction, companyId, some, seenAt))
    }
  }
  const due = (companyId: string, comparison: '<=' | '>', instant: Instant) =>
    peopleOf(companyId)
      .select(['userId', 'dueAt'])
      .where('dueAt', comparison, instant)
      .orderBy('dueAt')
      .orderBy('userId')
      .limit(1)
      .executeTakeFirst()
  const longestDue = async (companyId: string, { now, latest }: ReadingPlan) =>
    (await due(companyId, '<=', now)) ?? (await due(companyId, '>', latest))
  return {
    async findPerson(companyId, userId) {
      const rows = peopleOf(companyId).selectAll().where('userId', '=', userId)
      const row = await rows.executeTakeFirst()
      return row && personOf(row)
    },
    async listPeople(companyId) {
      const rows = await peopleOf(companyId).selectAll().orderBy('userId').execute()
      return rows.map(personOf)
    },
    async keepReading(companyId, reading, dueAt) {
      const { userId, user, readAt } = reading
      const manager = managerOf(user)
      const stored = await add(async (people) => {
        // Of two readings at once, the later must see what the earlier changed.
        await takeTurn(people, `reading of ${companyId} ${userId}`)
        const known = people.selectFrom('people').select(['managerId', 'managerMissingSince'])
        const person = await known.where((of) => of.and({ companyId, userId })).executeTakeFirst()
        if (!person && !(await isInFeed(people, companyId, userId))) return undefined
        const ids = manager ? [userId, manager.id] : [userId]
        const erased = await findErased(people, companyId, ids)
        if (erased.has(userId)) return undefined
        const { managerId, managerMissingSince } = person ?? noManager
        const before = { managerId, managerMissingSince }
        const after = erased.size > 0 ? noManager : managerAfter(before, reading, manager)
        const change = isDeepStrictEqual(before, after)
          ? undefined
          : { userId, before, after, lost: await lostBefore(people, companyId) }
        const columns = { ...readColumns(reading, dueAt), ...after }
        await people
          .insertInto('people')
          .values({ ...sightedRow(companyId, { id: userId }, readAt), ...columns })
          .onConflict((kept) => kept.columns(['companyId', 'userId']).doUpdateSet(columns))
          .execute()
        return { after, change }
      })
      if (manager && stored?.after.managerId === manager.id) {
        await seePeople(companyId, [manager], readAt)
      }
      return stored?.change
    },
    seePeople,
    seeMembers: (companyId, seenAt) =>
      inRanges('', (after) => add((people) => seeMembersAfter(people, companyId, after, seenAt))),
    async seeManagers(companyId, seenAt) {
      const rows = await peopleOf(companyId)
        .select('managerId as id')
        .distinct()
        .where('state', '=', 'active')
        .execute()
      const managers = rows.flatMap(({ id }) => (id === null ? [] : [{ id }]))
      await seePeople(companyId, managers, seenAt)
    },
    async dropUnseen(companyId, seenBefore) {
      const people = queries.deleteFrom('people').where('companyId', '=', companyId)
      await people.where('seenAt', '<', seenBefore).execute()
    },
    async takePersonToRead(companyId, plan) {
      for (;;) {
        const row = await longestDue(companyId, plan)
        if (!row) return undefined
        const person = queries
          .updateTable('people')
          .where((people) => people.and({ companyId, ...row }))
        if (await changeRow(person.set({ dueAt: plan.againAt }))) return row.userId
        // Another node took the person: look for the next one.
      }
    },
    isAnyoneDue: async (companyId, plan) => (await longestDue(companyId, plan)) !== undefined,
    async countDue(companyId, now) {
      const counted = peopleOf(companyId).select(({ fn }) => fn.countAll<number>().as('people'))
      return (await counted.where('dueAt', '<=', now).executeTakeFirstOrThrow()).people
    },
  }
}

/** SQLite allows 32,766 values per statement; a person has sixteen. */
const peopleAtOnce = 1000

/** Marks them as seen in one statement, except erased people. */
async function seeSome(
  people: Queries,
  companyId: string,
  some: readonly PersonReference[],
  seenAt: Instant,
): Promise<void> {
  const ids = some.map(({ id }) => id)
  const erased = await findErased(people, companyId, ids)
  const seen = some.filter(({ id }) => !erased.has(id))
  if (seen.length === 0) return
  const rows = await people
    .insertInto('people')
    .values(seen.map((person) => sightedRow(companyId, person, seenAt)))
    .onConflict((known) =>
      known.columns(['companyId', 'userId']).doUpdateSet({
        seenAt: sql.ref('excluded.seenAt'),
        firstName: sql`coalesce(people.first_name, excluded.first_name)`,
        lastName: sql`coalesce(people.last_name, excluded.last_name)`,
      }),
    )
    .returning(['userId', 'firstName', 'lastName', 'sortName'])
    .execute()
  for (const { sortName: before, ...person } of rows) {
    const sortName = sortNameOf(person)
    if (sortName === before) continue
    const { userId } = person
    const named = people.updateTable('people').where((of) => of.and({ companyId, userId }))
    await named.set({ sortName }).execute()
  }
}

/** Nobody was chosen for the feed of a team, so it brings no erased person back. */
const isOfTeam = sql<number>`case when feeds.team_manager_id is null then 0 else 1 end`

/** Marks the next members of unrevoked feeds as seen, erased ones included; returns the last id if there may be more. */
async function seeMembersAfter(
  people: Queries,
  companyId: string,
  after: string,
  seenAt: Instant,
): Promise<string | undefined> {
  // With a cross join, SQLite reads in the order of people instead of all feeds of the company again and again.
  const next = await people
    .selectFrom('feedUsers')
    .crossJoin('feeds')
    .whereRef('feeds.id', '=', 'feedUsers.feedId')
    .select(['feedUsers.userId as id', ({ fn }) => fn.min(isOfTeam).as('isOfTeam')])
    .groupBy('feedUsers.userId')
    .where('feeds.companyId', '=', companyId)
    .where('feeds.revokedAt', 'is', null)
    .where('feedUsers.userId', '>', after)
    .orderBy('feedUsers.userId')
    .limit(peopleAtOnce)
    .execute()
  if (next.length === 0) return undefined
  const chosen = next.filter((member) => member.isOfTeam === 0)
  const marks = chosen.map(({ id }) => erasureMark(companyId, id))
  if (marks.length > 0) {
    await people.deleteFrom('erasedPeople').where('mark', 'in', marks).execute()
  }
  await seeSome(people, companyId, next, seenAt)
  return next.length < peopleAtOnce ? undefined : next.at(-1)?.id
}

const unstorable = /[\p{Cc}\p{Cs}]/u
const idLengthMax = 256
const marksAtOnce = 10_000

function personOf(row: PersonRow): Person {
  const { userId, firstName, lastName, email, state, seenAt, readAt } = row
  const { managerId, managerMissingSince } = row
  const ofManager = { managerId, managerMissingSince }
  const known = knownIdentity(row)
  return { userId, firstName, lastName, email, ...ofManager, state, seenAt, readAt, known }
}

export function knownIdentity({
  knownName: name,
  knownMail: mail,
  ...person
}: Pick<PersonRow, 'knownName' | 'knownMail' | 'firstName' | 'lastName' | 'email'>): Identity {
  return name !== null && mail !== null ? { name, mail } : identityOf(person)
}

function sightedRow(companyId: string, person: PersonReference, seenAt: Instant): PersonRow {
  return {
    companyId,
    userId: person.id,
    foldedId: foldedId(person.id),
    reversedId: reversedId(person.id),
    ...nameColumns(person.id, person),
    email: null,
    foldedEmail: null,
    ...noManager,
    state: 'unread',
    seenAt,
    readAt: null,
    dueAt: 0,
    knownName: null,
    knownMail: null,
  }
}

/** The columns that a reading sets. Without a record, names and mail stay as they are, and an active person stays due. */
function readColumns(
  { userId, state, user, known, readAt }: PersonReading,
  dueAt: Instant,
): Partial<PersonRow> {
  if (!user) return { state, readAt, ...(state === 'active' ? {} : { dueAt }) }
  const email = storable(user.email)
  return {
    state,
    ...nameColumns(userId, user),
    email,
    foldedEmail: email === null ? null : findableMail(email),
    ...(known && { knownName: known.name, knownMail: known.mail }),
    readAt,
    dueAt,
  }
}

function nameColumns(userId: string, read: Omit<PersonReference, 'id'>) {
  const name = { firstName: storable(read.firstName), lastName: storable(read.lastName) }
  return { ...name, sortName: sortNameOf({ userId, ...name }) }
}

const noManager = { managerId: null, managerMissingSince: null } as const

/** As long as it takes to believe many departures at once. */
const managerKeptMs = 7 * dayMs

/** Only the record of an active person can say that they report to nobody; one with another id says nothing. */
function managerAfter(
  before: ManagerChange['before'],
  { state, user, readAt }: PersonReading,
  manager: PersonReference | undefined,
): ManagerChange['after'] {
  if (manager) return { managerId: manager.id, managerMissingSince: null }
  const isMissing = state === 'misnamed' || (state === 'active' && user !== undefined)
  if (!isMissing || before.managerId === null) return before
  const since = before.managerMissingSince ?? readAt
  return readAt - since >= managerKeptMs ? noManager : { ...before, managerMissingSince: since }
}

function managerOf(user: User | undefined): PersonReference | undefined {
  const manager = user?.assignedManager ?? { id: user?.assignedManagerId ?? '' }
  const { id } = manager
  const isIdentifier = id !== '' && id.length <= idLengthMax && !unstorable.test(id)
  return isIdentifier ? manager : undefined
}

export function reversedId(id: string): string {
  return Array.from(id).toReversed().join('')
}

/** A mark that recognizes an erased person without naming them. */
export function erasureMark(companyId: string, userId: string): string {
  const what = JSON.stringify(['calendar-feed-bridge erased person', companyId, userId])
  return createHash('sha256').update(what).digest('base64url')
}

export async function findErased(
  queries: Queries,
  companyId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Map(userIds.map((id) => [erasureMark(companyId, id), id]))
  const found = new Set<string>()
  for (const marks of inParts([...ids.keys()], marksAtOnce)) {
    const erased = queries.selectFrom('erasedPeople').select('mark').where('mark', 'in', marks)
    for (const { mark } of await erased.execute()) found.add(ids.get(mark) ?? '')
  }
  return found
}

/** Text that both databases can store; null if empty. */
function storable(text: Maybe<string>): string | null {
  return plainLine(text ?? '') || null
}

/* Holds the person, so that no erasure comes between; people of other companies with the same id do not count. */

/**
 * Returns whether a feed of the company has the person. An erasure then waits until the end of the transaction, which
 * stores data about them.
 */
export async function holdPersonInFeed(
  { shareTurn }: StoreDatabase,
  transaction: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  await shareTurn(transaction, keepingOf(userId))
  const row = await members(transaction)
    .select('feedId')
    .where('userId', '=', userId)
    .where(isOfCompany(companyId))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the person has not been erased, nor can be until the transaction ends. */
export async function holdUnlessErased(
  { shareTurn }: StoreDatabase,
  transaction: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  await shareTurn(transaction, keepingOf(userId))
  return (await findErased(transaction, companyId, [userId])).size === 0
}

/** The turn for storing data about that id, or erasing it. */
export function keepingOf(userId: string): string {
  return `person:${userId}`
}
