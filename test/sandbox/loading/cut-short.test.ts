/* Imports that cannot end: the company is as it was before. */
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'

import { readCompany } from '../../../src/sandbox/records/companies.ts'
import {
  openSandboxDatabase,
  type SandboxDatabase,
} from '../../../src/sandbox/records/sandbox-database.ts'
import { spawnProgram } from '../../support/bridge/program.ts'
import { createSqliteDatabase, databases } from '../../support/database/databases.ts'
import { smallCompany } from '../company.ts'
import { loadCompany } from './load-company.ts'

/** So many that they are far from loaded when the first of them are. */
const many = {
  users: Array.from({ length: 12_000 }, (_, index) => ({ id: `usr_${index}`, firstName: 'Ada' })),
}

async function openDatabase(url: string): Promise<SandboxDatabase> {
  const database = await openSandboxDatabase(url)
  onTestFinished(() => database.close())
  return database
}

async function stateOf({ queries }: SandboxDatabase): Promise<unknown> {
  const users = await queries.selectFrom('users').selectAll().orderBy('id').execute()
  const leaves = await queries.selectFrom('leaves').selectAll().orderBy('position').execute()
  return { company: await readCompany(queries, 'main'), users, leaves }
}

describe.each(databases)('interrupted import on $name', ({ create }) => {
  it('a kill in the middle leaves the company as it was', async () => {
    const url = await create()
    const database = await openDatabase(url)
    await loadCompany(database, smallCompany)
    const before = await stateOf(database)
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'killed-'))
    await writeFile(path.join(folder, 'many.json'), JSON.stringify(many))

    const words = ['workforce', 'import', 'many.json', '--database', url]
    const child = spawnProgram(words, { folder })
    const exited = once(child, 'exit')
    for await (const line of createInterface(child.stderr)) {
      if (line === 'Loaded 500 of 12000') child.kill('SIGKILL')
    }
    expect(await exited).toEqual([null, 'SIGKILL'])
    expect(await stateOf(database)).toEqual(before)
    expect(await loadCompany(database, smallCompany)).toMatchObject({ isChanged: false })
  })
})

it('a full disk leaves the company as it was', async () => {
  const database = await openDatabase(createSqliteDatabase())
  await loadCompany(database, smallCompany)
  const before = await stateOf(database)
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.queries)
  const limit = Number(rows[0]?.page_count) + 10
  await sql`pragma max_page_count = ${sql.lit(limit)}`.execute(database.queries)
  await expect(loadCompany(database, many)).rejects.toMatchObject({
    code: 'unavailable',
    message: `The database ${database.file} cannot be used: database or disk is full.`,
  })
  expect(await stateOf(database)).toEqual(before)
})
