/* What a start that cannot succeed says: one sentence with what mends it, and exit code 1. */
import { once } from 'node:events'
import { mkdir, mkdtemp, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, inject, it } from 'vitest'

import { openDatabase } from '../src/database/database.ts'
import { runCommand } from './support/bridge/command-line.ts'
import { runProgram } from './support/bridge/program.ts'
import { migratedSqliteDatabase } from './support/database/databases.ts'
import { migratedName } from './support/database/migrated.ts'
import { createTestDatabase } from './support/database/postgres.ts'

const newer =
  'The database was written by a newer version of the program: install that version, or restore a backup made before it.'

/** Where the settings and the files of a start that fails come from. */
interface Start {
  readonly settings: Readonly<Record<string, string>>
  readonly sentence: string
}

const occupant = createServer()
beforeAll(async () => {
  occupant.listen(0, '127.0.0.1')
  await once(occupant, 'listening')
})
afterAll(() => occupant.close())

const starts: Readonly<Record<string, () => Promise<Start>>> = {
  'an occupied port': async () => {
    const { port } = occupant.address() as AddressInfo
    const sentence = `The bridge cannot listen on 127.0.0.1, port ${port}: is it in use? PORT=8191 npm start takes another.`
    return { settings: { PORT: `${port}`, ...sqlite(await fileOf()) }, sentence }
  },
  'a folder that cannot be made': async () => {
    const file = path.join(await fileOf(), 'bridge.sqlite')
    const sentence = `The database ${file} cannot be used: not a directory.`
    return { settings: sqlite(file), sentence }
  },
  'a folder that the file system refuses': async () => {
    const file = '/proc/none/bridge.sqlite'
    return {
      settings: sqlite(file),
      sentence: `The database ${file} cannot be used: no such file or directory.`,
    }
  },
  'a folder in place of the file': async () => {
    const folder = `${await fileOf()}.folder`
    await mkdir(folder)
    const why = 'illegal operation on a directory; name a file in that folder'
    return { settings: sqlite(folder), sentence: `The database ${folder} cannot be used: ${why}.` }
  },
  'a text in place of the database': async () => {
    const file = await fileOf()
    await writeFile(file, 'text '.repeat(999))
    const why = 'file is not a database; restore a backup, or name another file'
    return { settings: sqlite(file), sentence: `The database ${file} cannot be used: ${why}.` }
  },
  'a SQLite file that is cut short': async () => {
    const file = await fileOf()
    await truncate(file, (await stat(file)).size / 2)
    const why = 'database disk image is malformed; restore a backup'
    return { settings: sqlite(file), sentence: `The database ${file} cannot be used: ${why}.` }
  },
  'a SQLite file of a newer program': async () => {
    const file = await fileOf()
    await addStep(`file:${file}`)
    return { settings: sqlite(file), sentence: newer }
  },
  'a PostgreSQL database of a newer program': async () => {
    const url = await createTestDatabase(migratedName)
    await addStep(url)
    return { settings: postgres(url), sentence: newer }
  },
  'no PostgreSQL': async () =>
    refused('127.0.0.1:9', 'ECONNREFUSED', 'start PostgreSQL, or correct the address'),
  'a wrong password': async () =>
    refused(inPlace({ password: 's3cr3t' }), '28P01', 'correct the user or the password'),
  'an unknown PostgreSQL database': async () =>
    refused(inPlace({ pathname: '/none' }), '3D000', 'create the database, or correct its name'),
  'an account that may not create tables': async () => {
    const url = new URL(await createTestDatabase())
    const { queries, close } = await openDatabase(url.href)
    const role = `weak_${url.pathname.slice(1)}`
    await sql`create role ${sql.ref(role)} login password 's3cr3t'`.execute(queries)
    await close()
    const sentence =
      'The database is not available: its account may not create or change the tables.'
    return { settings: postgres(inPlace({ username: role, password: 's3cr3t' }, url)), sentence }
  },
}

/** These run as processes; of the others, a command in this process says the same. */
const ofProcesses = new Set([
  'an occupied port',
  'a text in place of the database',
  'no PostgreSQL',
])

it.concurrent.for(Object.entries(starts))('%s', async ([what, prepare], { expect }) => {
  const { settings, sentence } = await prepare()
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'failing-'))
  const environment = { PORT: '0', ...settings }
  const { code, output, errors } = ofProcesses.has(what)
    ? await runProgram(['serve'], { folder, environment })
    : await runCommand(environment, 'feed', 'list')
  expect({ code, output, errors }).toEqual({ code: 1, output: '', errors: `${sentence}\n` })
})

async function fileOf(): Promise<string> {
  return migratedSqliteDatabase().slice('file:'.length)
}

function sqlite(file: string): Record<string, string> {
  return { DATABASE_URL: `file:${file}` }
}

function postgres(url: string): Record<string, string> {
  return { DATABASE_URL: url, ADMIN_TOKEN: 'a-token-of-twenty-letters' }
}

async function addStep(url: string): Promise<void> {
  const { queries, close } = await openDatabase(url)
  await sql`insert into bridge_migrations values (9999, 'of tomorrow')`.execute(queries)
  await close()
}

/** The address of the run's PostgreSQL, or that one, with another part. */
function inPlace(parts: Partial<URL>, url = new URL(inject('postgresUrl'))): string {
  return Object.assign(url, parts).href
}

function refused(address: string, code: string, remedy: string): Start {
  const url = address.includes('://') ? address : `postgres://me:s3cr3t@${address}/bridge`
  const { host } = new URL(url)
  const sentence = `The database at ${host} (DATABASE_URL) is not available (${code}): ${remedy}.`
  return { settings: postgres(url), sentence }
}
