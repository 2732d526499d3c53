import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

import type { Database, Dialect } from '../database/database.ts'
import { given, type PreparedRead } from '../database/prepared-read.ts'
import type { ShownInFull, Standing, StandingOf, StandingStore } from '../domain/connection.ts'
import { claimColumns, claimOf, type ClaimRow } from './claims/claim-queries.ts'
import { headOf, headColumns } from './copies.ts'
import { rowChoices, optionsOf, proofOf, readRow } from './rows.ts'
import type {
  CopyRow,
  DepartureRow,
  FeedRow,
  LinkRow,
  NewcomerRow,
  ProofRow,
  StoreTables,
} from './tables.ts'

/** Each a list of rows as JSON. */
interface StandingRow {
  readonly heads: string
  readonly left: string
  readonly held: string
  readonly unsettled: string
  readonly full: string
  readonly proof: string
}

type LinkInFullRow = Pick<FeedRow, 'id' | 'audience' | 'locale' | 'own_options'> &
  Pick<LinkRow, 'choices'> & { readonly user_id: string }

/** Everything at once: of little that is asked for each statement costs more than what it finds. */
export class SqlStandingStore implements StandingStore {
  readonly #read: PreparedRead<object, StandingRow>

  constructor(database: Database<StoreTables>) {
    const query = standingQuery(database.dialect)
    this.#read = database.prepareRead({ compile: () => query.compile(database.queries) })
  }

  async readStanding({ keys, userIds, ...of }: StandingOf): Promise<Standing> {
    const texts = { keys: JSON.stringify(keys), userIds: JSON.stringify(userIds) }
    const [row] = await this.#read({ ...of, ...texts })
    if (!row) throw new Error('A query without a table has one row.')
    const [proof] = rowsOf.proof.parse(JSON.parse(row.proof))
    const inFull = rowsOf.full.parse(JSON.parse(row.full))
    const copies = rowsOf.heads.parse(JSON.parse(row.heads))
    return {
      heads: new Map(copies.map((copy) => [copy.key, headOf(copy)])),
      left: rowsOf.left.parse(JSON.parse(row.left)).map(({ user_id: userId }) => userId),
      held: new Map(rowsOf.held.parse(JSON.parse(row.held)).map((it) => [it.user_id, it.read_at])),
      unsettled: rowsOf.unsettled.parse(JSON.parse(row.unsettled)).map(claimOf),
      inFull: (userId) => inFull.filter((it) => it.user_id === userId).map(linkInFullOf),
      proof: proofOf(proof),
    }
  }
}

/** SQLite takes what is joined crosswise in the order in which it is written: people are few. */
function standingQuery(dialect: Dialect): RawBuilder<StandingRow> {
  const { list, row, texts, isPerson } = words[dialect]
  const listOf = (of: string, columns: readonly string[]): RawBuilder<string> => {
    const members = columns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${of}.${name}`)}`)
    return list(sql`${row}(${sql.join(members)})`)
  }
  const people = sql`${texts}(${given('userIds')}) as person`
  const connection = given<string>('connectionId')
  const company = given<string>('companyId')
  return sql`select
    (select ${listOf('copies', headColumns)} from copies
      where connection_id = ${connection}
        and key in (select value from ${texts}(${given('keys')}))) as heads,
    (select ${listOf('departures', ['user_id'])} from ${people} cross join departures
      where company_id = ${company} and user_id = person.value and left_at is not null) as "left",
    (select ${listOf('newcomers', ['user_id', 'read_at'])} from ${people} cross join newcomers
      where company_id = ${company} and user_id = person.value) as held,
    (select ${listOf('leave_owners', claimColumns)} from ${people} cross join leave_owners
      where connection_id = ${connection} and ${isPerson}
        and (contested = 1 or absent_since is not null)) as unsettled,
    (select ${list(sql`${row}(
        'user_id', person.value, 'id', feeds.id, 'audience', audience, 'locale', locale,
        'own_options', own_options, 'choices', choices)`)}
      from ${people} cross join feed_users
cross join feeds cross join links
      where feed_users.user_id = person.value and feeds.id = feed_users.feed_id
        and links.feed_id = feeds.id and company_id = ${company}
        and revoked_at is null and closed_at is null and own_options like '%"detail":"full"%'
        and (ends_at is null or ends_at > ${given('now')})) as "full",
    (select ${listOf('proofs', proofColumns)} from proofs
      where connection_id = ${connection}) as proof`
}

const proofColumns = ['state', 'reason', 'since', 'battery_at', 'tried_at', 'credential']

/** What the databases say differently. */
interface Words {
  readonly list: (row: RawBuilder<unknown>) => RawBuilder<string>
  readonly row: RawBuilder<unknown>
  /** What makes rows of a list of texts, each with its `value`. */
  readonly texts: RawBuilder<unknown>
  /** Whether a claim is the person's. Asked for the equal one, SQLite would go through the whole connection. */
  readonly isPerson: RawBuilder<unknown>
}

const words: Readonly<Record<Dialect, Words>> = {
  sqlite: {
    list: (row) => sql`json_group_array(${row})`,
    row: sql`json_object`,
    texts: sql`json_each`,
    isPerson: sql`user_id >= person.value and user_id <= person.value`,
  },
  postgres: {
    list: (row) => sql`coalesce(json_agg(${row}), '[]')::text`,
    row: sql`json_build_object`,
    texts: sql`json_array_elements_text`,
    isPerson: sql`user_id = person.value`,
  },
}

/** What the query lists. */
const rowsOf = {
  heads: z.custom<readonly CopyRow[]>(Array.isArray),
  left: z.custom<readonly Pick<DepartureRow, 'user_id'>[]>(Array.isArray),
  held: z.custom<readonly Pick<NewcomerRow, 'user_id' | 'read_at'>[]>(Array.isArray),
  unsettled: z.custom<readonly ClaimRow[]>(Array.isArray),
  full: z.custom<readonly LinkInFullRow[]>(Array.isArray),
  proof: z.custom<readonly ProofRow[]>(Array.isArray),
}

function linkInFullOf(row: LinkInFullRow): ShownInFull {
  const { options } = readRow(`the feed ${row.id}`, () => optionsOf(row))
  const choices = rowChoices({ feed_id: row.id, choices: row.choices })
  return { feed: { options, locale: row.locale }, link: { choices } }
}
