import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { afterEach, expect, it } from 'vitest'

import type { Leave } from '../../src/domain/leave.ts'
import type { Answer } from '../../src/domain/read-api.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
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

it('unreadable records are set aside and counted by field, without their values', async () => {
  const { records, faults, misfits, ids, nameless } = await leavesOf(
    answerJson({
      data: [
        leaveJson,
        { ...leaveJson, id: 'lv_2', startDate: 'secret', days: 'two' },
        { ...leaveJson, id: 'lv_3', startDate: 5 },
        { ...leaveJson, id: 'lv_4', endDate: 5 },
        { ...leaveJson, id: 'lv_2', status: 5 },
        { ...leaveJson, id: '' },
        'secret',
        null,
      ],
    }),
  )
  expect(records).toEqual([leave])
  expect(faults).toEqual([
    fault('startDate', 2, 'data[1].startDate', 'expected ISO 8601 timestamp'),
    fault('endDate', 1, 'data[3].endDate', 'expected ISO 8601 timestamp'),
    fault('status', 1, 'data[4].status', 'expected string'),
    fault('id', 1, 'data[5].id', 'expected identifier'),
    fault('(record)', 2, 'data[6]', 'expected object'),
  ])
  expect(misfits).toEqual([])
  expect(ids).toEqual(['lv_1', 'lv_2', 'lv_3', 'lv_4'])
  expect(nameless).toBe(3)
})

it('an optional field that does not fit counts as missing and is reported', async () => {
  const { records, faults, misfits, inDoubt, ids } = await leavesOf(
    answerJson({
      data: [
        { ...leaveJson, days: 'two', reason: 'Rest' },
        { ...leaveJson, id: 'lv_2', leaveType: 5 },
        { ...leaveJson, id: 'lv_3', leaveType: { name: 7 }, days: {} },
      ],
    }),
  )
  expect(records).toEqual([
    { ...leave, reason: 'Rest' },
    { ...leave, id: 'lv_2' },
    { ...leave, id: 'lv_3', leaveType: {} },
  ])
  expect(faults).toEqual([])
  expect(misfits).toEqual([
    fault('days', 2, 'data[0].days', 'expected number'),
    fault('leaveType', 1, 'data[1].leaveType', 'expected object'),
    fault('leaveType.name', 1, 'data[2].leaveType.name', 'expected string'),
  ])
  expect(inDoubt.size).toBe(0)
  expect(ids).toEqual(['lv_1', 'lv_2', 'lv_3'])
})

it('records with one id resolve to the same one in any order, and this is reported', async () => {
  const one = { ...leaveJson, status: 'CANCELLED' }
  const another = { ...leaveJson, id: 'lv_2' }
  const twoDays = { ...leaveJson, days: 2 }
  const unread = { ...leaveJson, startDate: 'soon' }
  const expected = [
    { ...leave, status: 'CANCELLED' },
    { ...leave, id: 'lv_2' },
  ]
  for (const same of permutations([leaveJson, one, twoDays, unread])) {
    const { records, misfits } = await leavesOf(answerJson({ data: [...same, another] }))
    expect(records.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected)
    expect(misfits).toMatchObject([
      { field: '(records of one id)', count: 2, expected: 'expected all to say the same' },
    ])
  }
})

it('records with one id and the same content count as one, without a fault', async () => {
  const { records, misfits, ids } = await leavesOf(answerJson({ data: [leaveJson, leaveJson] }))
  expect({ records, misfits, ids }).toEqual({ records: [leave], misfits: [], ids: ['lv_1'] })
})

it('different doubts about records with one id do not depend on their order either', async () => {
  const doubtful = { ...leaveJson, days: {} }
  const inTurn = await leavesOf(answerJson({ data: [leaveJson, doubtful] }))
  const turned = await leavesOf(answerJson({ data: [doubtful, leaveJson] }))
  expect(turned.records).toEqual(inTurn.records)
  expect(turned.inDoubt).toEqual(inTurn.inDoubt)
})

it('an id with bytes that are not UTF-8 is not an id, in small and large answers', async () => {
  for (const more of [0, 100]) {
    const further = Array.from({ length: more }, (_, at) => ({ ...leaveJson, id: `lv_1${at}` }))
    const data = [{ ...leaveJson, id: 'lv_?' }, { ...leaveJson, id: 'lv_!' }, leaveJson, ...further]
    const text = JSON.stringify({ data }).replace('lv_?', 'lv_\u00ff').replace('lv_!', 'lv_\u00fe')
    const { ids, nameless, faults } = await leavesOf(answer({ body: Buffer.from(text, 'latin1') }))
    expect(ids).toEqual(['lv_1', ...further.map(({ id }) => id)])
    expect(nameless).toBe(2)
    expect(faults).toEqual([fault('id', 2, 'data[0].id', 'expected identifier in UTF-8')])
  }
})

function permutations<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all]
  return all.flatMap((first, at) =>
    permutations(all.toSpliced(at, 1)).map((others) => [first, ...others]),
  )
}

const json = Buffer.from(JSON.stringify({ data: [leaveJson] }))
it.each([
  ['gzip', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['br', brotliCompressSync(json)],
  ['deflate', deflateSync(json)],
  ['GZIP', gzipSync(json)],
  ['identity', json],
])('a body in the coding %s is read', async (coding, body) => {
  const { records } = await leavesOf(answer({ body, headers: { 'content-encoding': coding } }))
  expect(records).toEqual([leave])
})

it('content type and byte order mark are ignored', async () => {
  const body = Buffer.concat([Buffer.from('\uFEFF'), json])
  const { records } = await leavesOf(answer({ body, headers: { 'content-type': 'text/plain' } }))
  expect(records).toEqual([leave])
})

it('a record with another id is rejected', async () => {
  await expect(userOf({ id: 'usr_2' })).rejects.toMatchObject({
    code: 'upstream_misnamed',
    message: 'There is no user "usr_1"; the Read API calls this person "usr_2".',
  })
})

it('unfitting fields of a user count as missing', async () => {
  const user = { email: 5, isActive: 'true', firstName: 'Ada', assignedManager: { id: '' } }
  await expect(userOf({ id: 'usr_1', ...user })).resolves.toEqual({ id: 'usr_1', firstName: 'Ada' })
})

it('a record without an id is rejected, and the message names the field', async () => {
  await expect(userOf({ name: 'secret' })).rejects.toMatchObject({
    code: 'upstream_invalid',
    message:
      'GET /api/public/v1/users/usr_1 answered a record that does not fit the spec (id: expected identifier).',
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
