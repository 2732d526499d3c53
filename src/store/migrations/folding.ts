/* Migration steps that fill a column of the people directory with a value computed from other columns. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { findableMail, foldedId, sortNameOf } from '../../domain/person.ts'

const peopleAtOnce = 500

/** Until this step, folding ignored only case and leading zeros. */
export async function foldIdsFurther(queries: SchemaQueries): Promise<void> {
  await fillColumn(queries, 'folded_id', ({ user_id }) => foldedId(user_id))
}

/** Adds a column and indexes to find people by mail address, and by id in any company. */
export async function foldMails(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const type = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table people add column folded_email ${type}`.execute(queries)
  await fillColumn(queries, 'folded_email', ({ email }) =>
    email === null ? null : findableMail(email),
  )
  await sql`create index people_by_folded_email on people (folded_email)`.execute(queries)
  await sql`create index people_by_id on people (user_id, company_id)`.execute(queries)
}

/** Adds a column and an index to list people by name. */
export async function sortNames(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const type = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table people add column sort_name ${type} default '' not null`.execute(queries)
  await fillColumn(queries, 'sort_name', ({ user_id, first_name, last_name }) =>
    sortNameOf({ userId: user_id, firstName: first_name, lastName: last_name }),
  )
  // A search then reads the index alone. An entry of PostgreSQL's has no room for addresses.
  const searched = dialect === 'sqlite' ? sql`, folded_email, state` : sql``
  await sql`create index people_by_name on people
    (company_id, sort_name, user_id${searched})`.execute(queries)
}

interface StoredPerson {
  readonly company_id: string
  readonly user_id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly filled: string | null
}

async function fillColumn(
  queries: SchemaQueries,
  column: string,
  fold: (person: StoredPerson) => string | null,
): Promise<void> {
  const filled = sql.ref(column)
  let last = { company_id: '', user_id: '' }
  for (;;) {
    const { rows } = await sql<StoredPerson>`
      select company_id, user_id, first_name, last_name, email, ${filled} as filled from people
      where (company_id, user_id) > (${last.company_id}, ${last.user_id})
      order by company_id, user_id limit ${peopleAtOnce}`.execute(queries)
    for (const person of rows) {
      const folded = fold(person)
      if (folded === person.filled) continue
      await sql`update people set ${filled} = ${folded}
        where company_id = ${person.company_id} and user_id = ${person.user_id}`.execute(queries)
    }
    if (rows.length < peopleAtOnce) return
    last = rows.at(-1) ?? last
  }
}
