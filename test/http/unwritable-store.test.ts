/* A database that answers and takes nothing: its disk is full, or its operator lets it be read only. */
import pg from 'pg'
import { describe, expect } from 'vitest'

import { runCommand } from '../support/bridge/command-line.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { fillDisk } from '../support/bridge/written-files.ts'
import { leave } from '../support/company/people.ts'
import { migratedName } from '../support/database/migrated.ts'
import { createTestDatabase } from '../support/database/postgres.ts'

/** However busy the machine is. */
const patient = { timeout: 60_000 }

/** Ends it. */
type Refusing = () => Promise<void>

const onSqlite = (url: string): Promise<Refusing> => fillDisk(url.slice('file:'.length))

async function onPostgres(url: string): Promise<Refusing> {
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href })
  await client.connect()
  // It holds for connections that begin from now on.
  const setTo = async (value: 'on' | 'off'): Promise<void> => {
    await client.query(`alter database ${name} set default_transaction_read_only = ${value}`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
  }
  await setTo('on')
  return async () => {
    await setTo('off')
    await client.end()
  }
}

const cases = [
  { name: 'SQLite on a full disk', why: 'its disk is full', refuse: onSqlite },
  {
    name: 'PostgreSQL that is read-only',
    why: 'it can only be read',
    refuse: onPostgres,
    create: () => createTestDatabase(migratedName),
  },
]

describe.each(cases)('$name', ({ why, refuse, create }) => {
  const sentence = `The database is not available: ${why}.`
  const it = (create ? base.extend('databaseUrl', () => create()) : base)
    .extend('settings', { FEED_FRESH_SECONDS: '60' })
    .extend('address', ({ feedOf }) => feedOf('usr_ada'))
    // Once copies are due, and more comes than there is room for.
    .extend('refusing', ({ databaseUrl, company, clock }) => async (): Promise<Refusing> => {
      const many = Array.from({ length: 500 }, () =>
        leave(`lv_${crypto.randomUUID()}`, '2026-03-02'),
      )
      company.records.leaves['usr_ada']?.push(...many)
      await clock.advance(61_000)
      return refuse(databaseUrl)
    })
    .extend('readyz', ({ bridge }) => async (): Promise<[number, string]> => {
      const response = await fetch(`${bridge.url}/readyz`)
      return [response.status, await response.text()]
    })

  it('an unwritable database is reported as the cause, not the Read API', async ({
    address,
    refusing,
    clock,
    logged,
    bridge,
    readyz,
  }) => {
    const before = await pollNow(address)
    const end = await refusing()
    const after = await pollNow(address)
    expect(after).toMatchObject({ status: 200, text: before.text })
    expect(Number(after.headers.get('X-Feed-Stale-Seconds'))).toBeGreaterThan(0)
    const page = await fetch(address.replace(/\/[^/]+$/, ''), { headers: { Accept: 'text/html' } })
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Newer data cannot be saved right now')
    expect(text).not.toContain('has not answered')
    const down = await fetch(`${bridge.url}/metrics`, {
      headers: { Authorization: `Bearer an-admin-token-for-tests` },
    })
    expect(await down.text()).toMatch(/^\S*read_api_up\{.*\} 1$/m)
    await end()
    await expect.poll(readyz, patient).toEqual([200, 'ready\n'])
    await clock.advance(61_000)
    expect((await pollNow(address)).text).not.toBe(before.text)
    const events = logged.map(({ event }) => event)
    expect(events).not.toContain('read_api_down')
    expect(logged.filter(({ event }) => event.startsWith('database_'))).toMatchObject([
      { event: 'database_not_writable', data: { reason: sentence } },
      { event: 'database_writable' },
    ])
  })

  it('the node is not ready, says why, and becomes ready again by itself', async ({
    address,
    refusing,
    readyz,
  }) => {
    await pollNow(address)
    expect(await readyz()).toEqual([200, 'ready\n'])
    const end = await refusing()
    // Of connections that were cut one may still be met.
    const afterPoll = async (): Promise<[number, string]> => {
      await pollNow(address)
      return readyz()
    }
    await expect.poll(afterPoll, patient).toEqual([503, `not ready: ${sentence}\n`])
    expect(await readyz()).toEqual([503, `not ready: ${sentence}\n`])
    await end()
    await expect.poll(readyz, patient).toEqual([200, 'ready\n'])
  })

  it('a first poll answers 503 with the database as the reason', async ({ address, refusing }) => {
    const end = await refusing()
    const first = await pollNow(address)
    expect(first.status).toBe(503)
    expect(first.text).toMatch(/^The database /)
    await end()
  })

  it('requests that must be stored are refused with one sentence', async ({
    address,
    refusing,
    bridge,
    environment,
  }) => {
    const before = await pollNow(address)
    const end = await refusing()
    const feeds = Array.from({ length: 60 }, (_, at) => ({ userIds: ['usr_ada'], name: `n${at}` }))
    const post = async (): Promise<unknown> => {
      const refused = await bridge.api('POST', '/api/feeds', feeds)
      return [refused.headers.get('Content-Type'), await refused.json()]
    }
    await expect
      .poll(post, patient)
      .toMatchObject([
        expect.stringContaining('application/problem+json'),
        { status: 503, detail: sentence },
      ])
    const command = await runCommand(environment, 'feed', 'create', '--user', 'usr_ada')
    // A process of its own has room where only this one has none.
    if (create) expect(command).toMatchObject({ code: 1, errors: `${sentence}\n` })
    await end()
    expect(before.status).toBe(200)
  })
})
