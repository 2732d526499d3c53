import { setImmediate as nextTurn } from 'node:timers/promises'

import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'

import { type Asking, type ReadApi, defaultParameters } from '../../src/domain/read-api.ts'
import { filterNamesOf, likenessOf } from '../../src/transport/requester.ts'
import { clientSettings, createTestClient } from '../read-api/operations.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import {
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const empty = answerJson({ data: [] })
const unreadable = answerJson([])
const reason = new Error('given up')

const servers: MisbehavingServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

it('connections are kept, and limited to the allowed number', async () => {
  const sockets = new Set<unknown>()
  const server = await serve((socket, request) => {
    sockets.add(socket)
    empty(socket, request)
  })
  const client = createTestClient(server.url)
  await Promise.all(Array.from({ length: 40 }, () => client.list('leaves', {})))
  expect(server.requests).toHaveLength(40)
  expect(sockets.size).toBeLessThanOrEqual(clientSettings.concurrency)
  await client.close()
})

it('requests are sent in order, and no more at once than there are places', async () => {
  const { server, arrival } = await serveOnDemand()
  const client = createTestClient(server.url, { concurrency: 2 })
  const asked = ['a', 'b', 'c', 'd'].map((project) => client.list('tasks', { project }))
  const [answerA, answerB] = await Promise.all([arrival('a'), arrival('b')])
  answerB()
  await asked[1]
  const answerC = await arrival('c')
  await nextTurn()
  expect(server.requests).toHaveLength(3)
  answerA()
  const answerD = await arrival('d')
  answerC()
  answerD()
  await Promise.all(asked)
  await client.close()
})

it('a request too late for its poll waits for all that are still in time', async () => {
  const { server, arrival } = await serveOnDemand()
  const clock = createFakeClock()
  const client = createTestClient(server.url, { concurrency: 1 }, { clock, pollBudgetMs: 8000 })
  const first = client.list('tasks', { project: 'a' })
  const answerA = await arrival('a')
  const late = client.list('tasks', { project: 'late' })
  await clock.advance(5600)
  const next = client.list('tasks', { project: 'next' })
  answerA()
  const answerNext = await arrival('next')
  expect(server.requests).toHaveLength(2)
  answerNext()
  const answerLate = await arrival('late')
  answerLate()
  await Promise.all([first, late, next])
  await client.close()
})

it('an urgent request goes first, and a request past caches waits for its turn', async () => {
  const { server, arrival } = await serveOnDemand()
  const client = createTestClient(server.url, { concurrency: 1 })
  const ask = (project: string, how: Asking = {}): Promise<unknown> =>
    client.list('tasks', { project }, how)
  const all = [ask('a'), ask('b'), ask('c', { bypassCache: true }), ask('d', { isUrgent: true })]
  for (const project of ['a', 'd', 'b', 'c']) (await arrival(project))()
  await Promise.all(all)
  expect(server.requests).toHaveLength(4)
  await client.close()
})

it('a request too late for its poll does not wait until no others arrive', async () => {
  const { server, arrival } = await serveOnDemand()
  const clock = createFakeClock()
  const client = createTestClient(server.url, { concurrency: 1 }, { clock, pollBudgetMs: 8000 })
  const first = client.list('tasks', { project: 'a' })
  const answerA = await arrival('a')
  const late = client.list('tasks', { project: 'late' })
  await clock.advance(5600)
  const others = Array.from({ length: 20 }, (_, index) => `other-${index}`)
  const asked = others.map((project) => client.list('tasks', { project }))
  answerA()
  for (const project of ['late', ...others]) void arrival(project).then((answerIt) => answerIt())
  await late
  expect(server.requests.length).toBeLessThan(12)
  await Promise.all([first, ...asked])
  await client.close()
})

it('a waiting request that is aborted fails with its reason and leaves its place to the next', async () => {
  const { server, arrival } = await serveOnDemand()
  const client = createTestClient(server.url, { concurrency: 1 })
  const abort = new AbortController()
  const first = client.list('tasks', { project: 'a' })
  const waiting = client.list('tasks', { project: 'b' }, { signal: abort.signal })
  const next = client.list('tasks', { project: 'c' })
  const answerA = await arrival('a')
  abort.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  answerA()
  const answerC = await arrival('c')
  answerC()
  await Promise.all([first, next])
  expect(server.requests).toHaveLength(2)
  await client.close()
})

it('a request aborted beforehand sends nothing', async () => {
  const server = await serve(empty)
  const client = createTestClient(server.url)
  await expect(client.list('leaves', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
  expect(server.requests).toEqual([])
  await client.close()
})

it('no place is lost, whichever requests fail or are aborted, at any time', async () => {
  const ends = fc.array(fc.constantFrom('done', 'failed', 'abort', 'abort soon'), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(ends, fc.integer({ min: 1, max: 3 }), async (all, concurrency) => {
      const { server, arrival } = await serveOnDemand()
      const client = createTestClient(server.url, { concurrency })
      await Promise.allSettled(all.map((end) => askUntil(end, client)))
      const places = Array.from({ length: concurrency }, (_, index) => `place-${index}`)
      const asked = places.map((project) => client.list('tasks', { project }))
      for (const answerIt of await Promise.all(places.map(arrival))) answerIt()
      await Promise.all(asked)
      await client.close()
      await server.close()
    }),
    { numRuns: 30 },
  )
})

it('requests are compared only by our filters, whatever the API calls its pages', () => {
  const names = filterNamesOf(defaultParameters)
  const likeness = (query: string): string =>
    likenessOf('leaves', new URL(`https://api.example/leaves?${query}`), names)
  expect(likeness('userId=usr_1')).not.toBe(likeness(''))
  for (const more of ['page=2', 'cursor_93ab=1&token-17', 'userId=usr_1&userId=usr_1']) {
    expect(likeness(`userId=usr_1&${more}`)).toBe(likeness('userId=usr_2'))
  }
})

async function serve(behave: Behaviour): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer(behave)
  servers.push(server)
  return server
}

interface OnDemand {
  readonly server: MisbehavingServer
  /** Resolves as soon as the project's tasks are asked for, with what answers that. */
  readonly arrival: (project: string) => Promise<() => void>
}

/** Answers lists of tasks when it is told to, users with what cannot be read and leaves with none. */
async function serveOnDemand(): Promise<OnDemand> {
  const arrivals = new Map<string, PromiseWithResolvers<() => void>>()
  function arrivalOf(project: string): PromiseWithResolvers<() => void> {
    const known = arrivals.get(project) ?? Promise.withResolvers()
    arrivals.set(project, known)
    return known
  }
  const server = await serve((socket, request) => {
    const project = /\/projects\/([^/]+)\//.exec(request.path)?.[1]
    if (project !== undefined) arrivalOf(project).resolve(() => empty(socket, request))
    else if (request.path.includes('/users/')) unreadable(socket, request)
    else empty(socket, request)
  })
  return { server, arrival: (project) => arrivalOf(project).promise }
}

async function askUntil(end: string, api: ReadApi): Promise<unknown> {
  if (end === 'failed') return api.get('user', 'usr_1')
  const abort = new AbortController()
  const asked = api.list('leaves', {}, { signal: abort.signal })
  if (end === 'abort') abort.abort(reason)
  if (end === 'abort soon') setImmediate(() => abort.abort(reason))
  return asked
}
