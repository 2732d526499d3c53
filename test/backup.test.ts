/* A backup, taken while the bridge runs and restored elsewhere, goes on where it was taken. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import pg from 'pg'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'

import { openStore } from '../src/store/open-store.ts'
import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from './support/bridge.ts'
import { type CompanyServer, startCompanyServer } from './support/company-server.ts'
import { createSqliteDatabase } from './support/databases.ts'
import { createFakeClock, type FakeClock } from './support/fake-clock.ts'
import { leave, twoPeople } from './support/people.ts'
import { createTestDatabase } from './support/postgres.ts'
import { readCalendar } from './support/read-calendar.ts'

const leaveUid = 'leave-lv_ada1@main.calendar-feed-bridge'

let company: CompanyServer
let clock: FakeClock

beforeEach(async () => {
  clock = createFakeClock()
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
})

afterEach(() => company.close())

function start(databaseUrl: string): Promise<TestBridge> {
  const environment = {
    ...readsFrom(company.url),
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: 'an-admin-token-for-tests',
    FEED_FRESH_SECONDS: '60',
  }
  return startBridge({ clock, environment })
}

async function poll(
  bridge: TestBridge,
  feed: FeedAnswer,
  headers = {},
): Promise<{ status: number; etag: string | null; text: string }> {
  const { pathname } = new URL(calendarUrl(feed))
  const response = await fetch(bridge.url + pathname, { headers })
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    text: await response.text(),
  }
}

async function changeLeave(name: string): Promise<void> {
  company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', { leaveType: { name } })]
  await clock.advance(61_000)
}

/** The program of the README that backs a SQLite file up. */
async function backupProgram(): Promise<string> {
  const readme = await readFile(path.resolve(import.meta.dirname, '../README.md'), 'utf8')
  const [, program] = /^npx node -e "([^"]+backup[^"]+)"$/m.exec(readme) ?? []
  if (program === undefined) throw new Error('The README names no way to back SQLite up.')
  return program
}

async function backUpSqlite(url: string): Promise<string> {
  const restored = createSqliteDatabase()
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'backup-'))
  const program = (await backupProgram())
    .replace('data/bridge.sqlite', url.slice('file:'.length))
    .replace('backup.sqlite', `${folder}/backup.sqlite`)
  execFileSync(process.execPath, ['-e', program])
  execFileSync('mkdir', ['-p', path.dirname(restored.slice('file:'.length))])
  execFileSync('cp', [`${folder}/backup.sqlite`, restored.slice('file:'.length)])
  return restored
}

/** What pg_dump and pg_restore do, by the server's own COPY: its programs are not among the packages. */
async function backUpPostgres(url: string): Promise<string> {
  const restored = await createTestDatabase()
  await (await openStore(restored)).close()
  const folder = await mkdtemp(path.join(tmpdir(), 'bridge-dump-'))
  await chmod(folder, 0o777)
  const [from, to] = [url, restored].map((connectionString) => new pg.Client({ connectionString }))
  await Promise.all([from!.connect(), to!.connect()])
  const { rows } = await from!.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  await to!.query("set session_replication_role = 'replica'")
  for (const { name } of rows) {
    await from!.query(`copy "${name}" to '${folder}/${name}'`)
    await to!.query(`truncate "${name}" cascade`)
  }
  for (const { name } of rows) await to!.query(`copy "${name}" from '${folder}/${name}'`)
  await Promise.all([from!.end(), to!.end()])
  execFileSync('rm', ['-r', folder])
  return restored
}

it.each([
  { name: 'SQLite', create: () => Promise.resolve(createSqliteDatabase()), backUp: backUpSqlite },
  { name: 'PostgreSQL', create: createTestDatabase, backUp: backUpPostgres },
])(
  'on $name links, validators, revisions, copies and activity come back',
  async ({ create, backUp }) => {
    const database = await create()
    const before = await start(database)
    const feed = await before.createFeed({ userIds: ['usr_ada'] })
    const revoked = await before.createFeed({ userIds: ['usr_bob'] })
    await before.api('DELETE', `/api/feeds/${revoked.id}`)
    await poll(before, feed)
    await changeLeave('Annual leave')
    const shown = await poll(before, feed, { 'User-Agent': 'Google-Calendar-Importer' })
    expect(readCalendar(shown.text).get(leaveUid)?.sequence).toBe(1)
    await clock.advance(2000)
    const { store } = await before.node()
    await expect.poll(() => store.activity.listActivity([feed.id])).toHaveLength(2)
    const backup = await backUp(database)
    await before.close()

    company.faults.set('/', 503)
    const after = await start(backup)
    expect(await poll(after, feed, { 'If-None-Match': shown.etag })).toMatchObject({ status: 304 })
    expect(await poll(after, feed)).toEqual(shown)
    expect((await poll(after, revoked)).status).toBe(410)
    expect(await (await after.node()).store.activity.listActivity([feed.id])).toContainEqual(
      expect.objectContaining({ client: 'google' }),
    )
    company.faults.clear()
    await clock.advance(3_600_000)
    await changeLeave('Special leave')
    const changed = readCalendar((await poll(after, feed)).text).get(leaveUid)
    expect([changed?.summary, changed?.sequence]).toEqual(['Special leave', 2])
    await after.close()
  },
)
