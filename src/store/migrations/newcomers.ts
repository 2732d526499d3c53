/* A step of the history: ids that become somebody else's, and with which credential each connection was read. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { keyed, types } from './column-types.ts'

/** Who was known before goes by the name and mail of their row, as long as these columns are empty. */
export async function createNewcomers(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const { schema } = queries
  const { identifier } = types(dialect)
  await keyed(schema.createTable('newcomers'), dialect)
    .addColumn('company_id', identifier, (column) => column.notNull())
    .addColumn('user_id', identifier, (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addPrimaryKeyConstraint('newcomers_key', ['company_id', 'user_id'])
    .execute()
  for (const column of ['known_name', 'known_mail'] as const) {
    await schema.alterTable('people').addColumn(column, 'text').execute()
  }
  await schema
    .createTable('trusted_credentials')
    .addColumn('connection_id', identifier, (column) => column.primaryKey())
    .addColumn('credential', 'text', (column) => column.notNull())
    .addColumn('doubted_since', 'bigint')
    .execute()
  await sql`insert into trusted_credentials (connection_id, credential)
    select connection_id, credential from proofs where credential is not null`.execute(queries)
}
