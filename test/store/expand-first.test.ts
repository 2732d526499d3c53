/*
 * Nodes of the version before keep running while a new one changes the tables, so a step only adds: what an old program
 * reads and writes stays, and what it does not know has a default. A later version removes what the one before no longer
 * uses.
 */
import { sql, type TableMetadata } from 'kysely'
import { describe, expect, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { storeHistory } from '../../src/store/migrations/history.ts'
import { databases } from '../support/database/databases.ts'

/**
 * Since this step, nothing was taken from the program before. A version that removes what the one before it no longer uses
 * moves this on, to its own first step after the removal.
 */
const firstThatAdds = 'newcomers'

describe.each(databases)('on $name', ({ create }) => {
  it('the program before works with the tables of the one after', async () => {
    const database = await openDatabase<unknown>(await create())
    const first = await shapeBefore(database, 'words of the house')
    const before = await shapeBefore(database, firstThatAdds)
    const now = await shapeBefore(database)
    await database.close()
    expect(breachesOf(before, now)).toEqual([])
    // Steps from before there were versions show that breaches are found.
    expect(breachesOf(first, before)).toEqual(
      expect.arrayContaining(['no table snapshot_heads', 'no column feeds.self_service_choices']),
    )
  })
})

/** The tables with all steps before that one. */
async function shapeBefore(database: Database<unknown>, step?: string): Promise<Shape> {
  const { migrations } = storeHistory
  const index = migrations.findIndex(({ name }) => name === step)
  const taken = step === undefined ? migrations : migrations.slice(0, index)
  await migrate(database, { ...storeHistory, migrations: taken })
  return shapeOf(database)
}

interface Shape {
  readonly tables: readonly TableMetadata[]
  /** Names of unique indexes, by table. */
  readonly unique: ReadonlyMap<string, readonly string[]>
}

async function shapeOf({ queries, dialect }: Database<unknown>): Promise<Shape> {
  const tables = await queries.introspection.getTables()
  const { rows } = await sql<{ table: string; name: string }>`
    ${dialect === 'sqlite' ? uniqueOfSqlite : uniqueOfPostgres}`.execute(queries)
  const unique = [...Map.groupBy(rows, ({ table }) => table)].map(
    ([table, indexes]) => [table, indexes.map(({ name }) => name)] as const,
  )
  return { tables, unique: new Map(unique) }
}

const uniqueOfSqlite = sql`select tables.name as "table", indexes.name
  from sqlite_schema as tables, pragma_index_list(tables.name) as indexes
  where tables.type = 'table' and indexes."unique" = 1`
const uniqueOfPostgres = sql`select tablename as "table", indexname as name
  from pg_indexes where schemaname = current_schema() and indexdef like 'CREATE UNIQUE%'`

function breachesOf(before: Shape, after: Shape): readonly string[] {
  return before.tables.flatMap((table) => {
    const now = after.tables.find(({ name }) => name === table.name)
    if (!now) return [`no table ${table.name}`]
    return [...columnBreaches(table, now), ...uniqueBreaches(table.name, before, after)]
  })
}

function columnBreaches(before: TableMetadata, after: TableMetadata): readonly string[] {
  const called = (name: string): string => `${before.name}.${name}`
  const missing = before.columns.flatMap((column) => {
    const now = after.columns.find(({ name }) => name === column.name)
    if (!now) return [`no column ${called(column.name)}`]
    const isSame = now.dataType === column.dataType && now.isNullable === column.isNullable
    return isSame ? [] : [`${called(column.name)} is of another type`]
  })
  const demanding = after.columns
    .filter(({ name }) => before.columns.every((column) => column.name !== name))
    .filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
    .map(({ name }) => `${called(name)} has no default`)
  return [...missing, ...demanding]
}

function uniqueBreaches(table: string, before: Shape, after: Shape): readonly string[] {
  const was = new Set(before.unique.get(table))
  const added = after.unique.get(table)?.filter((name) => !was.has(name)) ?? []
  return added.map((name) => `new unique index ${name}`)
}
