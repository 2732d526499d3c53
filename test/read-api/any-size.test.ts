/* Whatever size an answer has: it is read, set aside or refused, and nothing else waits for it. */
import { gzipSync } from 'node:zlib'

import { afterEach, expect, inject, it } from 'vitest'

import { type Pagination, everyList } from '../../src/domain/connection.ts'
import type { ListKind } from '../../src/domain/read-api.ts'
import { type ReadApiClient, SharedByClients } from '../../src/read-api/client.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { createTestClient } from './operations.ts'

const bodyBytesMax = 16_777_216
const timesheet = {
  id: 'ts_1',
  userId: 'usr_1',
  periodStart: '2026-01-05T00:00:00.000Z',
  periodEnd: '2026-01-11T00:00:00.000Z',
  status: 'DRAFT',
}

/** As many as fit into an answer, or just more than are taken. */
const [objects, numbers] = inject('isThorough') ? [5_592_000, 8_000_000] : [1_100_000, 200_000]

let server: MisbehavingServer | undefined
const clients: ReadApiClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await server?.close()
})

it.each([
  [
    'millions of empty records',
    `{"data":[${'{},'.repeat(objects)}{}]}`,
    '1000000 objects and lists',
  ],
  ['100,001 empty records', `{"data":[${'{},'.repeat(100_000)}{}]}`, '100000 records'],
  ['very many numbers', `{"data":[${'1,'.repeat(numbers)}1]}`, '100000 records'],
  [
    'a record with a million lists',
    `{"data":[{"entries":[${'[],'.repeat(1_100_000)}[]]}]}`,
    '1000000 objects and lists',
  ],
  [
    'a member of a million objects',
    `{"more":[${'{},'.repeat(1_100_000)}{}],"data":[]}`,
    '1000000 objects and lists',
  ],
  ['endless nesting', `{"data":${'['.repeat(1_100_000)}`, '1000000 objects and lists'],
])('%s are rejected as a whole', async (_what, body, limit) => {
  await expect(list(compressed(body))).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: expect.stringMatching(new RegExp(`answered more than ${limit}\\.$`)),
  })
})

it.each([
  ['a text of 16 MB', { ...timesheet, id: 'ts_2', status: 'a'.repeat(16_000_000) }],
  ['twenty thousand entries', { ...timesheet, id: 'ts_2', entries: Array(20_000).fill(1) }],
  [
    'nesting',
    {
      ...timesheet,
      id: 'ts_2',
      entries: JSON.parse('['.repeat(40) + ']'.repeat(40)),
      notes: 'a'.repeat(9000),
    },
  ],
])('a record of %s is set aside on its own', async (_what, record) => {
  const data = [timesheet, record, { ...timesheet, id: 'ts_3' }]
  const { records, faults, ids, nameless } = await list(compressed(JSON.stringify({ data })))
  expect(records.map(({ id }) => id)).toEqual(['ts_1', 'ts_3'])
  expect(ids).toEqual(['ts_1', 'ts_2', 'ts_3'])
  expect(nameless).toBe(0)
  expect(faults).toEqual([
    {
      resource: 'timesheets',
      field: '(record)',
      count: 1,
      example: 'data[1]',
      expected: 'expected at most 1048576 bytes, 10000 values and 32 levels',
    },
  ])
})

it('a single record above the size limit is rejected', async () => {
  const user = { id: 'usr_1', firstName: 'a'.repeat(2_000_000) }
  const client = await clientOf(compressed(JSON.stringify({ data: user })))
  await expect(client.get('user', 'usr_1')).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: expect.stringContaining('at most 1048576 bytes'),
  })
})

it('unfitting records beyond a thousand are only counted', async () => {
  const unfit = Array.from({ length: 3000 }, (_, index) => ({ ...timesheet, id: index }))
  const { records, faults } = await list(
    compressed(JSON.stringify({ data: [timesheet, ...unfit] })),
  )
  expect(records).toHaveLength(1)
  expect(faults).toMatchObject([
    { field: 'id', count: 1000, example: 'data[1].id' },
    { field: '(further records)', count: 2000, example: 'data[1001]' },
  ])
})

it('deeply nested records are set aside', async () => {
  const deep = JSON.parse('['.repeat(4000) + ']'.repeat(4000))
  const { nameless } = await list(answerJson({ data: [deep, { ...timesheet, entries: [deep] }] }))
  expect(nameless).toBe(1)
})

