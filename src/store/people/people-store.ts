import type { Kysely, Transaction } from 'kysely'

import type { Database } from '../../database/database.ts'
import type { PeopleStore, Person, PersonReading, ReadingPlan } from '../../domain/person.ts'
import type { PersonReference } from '../../domain/user.ts'
import type { Instant } from '../../domain/world.ts'
import { isInFeed } from '../feed-store.ts'
import { changeRow, inParts } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { inOrder, peopleAtOnce, seeMembersAfter, seeSome } from './people-sightings.ts'
import { findErased, managerOf, personOf, readColumns, sightedRow } from './person-rows.ts'

/** The turn of whoever adds to the directory, or takes a person out of it. */
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
