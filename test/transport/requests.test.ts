import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Authentication, ParameterNames } from '../../src/domain/connection.ts'
import type { ReadApi } from '../../src/domain/read-api.ts'
import { createTestClient, SETTINGS } from '../read-api/operations.ts'
import {
  answer,
  answerJson,
  inTurn,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'

let server: MisbehavingServer
beforeEach(async () => {
  server = await startMisbehavingServer((socket, request) => {
    const id = decodeURIComponent(/\/(?:users|invoices)\/([^/?]*)/.exec(request.path)?.[1] ?? '')
    answerJson({ data: id === '' ? [] : { id } })(socket, request)
  })
})
afterEach(() => server.close())

describe('addresses', () => {
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
  test.each(addresses)('%s', async (path, operation) => {
    const client = createTestClient(`${server.url}/prefix`)
    await operation(client)
    await client.close()
    expect(server.requests.map((request) => request.path)).toEqual([`/prefix/api/public/v1${path}`])
  })

  test('a parameter without a name is never sent', async () => {
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

  test('any id is one segment of the path', async () => {
    const client = createTestClient(server.url)
    const ids = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((id) => id !== '.' && id !== '..' && !/\p{Cc}/u.test(id))
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        await expect(client.get('user', id)).resolves.toEqual({ id })
        expect(server.requests.at(-1)?.path.split('/')).toHaveLength(6)
      }),
    )
    await client.close()
  })

  test.each(['', '.', '..', '\uD800'])('no path can carry %j', async (id) => {
    const client = createTestClient(server.url)
    const notFound = { code: 'upstream_not_found' }
    await expect(client.get('user', id)).rejects.toMatchObject(notFound)
    await expect(client.get('invoice', id)).rejects.toMatchObject(notFound)
    await expect(client.list('tasks', { project: id })).rejects.toMatchObject(notFound)
    await client.close()
    expect(server.requests).toEqual([])
  })
})

describe('credentials', () => {
  const schemes: [Authentication, { path?: string; name?: string; value?: string }][] = [
    [{ scheme: 'none' }, {}],
    [
      { scheme: 'bearer', token: 't0ken' },
      { name: 'authorization', value: 'Bearer t0ken' },
    ],
    [
      { scheme: 'basic', user: 'ada', password: 'pässword:1' },
      { name: 'authorization', value: `Basic ${Buffer.from('ada:pässword:1').toString('base64')}` },
    ],
    [
      { scheme: 'header', name: 'X-Api-Key', value: 'k3y' },
      { name: 'x-api-key', value: 'k3y' },
    ],
    [{ scheme: 'query', name: 'api key', value: 'k&y' }, { path: '&api+key=k%26y' }],
  ]
  test.each(schemes)('%j', async (authentication, { path = '', name = 'authorization', value }) => {
    const client = createTestClient(server.url, { authentication })
    await client.list('leaves', { employee: 'usr_1' })
    await client.close()
    expect(server.requests[0]?.path).toBe(`/api/public/v1/leaves?userId=usr_1${path}`)
    expect(server.requests[0]?.headers[name]).toBe(value)
  })
})

describe('redirects', () => {
  test('within the origin are followed with the credential', async () => {
    const moved = answer({ status: 308, headers: { location: '/v2/users/usr_1?a=b' } })
    const redirecting = await startMisbehavingServer(
      inTurn(moved, answerJson({ data: { id: 'usr_1' } })),
    )
    const authentication: Authentication = { scheme: 'bearer', token: 't0ken' }
    const client = createTestClient(redirecting.url, { authentication })
    await expect(client.get('user', 'usr_1')).resolves.toEqual({ id: 'usr_1' })
    expect(redirecting.requests[1]).toMatchObject({
      path: '/v2/users/usr_1?a=b',
      headers: { authorization: 'Bearer t0ken' },
    })
    await client.close()
    await redirecting.close()
  })

  test('to another port are not', async () => {
    const location = `${server.url}/api/public/v1/users/usr_1`
    const redirecting = await startMisbehavingServer(answer({ status: 301, headers: { location } }))
    const client = createTestClient(redirecting.url)
    await expect(client.get('user', 'usr_1')).rejects.toMatchObject({
      code: 'upstream_rejected',
      message: expect.stringContaining(`to ${server.url}.`),
    })
    expect(server.requests).toEqual([])
    await client.close()
    await redirecting.close()
  })
})

test('connections are kept, and no more of them than allowed', async () => {
  const sockets = new Set<unknown>()
  const counting = await startMisbehavingServer((socket, request) => {
    sockets.add(socket)
    answerJson({ data: [] })(socket, request)
  })
  const client = createTestClient(counting.url)
  await Promise.all(Array.from({ length: 40 }, () => client.list('leaves', {})))
  expect(counting.requests).toHaveLength(40)
  expect(sockets.size).toBeLessThanOrEqual(SETTINGS.concurrency)
  await client.close()
  await counting.close()
})
