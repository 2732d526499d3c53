/* Steps of the history: who may do what, and who did. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { findableMail } from '../../domain/person.ts'
import { keyed, types } from './column-types.ts'

/** Tokens, sign-ins, who did what, and lost links asked for. */
export async function createAccess({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier, bytes } = types(dialect)
  await schema
    .createTable('tokens')
    .addColumn('name', identifier, (column) => column.primaryKey())
    .addColumn('token_hash', bytes, (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('company_id', identifier)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await keyed(schema.createTable('sessions'), dialect)
    .addColumn('cookie_hash', bytes, (column) => column.primaryKey())
    .addColumn('company_id', identifier)
    .addColumn('user_id', identifier)
    .addColumn('staff_actor', 'text')
    .addColumn('staff_role', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('audit')
    .addColumn('id', identifier, (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('company_id', identifier)
    .addColumn('feed_id', identifier)
    .addColumn('user_ids', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .execute()
  await schema.createIndex('audit_by_time').on('audit').columns(['at', 'id']).execute()
  await schema
    .createIndex('audit_by_company')
    .on('audit')
    .columns(['company_id', 'at', 'id'])
    .execute()
  await schema.createIndex('audit_by_feed').on('audit').columns(['feed_id', 'at', 'id']).execute()
  await keyed(schema.createTable('lost_links'), dialect)
    .addColumn('company_id', identifier, (column) => column.notNull())
    .addColumn('user_id', identifier, (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('id', identifier, (column) => column.notNull())
    .addPrimaryKeyConstraint('lost_links_key', ['company_id', 'user_id', 'asked_at', 'id'])
    .execute()
}

/** What one company calls its tokens is nothing to another. */
export async function nameTokensByCompany(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const { schema } = queries
  const { identifier, bytes } = types(dialect)
  await schema.alterTable('tokens').renameTo('tokens_by_name').execute()
  await schema
    .createTable('tokens')
    .addColumn('token_hash', bytes, (column) => column.primaryKey())
    .addColumn('name', identifier, (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('company_id', identifier)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  const columns = sql.raw('token_hash, name, role, company_id, created_at, last_used_at')
  await sql`insert into tokens (${columns}) select ${columns} from tokens_by_name`.execute(queries)
  await schema.dropTable('tokens_by_name').execute()
  await sql`create unique index tokens_of_company on tokens (name, coalesce(company_id, ''))`.execute(
    queries,
  )
}

interface StoredMail {
  readonly company_id: string
  readonly user_id: string
  readonly email: string
}

const peopleAtOnce = 500

/** People are found by their mail address, and by their id in whatever company. */
export async function foldMails(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const { schema } = queries
  const { identifier } = types(dialect)
  await schema.alterTable('people').addColumn('folded_email', identifier).execute()
  let people: readonly StoredMail[] = []
  do {
    people = await peopleAfter(queries, people.at(-1))
    for (const person of people) await foldMail(queries, person)
  } while (people.length === peopleAtOnce)
  await schema
    .createIndex('people_by_folded_email')
    .on('people')
    .columns(['folded_email'])
    .execute()
  await schema.createIndex('people_by_id').on('people').columns(['user_id', 'company_id']).execute()
}

async function peopleAfter(
  queries: SchemaQueries,
  last: Pick<StoredMail, 'company_id' | 'user_id'> = { company_id: '', user_id: '' },
): Promise<readonly StoredMail[]> {
  const { rows } = await sql<StoredMail>`select company_id, user_id, email from people
    where (company_id, user_id) > (${last.company_id}, ${last.user_id}) and email is not null
    order by company_id, user_id limit ${peopleAtOnce}`.execute(queries)
  return rows
}

async function foldMail(queries: SchemaQueries, person: StoredMail): Promise<void> {
  const { company_id: companyId, user_id: userId, email } = person
  await sql`update people set folded_email = ${findableMail(email)}
    where company_id = ${companyId} and user_id = ${userId}`.execute(queries)
}
