import { type Expression, type Kysely, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/database.ts'
import { foldedId, type PeopleFinder } from '../../domain/person.ts'
import { inParts } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { reversedId } from './person-rows.ts'

const idsAtOnce = 10_000
/** No identifier has a character beyond it. */
const lastCharacter = '\u{10FFFF}'

/** Finds people of the directory by index; a departure counts once it is believed. */
export class SqlPeopleFinder implements PeopleFinder {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
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
      const rows = await this.#people(companyId).where('user_id', 'in', ids).execute()
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
    for (const condition of alikeConditions(userId)) {
      const rows = await this.#people(companyId)
        .where('user_id', '<>', userId)
        .where(condition)
        .limit(limit)
        .execute()
      for (const row of rows) found.add(row.user_id)
      if (found.size >= limit) break
    }
    return [...found].slice(0, limit)
  }

  #people(companyId: string) {
    return this.#queries
      .selectFrom('people')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('state', '<>', 'misnamed')
  }

  #here(companyId: string, limit: number) {
    return this.#people(companyId)
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

/** Each is looked up by an index: the ways in which an id is like this one, the likeliest first. */
function alikeConditions(userId: string): readonly Expression<SqlBool>[] {
  const reversed = reversedId(userId)
  const folded = foldedId(userId)
  return [
    // Asked for the equal one, SQLite would go through everybody of the company.
    sql`folded_id >= ${folded} and folded_id <= ${folded}`,
    ofAny(partsOf(userId)),
    sql`user_id > ${userId} and user_id < ${userId + lastCharacter}`,
    sql`reversed_id > ${reversed} and reversed_id < ${reversed + lastCharacter}`,
  ]
}

function ofAny(ids: readonly string[]): Expression<SqlBool> {
  return ids.length === 0 ? sql`1 = 0` : sql`user_id in (${sql.join(ids)})`
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
