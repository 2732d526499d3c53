import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'
import type { StandingStore } from '../domain/connection.ts'
import type { LeaveProof } from '../domain/leave.ts'
import type { Newcomer } from '../domain/person.ts'
import { claimColumns, claimOf } from './claims.ts'
import { headColumns, headOf } from './copies.ts'
import { proofColumns } from './proofs.ts'
import {
  type FeedWithDefaultsRow,
  choicesIn,
  companyDefaultsOfFeed,
  isAmong,
  notAsked,
  optionsHold,
  optionsOf,
  readRow,
} from './rows.ts'
import type { ClaimRow, CopyRow, DepartureRow, LinkRow, StoreDatabase } from './tables.ts'

type LinkInFullRow = Pick<
  FeedWithDefaultsRow,
  'id' | 'companyId' | 'audience' | 'locale' | 'ownOptions' | 'defaults'
> &
  Pick<LinkRow, 'choices'> & { readonly userId: string }

const rowsOf = {
  heads: z.custom<readonly CopyRow[]>(Array.isArray),
  left: z.custom<readonly Pick<DepartureRow, 'userId'>[]>(Array.isArray),
  held: z.custom<readonly Pick<Newcomer, 'userId' | 'readAt'>[]>(Array.isArray),
  unsettled: z.custom<readonly ClaimRow[]>(Array.isArray),
  full: z.custom<readonly LinkInFullRow[]>(Array.isArray),
  proof: z.custom<readonly LeaveProof[]>(Array.isArray),
}

type StandingRow = Readonly<Record<keyof typeof rowsOf, string>>

/** One query for everything: each statement costs more than the little it finds. */
export function standingStore({ dialect, queries, prepareRead }: StoreDatabase): StandingStore {
  const query = standingQuery(dialect)
  const read = prepareRead<object, StandingRow>({
    compile: () => query.compile(queries),
  })
  return {
    async readStanding({ keys, userIds, ...of }) {
      const texts = { keys: JSON.stringify(keys), userIds: JSON.stringify(userIds) }
      const [row] = await read({ ...of, ...texts })
      if (!row) throw new Error('A query without a table has one row.')
      const [proof = notAsked] = rowsOf.proof.parse(JSON.parse(row.proof))
      const full = rowsOf.full.parse(JSON.parse(row.full))
      const copies = rowsOf.heads.parse(JSON.parse(row.heads))
      const held = rowsOf.held.parse(JSON.parse(row.held))
      return {
        heads: new Map(copies.map((copy) => [copy.key, headOf(copy)])),
        left: rowsOf.left.parse(JSON.parse(row.left)).map(({ userId }) => userId),
        held: new Map(held.map(({ userId, readAt }) => [userId, readAt])),
        unsettled: rowsOf.unsettled.parse(JSON.parse(row.unsettled)).map(claimOf),
        inFull: (userId) =>
          full
            .filter((it) => it.userId === userId)
            .map((it) => {
              const options = readRow(`the feed ${it.id}`, () => optionsOf(it))
              const choices = choicesIn(it.id, it.choices)
              const { audience, locale } = it
              return { feed: { audience, options, locale }, link: { choices } }
            }),
        proof,
      }
    },
  }
}

function standingQuery(dialect: Dialect): RawBuilder<StandingRow> {
  const { list, row, ofPeople } = words[dialect]
  const listOf = (of: string, columns: readonly string[]): RawBuilder<string> => {
    const members = columns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${of}.${name}`)}`)
    return list(sql`${row}(${sql.join(members)})`)
  }
  const connection = given<string>('connectionId')
  const company = given<string>('companyId')
  return sql`select
    (select ${listOf('copies', headColumns)} from copies
      where connection_id = ${connection}
        and ${isAmong(dialect, 'key', given('keys'))}) as heads,
    (select ${listOf('departures', ['userId'])} from ${ofPeople('departures')}
        and company_id = ${company} and left_at is not null) as "left",
    (select ${listOf('newcomers', ['userId', 'readAt'])} from ${ofPeople('newcomers')}
        and company_id = ${company}) as held,
    (select ${listOf('leaveOwners', claimColumns)} from ${ofPeople('leaveOwners')}
        and connection_id = ${connection} and (contested = 1 or absent_since is not null)) as unsettled,
    (select ${list(sql`${row}(
        'userId', feed_users.user_id, 'id', feeds.id, 'companyId', feeds.company_id, 'audience', audience,
        'locale', locale, 'ownOptions', own_options, 'defaults', ${companyDefaultsOfFeed},
        'choices', choices)`)}
      from ${ofPeople('feedUsers', ['feeds', 'links'])} and feeds.id = feed_users.feed_id
        and links.feed_id = feeds.id and company_id = ${company}
        and revoked_at is null and closed_at is null and ${optionsHold('"detail":"full"')}
        and (ends_at is null or ends_at > ${given('now')})) as "full",
    (select ${listOf('proofs', proofColumns)} from proofs
      where connection_id = ${connection}) as proof`
}

interface Words {
  readonly list: (row: RawBuilder<unknown>) => RawBuilder<string>
  readonly row: RawBuilder<unknown>
  /** Tables, joined with each other, and the condition that the first is about one of the people. */
  readonly ofPeople: (table: string, others?: readonly string[]) => RawBuilder<unknown>
}

function joined(tables: readonly string[]): RawBuilder<unknown> {
  const names = tables.map((name) => sql.table(name))
  return sql.join(names, sql` cross join `)
}

const words: Readonly<Record<Dialect, Words>> = {
  sqlite: {
    list: (row) => sql`json_group_array(${row})`,
    row: sql`json_object`,
    // `cross join` fixes the order: people are few. With `=`, all claims of the connection would be scanned.
    ofPeople: (table, others = []) =>
      sql`json_each(${given('userIds')}) as person cross join ${joined([table, ...others])}
        where ${sql.ref(`${table}.userId`)} >= person.value and ${sql.ref(`${table}.userId`)} <= person.value`,
  },
  postgres: {
    list: (row) => sql`coalesce(json_agg(${row}), '[]')::text`,
    row: sql`json_build_object`,
    // PostgreSQL expects a hundred rows from a function, and would scan the whole connection for them.
    ofPeople: (table, others = []) =>
      sql`${joined([table, ...others])}
        where ${isAmong('postgres', `${table}.userId`, given('userIds'))}`,
  },
}
