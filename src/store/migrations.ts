import { type CreateTableBuilder, sql } from 'kysely'

import type { Dialect } from '../database/database.ts'
import type { MigrationHistory, SchemaQueries } from '../database/migrate.ts'
import { type ColumnType, keyed, types } from './column-types.ts'
import { addReasonsMark, createActivity, createLeavers } from './operations-migrations.ts'
import { makeOptionsSparse } from './sparse-options.ts'

/** The history of the bridge's own tables; only ever added to at its end. */
export const storeHistory: MigrationHistory = {
  table: 'bridge_migrations',
  migrations: [
    { name: 'feeds and links', up: createFeeds },
    { name: 'ledgers', up: createLedgers },
    { name: 'snapshots', up: createSnapshots },
    { name: 'leave owners and proofs', up: createProofs },
    { name: 'examinations', up: createExaminations },
    { name: 'ends of links and creations', up: createEndsAndCreations },
    { name: 'activity', up: createActivity },
    { name: 'leavers', up: createLeavers },
    { name: 'reasons in copies', up: addReasonsMark },
    { name: 'sparse options', up: makeOptionsSparse },
  ],
}

async function createFeeds({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier, bytes } = types(dialect)
  await schema
    .createTable('feeds')
    .addColumn('id', identifier, (column) => column.primaryKey())
    .addColumn('company_id', identifier, (column) => column.notNull())
    .addColumn('user_ids', 'text', (column) => column.notNull())
    .addColumn('audience', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('timezone', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('self_service_choices', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('leaves_shown', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('purged', 'integer', (column) => column.notNull())
    .addColumn('closed_at', 'bigint')
    .addColumn('closed_because', 'text')
    .execute()
  await schema.createIndex('feeds_by_creation').on('feeds').columns(['created_at', 'id']).execute()
  await schema
    .createIndex('feeds_by_company')
    .on('feeds')
    .columns(['company_id', 'created_at', 'id'])
    .execute()
  await ofFeed(keyed(schema.createTable('feed_users'), dialect), identifier)
    .addColumn('user_id', identifier, (column) => column.notNull())
    .addPrimaryKeyConstraint('feed_users_key', ['feed_id', 'user_id'])
    .execute()
  await schema
    .createIndex('feed_users_by_user')
    .on('feed_users')
    .columns(['user_id', 'feed_id'])
    .execute()
  await ofFeed(schema.createTable('links'), identifier)
    .addColumn('token_hash', bytes, (column) => column.primaryKey())
    .addColumn('label', identifier, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint')
    .addColumn('fingerprint', 'text')
    .addColumn('etag', 'text')
    .addColumn('last_modified', 'bigint')
    .addUniqueConstraint('links_by_label', ['feed_id', 'label'])
    .execute()
}

async function createLedgers(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier, bytes } = types(dialect)
  await queries.schema
    .createTable('ledgers')
    .addColumn('feed_id', identifier, (column) =>
      column.primaryKey().references('feeds.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('entries', bytes, (column) => column.notNull())
    .execute()
  await keepAsWritten(queries, dialect, 'ledgers', 'entries')
}

async function createSnapshots(queries: SchemaQueries, dialect: Dialect): Promise<void> {
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

async function createProofs({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
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

async function createExaminations({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
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

async function createEndsAndCreations({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier } = types(dialect)
  await schema.alterTable('links').addColumn('ending_since', 'bigint').execute()
  await schema
    .alterTable('links')
    .addColumn('purged', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createTable('creations')
    .addColumn('key_hash', identifier, (column) => column.primaryKey())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('feed_ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('creations_by_age').on('creations').column('created_at').execute()
}

function ofFeed(
  table: CreateTableBuilder<string>,
  identifier: ColumnType,
): CreateTableBuilder<string, 'feed_id'> {
  return table.addColumn('feed_id', identifier, (column) =>
    column.notNull().references('feeds.id').onDelete('cascade'),
  )
}

/** What is compressed already or cannot be compressed PostgreSQL need not try to. */
async function keepAsWritten(
  queries: SchemaQueries,
  dialect: Dialect,
  table: string,
  column: string,
): Promise<void> {
  if (dialect !== 'postgres') return
  await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.execute(
    queries,
  )
}
