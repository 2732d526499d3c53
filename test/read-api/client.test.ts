import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'

import type { ReadApi, ParameterNames } from '../../src/domain/read-api.ts'
import { isIdentifier } from '../../src/wire/fields.ts'
import {
  answerJson,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { createTestClient } from './operations.ts'

let server: MisbehavingServer
beforeEach(async () => {
  server = await startMisbehavingServer((socket, request) => {
    const id = decodeURIComponent(/\/(?:users|invoices)\/([^/?]*)/.exec(request.path)?.[1] ?? '')
    answerJson({ data: id === '' ? [] : { id } })(socket, request)
  })
})
afterEach(() => server.close())

const addresses: [string, (api: ReadApi) => Promise<unknown>][] = [
  ['/timesheets', (api) => api.list('timesheets', {})],
  [
    '/timesheets?userId=usr_1&status=DRAFT&startDate=2026-01-01T00%3A00%3A00.000Z&endDate=2026-02-01T00%3A00%3A00.000Z',
    (api) =>
      api.list('timesheets', {
        employee: 'usr_1',
        status: 'DRAFT',
        from: Date.UTC(2026, 0, 1),
        to: Date.UTC(2026, 1, 1),
      }),
  ],
  ['/leaves', (api) => api.list('leaves', {})],
  [
    '/leaves?userId=a%26b&status=PENDING',
    (api) => api.list('leaves', { employee: 'a&b', status: 'PENDING' }),
  ],
  ['/projects/prj%2F1/tasks', (api) => api.list('tasks', { project: 'prj/1' })],
  [
    '/schedules?type=FIXED&isActive=false',
    (api) => api.list('schedules', { type: 'FIXED', active: false }),
  ],
  ['/schedules', (api) => api.list('schedules', {})],
  ['/users/usr_1', (api) => api.get('user', 'usr_1')],
  ['/invoices/a%3Fb%23c', (api) => api.get('invoice', 'a?b#c')],
]

it.each(addresses)('an operation requests the address %s', async (path, operation) => {
  const client = createTestClient(`${server.url}/prefix`)
  await operation(client)
  await client.close()
  expect(server.requests.map((request) => request.path)).toEqual([`/prefix/api/public/v1${path}`])
})

it('a parameter without a name is never sent', async () => {
  const parameters: ParameterNames = {
    timesheets: { employee: null, status: 'state', from: null, to: null },
    leaves: { employee: null, status: null },
    schedules: { type: null, active: null },
  }
  const client = createTestClient(server.url, { parameters })
  await client.list('timesheets', { employee: 'usr_1', status: 'DRAFT', from: 0, to: 0 })
  await client.list('leaves', { employee: 'usr_1', status: 'DRAFT' })
  await client.list('schedules', { type: 'FIXED', active: true })
  await client.close()
  expect(server.requests.map((request) => request.path)).toEqual([
    '/api/public/v1/timesheets?state=DRAFT',
    '/api/public/v1/leaves',
    '/api/public/v1/schedules',
  ])
})

it('an id is always one segment of the path', async () => {
  const client = createTestClient(server.url)
  const ids = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .filter((id) => isIdentifier(id) && id !== '.' && id !== '..')
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      await expect(client.get('user', id)).resolves.toEqual({ id })
      expect(server.requests.at(-1)?.path.split('/')).toHaveLength(6)
    }),
  )
  await client.close()
})

it.each(['', '.', '..', '\uD800'])('an id that fits in no path is not found: %j', async (id) => {
  const client = createTestClient(server.url)
  const notFound = { code: 'upstream_not_found' }
  await expect(client.get('user', id)).rejects.toMatchObject(notFound)
  await expect(client.get('invoice', id)).rejects.toMatchObject(notFound)
  await expect(client.list('tasks', { project: id })).rejects.toMatchObject(notFound)
  await client.close()
  expect(server.requests).toEqual([])
})
