/*
 * Strangers attack a node, on both databases and both ways to stand on the network, while somebody polls a calendar every
 * tenth of a second: the node lives, answers them as before, takes no more memory in the second half of an attack than in the
 * first, and holds none of its sockets afterwards. Longer with HOSTILE_SECONDS, more with HOSTILE_URLS.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { adminToken, calendarUrl, createFeedAt } from '../support/bridge/bridge.ts'
import { databases } from '../support/database/databases.ts'
import { basic } from '../support/dav/dav-client.ts'
import { attack, drip, exchange, statusOf } from '../support/hostile/attackers.ts'
import { type ExposedProgram, startExposed } from '../support/hostile/exposed-program.ts'
import { pollDuring } from '../support/hostile/honest-client.ts'
import { hostileRequest, type HostileRequest } from '../support/hostile/hostile-requests.ts'
import { survive } from '../support/hostile/survive.ts'

const seconds = Number(process.env['HOSTILE_SECONDS'] ?? 60)
const urls = Number(process.env['HOSTILE_URLS'] ?? 100_000)
const urlsAtOnce = 32
const batch = 1000
const megabyte = 1024 * 1024
const headBytes = 10 * megabyte
const bodyBytes = 1024 * megabyte
const idleConnections = 10_000
const idleRounds = 16
/** What has come and is not refused yet included. */
const connectionsMax = 5000 + 512

const refusals = [undefined, 400, 401, 403, 404, 405, 413, 415, 429]

const places = [
  { name: 'SQLite, by itself', database: databases[0]!, trustProxy: '0' },
  { name: 'PostgreSQL, behind a proxy', database: databases[1]!, trustProxy: '1' },
]

