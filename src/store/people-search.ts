import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'
import {
  foldedId,
  foldedMail,
  type PeopleByMail,
  type PeopleFinder,
  type PersonByMail,
} from '../domain/person.ts'
import { reversedId } from './people.ts'
import { inParts, isAmong } from './rows.ts'
import type { PersonRow, Queries, StoreDatabase } from './tables.ts'

const idsAtOnce = 10_000
/** Sorts after every identifier. */
const lastCharacter = '\u{10FFFF}'

type Found = Pick<PersonRow, 'userId'>

/** Finds people by index; a departure counts once it is believed. Queries of every proof are prepared. */
export function peopleFinder({ dialect, queries, prepareRead }: StoreDatabase): PeopleFinder {
  const people = peopleOf(queries, given<string>('companyId'))
  const others = people.where('userId', '<>', given<string>('userId')).limit(given<number>('limit'))
  const readKnown = prepareRead<{ readonly companyId: string; readonly ids: string }, Found>(
    people.where(isAmong(dialect, 'userId', given('ids'))),
  )
  const readAlike = alikeConditions(dialect).map((isAlike) =>
    prepareRead<object, Found>(others.where(isAlike)),
  )
  const listHere = async (companyId: string, limit: number, condition: RawBuilder<SqlBool>) => {
    const rows = await peopleOf(queries, companyId)
      .where('userId', 'not in', (left) =>
        left
          .selectFrom('departures')
          .select('departures.userId')
          .where('departures.companyId', '=', companyId)
          .where('leftAt', 'is not', null),
      )
      .where(condition)
      .orderBy('userId')
      .limit(limit)
      .execute()
    return rows.map(({ userId }) => userId)
  }
  return {
    async countPeople(companyId) {
      const { rows } = await sql<{ known: number; gone: number }>`select
        (select count(*) from people where company_id = ${companyId} and state <> 'misnamed') as known,
        (select count(*) from departures join people using (company_id, user_id)
          where departures.company_id = ${companyId} and departures.left_at is not null
            and people.state <> 'misnamed') as gone`.execute(queries)
      const [{ known, gone } = { known: 0, gone: 0 }] = rows
      return known - gone
    },
    async listPeopleAfter(companyId, userId, limit) {
      const after = await listHere(companyId, limit, sql`user_id > ${userId}`)
      if (after.length === limit) return after
      const missing = limit - after.length
      return [...after, ...(await listHere(companyId, missing, sql`user_id <= ${userId}`))]
    },
    async findPeople(companyId, userIds) {
      const found: string[] = []
      for (const ids of inParts(userIds, idsAtOnce)) {
        const rows = await readKnown({ companyId, ids: JSON.stringify(ids) })
        found.push(...rows.map((row) => row.userId))
      }
      return found
    },
    async listInState(companyId, userIds, state) {
      if (userIds.length === 0) return []
      const rows = await queries
        .selectFrom('people')
        .select('userId')
        .where((of) => of.and({ companyId, state }))
        .where('userId', 'in', userIds)
        .execute()
      return rows.map((row) => row.userId)
    },
    async listAlike(companyId, userId, limit) {
      const found = new Set<string>()
      const values = { companyId, limit, ...alikeValues(userId) }
      for (const read of readAlike) {
        for (const row of await read(values)) found.add(row.userId)
        if (found.size >= limit) break
      }
      return [...found].slice(0, limit)
    },
  }
}

function peopleOf(queries: Queries, companyId: string | RawBuilder<string>) {
  return queries
    .selectFrom('people')
    .select('userId')
    .where('companyId', '=', companyId)
    .where('state', '<>', 'misnamed')
}

/** Conditions for similar ids, likeliest first, each served by an index. */
function alikeConditions(dialect: Dialect): readonly RawBuilder<SqlBool>[] {
  return [
    // With `=`, SQLite would scan the whole company.
    sql`folded_id >= ${given('folded')} and folded_id <= ${given('folded')}`,
    isAmong(dialect, 'userId', given('parts')),
    sql`user_id > ${given('userId')} and user_id < ${given('afterId')}`,
    sql`reversed_id > ${given('reversed')} and reversed_id < ${given('afterReversed')}`,
  ]
}

function alikeValues(userId: string): object {
  const reversed = reversedId(userId)
  const characters = Array.from(userId)
  // Prefixes and suffixes of the id, longest first.
  const parts = characters
    .slice(1)
    .flatMap((_, index) => [
      characters.slice(0, characters.length - 1 - index).join(''),
      characters.slice(index + 1).join(''),
    ])
  return {
    userId,
    folded: foldedId(userId),
    parts: JSON.stringify(parts),
    afterId: userId + lastCharacter,
    reversed,
    afterReversed: reversed + lastCharacter,
  }
}

export function peopleByMail({ queries }: StoreDatabase): PeopleByMail {
  const people = queries
    .selectFrom('people')
    .leftJoin('departures', (both) =>
      both
        .onRef('departures.companyId', '=', 'people.companyId')
        .onRef('departures.userId', '=', 'people.userId'),
    )
    .leftJoin('newcomers', (both) =>
      both
        .onRef('newcomers.companyId', '=', 'people.companyId')
        .onRef('newcomers.userId', '=', 'people.userId'),
    )
    .select(['people.companyId', 'people.userId', 'people.state'])
    .select(['firstName', 'lastName', 'email', 'leftAt', 'newcomers.since as heldSince'])
    .orderBy('people.companyId')
    .orderBy('people.userId')
  return {
    async findByMail(email) {
      const rows = await people.where('foldedEmail', '=', foldedMail(email)).execute()
      return rows
        .filter(({ heldSince }) => heldSince === null)
        .map((row) => ({ ...foundOf(row), email: row.email ?? '' }))
    },
    async findById(userId) {
      return (await people.where('people.userId', '=', userId).execute()).map(foundOf)
    },
  }
}

type FoundRow = Pick<PersonRow, 'companyId' | 'userId' | 'state' | 'firstName' | 'lastName'> & {
  readonly leftAt: number | null
  readonly heldSince: number | null
}

/** An id that may be another person's now cannot sign in. */
function foundOf({
  companyId,
  userId,
  firstName,
  lastName,
  ...row
}: FoundRow): Omit<PersonByMail, 'email'> {
  const state = row.heldSince === null ? row.state : 'unread'
  return { companyId, userId, state, firstName, lastName, hasLeft: row.leftAt !== null }
}
