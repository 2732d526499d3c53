import { DatabaseSync } from 'node:sqlite'

import { CompiledQuery } from 'kysely'
import { onTestFinished } from 'vitest'

import { openStore, type Store } from '../../../src/store/open-store.ts'
import type { StoreDatabase } from '../../../src/store/tables.ts'
import { migratedSqliteDatabase } from './databases.ts'
import { askedBy } from './statements.ts'

/** What the database would do for the query, as JSON. */
export async function planOf(
  { queries, dialect }: Pick<StoreDatabase, 'queries' | 'dialect'>,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
): Promise<string> {
  const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain'
  const plan = CompiledQuery.raw(`${explain} ${sql}`, [...parameters])
  return JSON.stringify((await queries.executeQuery(plan)).rows)
}

/** What SQLite would do step by step for each statement that the work asks of a store in which nothing stands. */
export async function plansOf(
  work: (store: Store) => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const url = migratedSqliteDatabase()
  const store = await openStore(url)
  onTestFinished(() => store.close())
  const { statements } = await askedBy(() => work(store))
  const database = new DatabaseSync(url.slice('file:'.length), { readOnly: true })
  const plans = statements.map((text) =>
    database
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  )
  database.close()
  return plans
}
