/* What `bridge migrate --dry-run` predicts, and that it changes nothing. */
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it as bareIt, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { MigrationPlan } from '../../src/domain/migration-plan.ts'
import { storeHistory } from '../../src/store/migrations/history.ts'
import { runCommand } from '../support/bridge/command-line.ts'
import { databases } from '../support/database/databases.ts'
import { openOther } from '../support/database/locks.ts'
import { open } from '../support/database/open.ts'
import { readRelease, restoreRelease } from '../support/release/release-fixture.ts'

const steps = storeHistory.migrations.map(({ name }) => name)
/** Where release 0.4 ended. */
const taken = steps.indexOf('newcomers')

describe.each(databases)('on $name', ({ name, create }) => {
  const it = bareIt
    .extend('databaseUrl', async () => {
      const url = await create()
      await restoreRelease(readRelease('0.4'), url)
      return url
    })
    .extend('bridge', ({ databaseUrl }) => (...words: readonly string[]) => {
      const environment = { DATABASE_URL: databaseUrl, ADMIN_TOKEN: 'x'.repeat(20) }
      return runCommand(environment, ...words)
    })

  it('a dry run tries every pending step while others write, and changes nothing', async ({
    databaseUrl,
    bridge,
  }) => {
    const before = await contentOf(databaseUrl)
    const other = await openOther(databaseUrl)
    onTestFinished(() => other.close())
    const writing = `insert into erased_people values ('mark')`
    await (name === 'SQLite' ? other.lock('begin immediate', writing) : other.lock(writing))
    const { code, output, errors } = await bridge('migrate', '--dry-run', '--json')
    await other.release()
    expect([code, errors]).toEqual([0, ''])
    const plan = JSON.parse(output) as MigrationPlan
    expect(plan.taken).toBe(taken)
    expect(plan.steps.map((step) => step.name)).toEqual(steps.slice(taken))
    expect(plan.steps.filter(({ ms, changes }) => ms === null || changes.length === 0)).toEqual([])
    expect(plan.steps.find((step) => step.name === 'people by name')?.changes).toEqual([
      'adds people.sort_name',
      'changes rows of people',
      'adds an index to people',
    ])
    const people = before.get('people')
    expect(plan.tables).toContainEqual({ name: 'people', rows: people?.length })
    expect(await contentOf(databaseUrl)).toEqual(before)
    if (name === 'PostgreSQL') return expect(plan.copy).toBeNull()
    const file = databaseUrl.slice('file:'.length)
    expect(plan.copy).toMatchObject({
      file: `${file}.before-${steps.length}`,
      exists: false,
      bytes: statSync(file).size,
    })
    expect(await readdir(path.dirname(file))).not.toContain('bridge.sqlite.rehearsal')
  })

  it('the predicted steps are taken, and only once', async ({ databaseUrl, bridge }) => {
    expect((await bridge('migrate', '--dry-run')).output).toContain(
      `${taken} steps of ${steps.length} done, ${steps.length - taken} to do:`,
    )
    const { code, output } = await bridge('migrate', '--json')
    const file = databaseUrl.slice('file:'.length)
    const copy = name === 'SQLite' ? `${file}.before-${steps.length}` : null
    expect([code, JSON.parse(output)]).toEqual([0, { steps: steps.slice(taken), copy }])
    expect((await bridge('migrate')).output).toBe('The database is up to date.\n')
    expect((await bridge('migrate', '--dry-run')).output).toBe(
      `The database is up to date: ${steps.length} steps.\n`,
    )
    const database = await open(databaseUrl)
    await sql`insert into bridge_migrations values (9999, 'of tomorrow')`.execute(database.queries)
    for (const words of [['--dry-run'], []]) {
      const newer = await bridge('migrate', ...words)
      expect([newer.code, newer.errors]).toEqual([
        1,
        'The database was written by a newer version of the program: install that version, or restore a backup made before it.\n',
      ])
    }
  })

  it('an empty database gets every step, and no copy', async () => {
    const environment = { DATABASE_URL: await create(), ADMIN_TOKEN: 'x'.repeat(20) }
    if (name === 'SQLite') {
      const { code, errors } = await runCommand(environment, 'migrate', '--dry-run')
      expect([code, errors]).toEqual([1, expect.stringContaining('yet: the first start creates')])
      await (await openDatabase(environment.DATABASE_URL)).close()
    }
    const { output } = await runCommand(environment, 'migrate', '--dry-run', '--json')
    const plan = JSON.parse(output) as MigrationPlan
    expect(plan).toMatchObject({ taken: 0, tables: [], copy: null })
    expect(plan.steps).toHaveLength(steps.length)
    expect(plan.steps.filter(({ ms }) => ms === null)).toEqual([])
  })
})

/** The rows of every table, by name. */
async function contentOf(url: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const database = await openDatabase<unknown>(url)
  const tables = await database.queries.introspection.getTables()
  const content = new Map<string, readonly unknown[]>()
  for (const { name, columns } of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(database.queries)
    content.set(name, rows)
    content.set(`columns of ${name}`, columns)
  }
  await database.close()
  return content
}
