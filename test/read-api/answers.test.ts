import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import { afterEach, expect, it } from 'vitest'

import type { Leave } from '../../src/domain/leave.ts'
import type { Answer } from '../../src/domain/read-api.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'
import { createTestClient } from './operations.ts'

const leaveJson = {
  id: 'lv_1',
  startDate: '2026-01-05T00:00:00.000Z',
  endDate: '2026-01-06T00:00:00.000Z',
  status: 'APPROVED',
}
const leave: Leave = {
  id: 'lv_1',
  startDate: Date.UTC(2026, 0, 5),
  endDate: Date.UTC(2026, 0, 6),
  status: 'APPROVED',
}

let server: MisbehavingServer | undefined
afterEach(() => server?.close())

it('records that do not fit are set aside and counted by field, without their values', async () => {
  const { records, faults } = await leavesOf(
    answerJson({
      data: [
        leaveJson,
        { ...leaveJson, id: 'lv_2', startDate: 'secret', days: 'two' },
        { ...leaveJson, id: 'lv_3', startDate: 5 },
        { ...leaveJson, id: 'lv_4', leaveType: { name: 7 } },
        { ...leaveJson, id: '' },
        'secret',
        null,
      ],
    }),
  )
  expect(records).toEqual([leave])
  expect(faults).toEqual([
    fault('startDate', 2, 'data[1].startDate', 'expected ISO 8601 timestamp'),
    fault('days', 1, 'data[1].days', 'expected number'),
    fault('leaveType.name', 1, 'data[3].leaveType.name', 'expected string'),
    fault('id', 1, 'data[4].id', 'expected identifier'),
    fault('(record)', 2, 'data[5]', 'expected object'),
  ])
})

it('one field counts once per record, wherever it stands in an array', async () => {
  const entries = [{ date: 'x' }, { date: 'y' }]
  const sheet = {
    id: 'clq1',
    userId: 'u',
    periodStart: leaveJson.startDate,
    periodEnd: leaveJson.endDate,
  }
  server = await startMisbehavingServer(
    answerJson({ data: [{ ...sheet, status: 'DRAFT', entries }] }),
  )
  const client = createTestClient(server.url)
  const { faults } = await client.list('timesheets', {})
  await client.close()
  expect(faults).toEqual([
    {
      resource: 'timesheets',
      field: 'entries.date',
      count: 1,
      example: 'data[0].entries[0].date',
      expected: 'expected ISO 8601 timestamp',
    },
  ])
})

it('of records with one id the last counts, where it stands', async () => {
  const data = [leaveJson, { ...leaveJson, id: 'lv_2' }, { ...leaveJson, status: 'CANCELLED' }]
  const { records, duplicates } = await leavesOf(answerJson({ data }))
  expect(records).toEqual([
    { ...leave, id: 'lv_2' },
    { ...leave, status: 'CANCELLED' },
  ])
  expect(duplicates).toBe(1)
})

const json = Buffer.from(JSON.stringify({ data: [leaveJson] }))
it.each([
  ['gzip', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['br', brotliCompressSync(json)],
  ['deflate', deflateSync(json)],
  ['deflate', deflateRawSync(json)],
  ['GZIP, br', brotliCompressSync(gzipSync(json))],
  ['identity', json],
])('a body in the coding %s is read', async (coding, body) => {
  const { records } = await leavesOf(answer({ body, headers: { 'content-encoding': coding } }))
  expect(records).toEqual([leave])
})

it('the type of the content is not judged, nor a byte order mark', async () => {
  const body = Buffer.concat([Buffer.from('\uFEFF'), json])
  const { records } = await leavesOf(answer({ body, headers: { 'content-type': 'text/plain' } }))
  expect(records).toEqual([leave])
})

it('a record of another id is refused', async () => {
  await expect(userOf({ id: 'usr_2' })).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: 'GET /api/public/v1/users/usr_1 answered a record of another id.',
  })
})

it('a record that does not fit is refused, by field and without its values', async () => {
  await expect(userOf({ id: 'usr_1', email: 5, isActive: 'secret' })).rejects.toMatchObject({
    code: 'upstream_invalid',
    message:
      'GET /api/public/v1/users/usr_1 answered a record that does not fit the spec (email: expected string; isActive: expected boolean).',
  })
})

async function leavesOf(behave: Behaviour): Promise<Answer<Leave>> {
  server = await startMisbehavingServer(behave)
  const client = createTestClient(server.url)
  const leaves = await client.list('leaves', {})
  await client.close()
  return leaves
}

async function userOf(user: unknown): Promise<unknown> {
  server = await startMisbehavingServer(answerJson({ data: user }))
  const client = createTestClient(server.url)
  try {
    return await client.get('user', 'usr_1')
  } finally {
    await client.close()
  }
}

function fault(field: string, count: number, example: string, expected: string): object {
  return { resource: 'leaves', field, count, example, expected }
}
