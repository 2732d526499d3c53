/* A backup, taken while the bridge runs and restored elsewhere, goes on where it was taken. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import pg from 'pg'
import { describe, expect } from 'vitest'

import { openStore } from '../src/store/open-store.ts'
import {
  calendarUrl,
  type FeedAnswer,
  startBridge,
  type TestBridge,
} from './support/bridge/bridge.ts'
import { runCommand } from './support/bridge/command-line.ts'
import { it as base, pollNow } from './support/bridge/fixtures.ts'
import { readCalendar } from './support/calendar/read-calendar.ts'
import { leave } from './support/company/people.ts'
import { createSqliteDatabase } from './support/database/databases.ts'
import { createTestDatabase } from './support/database/postgres.ts'

const leaveUid = 'leave-lv_ada1@main.calendar-feed-bridge'

const it = base
  .extend('startOn', ({ clock, environment }) => (databaseUrl: string): Promise<TestBridge> => {
    return startBridge({ clock, environment: { ...environment, DATABASE_URL: databaseUrl } })
  })
  .extend('changeLeave', ({ company, clock }) => async (name: string): Promise<void> => {
    company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', { leaveType: { name } })]
    await clock.advance(61_000)
  })

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly text: string
}

/** The feed as that bridge serves it, wherever it was made. */
async function poll(
  { url }: TestBridge,
  feed: FeedAnswer,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { pathname } = new URL(calendarUrl(feed))
  const { status, headers, text } = await pollNow(url + pathname, fields)
  return { status, etag: headers.get('etag'), text }
}

async function backUpSqlite(url: string): Promise<string> {
  const restored = createSqliteDatabase()
  const file = restored.slice('file:'.length)
  await mkdir(path.dirname(file))
  const { output } = await runCommand({ DATABASE_URL: url }, 'backup', '--output', file)
  const { size, mode } = await stat(file)
  expect([output, mode & 0o777]).toEqual([`${file}: ${size} bytes\n`, 0o600])
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

describe.each([
  { name: 'SQLite', create: () => createSqliteDatabase(), backUp: backUpSqlite },
  { name: 'PostgreSQL', create: () => createTestDatabase(), backUp: backUpPostgres },
])('on $name', ({ create, backUp }) => {
  it.override('databaseUrl', create)

  it('links, validators, revisions, copies and activity are restored', async ({
    company,
    clock,
    databaseUrl,
    bridge,
    node: { store },
    startOn,
    changeLeave,
  }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const revoked = await bridge.createFeed({ userIds: ['usr_bob'] })
    await bridge.api('DELETE', `/api/feeds/${revoked.id}`)
    await poll(bridge, feed)
    await changeLeave('Annual leave')
    const shown = await poll(bridge, feed, { 'User-Agent': 'Google-Calendar-Importer' })
    expect(readCalendar(shown.text).get(leaveUid)?.sequence).toBe(1)
    await clock.advance(2000)
    await expect.poll(() => store.activity.listActivity([feed.id])).toHaveLength(2)

    const restored = await startOn(await backUp(databaseUrl))
    company.faults.set('/', 503)
    const known = { 'If-None-Match': shown.etag ?? '' }
    expect(await poll(restored, feed, known)).toMatchObject({ status: 304 })
    expect(await poll(restored, feed)).toEqual(shown)
    expect((await poll(restored, revoked)).status).toBe(410)
    const { activity } = (await restored.node()).store
    expect(await activity.listActivity([feed.id])).toContainEqual(
      expect.objectContaining({ client: 'google' }),
    )
    company.faults.clear()
    await clock.advance(3_600_000)
    await changeLeave('Special leave')
    const changed = readCalendar((await poll(restored, feed)).text).get(leaveUid)
    expect([changed?.summary, changed?.sequence]).toEqual(['Special leave', 2])
    await restored.close()
  })
})
