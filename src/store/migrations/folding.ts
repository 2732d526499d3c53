/* Migration steps that fill a column of the people directory with a value computed from another column. */
import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { SchemaQueries } from '../../database/migrate.ts'
import { findableMail, foldedId } from '../../domain/person.ts'

const peopleAtOnce = 500

/** Until this step, folding ignored only case and leading zeros. */
export async function foldIdsFurther(queries: SchemaQueries): Promise<void> {
  await fillColumn(queries, { from: 'user_id', to: 'folded_id', fold: foldedId })
}

/** Adds a column and indexes to find people by mail address, and by id in any company. */
export async function foldMails(queries: SchemaQueries, dialect: Dialect): Promise<void> {
  const type = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await sql`alter table people add column folded_email ${type}`.execute(queries)
  await fillColumn(queries, { from: 'email', to: 'folded_email', fold: findableMail })
  await sql`create index people_by_folded_email on people (folded_email)`.execute(queries)
  await sql`create index people_by_id on people (user_id, company_id)`.execute(queries)
}

interface Filling {
  readonly from: 'user_id' | 'email'
  readonly to: string
  readonly fold: (value: string) => string | null
}

interface StoredPerson {
  readonly company_id: string
  readonly user_id: string
  readonly value: string
  readonly filled: string | null
}

async function fillColumn(queries: SchemaQueries, { from, to, fold }: Filling): Promise<void> {
  const [value, filled] = [sql.ref(from), sql.ref(to)]
  let last = { company_id: '', user_id: '' }
  for (;;) {
    const { rows } = await sql<StoredPerson>`
      select company_id, user_id, ${value} as value, ${filled} as filled from people
      where (company_id, user_id) > (${last.company_id}, ${last.user_id}) and ${value} is not null
      order by company_id, user_id limit ${peopleAtOnce}`.execute(queries)
    for (const person of rows) {
      const folded = fold(person.value)
      if (folded === person.filled) continue
      await sql`update people set ${filled} = ${folded}
        where company_id = ${person.company_id} and user_id = ${person.user_id}`.execute(queries)
    }
    if (rows.length < peopleAtOnce) return
    last = rows.at(-1) ?? last
  }
}
