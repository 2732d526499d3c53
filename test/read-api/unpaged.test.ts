import { afterEach, describe, expect, it } from 'vitest'

import { everyList, type ListPagination } from '../../src/domain/connection.ts'
import type { ReadApiClient } from '../../src/read-api/client.ts'
import {
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { byOffset, byPage, createTestClient } from './operations.ts'

const tasks = [{ id: 'tsk_1' }, { id: 'tsk_2' }, { id: 'tsk_3' }]
const day = '2026-01-05T00:00:00.000Z'
const leaves = ['lv_1', 'lv_2', 'lv_3'].map((id) => ({
  id,
  startDate: day,
  endDate: day,
  status: 'APPROVED',
}))

let server: MisbehavingServer | undefined
let client: ReadApiClient | undefined
afterEach(async () => {
  await client?.close()
  await server?.close()
})

describe.each([
  ['pages', byPage],
  ['offsets', byOffset],
])('paging set by %s', (_name, pagination) => {
  it('leaves in pages and unpaged tasks are both read whole', async () => {
    const { api } = await start(leavesPaged, everyList(pagination))
    await expect(idsOf(api.list('leaves', {}))).resolves.toEqual(['lv_1', 'lv_2', 'lv_3'])
    await expect(tasksOf(api)).resolves.toEqual(['tsk_1', 'tsk_2', 'tsk_3'])
  })

  it('a list seen in pages before is rejected when its second page repeats the first', async () => {
    let isPaged = true
    const behave: Behaviour = (socket, request) =>
      isPaged ? leavesPaged(socket, request) : answerJson({ data: leaves })(socket, request)
    const { api } = await start(behave, everyList(pagination))
    await api.list('leaves', {})
    isPaged = false
    await expect(api.list('leaves', {})).rejects.toMatchObject({ code: 'upstream_invalid' })
    await expect(tasksOf(api)).resolves.toHaveLength(3)
  })
})

it('a list set as unpaged is requested without pages, whatever is set for the others', async () => {
  const pagination = { ...everyList(byPage), tasks: { style: 'none' } } as const
  const { api, requests } = await start(leavesPaged, pagination)
  await tasksOf(api)
  await api.list('leaves', {})
  expect(requests.map(({ path }) => path.replace('/api/public/v1', ''))).toEqual([
    '/projects/prj_1/tasks',
    '/leaves?page=1&size=2',
    '/leaves?page=2&size=2',
    '/leaves?page=3&size=2',
  ])
})

it.each([{}, { id: 5 }, { id: {} }])(
  'a list of records like %j that ignores pages is not requested endlessly',
  async (record) => {
    const { api, requests } = await start(answerJson({ data: [record] }), everyList(byPage))
    await expect(api.list('schedules', {})).resolves.toMatchObject({ records: [], nameless: 1 })
    expect(requests).toHaveLength(2)
  },
)

interface Started {
  readonly api: ReadApiClient
  readonly requests: MisbehavingServer['requests']
}

async function start(behave: Behaviour, pagination: ListPagination): Promise<Started> {
  server = await startMisbehavingServer(behave)
  client = createTestClient(server.url, { pagination })
  return { api: client, requests: server.requests }
}

/** Leaves in pages, tasks all at once, whatever page is asked for. */
const leavesPaged: Behaviour = (socket, { path }) => {
  const { pathname, searchParams: query } = new URL(path, 'http://any')
  const from = Number(query.get('offset') ?? 2 * (Number(query.get('page')) - 1))
  const data = pathname.endsWith('/leaves') ? leaves.slice(from, from + 2) : tasks
  answerJson({ data })(socket, { path, headers: {} })
}

function tasksOf(api: ReadApiClient): Promise<readonly string[]> {
  return idsOf(api.list('tasks', { project: 'prj_1' }))
}

async function idsOf(
  answer: Promise<{ readonly records: readonly { readonly id: string }[] }>,
): Promise<readonly string[]> {
  return (await answer).records.map(({ id }) => id)
}
