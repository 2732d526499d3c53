/* Over any history of changes, made through any node, what is ready on a node is what its routes answer, in every header and byte. */
import http from 'node:http'
import { buffer } from 'node:stream/consumers'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { commandLine } from '../../src/domain/access/staff.ts'
import { contentHashOf } from '../../src/domain/copy.ts'
import type { Departure } from '../../src/domain/departure.ts'
import type { Choices } from '../../src/domain/link.ts'
import { hashSecret } from '../../src/domain/secrets.ts'
import { erasePerson } from '../../src/people/erasure.ts'
import { adminToken, readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { aheadOf, createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import type { TestNode } from '../support/bridge/node.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { ada, bob, leave, task, timesheet } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'

const histories = 200
const dayMs = 86_400_000
/** Ids hold whatever one line of text can. */
const ids = [ada.id, bob.id, 'a', 'b', 'a b', `o'x "q"|=\\%_é😀 $1`]

interface Node {
  readonly bridge: TestBridge
  readonly logged: LogLine[]
}

/** Two bridges on one database, the second with a clock a little behind, and all that can be changed. */
interface World {
  readonly company: CompanyServer
  readonly clock: FakeClock
  readonly nodes: readonly Node[]
  readonly store: TestNode
  readonly feeds: string[]
  readonly tokens: string[]
}

async function startWorld(databaseUrl: string, stack: AsyncDisposableStack): Promise<World> {
  const company = stack.adopt(await startCompanyServer(), (opened) => opened.close())
  const users = ids.map((id) => ({ id, firstName: id, lastName: 'Of All', isActive: true }))
  company.records.users = users
  company.records.leaves = Object.fromEntries(ids.map((id) => [id, [leave(id, '2026-01-12')]]))
  company.records.timesheets = ids.map((id) => timesheet(id, id, '2026-01-01', '2026-01-15'))
  company.records.tasks = { prj_web: [task('tsk', '2026-01-20', users)] }
  const clock = createFakeClock()
  const environment = {
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    FEED_STALE_DAYS: '2',
    ADMIN_TOKEN: adminToken,
    DATABASE_URL: databaseUrl,
  }
  const start = async (aheadMs: number): Promise<Node> => {
    const logged: LogLine[] = []
    const of = { clock: aheadOf(clock, aheadMs), environment, log: recordedLog(logged) }
    return { bridge: stack.adopt(await startBridge(of), (opened) => opened.close()), logged }
  }
  const [first, second] = [await start(0), await start(-900)]
  const store = await first.bridge.node()
  const world = { company, clock, nodes: [first, second], store, feeds: [], tokens: [] }
  await addFeed(world, { userIds: ids, audience: 'others', options: { selfService: true } })
  for (const id of ids.slice(2)) await addFeed(world, { userIds: [id] })
  return world
}

async function addFeed({ nodes, feeds, tokens }: World, input: object): Promise<void> {
  const made = await nodes[0]!.bridge.createFeed(input)
  feeds.push(made.id)
  tokens.push(tokenIn(JSON.stringify(made)) ?? '')
}

function tokenIn(text: string): string | undefined {
  return /cfb_[\w-]{43}/.exec(text)?.[0]
}

/** Of so many things the one that a number names. */
function pick<T>(things: readonly T[], number: number): T {
  return things[number % things.length]!
}

type Change = (world: World, which: number, how: number) => unknown

/** The administration of a feed through either node. */
function administer(method: string, place: string, bodyOf: (how: number) => object): Change {
  return async ({ nodes, feeds, tokens }, which, how) => {
    const purge = method === 'DELETE' && how % 5 === 0 ? '?purge' : ''
    const address = `/api/feeds/${pick(feeds, which)}${place}${purge}`
    const answer = await pick(nodes, how).bridge.api(method, address, bodyOf(how))
    const token = tokenIn(await answer.text())
    if (token !== undefined && place !== '') tokens.push(token)
  }
}

const patches = [
  { options: { tasks: { show: false } } },
  { options: { tasks: { show: true }, leaves: { detail: 'type' } } },
  { timezone: 'Asia/Tokyo' },
  { locale: 'de' },
  { name: `"Work" | 'é' 😀` },
]
const choices: readonly Choices[] = [{}, { hide: ['tasks'] }, { locale: 'de' }]
const steps = [1, 500, 2000, 59_000, 299_000, 300_000, dayMs, 27 * dayMs]
const faults = ['/leaves', '/tasks', '/users']

const changes: readonly Change[] = [
  ({ clock }, which) => clock.advance(pick(steps, which)),
  ({ clock }) => clock.advance(dayMs - ((clock.now() + dayMs / 24) % dayMs) - 1),
  administer('PATCH', '', (how) => pick(patches, how)),
  administer('POST', '/rotations', (how) => ({ graceDays: how % 2 })),
  administer('POST', '/links', (how) => ({ label: `link ${how}` })),
  administer('DELETE', '/links/default', () => ({})),
  administer('DELETE', '', () => ({})),
  ({ company }, which, how) => {
    company.records.leaves[pick(ids, which)] = [leave(`lv_${how}`, '2026-01-14')]
  },
  ({ company }, which, how) => {
    company.faults.clear()
    if (how % 2 === 0) company.faults.set(pick(faults, which), 500)
  },
  async ({ store: { store }, tokens }, which, how) => {
    const found = await store.links.findByTokenHash(hashSecret('cfb', pick(tokens, which))!)
    if (found) await store.links.changeChoices(found.link, () => pick(choices, how))
  },
  ({ store: { store }, clock }, which) =>
    store.departures.keepDeparture(departureOf(pick(ids, which), clock.now())),
  ({ store: { store } }, which) => store.departures.forgetDeparture('main', pick(ids, which)),
  ({ store: { erasing } }, which) =>
    erasePerson(erasing, { userId: pick(ids, which) }, commandLine).catch(() => undefined),
  ({ store: { store, connections }, clock }, which) => {
    const state = pick(['proven', 'unproven', 'disproved'] as const, which)
    const [{ id } = { id: '' }] = connections.values()
    const since = clock.now() - pick([0, 2 * dayMs - 1000], which)
    return store.proofs.changeProof(id, (kept) => ({ ...kept, state, since }))
  },
  async ({ store: { store, connections }, clock }, which) => {
    const [{ id } = { id: '' }] = connections.values()
    const copy = await store.copies.findCopy<'leaves'>(id, `leaves:${pick(ids, which)}`)
    const now = clock.now()
    const none = { records: [], contentHash: contentHashOf([]), begunAt: now, fetchedAt: now }
    if (copy) await store.copies.keepCopy(id, { ...copy, ...none })
  },
  ({ store: { purge } }) => purge(),
]

function departureOf(userId: string, now: number): Departure {
  const marks = { leftAt: now, wasHere: true, isHeldBack: false, isCleared: false }
  return { companyId: 'main', userId, because: 'user_inactive', since: now, readAt: now, ...marks }
}

const kept = new http.Agent({ keepAlive: true })

interface Answer {
  readonly status: number | undefined
  readonly fields: readonly string[]
  readonly body: string
}

async function poll({ bridge }: Node, path: string, coding: string): Promise<Answer> {
  const { port } = new URL(bridge.listensAt)
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const headers = { 'Accept-Encoding': coding }
  http.get({ port, path, agent: kept, headers }, resolve).on('error', reject)
  const answer = await promise
  const body = (await buffer(answer)).toString('latin1')
  // When it was sent, and that a refresh for another feed has failed, which makes nobody's fresh copy older.
  const beside = new Set(['date', 'x-feed-stale-seconds'])
  const fields = Object.entries(answer.headers).filter(([name]) => !beside.has(name))
  return { status: answer.statusCode, fields: fields.map(String), body }
}

function wasReady({ logged }: Node): boolean {
  const line = logged.findLast(({ event }) => event === 'polled')
  return line !== undefined && 'ready' in line.data && line.data.ready === true
}

const codings = ['gzip', 'br', 'identity']

/** How many answers were ready, of all links in both forms on each node; each is compared with what the routes say. */
async function compare({ nodes, tokens }: World, number: number): Promise<number> {
  let ready = 0
  for (const node of nodes) {
    for (const [index, token] of tokens.entries()) {
      const path = `/feeds/${token}/calendar.${pick(['ics', 'json'], number + index)}`
      const answer = await poll(node, path, pick(codings, number))
      if (!wasReady(node)) continue
      ready += 1
      expect(answer).toEqual(await poll(node, `${path}?`, pick(codings, number)))
    }
  }
  return ready
}

/** So that as much as possible is ready: all at the same time, each of which is answered with its own. */
async function warm({ nodes, tokens }: World): Promise<void> {
  for (const node of nodes) {
    for (const form of ['ics', 'json']) {
      const paths = tokens.map((token) => `/feeds/${token}/calendar.${form}`)
      for (const coding of codings) await Promise.all(paths.map((path) => poll(node, path, coding)))
    }
  }
}

const anyStep = fc.tuple(fc.constantFrom(...changes), fc.nat(1000), fc.nat(1000))

describe.each(databases)('on $name', ({ createMigrated }) => {
  it('ready answers equal the answers of the routes', async () => {
    let ready = 0
    const history = fc.array(anyStep, { minLength: 5, maxLength: 25, size: 'max' })
    await fc.assert(
      fc.asyncProperty(history, async (made) => {
        await using stack = new AsyncDisposableStack()
        const world = await startWorld(await createMigrated(), stack)
        for (const [change, which, how] of made) {
          await warm(world)
          await change(world, which, how)
          ready += await compare(world, how)
        }
      }),
      { numRuns: histories, endOnFailure: true },
    )
    expect(ready).toBeGreaterThan(histories)
  })
})
