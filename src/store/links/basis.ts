/* What a link's last answer stands on, as one read gives it: the link, its feed, and of all else what its bytes depend on. */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'

import type { Database, Dialect } from '../../database/database.ts'
import { given, type PreparedRead } from '../../database/prepared-read.ts'
import type { BasisFound, BasisNames } from '../../domain/ledger.ts'
import { isAmong } from '../given-texts.ts'
import { notAsked } from '../rows.ts'
import type { StoreTables } from '../tables.ts'

export type ReadBasis = PreparedRead<
  BasisNames & { readonly tokenHash: Uint8Array; readonly seen: number | null },
  BasisFound
>

/** Every part is found by a key, and put together as `basisOf` does. */
export function prepareBasis(database: Database<StoreTables>): ReadBasis {
  const { dialect, queries } = database
  const basis = sql<string>`coalesce((${findBasis(queries, dialect)}), '')`
  if (dialect === 'postgres') {
    return database.prepareRead(
      queries.selectNoFrom([sql<null>`null`.as('seen'), basis.as('basis')]),
    )
  }
  // It is another after each commit: nothing has to be looked up where there was none.
  const versions = sql<{ data_version: number }>`pragma_data_version`.as('versions')
  const unlessSeen = sql<
    string | null
  >`case when data_version = ${given('seen')} then null else ${basis} end`
  return database.prepareRead(
    queries.selectFrom(versions).select(['data_version as seen', unlessSeen.as('basis')]),
  )
}

function findBasis(queries: Kysely<StoreTables>, dialect: Dialect): Expression<unknown> {
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feed_id')
    .leftJoin('proofs', (join) =>
      join.on('proofs.connection_id', '=', given<string>('connectionId')),
    )
    .where('token_hash', '=', given<Uint8Array>('tokenHash'))
    .select(
      joined([...ofFeed, ...ofLink, ...ofProof, contentsAmong(dialect), departed]).as('basis'),
    )
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
    where copies.connection_id = ${given('connectionId')} and ${isAmong(dialect, 'copies.key', 'keys')}
    order by copies.key`)
}

const departed = inOrder(sql`select departures.user_id as text
  from feed_users join departures on departures.company_id = feeds.company_id
    and departures.user_id = feed_users.user_id
  where feed_users.feed_id = feeds.id and left_at is not null order by departures.user_id`)

/** The texts of rows that come in the order of an index, which costs less than sorting them where they are joined. */
function inOrder(rows: Part): Part {
  return sql`(select string_agg(text, ' ') from (${rows}) as texts)`
}