it.each([
  ['first', '{"data":[{"id":1}],"more":[{}],"total":1}'],
  ['last', '{"more":[{}],"total":1,"data":[{"id":1}]}'],
  ['twice', '{"data":[{"id":1},{"id":2}],"d\\u0061ta":[{"id":3}]}'],
  ['twice, first as something else', '{"data":7,"data":[{"id":1}]}'],
])('the list is read if it is placed %s', async (_place, body) => {
  expect(await list(compressed(body))).toMatchObject({ nameless: 1 })
})

it('a list overwritten by another value is not a list', async () => {
  await expect(list(compressed('{"data":[],"data":{}}'))).rejects.toThrow(
    'that is not {"data": […]}',
  )
})

it('pages that together exceed the limit of one list are rejected', async () => {
  const page = JSON.stringify({ data: Array.from({ length: 60_000 }, () => ({ id: 'task' })) })
  const paged = ({ path }: { readonly path: string }): string =>
    page.replace('task', `task_${path.match(/page=(\d+)/)?.[1]}`)
  const pagination: Pagination = {
    style: 'page',
    pageParameter: 'page',
    sizeParameter: 'limit',
    size: 60_000,
    first: 1,
  }
  const client = await clientOf(
    (socket, request) => compressed(paged(request))(socket, request),
    pagination,
  )
  await expect(client.list('tasks', { project: 'prj_1' })).rejects.toMatchObject({
    code: 'upstream_invalid',
    message: expect.stringContaining('answered more than 100000 records in all its pages'),
  })
})

it('many large answers at once are all read', async () => {
  const data = Array.from({ length: 9000 }, (_, index) => ({ ...timesheet, id: `ts_${index}` }))
  const client = await clientOf(compressed(JSON.stringify({ data })))
  const kinds: readonly ListKind[] = Array(4).fill('timesheets')
  const answers = await Promise.all(kinds.map((kind) => client.list(kind, {})))
  expect(answers.map(({ records }) => records.length)).toEqual(Array(4).fill(9000))
})

it('waiting for large answers is not part of the time-out and alternates between Read APIs', async () => {
  const shared = new SharedByClients()
  const held = Promise.withResolvers<void>()
  const data = Array.from({ length: 9000 }, (_, index) => ({ ...timesheet, id: `ts_${index}` }))
  const body = gzipSync(JSON.stringify({ data }))
  server = await startMisbehavingServer((socket, request) => {
    const headers = { 'content-encoding': 'gzip' }
    if (request.path.includes('timesheets')) return answer({ body, headers })(socket, request)
  })
  const settings = { bodyBytesMax, pagination: everyList({ style: 'none' }), timeoutMs: 3000 }
  const [greedy, modest] = [1, 2].map(() => createTestClient(server!.url, settings, { shared }))
  clients.push(greedy!, modest!)
  const read: string[] = []
  const ask = async (who: string, client: ReadApiClient): Promise<void> => {
    await timesheetsOf(client)
    read.push(who)
  }
  const turn = shared.large.add(() => held.promise)
  const asking = ['greedy', 'greedy', 'greedy'].map((who) => ask(who, greedy!))
  asking.push(ask('modest', modest!))
  await expect(modest!.list('schedules', {})).rejects.toThrow('was not answered within 3000 ms')
  held.resolve()
  await Promise.all([turn, ...asking])
  // Whose answer comes first is the network's.
  expect(read.toSorted()).toEqual(['greedy', 'greedy', 'greedy', 'modest'])
  expect(read.indexOf('modest')).toBeLessThan(2)
  await shared.close()
})

it('an aborted caller stops waiting for an answer that is being read', async () => {
  const giving = new AbortController()
  const data = Array.from({ length: 20_000 }, (_, index) => ({ ...timesheet, id: `ts_${index}` }))
  const client = await clientOf(compressed(JSON.stringify({ data })))
  const first = client.list('timesheets', {})
  const second = client.list('timesheets', {}, { signal: giving.signal })
  setImmediate(() => giving.abort(new Error('given up')))
  await expect(second).rejects.toThrow('given up')
  expect((await first).records).toHaveLength(20_000)
})

async function list(behave: Behaviour): ReturnType<typeof timesheetsOf> {
  return timesheetsOf(await clientOf(behave))
}

function timesheetsOf(client: ReadApiClient) {
  return client.list('timesheets', {})
}

async function clientOf(
  behave: Behaviour,
  pagination: Pagination = { style: 'none' },
): Promise<ReadApiClient> {
  server = await startMisbehavingServer(behave)
  const settings = { bodyBytesMax, pagination: everyList(pagination) }
  const client = createTestClient(server.url, settings)
  clients.push(client)
  return client
}

function compressed(body: string): Behaviour {
  return answer({ body: gzipSync(body), headers: { 'content-encoding': 'gzip' } })
}
