/* What a link's last answer stands on, as one read gives it: the link, its feed, and of all else what its bytes depend on. */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'

import type { Database, Dialect } from '../../database/database.ts'
import { given, readTogether } from '../../database/prepared-read.ts'
import type { BasisFound, BasisNames } from '../../domain/ledger.ts'
import type { LinkStore } from '../../domain/link.ts'
import { isAmongTexts } from '../given-texts.ts'
import { notAsked } from '../rows.ts'
import type { StoreTables } from '../tables.ts'

/** Of one link, asked for together with others. */
type BasisAsked = readonly [BasisNames, BasisFound['seen']]

/** Every part is found by a key, and put together as `basisOf` does. */
export function prepareBasis(database: Database<StoreTables>): LinkStore['findBasis'] {
  const { dialect, queries } = database
  const basis = sql<string>`coalesce((${findBasis(queries, dialect)}), '')`
  const read = database.prepareRead<{ readonly asked: string }, BasisFound>(
    select[dialect](queries, basis),
  )
  const find = readTogether<BasisAsked, BasisFound>((all) =>
    read({ asked: JSON.stringify(all.map(rowOf)) }),
  )
  return (names, seen) => find([names, seen])
}

/** In the order of `places`. */
function rowOf([{ tokenHash, connectionId, keys }, seen]: BasisAsked): readonly unknown[] {
  return [tokenHash, connectionId, keys, seen]
}

const places = { tokenHash: 0, connectionId: 1, keys: 2, seen: 3 }

/** What is asked for of a link. */
function asked(name: keyof typeof places): RawBuilder<string> {
  return sql`(asked.value ->> ${sql.lit(places[name])})`
}

type Queries = Kysely<StoreTables>

/** A row for each that is asked for, in their order. */
const select = {
  // The version is another after each commit: nothing has to be looked up where there was none.
  sqlite: (queries: Queries, basis: RawBuilder<string>) =>
    queries
      .selectFrom(sql<{ data_version: number }>`pragma_data_version`.as('versions'))
      .crossJoin(sql`json_each(${given('asked')})`.as('asked'))
      .select([
        'data_version as seen',
        sql<
          string | null
        >`case when data_version = ${asked('seen')} then null else ${basis} end`.as('basis'),
      ])
      .orderBy(sql`asked.key`),
  postgres: (queries: Queries, basis: RawBuilder<string>) =>
    queries
      .selectFrom(
        sql`jsonb_array_elements(cast(${given('asked')} as jsonb)) with ordinality`.as(
          sql`asked (value, place)`,
        ),
      )
      .select([sql<null>`null`.as('seen'), basis.as('basis')])
      .orderBy(sql`place`),
}

function findBasis(queries: Queries, dialect: Dialect): Expression<unknown> {
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feed_id')
    .leftJoin('proofs', (join) => join.on('proofs.connection_id', '=', asked('connectionId')))
    .where('token_hash', '=', bytesOf[dialect](asked('tokenHash')))
    .select(
      joined([...ofFeed, ...ofLink, ...ofProof, contentsAmong(dialect), departed]).as('basis'),
    )
}

const bytesOf = {
  sqlite: (hex: RawBuilder<string>) => sql<Uint8Array>`unhex(${hex})`,
  postgres: (hex: RawBuilder<string>) => sql<Uint8Array>`decode(${hex}, 'hex')`,
}

type Part = RawBuilder<unknown>

const ofFeed = refs('revision', 'leaves_shown', 'revoked_at', 'feeds.purged_at', 'closed_at')
const ofLink = refs('ends_at', 'links.purged', 'choices', 'fingerprint', 'etag', 'last_modified')
const ofProof = [
  sql`coalesce(proofs.state, ${sql.lit(notAsked.state)})`,
  sql`case when proofs.state is null then ${sql.lit(notAsked.reason)} else proofs.reason end`,
  sql`coalesce(proofs.since, ${sql.lit(notAsked.since)})`,
]

function refs(...names: readonly string[]): readonly Part[] {
  return names.map((name) => sql.ref(name))
}

function joined(parts: readonly Part[]): RawBuilder<string> {
  const texts = parts.map((part) => sql`coalesce(cast(${part} as text), '')`)
  return sql`${sql.join(texts, sql` || '|' || `)}`
}

function contentsAmong(dialect: Dialect): Part {
  return inOrder(sql`select copies.key || '=' || content_hash as text from copies
    where copies.connection_id = ${asked('connectionId')} and ${isAmongTexts(dialect, 'copies.key', asked('keys'))}
    order by copies.key`)
}

const departed = inOrder(sql`select departures.user_id as text
  from feed_users join departures on departures.company_id = feeds.company_id
    and departures.user_id = feed_users.user_id
  where feed_users.feed_id = feeds.id and left_at is not null order by departures.user_id`)

/** A line for each row, which come in the order of an index, which costs less than sorting them where they are joined. */
function inOrder(rows: Part): Part {
  return sql`(select string_agg(text, ${sql.lit('\n')}) from (${rows}) as texts)`
}
