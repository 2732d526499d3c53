import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'

import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, it } from 'vitest'

import { startSilentWire } from '../support/company/silent-wire.ts'
import { open } from '../support/database/open.ts'
import { createTestDatabase } from '../support/database/postgres.ts'

let url: string
beforeAll(async () => {
  url = await createTestDatabase()
})

function changed(change: (address: URL) => void): string {
  const address = new URL(url)
  change(address)
  return address.href
}

it.each([
  ['nothing listens', (address: URL) => (address.port = '1')],
  ['there is no such host', (address: URL) => (address.hostname = 'host.invalid')],
  ['the password is wrong', (address: URL) => (address.username = 'nobody')],
  ['there is no such database', (address: URL) => (address.pathname = '/none')],
])(
  'the database is unavailable when %s, and the error does not contain the password',
  async (_, change) => {
    const address = changed((other) => {
      change(other)
      if (other.pathname !== '/none') other.password = 'the-secret'
    })
    const error = await open(address).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'AppError', code: 'unavailable' })
    const { hostname, port } = new URL(address)
    expect(error).toMatchObject({
      message: expect.stringContaining(`The database at ${hostname}:${port} (DATABASE_URL) is not`),
    })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('the-secret')
  },
)

it('an address with an unclear end of the password is not shown', async () => {
  const error = await open('postgres://127.0.0.1:1/the-secret@host/x').catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({
    message:
      'The database (DATABASE_URL) is not available (ECONNREFUSED): start PostgreSQL, or correct the address.',
  })
})

it('an unreadable address is invalid, and the error does not contain the password', async () => {
  const error = await open('postgres://bridge:the-secret@host:port/x').catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ name: 'AppError', code: 'invalid' })
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('the-secret')
})

async function endConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

it('a connection lost while idle is replaced', async () => {
  const database = await open(url)
  await endConnections()
  const answers = await Promise.allSettled([
    sql`select 1`.execute(database.queries),
    sql`select 1`.execute(database.queries),
  ])
  const failures = answers.filter(({ status }) => status === 'rejected')
  expect(failures).toEqual(
    failures.map(() =>
      expect.objectContaining({ reason: expect.objectContaining({ code: 'unavailable' }) }),
    ),
  )
  expect((await sql`select 1 as one`.execute(database.queries)).rows).toEqual([{ one: 1 }])
})

it('a connection lost within a transaction fails it and is replaced', async () => {
  const database = await open(url)
  const failing = database.queries.transaction().execute(async (transaction) => {
    await endConnections()
    await sql`select 1`.execute(transaction)
  })
  await expect(failing).rejects.toBeInstanceOf(Error)
  expect((await sql`select 1 as one`.execute(database.queries)).rows).toEqual([{ one: 1 }])
})

it('a statement that takes too long is unavailable, and its connection is not used again', async () => {
  const database = await open(
    changed((address) => address.searchParams.set('statement_timeout', '20')),
  )
  await expect(sql`select pg_sleep(30)`.execute(database.queries)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is not available (57014).',
  })
  expect((await sql`select 1 as one`.execute(database.queries)).rows).toEqual([{ one: 1 }])
})

it('a missing answer is unavailable, and its connection is not used again', async () => {
  const database = await open(changed((address) => address.searchParams.set('query_timeout', '50')))
  await expect(sql`select pg_sleep(1)`.execute(database.queries)).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect((await sql`select 1 as one`.execute(database.queries)).rows).toEqual([{ one: 1 }])
})

it('a read-only server is unavailable for writes', async () => {
  const database = await open(
    changed((address) => {
      address.searchParams.set('options', '-c default_transaction_read_only=on')
    }),
  )
  await expect(
    sql`create table things (id bigint)`.execute(database.queries),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is not available: it can only be read.',
  })
  expect((await sql`select 1 as one`.execute(database.queries)).rows).toEqual([{ one: 1 }])
})

it('statements sent often go on when a newer node adds a column', async () => {
  const { queries } = await open(url)
  const tables = queries.withTables<{ widgets: { id: number } }>()
  await sql`create table widgets (id bigint)`.execute(queries)
  const widgets = tables.selectFrom('widgets').where('id', '=', 1)
  const ask = (): Promise<unknown> =>
    Promise.all([
      tables.insertInto('widgets').values({ id: 1 }).returningAll().execute(),
      widgets.selectAll().execute(),
      widgets.selectAll('widgets').execute(),
      widgets.select('id').execute(),
    ])
  for (let times = 0; times < 25; times += 1) await ask()
  await sql`alter table widgets add column name text`.execute(queries)
  await ask()
})

it('a transaction without an answer does not also wait for a rollback', async () => {
  const { queries } = await open(
    changed((address) => address.searchParams.set('query_timeout', '200')),
  )
  // Both connections are there.
  await Promise.all(['a', 'b'].map(() => sql`select pg_sleep(0.01)`.execute(queries)))
  const order: string[] = []
  const note = (name: string, work: Promise<unknown>): Promise<void> =>
    work.then(
      () => void order.push(`${name} answered`),
      () => void order.push(name),
    )
  let later: Promise<void> | undefined
  await note(
    'transaction',
    queries.transaction().execute(async (transaction) => {
      await sql`select pg_sleep(1)`.execute(transaction).catch(async (error: unknown) => {
        later = note('later', sql`select pg_sleep(1)`.execute(queries))
        await pause(1)
        throw error
      })
    }),
  )
  await later
  expect(order).toEqual(['transaction', 'later'])
})

it('all connections to a silent server are closed together', async () => {
  const wire = await startSilentWire(url)
  onTestFinished(() => wire.close())
  const [both, single, answered] = await Promise.all([open(wire.url), open(wire.url), open(url)])
  const one = sql<{ one: number }>`select 1 as one`
  const read = both.prepareRead<object, { one: number }>({
    compile: () => one.compile(both.queries),
  })
  const ask = (): Promise<unknown> =>
    Promise.allSettled([read({}), ...[both, single].map(({ queries }) => one.execute(queries))])
  await ask()
  const stalled = wire.stall()
  const asked = ask()
  await stalled
  const order: string[] = []
  const closeSingle = async (): Promise<void> => {
    await single.close()
    await one.execute(answered.queries)
    order.push('one pool, then a question to another server')
  }
  await Promise.all([both.close().then(() => order.push('two pools')), closeSingle()])
  expect(order).toEqual(['two pools', 'one pool, then a question to another server'])
  await asked
})
