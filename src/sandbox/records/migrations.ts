import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import type { Migration, MigrationHistory, SchemaQueries } from '../../database/migrate.ts'

/** Append only. */
const migrations: readonly Migration[] = [
  { name: 'a company', up: createCompany },
  { name: 'several companies', up: createCompanies },
]

export const sandboxHistory: MigrationHistory = { table: 'workforce_migrations', migrations }

async function run(queries: SchemaQueries, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(queries)
}

function createCompany(queries: SchemaQueries): Promise<void> {
  const record = 'id text primary key, record text not null'
  const listed = `${record}, position integer not null`
  return run(queries, [
    'create table company (id integer primary key)',
    'create table projects (id text primary key, position integer not null, name text)',
    `create table users (${record})`,
    `create table invoices (${record})`,
    `create table tasks (${listed}, project_id text not null, archived integer not null)`,
    `create table schedules (${listed}, type text, active integer not null)`,
    `create table leaves (${listed}, user_id text not null, status text)`,
    `create table timesheets (${listed}, user_id text not null, status text,
      period_start bigint not null, period_end bigint not null)`,
    'create index tasks_by_project_id on tasks (project_id, position)',
    'create index leaves_by_user_id on leaves (user_id, position)',
    'create index leaves_by_status on leaves (status, position)',
    'create index timesheets_by_user_id on timesheets (user_id, position)',
    'create index timesheets_by_status on timesheets (status, position)',
  ])
}

/** Each record table with its columns besides the ids, and the columns of its indexes in read order. */
const recordTables: readonly (readonly [table: string, columns: string, indexes: string[]])[] = [
  ['users', 'record text not null', []],
  ['invoices', 'record text not null', []],
  ['projects', 'position bigint not null, name text', ['position']],
  [
    'tasks',
    'record text not null, position bigint not null, project_id text not null, archived integer not null',
    ['project_id, archived, position'],
  ],
  [
    'schedules',
    'record text not null, position bigint not null, type text, active integer not null',
    ['active, position', 'active, type, position'],
  ],
  [
    'leaves',
    'record text not null, position bigint not null, user_id text not null, status text',
    ['position', 'user_id, position', 'status, position'],
  ],
  [
    'timesheets',
    'record text not null, position bigint not null, user_id text not null, status text, period_start bigint not null, period_end bigint not null',
    ['period_start, position', 'user_id, period_start, position', 'status, period_start, position'],
  ],
]

/** The single company of earlier versions becomes the sample company. */
async function createCompanies(queries: SchemaQueries): Promise<void> {
  await run(queries, [
    `create table workforce_companies (id text not null, revision text not null,
      generation text not null, loaded text, next_position bigint not null,
      constraint workforce_companies_key primary key (id))`,
  ])
  for (const [table, columns, indexes] of recordTables) {
    const names = ['id', ...columns.split(', ').map((column) => column.replace(/ .*/, ''))].join()
    // SQLite cannot change a primary key, so each table is rebuilt.
    await run(queries, [
      `alter table ${table} rename to ${table}_before`,
      `create table ${table} (company_id text not null, id text not null, ${columns},
        constraint ${table}_key primary key (company_id, id))`,
      `insert into ${table} (company_id, ${names}) select 'main', ${names} from ${table}_before`,
      `drop table ${table}_before`,
      ...indexes.map(
        (index) =>
          `create index company_${table}_by_${index.replaceAll(', ', '_')} on ${table} (company_id, ${index})`,
      ),
    ])
  }
  await adoptCompany(queries)
  await run(queries, [
    'drop table company',
    `create table workforce_originals (company_id text not null, kind text not null,
      id text not null, record text, position bigint,
      constraint workforce_originals_key primary key (company_id, kind, id))`,
  ])
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
