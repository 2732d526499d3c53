import { createHash } from 'node:crypto'

import { type Kysely, type Transaction, sql, type SelectQueryBuilder } from 'kysely'

import type { Database } from '../database/database.ts'
import type { DepartedMember } from '../domain/departure.ts'
import {
  type Identity,
  identityOf,
  type PeopleStore,
  type Person,
  type PersonReading,
  type ReadingPlan,
  foldedId,
  findableMail,
  type PersonInCompany,
} from '../domain/person.ts'
import type { PersonReference, User } from '../domain/user.ts'
import type { Instant, Maybe } from '../domain/world.ts'
import { plainLine } from '../text/plain-text.ts'
import { isInFeed } from './feeds.ts'
import { changeRow, inParts } from './rows.ts'
import type { StoreTables, PersonRow } from './tables.ts'

/** The turn of anyone who adds to the directory, or takes a person out of it. */
export const directoryTurn = 'people'

/** The people directory, one row each. */
export class SqlPeopleStore implements PeopleStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async findPerson(companyId: string, userId: string): Promise<Person | undefined> {
    const row = await this.#people(companyId).where('user_id', '=', userId).executeTakeFirst()
    return row && personOf(row)
  }

  async listPeople(companyId: string): Promise<readonly Person[]> {
    const rows = await this.#people(companyId).orderBy('user_id').execute()
    return rows.map(personOf)
  }

  async keepReading(companyId: string, reading: PersonReading, dueAt: Instant): Promise<void> {
    const { userId, user, readAt } = reading
    const manager = managerOf(user)
    const isManagerSeen = await this.#add(async (people) => {
      if (!(await isKnown(people, companyId, userId))) return false
      const ids = manager ? [userId, manager.id] : [userId]
      const erased = await findErased(people, companyId, ids)
      const read = readColumns(reading, dueAt)
      const columns = erased.size > 0 ? { ...read, manager_id: null } : read
      if (erased.has(userId)) return false
      await people
        .insertInto('people')
        .values({ ...sightedRow(companyId, { id: userId }, readAt), ...columns })
        .onConflict((known) => known.columns(['company_id', 'user_id']).doUpdateSet(columns))
        .execute()
      return erased.size === 0
    })
    if (manager && isManagerSeen) await this.seePeople(companyId, [manager], readAt)
  }

  async seePeople(
    companyId: string,
    people: readonly PersonReference[],
    seenAt: Instant,
  ): Promise<void> {
    for (const some of inParts(inOrder(people), peopleAtOnce)) {
      await this.#add((transaction) => seeSome(transaction, companyId, some, seenAt))
    }
  }

  async seeMembers(companyId: string, seenAt: Instant): Promise<void> {
    let last: string | undefined = ''
    while (last !== undefined) {
      const after: string = last
      last = await this.#add((people) => seeMembersAfter(people, companyId, after, seenAt))
    }
  }

  async seeManagers(companyId: string, seenAt: Instant): Promise<void> {
    const rows = await this.#queries
      .selectFrom('people')
      .select('manager_id as id')
      .distinct()
      .where('company_id', '=', companyId)
      .where('state', '=', 'active')
      .execute()
    const managers = rows.flatMap(({ id }) => (id === null ? [] : [{ id }]))
    await this.seePeople(companyId, managers, seenAt)
  }

  async dropUnseen(companyId: string, seenBefore: Instant): Promise<void> {
    await this.#queries
      .deleteFrom('people')
      .where('company_id', '=', companyId)
      .where('seen_at', '<', seenBefore)
      .execute()
  }

  async takePersonToRead(companyId: string, plan: ReadingPlan): Promise<string | undefined> {
    const row = await this.#longestDue(companyId, plan)
    if (!row) return undefined
    const person = this.#queries
      .updateTable('people')
      .where('company_id', '=', companyId)
      .where('user_id', '=', row.user_id)
      .where('due_at', '=', row.due_at)
    if (await changeRow(person.set({ due_at: plan.againAt }))) return row.user_id
    // Another node has taken them: there may be a next one.
    return this.takePersonToRead(companyId, plan)
  }

  async isAnyoneDue(companyId: string, plan: ReadingPlan): Promise<boolean> {
    return (await this.#longestDue(companyId, plan)) !== undefined
  }

  async countDue(companyId: string, now: Instant): Promise<number> {
    const { due } = await this.#queries
      .selectFrom('people')
      .select((rows) => rows.fn.countAll<number>().as('due'))
      .where('company_id', '=', companyId)
      .where('due_at', '<=', now)
      .executeTakeFirstOrThrow()
    return due
  }

  get #queries(): Kysely<StoreTables> {
    return this.#database.queries
  }

  #people(companyId: string) {
    return this.#queries.selectFrom('people').selectAll().where('company_id', '=', companyId)
  }

  async #longestDue(companyId: string, { now, latest }: ReadingPlan) {
    return (await this.#due(companyId, '<=', now)) ?? (await this.#due(companyId, '>', latest))
  }

  #due(companyId: string, comparison: '<=' | '>', instant: Instant) {
    return this.#queries
      .selectFrom('people')
      .select(['user_id', 'due_at'])
      .where('company_id', '=', companyId)
      .where('due_at', comparison, instant)
      .orderBy('due_at')
      .orderBy('user_id')
      .limit(1)
      .executeTakeFirst()
  }

  /** Erasures wait until it is done. */
  #add<T>(work: (people: Transaction<StoreTables>) => Promise<T>): Promise<T> {
    return this.#queries.transaction().execute(async (transaction) => {
      await this.#database.shareTurn(transaction, directoryTurn)
      return work(transaction)
    })
  }
}

