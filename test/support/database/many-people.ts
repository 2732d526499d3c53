/* A company of any number of people, written in bulk, each with one of a thousand names, a mail address and a manager. */
import { sql } from 'kysely'

import type { StoreDatabase } from '../../../src/store/tables.ts'

/** Adds `count` people, numbered from 1, to the company `main`; a hundred report to each manager. */
export async function insertPeople(
  { queries, dialect }: Pick<StoreDatabase, 'queries' | 'dialect'>,
  count: number,
): Promise<void> {
  const numbers =
    dialect === 'sqlite'
      ? sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
          select n, printf('%06d', n) as id, printf('%06d', n * 7919 % 997) as name from numbers) as numbers`
      : sql`(select n, lpad(cast(n as text), 6, '0') as id,
          lpad(cast(n * 7919 % 997 as text), 6, '0') as name
          from generate_series(1, ${sql.lit(count)}) as n) as numbers`
  await sql`insert into people (company_id, user_id, folded_id, reversed_id, first_name, last_name, email,
      folded_email, manager_id, state, seen_at, read_at, due_at, sort_name)
    select 'main', 'usr_' || id, 'usr_' || n, id || '_rsu', 'First' || name, 'Last', 'mail.' || id || '@example.com',
      'mail.' || id || '@example.com', 'usr_' || substr(id, 1, 4) || '00', 'active', 1, 1, 1, 'first' || name || ' last'
    from ${numbers}`.execute(queries)
  if (dialect === 'postgres') await sql`analyze`.execute(queries)
}

/** The first name of the person of that number. */
export function firstNameOf(number: number): string {
  return `First${String((number * 7919) % 997).padStart(6, '0')}`
}

/** What people of that name are sorted by; there are 997 names. */
export function sortNameOf(name: number): string {
  return `first${String(name).padStart(6, '0')} last`
}
