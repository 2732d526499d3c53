import pg from 'pg'
import { expect, it } from 'vitest'

import { startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createTestDatabase } from '../support/database/postgres.ts'

async function ready(bridge: TestBridge): Promise<number> {
  return (await fetch(`${bridge.url}/readyz`)).status
}

it('a node is ready only while its database answers soon, and alive all the time', async () => {
  const databaseUrl = await createTestDatabase()
  const environment = { DATABASE_URL: databaseUrl, ADMIN_TOKEN: 'an-admin-token-for-tests' }
  const bridge = await startBridge({ environment })
  expect(await ready(bridge)).toBe(200)

  const locker = new pg.Client({ connectionString: databaseUrl })
  await locker.connect()
  await locker.query('begin')
  await locker.query('lock table feeds in access exclusive mode')
  expect(await ready(bridge)).toBe(503)
  expect((await fetch(`${bridge.url}/healthz`)).status).toBe(200)
  await locker.end()
  expect(await ready(bridge)).toBe(200)

  const name = new URL(databaseUrl).pathname.slice(1)
  const server = new pg.Client({ connectionString: new URL('/postgres', databaseUrl).href })
  await server.connect()
  await server.query(`alter database ${name} allow_connections false`)
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  expect(await ready(bridge)).toBe(503)
  await server.query(`alter database ${name} allow_connections true`)
  await server.end()
  expect(await ready(bridge)).toBe(200)
  await bridge.close()
})
