import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import { afterEach, expect, test } from 'vitest'

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

const LEAVE = {
  id: 'lv_1',
  startDate: '2026-01-05T00:00:00.000Z',
  endDate: '2026-01-06T00:00:00.000Z',
  status: 'APPROVED',
}
const READ: Leave = {
  id: 'lv_1',
  startDate: Date.UTC(2026, 0, 5),
  endDate: Date.UTC(2026, 0, 6),
  status: 'APPROVED',
}

let server: MisbehavingServer | undefined
afterEach(() => server?.close())

test('records that do not fit are set aside and counted by field, without their values', async () => {
  const { records, faults } = await leavesOf(
    answerJson({
      data: [
        LEAVE,
        { ...LEAVE, id: 'lv_2', startDate: 'secret', days: 'two' },
        { ...LEAVE, id: 'lv_3', startDate: 5 },
        { ...LEAVE, id: 'lv_4', leaveType: { name: 7 } },
        { ...LEAVE, id: '' },
        'secret',
        null,
      ],
    }),
  )
  expect(records).toEqual([READ])
  expect(faults).toEqual([
    fault('startDate', 2, 'data[1].startDate', 'expected ISO 8601 timestamp'),
    fault('days', 1, 'data[1].days', 'expected number'),
    fault('leaveType.name', 1, 'data[3].leaveType.name', 'expected string'),
    fault('id', 1, 'data[4].id', 'expected identifier'),
    fault('(record)', 2, 'data[5]', 'expected object'),
  ])
})

test('one field counts once per record, wherever it stands in an array', async () => {
  const entries = [{ date: 'x' }, { date: 'y' }]
  const sheet = { id: 'clq1', userId: 'u', periodStart: LEAVE.startDate, periodEnd: LEAVE.endDate }
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

test('of records with one id the last counts, where it stands', async () => {
  const data = [LEAVE, { ...LEAVE, id: 'lv_2' }, { ...LEAVE, status: 'CANCELLED' }]
  const { records, duplicates } = await leavesOf(answerJson({ data }))
  expect(records).toEqual([
    { ...READ, id: 'lv_2' },
    { ...READ, status: 'CANCELLED' },
  ])
  expect(duplicates).toBe(1)
})

const json = Buffer.from(JSON.stringify({ data: [LEAVE] }))
test.each([
  ['gzip', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['br', brotliCompressSync(json)],
  ['deflate', deflateSync(json)],
  ['deflate', deflateRawSync(json)],
  ['GZIP, br', brotliCompressSync(gzipSync(json))],
  ['identity', json],
])('%s is read', async (coding, body) => {
  const { records } = await leavesOf(answer({ body, headers: { 'content-encoding': coding } }))
  expect(records).toEqual([READ])
})

test('the type of the content is not judged, nor a byte order mark', async () => {
  const body = Buffer.concat([Buffer.from('\uFEFF'), json])
  const { records } = await leavesOf(answer({ body, headers: { 'content-type': 'text/plain' } }))
  expect(records).toEqual([READ])
})

test('a record of another id is refused', async () => {
  await expect(userOf({ id: 'usr_2' })).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: 'GET /api/public/v1/users/usr_1 answered a record of another id.',
  })
})

test('a record that does not fit is refused, by field and without its values', async () => {
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
