import { existsSync, rmSync } from 'node:fs'

import { type Kysely, type KyselyPlugin, sql } from 'kysely'

import { AppError } from '../domain/errors.ts'
import type { MigrationPlan, PlannedCopy, PlannedStep } from '../domain/migration-plan.ts'
import { type Database, type Dialect, openDatabase, openMemoryDatabase } from './database.ts'
import { countTaken, migrate, type MigrationHistory, type SchemaQueries } from './migrate.ts'
import { spaceOf } from './space.ts'
import { backUpSqlite, type BackupOptions, fileBefore, sqliteFile } from './sqlite-files.ts'

/** Beside a copy of the file there must be room for what the steps write. */
const roomFactor = 3

/**
 * Tries the steps that the database has not had yet, and leaves the database as it is. They run on a copy of a SQLite file
 * beside it, where there is room; on PostgreSQL on temporary copies of the tables that they touch, so that others can read
 * and write meanwhile. Fails with `invalid` if a newer program wrote the database, `not_found` without a SQLite file.
 */
export async function rehearse(
  url: string,
  history: MigrationHistory,
  options: BackupOptions = {},
): Promise<MigrationPlan> {
  if (url.startsWith('file:') && !existsSync(sqliteFile(url))) {
    const message = `There is no database at ${sqliteFile(url)} yet: the first start creates it.`
    throw new AppError('not_found', message)
  }
  const database = await openDatabase<unknown>(url)
  try {
    const { dialect } = database
    const taken = await countSteps(database, history)
    const pending = history.migrations.slice(taken)
    const described = await describe(history, taken)
    const tables = await countRows(database, described)
    const copy = taken > 0 && pending.length > 0 ? await planCopy(database, history) : null
    const plan = { dialect, taken, tables, copy, copyMs: null }
    if (pending.length === 0) return { ...plan, steps: [] }
    if (database.file === null) {
      return { ...plan, steps: await tryOnTemporaryTables(database, pending, tables) }
    }
    // The database is empty, like the one in memory on which the steps have just run.
    if (copy === null) return { ...plan, steps: described.map(({ step }) => step) }
    if (copy.freeBytes < roomFactor * copy.bytes) {
      return { ...plan, steps: described.map(({ step }) => ({ ...step, ms: null })) }
    }
    return { ...plan, ...(await tryOnCopy(database.file, pending, options)) }
  } finally {
    await database.close()
  }
}

/** Returns how many steps of the history the database has had, which may have none of its tables yet. */
export async function countSteps(
  { queries }: Pick<Database<unknown>, 'queries'>,
  history: MigrationHistory,
): Promise<number> {
  const tables = await queries.introspection.getTables()
  const isNew = tables.every(({ name }) => name !== history.table)
  return isNew ? 0 : countTaken(history, queries)
}

interface TriedStep {
  readonly step: PlannedStep
  /** The SQL that it ran. */
  readonly texts: ReadonlySet<string>
}

/** Runs the steps on empty tables in memory. */
async function describe(history: MigrationHistory, taken: number): Promise<TriedStep[]> {
  const memory = openMemoryDatabase<unknown>([])
  try {
    await migrate(memory, { ...history, migrations: history.migrations.slice(0, taken) })
    return await inTransactions(memory.queries, 'sqlite', history.migrations.slice(taken))
  } finally {
    await memory.close()
  }
}

