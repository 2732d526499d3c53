/* Steps of the history: feeds and what hangs on each of them. */
import type { CreateTableBuilder } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { type ColumnType, keepAsWritten, keyed, types } from './column-types.ts'

/** The feeds, who is in them, and their links. */
export async function createFeeds({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
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

/** What each feed showed last. */
export async function createLedgers(queries: SchemaQueries, dialect: Dialect): Promise<void> {
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

/** Links that are told to end, and what requests with a key have made. */
export async function createEndsAndCreations(
  { schema }: SchemaQueries,
  dialect: Dialect,
): Promise<void> {
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

function ofFeed(
  table: CreateTableBuilder<string>,
  identifier: ColumnType,
): CreateTableBuilder<string, 'feed_id'> {
  return table.addColumn('feed_id', identifier, (column) =>
    column.notNull().references('feeds.id').onDelete('cascade'),
  )
}
