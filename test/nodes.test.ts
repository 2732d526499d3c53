/* Three nodes on one PostgreSQL behind a load balancer are one bridge. */
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'

import { expect, inject, it as bareIt } from 'vitest'

import { type BridgeNode, startNode } from './support/bridge/bridge-node.ts'
import { adminToken, readsFrom } from './support/bridge/bridge.ts'
import { type RoundRobin, startRoundRobin } from './support/bridge/round-robin.ts'
import { readCalendar } from './support/calendar/read-calendar.ts'
import { startCompanyServer } from './support/company/company-server.ts'
import { ada, bob, task, timesheet } from './support/company/people.ts'
import { createTestDatabase } from './support/database/postgres.ts'
import { type ApiAnswer, jsonOf } from './support/web/api-answer.ts'
import { freePort } from './support/web/free-port.ts'

/** A thousand where there is time. */
const creations = inject('isThorough') ? 1000 : 100
const killAfter = 0.3 * creations
const clients = 16

/** The nodes that live, and the load balancer before them. */
interface Cluster {
  readonly balancer: RoundRobin
  nodes: readonly BridgeNode[]
}

/** The nodes are processes, and see the time as it is: so the company's records are of today. */
const it = bareIt
  .extend('today', { scope: 'file' }, () => new Date().toISOString().slice(0, 10))
  .extend('company', { scope: 'file' }, async ({ today }, { onCleanup }) => {
    const company = await startCompanyServer()
    onCleanup(() => company.close())
    company.records.users = [ada, bob]
    company.records.tasks = { prj_web: [task('tsk_ada', today, [ada])] }
    company.records.timesheets = [timesheet('clqada', 'usr_ada', today, today)]
    return company
  })
  .extend('cluster', { scope: 'file' }, async ({ company }, { onCleanup }): Promise<Cluster> => {
    const balancer = await startRoundRobin()
    const environment = {
      ...readsFrom(company.url),
      ADMIN_TOKEN: adminToken,
      DATABASE_URL: await createTestDatabase(),
      PUBLIC_URL: balancer.url,
      WORKFORCE_PROJECTS: 'prj_web',
    }
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'nodes-'))
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    const nodes = await Promise.all(
      ports.map((port) => startNode(folder, { ...environment, PORT: String(port) })),
    )
    balancer.ports = ports
    const cluster: Cluster = { balancer, nodes }
    onCleanup(async () => {
      balancer.close()
      await Promise.all(cluster.nodes.map((node) => node.stop()))
    })
    return cluster
  })
  .extend('send', { scope: 'file' }, ({ cluster: { balancer } }) => {
    return (method: string, address: string, body?: unknown, key?: string): Promise<Response> =>
      fetch(balancer.url + address, {
        method,
        headers: {
          Authorization: `Bearer ${adminToken}`,
          'Content-Type': 'application/json',
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
  })
  .extend('ask', { scope: 'file' }, ({ send }) => {
    return async (method: string, address: string, body?: unknown): Promise<ApiAnswer> => {
      const response = await send(method, address, body)
      expect(response.ok).toBe(true)
      const text = await response.text()
      return JSON.parse(text === '' ? '{}' : text) as ApiAnswer
    }
  })
  .extend('pollAll', { scope: 'file' }, ({ cluster: { balancer } }) => {
    return (url = ''): Promise<Poll> => pollThrough(balancer.ports, new URL(url).pathname)
  })

type Poll = readonly [status: number, body: string]

/** What each node answers now: one status and one body, since they agree. */
async function pollThrough(ports: readonly number[], pathname: string): Promise<Poll> {
  const answers = await Promise.all(
    ports.map(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}${pathname}`)
      return [response.status, await response.text(), response.headers.get('ETag')] as const
    }),
  )
  for (const answer of answers) expect(answer).toEqual(answers[0])
  const [status = 0, body = ''] = answers[0] ?? []
  return [status, body]
}

function titles(body: string): string {
  return [...readCalendar(body).values()].map(({ content }) => content).join('\n')
}

it('a change by one node shows in every later poll of any node', async ({ ask, pollAll }) => {
  const feed = await ask('POST', '/api/feeds', { userIds: ['usr_ada'] })
  const { url } = feed.links[0]
  const [status, made] = await pollAll(url)
  expect([status, titles(made).includes('Timesheet')]).toEqual([200, true])
  await ask('PATCH', `/api/feeds/${feed.id}`, { options: { timesheets: { show: false } } })
  const [, changed] = await pollAll(url)
  expect(titles(changed)).not.toContain('Timesheet')
  const rotated = await ask('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
  expect(titles((await pollAll(url))[1])).toContain('This link ends on')
  expect(await pollAll(rotated.url)).toEqual([200, changed])
  const phone = await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
  const [, asNew] = await pollAll(phone.url)
  expect(titles(asNew)).toBe(titles(changed))
  await ask('DELETE', `/api/feeds/${feed.id}/links/phone`)
  expect((await pollAll(phone.url))[0]).toBe(410)
  await ask('DELETE', `/api/feeds/${feed.id}`)
  expect((await pollAll(rotated.url))[0]).toBe(410)
  expect((await pollAll(url))[0]).toBe(410)
})

it.runIf(inject('isThorough'))(
  'a node killed during hundreds of creations loses no feed and duplicates no feed',
  async ({ cluster, send, ask, pollAll }) => {
    const numbers = Array.from({ length: creations }, (_, index) => index)
    const acknowledged: ApiAnswer[] = []
    let lost = 0
    let killed: Promise<void> | undefined

    async function create(number: number): Promise<void> {
      const key = randomUUID()
      for (;;) {
        const input = { userIds: ['usr_bob'], name: `Calendar ${number}` }
        const answer = await send('POST', '/api/feeds', input, key)
          .then((response) => (response.status === 201 ? jsonOf(response) : undefined))
          .catch(() => undefined)
        if (answer) {
          acknowledged.push(answer)
          return
        }
        lost += 1
      }
    }

    async function client(): Promise<void> {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        await create(number)
        if (acknowledged.length >= killAfter) killed ??= killNode()
      }
    }

    async function killNode(): Promise<void> {
      const [dead, ...others] = cluster.nodes
      cluster.nodes = others
      await dead?.kill()
      cluster.balancer.ports = others.map(({ port }) => port)
    }

    await Promise.all(Array.from({ length: clients }, client))
    await killed
    expect(cluster.nodes).toHaveLength(2)
    expect(lost).toBeGreaterThan(0)
    const { data } = await ask('GET', '/api/feeds?userId=usr_bob&limit=1000')
    const names: string[] = data.map(({ name }: ApiAnswer) => name)
    expect(names).toHaveLength(creations)
    expect(new Set(names).size).toBe(creations)
    const ids = new Set(data.map(({ id }: ApiAnswer) => id))
    expect(acknowledged.every(({ id }) => ids.has(id))).toBe(true)
    const urls = acknowledged.flatMap(({ links }) => links[0].url ?? [])
    expect(urls.length).toBeGreaterThanOrEqual(creations - lost)
    for (const url of [urls[0], urls[killAfter], urls.at(-1)]) {
      expect((await pollAll(url))[0]).toBe(200)
    }
  },
)
