/* Steps of the history in migrations.ts: what operating the bridge needs beside feeds and calendars. */
import { sql } from 'kysely'

import type { Dialect } from '../database/database.ts'
import type { SchemaQueries } from '../database/migrate.ts'
import { keyed, types } from './column-types.ts'

/** Who has polled which link. */
export async function createActivity({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { bytes } = types(dialect)
  await keyed(schema.createTable('activity'), dialect)
    .addColumn('token_hash', bytes, (column) =>
      column.notNull().references('links.token_hash').onDelete('cascade'),
    )
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('first_polled_at', 'bigint', (column) => column.notNull())
    .addColumn('last_polled_at', 'bigint', (column) => column.notNull())
    .addColumn('last_status', 'integer', (column) => column.notNull())
    .addColumn('polls', 'bigint', (column) => column.notNull())
    .addColumn('has_change_of', 'bigint')
    .addPrimaryKeyConstraint('activity_key', ['token_hash', 'client'])
    .execute()
}

/** Who has left or may have. */
export async function createLeavers({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier } = types(dialect)
  await keyed(schema.createTable('leavers'), dialect)
    .addColumn('company_id', identifier, (column) => column.notNull())
    .addColumn('user_id', identifier, (column) => column.notNull())
    .addColumn('because', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .addColumn('left_at', 'bigint')
    .addPrimaryKeyConstraint('leavers_key', ['company_id', 'user_id'])
    .execute()
}

/** Copies kept so far may hold reasons: they count as if they did until they are looked at. */
export async function addReasonsMark({ schema }: SchemaQueries): Promise<void> {
  await schema
    .alterTable('snapshot_heads')
    .addColumn('with_reasons', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await schema
    .createIndex('copies_with_reasons')
    .on('snapshot_heads')
    .columns(['connection_id', 'key'])
    .where(sql.ref('with_reasons'), '=', sql.lit(1))
    .execute()
}
