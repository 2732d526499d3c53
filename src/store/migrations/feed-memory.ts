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
