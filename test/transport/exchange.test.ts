import { afterEach, describe, expect, it } from 'vitest'

import type { Authentication } from '../../src/domain/connection.ts'
import { Recent } from '../../src/domain/memo.ts'
import { createExchange, type KeptAnswers } from '../../src/transport/exchange.ts'
import type { Http, HttpAnswer } from '../../src/transport/http.ts'
import { createTestClient } from '../read-api/operations.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  inTurn,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const bearer: Authentication = { scheme: 'bearer', token: 't0ken' }
const user = { id: 'usr_1' }
const schedule = { id: 'sch_1', name: 'Day' }

const servers: MisbehavingServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('a credential is sent where its scheme puts it', () => {
  const schemes: [Authentication, { path?: string; name?: string; value?: string }][] = [
    [{ scheme: 'none' }, {}],
    [bearer, { name: 'authorization', value: 'Bearer t0ken' }],
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
  it.each(schemes)('%j', async (authentication, { path = '', name = 'authorization', value }) => {
    const server = await serve(answerJson({ data: [] }))
    const client = createTestClient(server.url, { authentication })
    await client.list('leaves', { employee: 'usr_1' })
    await client.close()
    expect(server.requests[0]?.path).toBe(`/api/public/v1/leaves?userId=usr_1${path}`)
    expect(server.requests[0]?.headers[name]).toBe(value)
  })
})

it('a redirect to the same resource is followed with the credential', async () => {
  const moved = answer({ status: 308, headers: { location: '/api/public/v1/users/usr_1/' } })
  const server = await serve(inTurn(moved, answerJson({ data: user })))
  const client = createTestClient(server.url, { authentication: bearer })
  await expect(client.get('user', 'usr_1')).resolves.toEqual(user)
  expect(server.requests[1]).toMatchObject({
    path: '/api/public/v1/users/usr_1/',
    headers: { authorization: 'Bearer t0ken' },
  })
  await client.close()
})

it('a credential in the query is sent again to the target of a redirect', async () => {
  const location = '/api/public/v1/users/usr_1/?key=another'
  const moved = answer({ status: 308, headers: { location } })
  const server = await serve(inTurn(moved, answerJson({ data: user })))
  const authentication = { scheme: 'query', name: 'key', value: 's3cret' } as const
  const client = createTestClient(server.url, { authentication })
  await expect(client.get('user', 'usr_1')).resolves.toEqual(user)
  expect(server.requests[1]?.path).toBe('/api/public/v1/users/usr_1/?key=s3cret')
  await client.close()
})

it('a redirect to another port is not followed', async () => {
  const other = await serve(answerJson({ data: user }))
  const location = `${other.url}/api/public/v1/users/usr_1`
  const redirecting = await serve(answer({ status: 301, headers: { location } }))
  const client = createTestClient(redirecting.url)
  await expect(client.get('user', 'usr_1')).rejects.toMatchObject({
    code: 'upstream_rejected',
    message: expect.stringContaining(`to ${other.url}.`),
  })
  expect(other.requests).toEqual([])
  await client.close()
})

it('an answer is requested again by its tag, invisibly to the caller', async () => {
  const server = await serve(tagged)
  const client = createTestClient(server.url)
  const first = await client.list('schedules', {})
  await expect(client.list('schedules', {})).resolves.toEqual(first)
  await expect(client.list('schedules', {})).resolves.toEqual(first)
  await client.close()
  expect(tagsOf(server)).toEqual([undefined, 'W/"1"', 'W/"1"'])
})

it('another address and another client use no tag', async () => {
  const server = await serve(tagged)
  const client = createTestClient(server.url)
  await client.list('schedules', {})
  await client.list('schedules', { active: true })
  await client.close()
  const other = createTestClient(server.url, { authentication: bearer })
  await other.list('schedules', {})
  await other.close()
  expect(tagsOf(server)).toEqual([undefined, undefined, undefined])
})

it.each([
  ['without a tag', {}],
  ['that may not be stored', { etag: '"1"', 'cache-control': 'private, No-Store' }],
])('an answer %s is not kept', async (_name, headers) => {
  const server = await serve(answerJson({ data: [schedule] }, headers))
  const client = createTestClient(server.url)
  await client.list('schedules', {})
  await client.list('schedules', {})
  await client.close()
  expect(tagsOf(server)).toEqual([undefined, undefined])
})

it('truncated JSON with a valid tag is forgotten and requested without a condition', async () => {
  let isCut = false
  const server = await serve((socket, request) => {
    if (request.headers['if-none-match'] === '"2"') {
      return answer({ status: 304, headers: { 'content-length': '0' } })(socket, request)
    }
    const body = JSON.stringify({ data: [schedule] })
    const cut = isCut ? body.slice(0, -5) : body
    answer({ headers: { etag: isCut ? '"2"' : '"1"' }, body: cut })(socket, request)
  })
  const client = createTestClient(server.url)
  const whole = await client.list('schedules', {})
  isCut = true
  await expect(client.list('schedules', {})).rejects.toMatchObject({ code: 'upstream_invalid' })
  await expect(client.list('schedules', {})).rejects.toMatchObject({ code: 'upstream_invalid' })
  isCut = false
  await expect(client.list('schedules', {})).resolves.toEqual(whole)
  await client.close()
  expect(tagsOf(server)).toEqual([undefined, '"1"', undefined, undefined])
})

it.each([
  ['what is no list', { data: 'none' }],
  ['another envelope', [schedule]],
])('%s is not kept by its tag', async (_name, body) => {
  const server = await serve(inTurn(answerJson(body, { etag: 'W/"1"' }), tagged))
  const client = createTestClient(server.url)
  await expect(client.list('schedules', {})).rejects.toMatchObject({ code: 'upstream_invalid' })
  await expect(client.list('schedules', {})).resolves.toMatchObject({ records: [schedule] })
  await client.close()
  expect(tagsOf(server)).toEqual([undefined, undefined])
})

it('a forced request has no condition, bypasses every cache and replaces the kept answer', async () => {
  let tag = 0
  const server = await serve((socket, request) => {
    const isKnown = request.headers['if-none-match'] === `"${tag}"`
    tag += isKnown ? 0 : 1
    const behave = isKnown
      ? answer({ status: 304, headers: { 'content-length': '0' } })
      : answerJson({ data: [{ id: `sch_${tag}` }] }, { etag: `"${tag}"` })
    behave(socket, request)
  })
  const client = createTestClient(server.url)
  const ids = async (bypassCache?: boolean): Promise<readonly string[]> => {
    const { records } = await client.list('schedules', {}, bypassCache ? { bypassCache } : {})
    return records.map(({ id }) => id)
  }
  expect([await ids(), await ids(), await ids(true), await ids()]).toEqual(
    ['sch_1', 'sch_1', 'sch_2', 'sch_2'].map((id) => [id]),
  )
  await client.close()
  expect(tagsOf(server)).toEqual([undefined, '"1"', undefined, '"2"'])
  const caching = server.requests.map(({ headers }) => headers['cache-control'])
  expect(caching).toEqual([undefined, undefined, 'no-cache', undefined])
})

it('kept answers are separate by client with a common limit; the least recently used go first', async () => {
  const kept: KeptAnswers = new Recent(5_000)
  const [one, other] = [askingClient(kept), askingClient(kept)]
  await one.ask('a')
  await one.ask('b')
  await one.ask('a')
  await one.ask('c')
  expect(await isKept(one, 'a', 'b', 'c')).toEqual([true, false, true])
  await one.ask('a', { body: Buffer.alloc(10_000) })
  expect(await isKept(one, 'a')).toEqual([false])
  expect(await isKept(other, 'c')).toEqual([false])
  await other.ask('c')
  await other.ask('b')
  expect(await isKept(one, 'c')).toEqual([false])
  expect(await isKept(other, 'c')).toEqual([true])
})

it('headers of kept answers count towards the limit, and unread headers are not kept', async () => {
  const asked = askingClient(new Recent(50_000))
  const paths = Array.from({ length: 20 }, (_, index) => String(index))
  const keep = async (headers: Record<string, string>): Promise<number> => {
    for (const path of paths) await asked.ask(path, { body: Buffer.alloc(0), headers })
    return (await isKept(asked, ...paths)).filter(Boolean).length
  }
  expect(await keep({ 'x-trace': 'x'.repeat(10_000), 'content-encoding': 'gzip' })).toBe(20)
  expect(await asked.ask('0', 'not modified')).toEqual({
    etag: '"1"',
    'content-encoding': 'gzip',
  })
  expect(await keep({ link: `<${'x'.repeat(10_000)}>; rel="next"` })).toBe(4)
})

type Answered = Partial<HttpAnswer> | 'not modified'

interface AskingClient {
  /** Asks, has that answered, and gives the headers that come of it. */
  ask(path: string, answered?: Answered): Promise<HttpAnswer['headers']>
  /** The tag of the last request. */
  tag(): string | undefined
}

function askingClient(kept: KeptAnswers): AskingClient {
  let answered: Answered = {}
  let sent: Record<string, string> = {}
  const http: Http = {
    get: async (_url, headers) => {
      sent = headers
      if (answered === 'not modified') return { status: 304, headers: {}, body: Buffer.alloc(0) }
      const { headers: fields, body = Buffer.alloc(1_000) } = answered
      return { status: 200, headers: { etag: '"1"', ...fields }, body }
    },
    close: async () => undefined,
  }
  const exchange = createExchange(http, { scheme: 'none' }, kept)
  const { signal } = new AbortController()
  return {
    ask: async (path, next = {}) => {
      answered = next
      const { answer: came, settle } = await exchange(new URL(`http://any/${path}`), { signal })
      if (next !== 'not modified') settle(true)
      return came.headers
    },
    tag: () => sent['if-none-match'],
  }
}

async function isKept(asking: AskingClient, ...paths: readonly string[]): Promise<boolean[]> {
  const found: boolean[] = []
  for (const path of paths) {
    await asking.ask(path, 'not modified')
    found.push(asking.tag() !== undefined)
  }
  return found
}

async function serve(behave: Behaviour): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer(behave)
  servers.push(server)
  return server
}

/** Answers 304 to a request that knows the tag. */
function tagged(...[socket, request]: Parameters<Behaviour>): void {
  const isKnown = request.headers['if-none-match'] === 'W/"1"'
  const behave = isKnown
    ? answer({ status: 304, headers: { 'content-length': '0' } })
    : answerJson({ data: [schedule] }, { etag: 'W/"1"' })
  behave(socket, request)
}

function tagsOf({ requests }: MisbehavingServer): (string | undefined)[] {
  return requests.map((request) => request.headers['if-none-match'])
}
