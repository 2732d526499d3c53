import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'

import { expect, test } from 'vitest'

import { importCompany } from '../../src/workforce-api/import-company.ts'
import {
  type RunningWorkforceApi,
  startWorkforceApi,
} from '../../src/workforce-api/start-workforce-api.ts'
import { openWorkforceDatabase } from '../../src/workforce-api/workforce-database.ts'
import { silentLog } from '../support/silent-log.ts'
import { smallCompany } from './company.ts'
import { temporarySqlite } from './temporary-sqlite.ts'

const createDatabaseUrl = temporarySqlite()

function start(databaseUrl: string, port = 0): Promise<RunningWorkforceApi> {
  const today = '2026-11-21'
  return startWorkforceApi({ databaseUrl, host: '127.0.0.1', port, today, log: silentLog })
}

async function get(url: string, agent?: Agent): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
      })
    })
    asked.on('error', reject).end()
  })
}

test('an empty database gets the sample company, and keeps it over a restart', async () => {
  const databaseUrl = await createDatabaseUrl()
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

test('a company that was imported stays', async () => {
  const databaseUrl = await createDatabaseUrl()
  const database = await openWorkforceDatabase(databaseUrl)
  await importCompany(database, smallCompany)
  await database.close()

  const api = await start(databaseUrl)
  expect((await get(`${api.url}/api/public/v1/users/usr_1`)).status).toBe(200)
  expect((await get(`${api.url}/api/public/v1/users/usr_ada`)).status).toBe(404)
  await api.close()
})

test('closing does not wait for connections that are kept alive, and nobody is answered after it', async () => {
  const api = await start(await createDatabaseUrl())
  const agent = new Agent({ keepAlive: true })
  await get(`${api.url}/api/public/v1/schedules`, agent)
  await api.close()
  await expect(get(`${api.url}/api/public/v1/schedules`)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  })
  agent.destroy()
})

test('requests under way at the close are answered', async () => {
  const api = await start(await createDatabaseUrl())
  const agent = new Agent({ keepAlive: true })
  const url = `${api.url}/api/public/v1/timesheets`
  const answers = Array.from({ length: 8 }, () => get(url, agent))
  await Promise.race(answers)
  const closed = api.close()
  const got = await Promise.allSettled(answers)
  await closed
  const statuses = got.map((it) => (it.status === 'fulfilled' ? it.value.status : it.reason))
  expect(new Set(statuses)).toEqual(new Set([200]))
  agent.destroy()
})

test('a port that is taken is one sentence', async () => {
  const api = await start(await createDatabaseUrl())
  const port = Number(new URL(api.url).port)
  await expect(start(await createDatabaseUrl(), port)).rejects.toMatchObject({
    code: 'unavailable',
    message: `The Read API cannot listen on 127.0.0.1, port ${port}.`,
  })
  await api.close()
})

test('a database that cannot be opened is the program’s own error', async () => {
  await expect(start('mysql://nowhere')).rejects.toMatchObject({ code: 'invalid' })
  await expect(start(`file:${tmpdir()}`)).rejects.toMatchObject({
    code: 'unavailable',
  })
})
