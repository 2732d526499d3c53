import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'

import { expect, it } from 'vitest'

import { openSandboxDatabase } from '../../src/sandbox/records/sandbox-database.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { hashOfKey } from '../../src/settings/fields.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { smallCompany } from './company.ts'
import { loadCompany } from './loading/load-company.ts'

/** More than the buffers of both sockets hold. */
const lengthInFlight = 16_000_000

function start(databaseUrl: string, port = 0): Promise<Sandbox> {
  const clock = createFakeClock(Date.UTC(2026, 10, 21))
  return startSandbox({ databaseUrl, host: '127.0.0.1', port, clock, log: silentLog })
}

async function get(url: string, agent?: Agent): Promise<{ status: number; body: string }> {
  const [response] = await once(request(url, { agent }).end(), 'response')
  return { status: response.statusCode, body: await text(response) }
}

it('an empty database gets the sample company, and keeps it after a restart', async () => {
  const databaseUrl = createSqliteDatabase()
  const first = await start(databaseUrl)
  const before = await get(`${first.url}/api/public/v1/leaves?userId=usr_ada`)
  expect(before.status).toBe(200)
  expect(await first.describe()).toEqual({
    projectIds: ['prj_web', 'prj_ops'],
    scheduleIds: ['sch_day'],
  })
  await first.close()

  const second = await start(databaseUrl)
  expect(await get(`${second.url}/api/public/v1/leaves?userId=usr_ada`)).toEqual(before)
  await second.close()
})

it('an imported company is kept', async () => {
  const databaseUrl = createSqliteDatabase()
  const database = await openSandboxDatabase(databaseUrl)
  await loadCompany(database, smallCompany)
  await database.close()

  const api = await start(databaseUrl)
  expect((await get(`${api.url}/api/public/v1/users/usr_1`)).status).toBe(200)
  expect((await get(`${api.url}/api/public/v1/users/usr_ada`)).status).toBe(404)
  await api.close()
})

it('closing does not wait for keep-alive connections, and no request is answered after it', async () => {
  const api = await start(createSqliteDatabase())
  const agent = new Agent({ keepAlive: true })
  await get(`${api.url}/api/public/v1/schedules`, agent)
  await api.close()
  await expect(get(`${api.url}/api/public/v1/schedules`)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  })
  agent.destroy()
})

it('an answer being sent while closing arrives completely', async () => {
  const databaseUrl = createSqliteDatabase()
  const database = await openSandboxDatabase(databaseUrl)
  await loadCompany(database, { users: [{ id: 'usr_1', position: 'x'.repeat(lengthInFlight) }] })
  await database.close()
  const api = await start(databaseUrl)
  const agent = new Agent({ keepAlive: true })

  const asked = request(`${api.url}/api/public/v1/users/usr_1`, { agent }).end()
  const [response] = await once(asked, 'response')
  const closed = api.close()
  expect(JSON.parse(await text(response))).toHaveProperty('data.position.length', lengthInFlight)
  await closed
  agent.destroy()
})

it('a port in use is reported in one sentence', async () => {
  const api = await start(createSqliteDatabase())
  const port = Number(new URL(api.url).port)
  await expect(start(createSqliteDatabase(), port)).rejects.toMatchObject({
    code: 'unavailable',
    message: `The Read API cannot listen on 127.0.0.1, port ${port}: is it in use?`,
  })
  await api.close()
})

it('a database that cannot be opened is an error of the program itself', async () => {
  await expect(start('mysql://nowhere')).rejects.toMatchObject({ code: 'invalid' })
  await expect(start(`file:${tmpdir()}`)).rejects.toMatchObject({
    code: 'unavailable',
  })
})

it.each([
  ['127.0.0.1', new Map(), 0],
  ['0.0.0.0', new Map(), 1],
  ['0.0.0.0', new Map([[hashOfKey('key'), 'main']]), 0],
])('on %s with %o it warns of missing keys %i times', async (host, keys, count) => {
  const lines: LogLine[] = []
  const place = { databaseUrl: createSqliteDatabase(), host, port: 0 }
  const api = await startSandbox({
    ...place,
    keys,
    clock: createFakeClock(),
    log: recordedLog(lines),
  })
  await api.close()
  expect(lines.filter(({ event }) => event === 'sandbox_without_keys')).toHaveLength(count)
})