async function countRows(
  { queries }: Database<unknown>,
  steps: readonly TriedStep[],
): Promise<MigrationPlan['tables']> {
  const words = new Set(steps.flatMap(({ texts }) => [...texts].flatMap((it) => it.split(/\W+/))))
  const tables = (await queries.introspection.getTables()).map(({ name }) => name)
  const counts: { name: string; rows: number }[] = []
  for (const name of tables.filter((it) => words.has(it)).toSorted()) {
    const counted = sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`
    counts.push({ name, rows: (await counted.execute(queries)).rows[0]?.rows ?? 0 })
  }
  return counts
}

async function planCopy(
  database: Database<unknown>,
  { migrations }: MigrationHistory,
): Promise<PlannedCopy | null> {
  if (database.file === null) return null
  const file = fileBefore(database.file, migrations.length)
  const { size: bytes, free } = await spaceOf(database)
  return { file, exists: existsSync(file), bytes, freeBytes: free ?? 0 }
}

type Pending = MigrationHistory['migrations']

async function tryOnCopy(
  file: string,
  pending: Pending,
  options: BackupOptions,
): Promise<Pick<MigrationPlan, 'steps' | 'copyMs'>> {
  const copy = `${file}.rehearsal`
  // What a killed run has left.
  removeCopy(copy)
  try {
    const begun = performance.now()
    await backUpSqlite(file, copy, options)
    const copyMs = performance.now() - begun
    const database = await openDatabase<unknown>(`file:${copy}`)
    try {
      const { queries } = database
      const tried = await inTransactions(queries, 'sqlite', pending)
      return { copyMs, steps: tried.map(({ step }) => step) }
    } finally {
      await database.close()
    }
  } finally {
    removeCopy(copy)
  }
}

function removeCopy(copy: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true })
}

async function inTransactions(
  queries: Kysely<unknown>,
  dialect: Dialect,
  pending: Pending,
): Promise<TriedStep[]> {
  const tried: TriedStep[] = []
  for (const step of pending) {
    tried.push(await queries.transaction().execute((steps) => timed(step, steps, dialect)))
  }
  return tried
}

const undone = new Error('This transaction only tries the steps.')

/** Temporary tables hide those of the same name from this transaction alone. */
async function tryOnTemporaryTables(
  { queries }: Database<unknown>,
  pending: Pending,
  tables: MigrationPlan['tables'],
): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = []
  const trying = queries.transaction().execute(async (transaction) => {
    const current = sql<{ schema: string }>`select current_schema() as schema`
    const { schema } = (await current.execute(transaction)).rows[0]!
    for (const { name } of tables) {
      const [own, kept] = [sql.table(name), sql.table(`${schema}.${name}`)]
      await sql`create temporary table ${own} (like ${kept} including all)`.execute(transaction)
      await sql`insert into ${own} select * from ${kept}`.execute(transaction)
    }
    // New tables become temporary, too.
    await sql`select set_config('search_path', 'pg_temp, ' || quote_ident(${schema}), true)`.execute(
      transaction,
    )
    for (const one of pending) steps.push((await timed(one, transaction, 'postgres')).step)
    throw undone
  })
  await trying.catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return steps
}

async function timed(
  migration: Pending[number],
  queries: SchemaQueries & Pick<Kysely<unknown>, 'withPlugin'>,
  dialect: Dialect,
): Promise<TriedStep> {
  const { texts, ...recorder } = recording()
  const begun = performance.now()
  await migration.up(queries.withPlugin(recorder), dialect)
  const ms = performance.now() - begun
  const changes = [...new Set([...texts].flatMap(inWords))]
  return { step: { name: migration.name, changes, ms }, texts }
}

/** Notes the SQL that is written as text; values are left out. */
function recording(): KyselyPlugin & { readonly texts: Set<string> } {
  const texts = new Set<string>()
  return {
    texts,
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode') texts.add(node.sqlFragments.join('?'))
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** SQL that changes something, and how to say so; other SQL only reads. */
const changeTexts: readonly (readonly [pattern: RegExp, say: (...names: string[]) => string])[] = [
  [/^create table (\w+)/, (table) => `adds the table ${table}`],
  [/^create (?:unique )?index \w+ on (\w+)/, (table) => `adds an index to ${table}`],
  [/^alter table (\w+) add column (\w+)/, (table, column) => `adds ${table}.${column}`],
  [/^alter table (\w+) drop column (\w+)/, (table, column) => `removes ${table}.${column}`],
  [
    /^alter table (\w+) rename column (\w+) to (\w+)/,
    (table, from, to) => `renames ${table}.${from} to ${to}`,
  ],
  [/^alter table (\w+) rename to (\w+)/, (from, to) => `renames the table ${from} to ${to}`],
  [/^drop table (\w+)/, (table) => `removes the table ${table}`],
  [/^update (\w+)/, (table) => `changes rows of ${table}`],
  [/^insert into (\w+)/, (table) => `adds rows to ${table}`],
]

function inWords(text: string): readonly string[] {
  const plain = text.trim().replaceAll(/\s+/g, ' ')
  return changeTexts.flatMap(([pattern, say]) => {
    const [found, ...names] = pattern.exec(plain) ?? []
    return found === undefined ? [] : [say(...names)]
  })
}
