/* Steps of the history: what is kept of each link. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { keepAsWritten, types } from './column-types.ts'

/** What the holder of any link had chosen held for all links of the feed. */
export async function giveChoicesToLinks(queries: SchemaQueries): Promise<void> {
  const { schema } = queries
  await schema.alterTable('links').addColumn('choices', 'text').execute()
  await sql`update links set choices =
    (select self_service_choices from feeds where feeds.id = links.feed_id)`.execute(queries)
  await schema.alterTable('feeds').dropColumn('self_service_choices').execute()
}

/** Each link goes on with what the feed had counted, from now on for itself. */
export async function giveLedgersToLinks(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const { schema } = queries
  const { bytes } = types(dialect)
  await schema.alterTable('ledgers').renameTo('ledgers_of_feeds').execute()
  await schema
    .createTable('ledgers')
    .addColumn('token_hash', bytes, (column) =>
      column.primaryKey().references('links.token_hash').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('entries', bytes, (column) => column.notNull())
    .execute()
  await keepAsWritten(queries, dialect, 'ledgers', 'entries')
  await sql`insert into ledgers (token_hash, version, entries)
    select token_hash, version, entries from links
    join ledgers_of_feeds on ledgers_of_feeds.feed_id = links.feed_id`.execute(queries)
  await schema.dropTable('ledgers_of_feeds').execute()
}

/** Which mailed links no calendar program has asked for yet; of those mailed until now that is not known. */
export async function addAwaitsPoll({ schema }: SchemaQueries): Promise<void> {
  await schema
    .alterTable('links')
    .addColumn('awaits_poll', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