async function isKnown(
  people: Transaction<StoreTables>,
  companyId: string,
  userId: string,
): Promise<boolean> {
  const person = await people
    .selectFrom('people')
    .select('user_id')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return person !== undefined || isInFeed(people, companyId, userId)
}

/** A person has fifteen values, of which a statement of SQLite's takes 32,766. */
const peopleAtOnce = 1000

/** Nobody twice, and all nodes in the same order, so that none waits for the other. */
function inOrder(people: readonly PersonReference[]): readonly PersonReference[] {
  const byId = new Map(people.map((person) => [person.id, person]))
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Notes in one statement that they were seen, but for those who were erased. */
async function seeSome(
  transaction: Transaction<StoreTables>,
  companyId: string,
  people: readonly PersonReference[],
  seenAt: Instant,
): Promise<void> {
  const ids = people.map(({ id }) => id)
  const erased = await findErased(transaction, companyId, ids)
  const seen = people.filter(({ id }) => !erased.has(id))
  if (seen.length === 0) return
  await transaction
    .insertInto('people')
    .values(seen.map((person) => sightedRow(companyId, person, seenAt)))
    .onConflict((known) =>
      known.columns(['company_id', 'user_id']).doUpdateSet({
        seen_at: sql.ref('excluded.seen_at'),
        first_name: sql`coalesce(people.first_name, excluded.first_name)`,
        last_name: sql`coalesce(people.last_name, excluded.last_name)`,
      }),
    )
    .execute()
}

/** Notes that the next members of unrevoked feeds were seen, even if they were erased before; gives the last one's id where there may be more. */
async function seeMembersAfter(
  transaction: Transaction<StoreTables>,
  companyId: string,
  after: string,
  seenAt: Instant,
): Promise<string | undefined> {
  const members = await transaction
    .selectFrom('feed_users')
    .innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
    .select('feed_users.user_id as id')
    .distinct()
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .where('feed_users.user_id', '>', after)
    .orderBy('feed_users.user_id')
    .limit(peopleAtOnce)
    .execute()
  if (members.length === 0) return undefined
  const marks = members.map(({ id }) => erasureMark(companyId, id))
  await transaction.deleteFrom('erased_people').where('mark', 'in', marks).execute()
  await seeSome(transaction, companyId, members, seenAt)
  return members.length < peopleAtOnce ? undefined : members.at(-1)?.id
}

/** Everyone in a feed, once for each feed. */
export function peopleInFeeds(
  queries: Kysely<StoreTables>,
): SelectQueryBuilder<StoreTables, 'feed_users' | 'feeds', object> {
  return queries.selectFrom('feed_users').innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
}

/** People in open feeds who are not known to leave, in random order. */
export async function listStaying(
  queries: Kysely<StoreTables>,
  companyId: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await peopleInFeeds(queries)
    .select('feed_users.user_id')
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .where('feeds.closed_at', 'is', null)
    .where((person) =>
      person.not(
        person.exists(
          person
            .selectFrom('departures')
            .select('departures.user_id')
            .where('departures.company_id', '=', companyId)
            .where('departures.user_id', '=', person.ref('feed_users.user_id')),
        ),
      ),
    )
    .groupBy('feed_users.user_id')
    .orderBy(sql`random()`)
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Those in open feeds who are believed to have left, by user and feed. */
export function listLeftInFeeds(
  queries: Kysely<StoreTables>,
  companyId: string,
  limit: number,
): Promise<readonly DepartedMember[]> {
  return peopleInFeeds(queries)
    .innerJoin('departures', 'departures.user_id', 'feed_users.user_id')
    .select(['feed_users.user_id as userId', 'feeds.id as feedId'])
    .where('departures.company_id', '=', companyId)
    .where('departures.left_at', 'is not', null)
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .where('feeds.closed_at', 'is', null)
    .orderBy('feed_users.user_id')
    .orderBy('feeds.id')
    .limit(limit)
    .execute()
}

const unstorable = /[\p{Cc}\p{Cs}]/u
const idLengthMax = 256
const marksAtOnce = 10_000

/** The person that a row holds. */
function personOf(row: PersonRow): Person {
  return {
    userId: row.user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    managerId: row.manager_id,
    state: row.state,
    seenAt: row.seen_at,
    readAt: row.read_at,
    known: knownIdentity(row),
  }
}

/** By what the person of a row is known again. */
export function knownIdentity({
  known_name: name,
  known_mail: mail,
  ...row
}: Pick<PersonRow, 'known_name' | 'known_mail' | 'first_name' | 'last_name' | 'email'>): Identity {
  if (name !== null && mail !== null) return { name, mail }
  return identityOf({ firstName: row.first_name, lastName: row.last_name, email: row.email })
}

/** The row of someone of whom only this is known. */
function sightedRow(companyId: string, person: PersonReference, seenAt: number): PersonRow {
  return {
    company_id: companyId,
    user_id: person.id,
    folded_id: foldedId(person.id),
    reversed_id: reversedId(person.id),
    first_name: storable(person.firstName),
    last_name: storable(person.lastName),
    email: null,
    folded_email: null,
    manager_id: null,
    state: 'unread',
    seen_at: seenAt,
    read_at: null,
    due_at: 0,
    known_name: null,
    known_mail: null,
  }
}

/** What a reading sets: without a record only the state, so that the person stays due. */
function readColumns(
  { state, user, known, readAt }: PersonReading,
  dueAt: number,
): Partial<PersonRow> {
  if (!user) return { state, read_at: readAt, ...(state === 'active' ? {} : { due_at: dueAt }) }
  return {
    state,
    first_name: storable(user.firstName),
    last_name: storable(user.lastName),
    ...mailColumns(user),
    ...(known && { known_name: known.name, known_mail: known.mail }),
    manager_id: managerOf(user)?.id ?? null,
    read_at: readAt,
    due_at: dueAt,
  }
}

function mailColumns(user: User): Pick<PersonRow, 'email' | 'folded_email'> {
  const email = storable(user.email)
  return { email, folded_email: email === null ? null : findableMail(email) }
}

/** Whom the user names as manager. */
function managerOf(user: User | undefined): PersonReference | undefined {
  const manager = user?.assignedManager ?? { id: user?.assignedManagerId ?? '' }
  return isIdentifier(manager.id) ? manager : undefined
}

function isIdentifier(id: string): boolean {
  return id !== '' && id.length <= idLengthMax && !unstorable.test(id)
}

/** The id from its end to its beginning. */
export function reversedId(id: string): string {
  return Array.from(id).toReversed().join('')
}

/** By which an erased person is known again without being named. */
export function erasureMark(companyId: string, userId: string): string {
  const what = JSON.stringify(['calendar-feed-bridge erased person', companyId, userId])
  return createHash('sha256').update(what).digest('base64url')
}

/** Those of the ids that were erased in that company. */
export async function findErased(
  queries: Kysely<StoreTables>,
  companyId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Map(userIds.map((id) => [erasureMark(companyId, id), id]))
  const found = new Set<string>()
  for (const marks of inParts([...ids.keys()], marksAtOnce)) {
    const rows = await queries
      .selectFrom('erased_people')
      .select('mark')
      .where('mark', 'in', marks)
      .execute()
    for (const { mark } of rows) found.add(ids.get(mark) ?? '')
  }
  return found
}

/** Both databases store it; empty is none. */
function storable(text: Maybe<string>): string | null {
  const kept = plainLine(text ?? '')
  return kept === '' ? null : kept
}

/* Anyone who keeps something of a person sees to it that no erasure of them comes between; of other companies' people of the same id none is asked. */

/**
 * Whether a feed of the company has that person, who stays as they are until the transaction ends, in which something of
 * them is kept: an erasure that comes meanwhile waits.
 */
export async function holdPersonInFeed(
  { shareTurn }: Database<StoreTables>,
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  await shareTurn(transaction, keepingOf(userId))
  const row = await transaction
    .selectFrom('feed_users')
    .innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
    .select('feed_id')
    .where('user_id', '=', userId)
    // Asked for the equal one, SQLite would go through all feeds of the company, and not by the index of people.
    .where('company_id', '>=', companyId)
    .where('company_id', '<=', companyId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether that person, in a feed or in none, has not been erased, and is not until the transaction ends. */
export async function holdUnlessErased(
  { shareTurn }: Database<StoreTables>,
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  await shareTurn(transaction, keepingOf(userId))
  return (await findErased(transaction, companyId, [userId])).size === 0
}

/** The turn of anyone who keeps something of a person of that id, or lets nothing be kept. */
export function keepingOf(userId: string): string {
  return `person:${userId}`
}
