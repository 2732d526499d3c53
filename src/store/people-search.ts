import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database, Dialect } from '../database/database.ts'
import { given, type PreparedRead } from '../database/prepared-read.ts'
import {
  foldedId,
  type PeopleFinder,
  foldedMail,
  type PeopleByMail,
  type PersonByMail,
} from '../domain/person.ts'
import { reversedId } from './people.ts'
import { isAmong, inParts } from './rows.ts'
import type { PersonRow, StoreTables } from './tables.ts'

const idsAtOnce = 10_000
/** No identifier has a character beyond it. */
const lastCharacter = '\u{10FFFF}'

/** Finds people of the directory by index; a departure counts once it is believed. */
export class SqlPeopleFinder implements PeopleFinder {
  readonly #queries: Kysely<StoreTables>
  readonly #reads: FinderReads

  constructor(database: Database<StoreTables>) {
    this.#queries = database.queries
    this.#reads = prepareReads(database)
  }

  async countPeople(companyId: string): Promise<number> {
    const { rows } = await sql<{ known: number; gone: number }>`select
      (select count(*) from people where company_id = ${companyId} and state <> 'misnamed') as known,
      (select count(*) from departures join people using (company_id, user_id)
        where departures.company_id = ${companyId} and departures.left_at is not null
          and people.state <> 'misnamed') as gone`.execute(this.#queries)
    const [{ known, gone } = { known: 0, gone: 0 }] = rows
    return known - gone
  }

  async listPeopleAfter(
    companyId: string,
    userId: string,
    limit: number,
  ): Promise<readonly string[]> {
    const after = await this.#here(companyId, limit).where('user_id', '>', userId).execute()
    const missing = limit - after.length
    const before =
      missing > 0
        ? await this.#here(companyId, missing).where('user_id', '<=', userId).execute()
        : []
    return [...after, ...before].map((row) => row.user_id)
  }

  async findPeople(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (const ids of inParts(userIds, idsAtOnce)) {
      const rows = await this.#reads.found({ companyId, ids: JSON.stringify(ids) })
      found.push(...rows.map((row) => row.user_id))
    }
    return found
  }

  async listInState(
    companyId: string,
    userIds: readonly string[],
    state: 'unread' | 'misnamed',
  ): Promise<readonly string[]> {
    if (userIds.length === 0) return []
    const rows = await this.#queries
      .selectFrom('people')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('user_id', 'in', userIds)
      .where('state', '=', state)
      .execute()
    return rows.map((row) => row.user_id)
  }

  async listAlike(companyId: string, userId: string, limit: number): Promise<readonly string[]> {
    const found = new Set<string>()
    const values = { companyId, limit, ...alikeValues(userId) }
    for (const read of this.#reads.alike) {
      const rows = await read(values)
      for (const row of rows) found.add(row.user_id)
      if (found.size >= limit) break
    }
    return [...found].slice(0, limit)
  }

  #here(companyId: string, limit: number) {
    return peopleOf(this.#queries, companyId)
      .where('user_id', 'not in', (left) =>
        left
          .selectFrom('departures')
          .select('departures.user_id')
          .where('departures.company_id', '=', companyId)
          .where('left_at', 'is not', null),
      )
      .orderBy('user_id')
      .limit(limit)
  }
}

interface Alike {
  readonly companyId: string
  readonly limit: number
}

type Found = Pick<PersonRow, 'user_id'>

interface FinderReads {
  /** Those of the ids of a JSON array. */
  readonly found: PreparedRead<{ readonly companyId: string; readonly ids: string }, Found>
  readonly alike: readonly PreparedRead<Alike & ReturnType<typeof alikeValues>, Found>[]
}

/** What every proof asks for is prepared. */
function prepareReads(database: Database<StoreTables>): FinderReads {
  const { dialect, queries } = database
  const people = peopleOf(queries, given<string>('companyId'))
  const others = people
    .where('user_id', '<>', given<string>('userId'))
    .limit(given<number>('limit'))
  return {
    found: database.prepareRead(people.where(isAmong(dialect, 'user_id', 'ids'))),
    alike: alikeConditions(dialect).map((isAlike) => database.prepareRead(others.where(isAlike))),
  }
}

function peopleOf(queries: Kysely<StoreTables>, companyId: string | RawBuilder<string>) {
  return queries
    .selectFrom('people')
    .select('user_id')
    .where('company_id', '=', companyId)
    .where('state', '<>', 'misnamed')
}

/** Each is looked up by an index: the ways in which an id is like this one, the likeliest first. */
function alikeConditions(dialect: Dialect): readonly RawBuilder<SqlBool>[] {
  return [
    // Asked for the equal one, SQLite would go through everybody of the company.
    sql`folded_id >= ${given('folded')} and folded_id <= ${given('folded')}`,
    isAmong(dialect, 'user_id', 'parts'),
    sql`user_id > ${given('userId')} and user_id < ${given('afterId')}`,
    sql`reversed_id > ${given('reversed')} and reversed_id < ${given('afterReversed')}`,
  ]
}

function alikeValues(userId: string) {
  const reversed = reversedId(userId)
  return {
    userId,
    folded: foldedId(userId),
    parts: JSON.stringify(partsOf(userId)),
    afterId: userId + lastCharacter,
    reversed,
    afterReversed: reversed + lastCharacter,
  }
}

/** What the id begins and ends with, the longest first. */
function partsOf(userId: string): readonly string[] {
  const characters = Array.from(userId)
  return characters
    .slice(1)
    .flatMap((_, index) => [
      characters.slice(0, characters.length - 1 - index).join(''),
      characters.slice(index + 1).join(''),
    ])
}

type FoundRow = Pick<
  PersonRow,
  'company_id' | 'user_id' | 'state' | 'first_name' | 'last_name' | 'email'
> & { readonly left_at: number | null; readonly is_held: unknown }

/** Finds people of the directory as a sign-in names them. */
export class SqlPeopleByMail implements PeopleByMail {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findByMail(email: string): Promise<readonly PersonByMail[]> {
    const rows = await this.#people().where('folded_email', '=', foldedMail(email)).execute()
    return rows
      .filter((row) => !row.is_held)
      .map((row) => ({ ...foundOf(row), email: row.email ?? '' }))
  }

  async findById(userId: string): Promise<readonly Omit<PersonByMail, 'email'>[]> {
    const rows = await this.#people().where('people.user_id', '=', userId).execute()
    return rows.map(foundOf)
  }

  #people() {
    return this.#queries
      .selectFrom('people')
      .leftJoin('departures', (both) =>
        both
          .onRef('departures.company_id', '=', 'people.company_id')
          .onRef('departures.user_id', '=', 'people.user_id'),
      )
      .select((person) =>
        person
          .exists(
            person
              .selectFrom('newcomers')
              .select('newcomers.user_id')
              .whereRef('newcomers.company_id', '=', 'people.company_id')
              .whereRef('newcomers.user_id', '=', 'people.user_id'),
          )
          .as('is_held'),
      )
      .select(['people.company_id', 'people.user_id', 'people.state'])
      .select(['first_name', 'last_name', 'email', 'left_at'])
      .orderBy('people.company_id')
      .orderBy('people.user_id')
  }
}

function foundOf(row: FoundRow): Omit<PersonByMail, 'email'> {
  return {
    companyId: row.company_id,
    userId: row.user_id,
    // Whose an id is that may be somebody else's by now is not known: nobody signs in by it.
    state: row.is_held ? 'unread' : row.state,
    firstName: row.first_name,
    lastName: row.last_name,
    hasLeft: row.left_at !== null,
  }
}
