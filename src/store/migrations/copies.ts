/* Steps of the history: the last good copies. */
import { type CreateTableBuilder, sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { keepAsWritten, keyed, types } from './column-types.ts'

/** The last good copies: the tables have had other names since. */
export async function createSnapshots(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier, bytes } = types(dialect)
  const ofCollection = (table: CreateTableBuilder<string>) =>
    table
      .addColumn('connection_id', identifier, (column) => column.notNull())
      .addColumn('key', identifier, (column) => column.notNull())
  await ofCollection(keyed(queries.schema.createTable('snapshot_heads'), dialect))
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .addColumn('reach_past_days', 'integer')
    .addColumn('reach_future_days', 'integer')
    .addColumn('missing_since', 'bigint')
    .addPrimaryKeyConstraint('snapshot_heads_key', ['connection_id', 'key'])
    .execute()
  await ofCollection(queries.schema.createTable('snapshot_bodies'))
    .addColumn('records', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_bodies_key', ['connection_id', 'key'])
    .addForeignKeyConstraint(
      'snapshot_bodies_head',
      ['connection_id', 'key'],
      'snapshot_heads',
      ['connection_id', 'key'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await keepAsWritten(queries, dialect, 'snapshot_bodies', 'records')
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
