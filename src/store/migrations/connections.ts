/* Steps of the history: what else is known of a connection and of its people. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { keyed, types } from './column-types.ts'

/** Whose each leave is, and whether the filter of leaves is proven. */
export async function createProofs({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier } = types(dialect)
  await keyed(schema.createTable('leave_owners'), dialect)
    .addColumn('connection_id', identifier, (column) => column.notNull())
    .addColumn('leave_id', identifier, (column) => column.notNull())
    .addColumn('user_id', identifier, (column) => column.notNull())
    .addColumn('contested', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('leave_owners_key', ['connection_id', 'leave_id', 'user_id'])
    .execute()
  await schema
    .createIndex('contested_leaves')
    .on('leave_owners')
    .columns(['connection_id', 'leave_id', 'user_id'])
    .where(sql.ref('contested'), '=', sql.lit(1))
    .execute()
  await schema
    .createTable('proofs')
    .addColumn('connection_id', identifier, (column) => column.primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute()
}

/** The last examination of each connection. */
export async function createExaminations(
  { schema }: SchemaQueries,
  dialect: Dialect,
): Promise<void> {
  const { identifier } = types(dialect)
  await schema
    .createTable('examinations')
    .addColumn('connection_id', identifier, (column) => column.primaryKey())
    .addColumn('company_id', identifier, (column) => column.notNull())
    .addColumn('ok', 'integer', (column) => column.notNull())
    .addColumn('findings', 'text', (column) => column.notNull())
    .addColumn('examined_at', 'bigint', (column) => column.notNull())
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