describe.each(places)('a node on $name', ({ database, trustProxy }) => {
  let node: ExposedProgram

  beforeAll(async () => {
    expect(
      openFilesMax(),
      'this run opens 10,000 connections: it needs Linux and ulimit -n 11000',
    ).toBeGreaterThan(11_000)
    node = await startExposed({
      DATABASE_URL: await database.create(),
      TRUST_PROXY: trustProxy,
      FEED_FRESH_SECONDS: '20',
      FEED_POLLS_PER_MINUTE: '100000',
    })
  })

  afterAll(async () => {
    const { code, events } = await node.stop()
    expect(code).toBe(0)
    expect(events.filter((event) => /failed|crashed/.test(event))).toEqual([])
  })

  it(`is not held up by 600 requests that drip for ${seconds} seconds`, async () => {
    const answers = new Map<number | undefined, number>()
    await survive(node, async () => {
      const over = AbortSignal.timeout(seconds * 1000)
      const slow = dripping(node)
      const all = Array.from({ length: 600 }, (_, index) => slow[index % slow.length]!)
      await Promise.all(all.map(({ url, ...what }) => drip(url, what, { over, answers })))
    })
    expect(answers.get(408)).toBeGreaterThan(0)
  })

  it(`refuses heads and trailers of 10 MB for ${seconds} seconds`, async () => {
    const statuses = new Set<number | undefined>()
    await survive(node, async () => {
      const over = AbortSignal.timeout(seconds * 1000)
      const kinds = largeHeads.flatMap((head) => [head, head, head, head])
      const sendOnAndOn = async (head: () => Iterable<string>): Promise<void> => {
        while (!over.aborted) statuses.add(statusOf(await exchange(node.url, head())))
      }
      await Promise.all(kinds.map(sendOnAndOn))
    })
    // What still arrives when a connection is closed makes the system reset it, and the answer may be lost.
    statuses.delete(undefined)
    expect([...statuses].toSorted()).toEqual([400, 404, 408, 431])
  })

  it(`survives ${idleConnections} connections that say nothing, or half a word`, async () => {
    await survive(node, async () => {
      for (let round = 0; round < idleRounds; round += 1) {
        const opened = await Promise.all(
          Array.from({ length: idleConnections }, () => attack(node.url)),
        )
        const halves = ['', 'GET / HT', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n']
        opened.forEach((socket, index) => socket?.resume().write(halves[index % halves.length]!))
        expect(node.connections()).toBeLessThanOrEqual(connectionsMax)
        await pause(1000)
        for (const socket of opened) socket?.destroy()
      }
    })
  })

  it('keeps nothing of 1 GB that somebody posts in memory', async () => {
    await survive(node, async () => {
      for (const what of postings(node)) {
        for (const isChunked of [false, true]) {
          const status = statusOf(await exchange(what.url, posting(what, isChunked)))
          expect(refusals).toContain(status)
        }
      }
    })
  })

  it(`answers ${urls} mangled addresses without one failure of its own`, async () => {
    const known = await makeFeed(node)
    const failed: string[] = []
    const statuses: Record<string, number> = {}
    await survive(node, async () => {
      for (let made = 0; made < urls; made += batch) {
        const of = (made / batch) % 4 === 3 ? 'sandbox' : 'bridge'
        const seed = inject('propertySeed') + made
        const requests = fc.sample(hostileRequest(of, known), { numRuns: batch, seed })
        await atOnce(requests, async (request) => {
          const answer = await exchange(of === 'bridge' ? node.url : node.sandboxUrl, [
            written(request),
          ])
          const status = statusOf(answer)
          statuses[String(status)] = (statuses[String(status)] ?? 0) + 1
          if (status !== undefined && status >= 500)
            failed.push(`${of}: ${String(written(request))}\n${answer}`.slice(0, 2000))
        })
      }
    })
    console.log('addresses', statuses)
    expect(failed).toEqual([])
  })
})

it('a node that may open 1,024 files serves others while 3,000 connections say nothing', async () => {
  const node = await startExposed({ FEED_POLLS_PER_MINUTE: '100000' }, { openFilesMax: 1024 })
  const idle: (Socket | undefined)[] = []
  const served = await pollDuring(node.calendar, async () => {
    for (let round = 0; round < 10; round += 1) {
      idle.push(...(await Promise.all(Array.from({ length: 300 }, () => attack(node.url)))))
      await pause(500)
    }
  })
  expect(served).toMatchObject({ wrong: [] })
  expect(served.polls).toBeGreaterThan(10)
  for (const socket of idle) socket?.destroy()
  expect(await node.stop()).toMatchObject({ code: 0 })
})

/** Of a process that may raise it as far as it is allowed to, which Node does. */
function openFilesMax(): number {
  if (!existsSync('/proc/self/limits')) return 0
  const [, most] =
    /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return Number(most)
}

interface Dripping {
  readonly url: string
  readonly begin: string
  readonly everyMs: number
  readonly drop: (count: number) => string
}

/** Heads and bodies, to those who read them: the API, forms, the console, accounts and the sandbox. */
function dripping({ url, sandboxUrl, page, calendar }: ExposedProgram): readonly Dripping[] {
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin'
  const json = `Content-Type: application/json\r\nAuthorization: Bearer ${adminToken}`
  const body = (path: string, fields: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\nContent-Length: 2000\r\n\r\n`
  const chunks = (path: string, fields: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const pagePath = new URL(page).pathname
  const [, , token = ''] = new URL(calendar).pathname.split('/')
  // What the account asks is read before its password is looked up.
  const account = (fields: string): string =>
    `REPORT /dav/calendars/a/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${basic('x', token)}\r\n${fields}\r\n\r\n`
  const letter = (): string => 'a'
  const chunk = (): string => '1\r\na\r\n'
  const everyMs = 500
  return [
    { url, everyMs, begin: '', drop: (count) => 'GET /healthz HTTP/1.1\r\nHost: x'[count] ?? 'a' },
    {
      url,
      everyMs,
      begin: 'GET /healthz HTTP/1.1\r\nHost: x\r\n',
      drop: (count) => `A${count}: b\r\n`,
    },
    { url, everyMs, begin: body('/api/feeds', json), drop: letter },
    { url, everyMs, begin: body(pagePath, form), drop: letter },
    { url, everyMs, begin: chunks('/console/sign-in', form), drop: chunk },
    { url, everyMs, begin: account('Content-Length: 2000'), drop: letter },
    { url, everyMs, begin: account('Transfer-Encoding: chunked'), drop: chunk },
    { url: sandboxUrl, everyMs, begin: chunks('/sandbox/companies/main/reset', json), drop: chunk },
  ]
}

/** Each of 10 MB, which is sent as long as anybody reads it. A body is answered before its end is there. */
const largeHeads: readonly (() => Iterable<string>)[] = [
  () => ['GET /', ...many('a'.repeat(65_536)), ' HTTP/1.1\r\nHost: x\r\n\r\n'],
  () => ['GET / HTTP/1.1\r\nHost: x\r\nA: ', ...many('a'.repeat(65_536)), '\r\n\r\n'],
  () => ['GET / HTTP/1.1\r\nHost: x\r\n', ...many('A: b\r\n'.repeat(10_000))],
  () => ['GET / HTTP/1.1\r\nHost: x\r\n', ...many('a'.repeat(65_536))],
  () => many('A'.repeat(65_536)),
  () => many('\r\n'.repeat(32_768)),
  () => [`${chunked}0\r\n`, ...many('A: b\r\n'.repeat(10_000))],
  () => [`${chunked}1;a=`, ...many('a'.repeat(65_536))],
  () => [chunked, ...many('0'.repeat(65_536))],
]

const chunked =
  'POST /lost-link HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'

function many(part: string): readonly string[] {
  return Array.from({ length: Math.ceil(headBytes / part.length) }, () => part)
}

interface Posting {
  readonly url: string
  readonly path: string
  readonly fields: string
}

/** Who reads bodies, for somebody who may send one and somebody who may not. */
function postings({ url, sandboxUrl, page }: ExposedProgram): readonly Posting[] {
  const bearer = `Authorization: Bearer ${adminToken}`
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const ownForm = `${form}\r\nSec-Fetch-Site: same-origin`
  const json = 'Content-Type: application/json'
  return [
    { url, path: '/api/feeds', fields: json },
    { url, path: '/api/feeds', fields: `${json}\r\n${bearer}` },
    { url, path: '/api/feeds', fields: `Content-Type: text/csv\r\n${bearer}` },
    { url, path: '/api/feed-changes', fields: `${json}\r\n${bearer}` },
    { url, path: new URL(page).pathname, fields: ownForm },
    { url, path: new URL(page).pathname, fields: `${ownForm}\r\nContent-Encoding: gzip` },
    { url, path: '/console/sign-in', fields: ownForm },
    { url, path: '/console/hand-out', fields: `${ownForm}\r\n${bearer}` },
    { url, path: '/healthz', fields: form },
    { url: sandboxUrl, path: '/sandbox/companies/main/users/usr_ada', fields: json },
    { url: sandboxUrl, path: '/sandbox/behaviour', fields: json },
    { url: sandboxUrl, path: '/api/public/v1/leaves', fields: json },
  ]
}

const part = Buffer.alloc(262_144, 'a')
const chunk = Buffer.concat([
  Buffer.from(`${part.length.toString(16)}\r\n`),
  part,
  Buffer.from('\r\n'),
])

/** The request with 1 GB in its body, of which one part is ever in memory. */
function* posting({ path, fields }: Posting, isChunked: boolean): Generator<string | Uint8Array> {
  const method = path.startsWith('/sandbox') ? 'PUT' : 'POST'
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bodyBytes}`
  yield `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n${length}\r\n\r\n`
  for (let sent = 0; sent < bodyBytes; sent += part.length) yield isChunked ? chunk : part
  if (isChunked) yield '0\r\n\r\n'
}

/** A feed that the attack may do with as it likes. */
async function makeFeed({ url }: ExposedProgram): Promise<{ token: string; feedId: string }> {
  const feed = await createFeedAt(url, { userIds: ['usr_bob'] })
  return { feedId: feed.id, token: new URL(calendarUrl(feed)).pathname.split('/')[2] ?? '' }
}

function written({ method, target, body, isStaff }: HostileRequest): Buffer {
  const fields = ['Host: 127.0.0.1', 'Connection: close', 'Sec-Fetch-Site: same-origin']
  if (isStaff) fields.push(`Authorization: Bearer ${adminToken}`)
  if (body !== '') {
    const type = /^[[{n]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'
    fields.push(`Content-Type: ${type}`, `Content-Length: ${body.length}`)
  }
  // Bytes as they are: what a client library would encode, or refuse to send, is the point.
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`,
    'latin1',
  )
}

async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  await Promise.all(
    Array.from({ length: urlsAtOnce }, async () => {
      for (const one of rest) await work(one)
    }),
  )
}
