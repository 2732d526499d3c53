import type { CreateTableBuilder, Kysely } from 'kysely'

import type { Migration, MigrationHistory } from '../database/migrate.ts'

/** Only ever added to at its end. */
const migrations: readonly Migration[] = [{ name: 'a company', up: createCompany }]

/** The history of the sandbox's tables. */
export const sandboxHistory: MigrationHistory = { table: 'workforce_migrations', migrations }

async function createCompany(queries: Kysely<unknown>): Promise<void> {
  const table = (name: string): CreateTableBuilder<string> => queries.schema.createTable(name)
  const records = (name: string): CreateTableBuilder<string, string> =>
    table(name)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('record', 'text', (column) => column.notNull())
  const list = (name: string): CreateTableBuilder<string, string> =>
    records(name).addColumn('position', 'integer', (column) => column.notNull())

  await table('company')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .execute()
  await table('projects')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('name', 'text')
    .execute()
  await records('users').execute()
  await records('invoices').execute()
  await list('tasks')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('archived', 'integer', (column) => column.notNull())
    .execute()
  await list('schedules')
    .addColumn('type', 'text')
    .addColumn('active', 'integer', (column) => column.notNull())
    .execute()
  await list('leaves')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text')
    .execute()
  await list('timesheets')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text')
    .addColumn('period_start', 'bigint', (column) => column.notNull())
    .addColumn('period_end', 'bigint', (column) => column.notNull())
    .execute()
  await createIndexes(queries)
}

async function createIndexes(queries: Kysely<unknown>): Promise<void> {
  const index = (table: string, column: string): Promise<void> =>
    queries.schema
      .createIndex(`${table}_by_${column}`)
      .on(table)
      .columns([column, 'position'])
      .execute()

  await index('tasks', 'project_id')
  await index('leaves', 'user_id')
  await index('leaves', 'status')
  await index('timesheets', 'user_id')
  await index('timesheets', 'status')
}
