/* Steps of the history: what else is remembered of a feed. */
import { sql } from 'kysely'

import type { SchemaQueries } from '../../database/migrate.ts'

/** Since when a revoked feed says so in a calendar, where until then it was only known that it does. */
export async function datePurges(queries: SchemaQueries): Promise<void> {
  const { schema } = queries
  await schema.alterTable('feeds').addColumn('purged_at', 'bigint').execute()
  await sql`update feeds set purged_at = revoked_at where purged = 1`.execute(queries)
  await schema.alterTable('feeds').dropColumn('purged').execute()
}

/** Of which collections each feed has ever been served: of feeds made so far it shows at their next poll. */
export async function rememberShown({ schema }: SchemaQueries): Promise<void> {
  await schema
    .alterTable('feeds')
    .addColumn('shown', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}

/** By which feeds are counted by how they stand, without a look at any of them. */
export async function indexEnds({ schema }: SchemaQueries): Promise<void> {
  await schema
    .createIndex('feeds_by_end')
    .on('feeds')
    .columns(['revoked_at', 'closed_at'])
    .execute()
}

/** Which feeds a calendar program has asked for, so that those without one are found without looking at all others. */
export async function rememberPolled(queries: SchemaQueries): Promise<void> {
  await queries.schema
    .alterTable('feeds')
    .addColumn('polled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update feeds set polled = 1 where id in (
    select feed_id from links join activity on activity.token_hash = links.token_hash
      where client <> 'browser')`.execute(queries)
  await sql`create index feeds_never_polled on feeds (created_at, id) where polled = 0`.execute(
    queries,
  )
}

/** The few feeds that are not open, in the order of the list. */
export async function indexStates(queries: SchemaQueries): Promise<void> {
  await sql`create index feeds_revoked on feeds (created_at, id) where revoked_at is not null`.execute(
    queries,
  )
  await sql`create index feeds_closed on feeds (created_at, id) where closed_at is not null`.execute(
    queries,
  )
}
