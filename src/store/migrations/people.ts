/* Steps of the history: the people directory, and departures that are held back. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { foldedId } from '../../domain/person.ts'
import { keyed, types } from './column-types.ts'

/** Who has been seen of each company, who is not to be seen again, and when people were last looked for. */
export async function createPeople({ schema }: SchemaQueries, dialect: Dialect): Promise<void> {
  const { identifier } = types(dialect)
  await keyed(schema.createTable('people'), dialect)
    .addColumn('company_id', identifier, (column) => column.notNull())
    .addColumn('user_id', identifier, (column) => column.notNull())
    .addColumn('folded_id', identifier, (column) => column.notNull())
    .addColumn('reversed_id', identifier, (column) => column.notNull())
    .addColumn('first_name', 'text')
    .addColumn('last_name', 'text')
    .addColumn('email', 'text')
    .addColumn('manager_id', identifier)
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('people_key', ['company_id', 'user_id'])
    .execute()
  for (const column of ['folded_id', 'reversed_id', 'due_at']) {
    const index = schema.createIndex(`people_by_${column}`).on('people')
    await index.columns(['company_id', column, 'user_id']).execute()
  }
  await schema
    .createTable('erased_people')
    .addColumn('mark', identifier, (column) => column.primaryKey())
    .execute()
  await schema
    .createTable('look_rounds')
    .addColumn('company_id', identifier, (column) => column.primaryKey())
    .addColumn('looked_at', 'bigint')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('problems', 'text', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .execute()
}

const dayMs = 86_400_000

/** What was not believed although it could have been was held back, which stood nowhere. */
export async function holdDeparturesBack(queries: SchemaQueries): Promise<void> {
  const { schema } = queries
  await schema
    .alterTable('departures')
    .addColumn('was_here', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await schema
    .alterTable('departures')
    .addColumn('held_back', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update departures set held_back = 1
    where left_at is null and (because = 'user_inactive' or read_at - since >= ${dayMs})`.execute(
    queries,
  )
  await schema
    .createIndex('departures_by_day')
    .on('departures')
    .columns(['company_id', 'since'])
    .execute()
}

const peopleAtOnce = 500

interface StoredPerson {
  readonly company_id: string
  readonly user_id: string
  readonly folded_id: string
}

/** Ids were alike but for case and leading zeros alone. */
export async function foldIdsFurther(queries: SchemaQueries): Promise<void> {
  let people: readonly StoredPerson[] = []
  do {
    people = await peopleAfter(queries, people.at(-1))
    for (const person of people) await foldFurther(queries, person)
  } while (people.length === peopleAtOnce)
}

async function peopleAfter(
  queries: SchemaQueries,
  last: Pick<StoredPerson, 'company_id' | 'user_id'> = { company_id: '', user_id: '' },
): Promise<readonly StoredPerson[]> {
  const { rows } = await sql<StoredPerson>`select company_id, user_id, folded_id from people
    where (company_id, user_id) > (${last.company_id}, ${last.user_id})
    order by company_id, user_id limit ${peopleAtOnce}`.execute(queries)
  return rows
}

async function foldFurther(queries: SchemaQueries, person: StoredPerson): Promise<void> {
  const { company_id: companyId, user_id: userId } = person
  const folded = foldedId(userId)
  if (folded === person.folded_id) return
  await sql`update people set folded_id = ${folded}
    where company_id = ${companyId} and user_id = ${userId}`.execute(queries)
}
