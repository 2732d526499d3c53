import { randomUUID } from 'node:crypto'

import { type CreateTableBuilder, sql } from 'kysely'

import type { Migration, MigrationHistory, SchemaQueries } from '../../database/migrate.ts'

/** Only ever added to at its end. */
const migrations: readonly Migration[] = [
  { name: 'a company', up: createCompany },
  { name: 'several companies', up: createCompanies },
]

/** The history of the sandbox's tables. */
export const sandboxHistory: MigrationHistory = { table: 'workforce_migrations', migrations }

async function createCompany(queries: SchemaQueries): Promise<void> {
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

async function createIndexes(queries: SchemaQueries): Promise<void> {
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

type Column = readonly [name: string, type: 'text' | 'integer' | 'bigint', isNull?: 'null']

const record: Column = ['record', 'text']
const position: Column = ['position', 'bigint']

/** What a company's records were kept in, and by which columns they are found, in the order in which they are read. */
const recordTables: Readonly<
  Record<string, { columns: readonly Column[]; indexes: readonly (readonly string[])[] }>
> = {
  users: { columns: [record], indexes: [] },
  invoices: { columns: [record], indexes: [] },
  projects: { columns: [position, ['name', 'text', 'null']], indexes: [['position']] },
  tasks: {
    columns: [record, position, ['project_id', 'text'], ['archived', 'integer']],
    indexes: [['project_id', 'archived', 'position']],
  },
  schedules: {
    columns: [record, position, ['type', 'text', 'null'], ['active', 'integer']],
    indexes: [
      ['active', 'position'],
      ['active', 'type', 'position'],
    ],
  },
  leaves: {
    columns: [record, position, ['user_id', 'text'], ['status', 'text', 'null']],
    indexes: [['position'], ['user_id', 'position'], ['status', 'position']],
  },
  timesheets: {
    columns: [
      record,
      position,
      ['user_id', 'text'],
      ['status', 'text', 'null'],
      ['period_start', 'bigint'],
      ['period_end', 'bigint'],
    ],
    indexes: [
      ['period_start', 'position'],
      ['user_id', 'period_start', 'position'],
      ['status', 'period_start', 'position'],
    ],
  },
}

/** The one company of before goes on as that of the sample. */
async function createCompanies(queries: SchemaQueries): Promise<void> {
  await createTable(queries, 'workforce_companies', [
    ['revision', 'text'],
    ['generation', 'text'],
    ['loaded', 'text', 'null'],
    ['next_position', 'bigint'],
  ])
  for (const [name, { columns, indexes }] of Object.entries(recordTables)) {
    await replaceTable(queries, name, columns)
    for (const index of indexes) {
      await queries.schema
        .createIndex(`company_${name}_by_${index.join('_')}`)
        .on(name)
        .columns(['company_id', ...index])
        .execute()
    }
  }
  await adoptCompany(queries)
  await queries.schema.dropTable('company').execute()
  await queries.schema
    .createTable('workforce_originals')
    .addColumn('company_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('record', 'text')
    .addColumn('position', 'bigint')
    .addPrimaryKeyConstraint('workforce_originals_key', ['company_id', 'kind', 'id'])
    .execute()
}

async function createTable(
  queries: SchemaQueries,
  name: string,
  columns: readonly Column[],
): Promise<void> {
  const keys = name === 'workforce_companies' ? ['id'] : ['company_id', 'id']
  const texts = keys.map((key): Column => [key, 'text'])
  let table: CreateTableBuilder<string, string> = queries.schema.createTable(name)
  for (const [column, type, isNull] of [...texts, ...columns]) {
    table = table.addColumn(column, type, (it) => (isNull ? it : it.notNull()))
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, keys).execute()
}

/** SQLite gives a table no other key. */
async function replaceTable(
  queries: SchemaQueries,
  name: string,
  columns: readonly Column[],
): Promise<void> {
  const before = `${name}_before`
  await queries.schema.alterTable(name).renameTo(before).execute()
  await createTable(queries, name, columns)
  const names = sql.join(['id', ...columns.map(([column]) => column)].map((it) => sql.ref(it)))
  await sql`insert into ${sql.table(name)} (company_id, ${names}) select 'main', ${names} from ${sql.table(before)}`.execute(
    queries,
  )
  await queries.schema.dropTable(before).execute()
}

async function adoptCompany(queries: SchemaQueries): Promise<void> {
  const positions = sql.join(
    ['tasks', 'schedules', 'leaves', 'timesheets', 'projects'].map(
      (name) => sql`select max(position) as position from ${sql.table(name)}`,
    ),
    sql` union all `,
  )
  const [revision, generation] = [randomUUID(), randomUUID()]
  await sql`
    insert into workforce_companies (id, revision, generation, next_position)
    select 'main', ${revision}, ${generation}, coalesce((select max(position) from (${positions}) as positions), -1) + 1
    from company`.execute(queries)
}
