/*
 * The largest bodies that the API takes, and the worst that it refuses: how long each holds up everything else, and how large
 * the process becomes with a heap of 512 MB, alone and four at once.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Held } from '../support/bench/loop-process.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { adminToken } from '../support/bridge/bridge.ts'
import { type Production, startProduction } from '../support/bridge/production.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { ask } from '../support/web/ask.ts'

const heldSecondsMax = 0.5
const heapMegabytes = 512
const rows = 10_000
const tableBytes = 4 * 1024 * 1024
const megabyte = 1024 * 1024

interface Sent {
  readonly type: string
  readonly text: string | Buffer<ArrayBuffer>
}

const json = (text: string): Sent => ({ type: 'application/json', text })
const csv = (text: Sent['text']): Sent => ({ type: 'text/csv', text })
const many = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index))
/** As much as fits into the bytes, between these. */
const filled = (bytes: number, begin: string, part: (index: number) => string, end: string) => {
  const parts: string[] = []
  let length = begin.length + end.length
  for (let index = 0; length < bytes - 64; index += 1) {
    const next = part(index)
    parts.push(next)
    length += next.length + 1
  }
  return begin + parts.join(',') + end
}

/** By the round, so that what is good makes feeds each time. */
const bodies: Readonly<Record<string, (round: number) => Sent>> = {
  'a good table of 10,000 rows': (round) =>
    csv(`userId,name\n${many(rows, (index) => `usr_${index},Table ${round}`).join('\n')}\n`),
  'a good list of 10,000 feeds': (round) =>
    json(
      `[${many(rows, (index) => `{"userIds":["usr_${index}"],"name":"List ${round}"}`).join(',')}]`,
    ),
  'a table of 10,000 rows with a fault each': () =>
    csv(
      `userId,timezone,options\n${many(rows, (index) => `usr_${index},Mars,"{""leavs"": {""show${index}"": 1}}"`).join('\n')}\n`,
    ),
  'a list of 10,000 feeds with ten faults each': () =>
    json(
      `[${many(rows, (index) => `{${many(10, (key) => `"member${index}_${key}":1`).join(',')},"userIds":["none"]}`).join(',')}]`,
    ),
  'a list of 10,000 people whom nobody knows': () =>
    json(`[${many(rows, (index) => `{"userIds":["none${index}"]}`).join(',')}]`),
  'a table of 2 million rows': () => csv(`userId\n${'a\n'.repeat(tableBytes / 2 - 8)}`),
  'a table of one cell of 4 million signs, each three bytes in UTF-8': () =>
    csv(Buffer.alloc(tableBytes, 0x80)),
  'a feed of unknown members': () =>
    json(filled(256 * 1024, '{"userIds":["usr_1"],', (index) => `"k${index}":1`, '}')),
  '4 MB of unknown members': () =>
    json(filled(tableBytes, '{"userIds":["usr_1"],', (index) => `"k${index}":1`, '}')),
  'a list of feeds of unknown words': () =>
    json(
      `[${many(15, () => filled(256 * 1024, '{"userIds":["usr_1"],"options":{"timesheets":{"statuses":[', (index) => `"w${index}"`, ']}}}')).join(',')}]`,
    ),
  'a list of feeds of unknown schedules': () =>
    json(
      `[${many(15, (at) => filled(256 * 1024, `{"userIds":["usr_${at}"],"options":{"shifts":{"rotation":{"from":"2026-01-05","weeks":[`, (index) => `["s${index}","t","u","v","w","x"]`, ']}}}}')).join(',')}]`,
    ),
  '1.4 million empty feeds': () => json(`[${'{},'.repeat(tableBytes / 3 - 8)}{}]`),
}

let bridge: Production
let url: string
let closeCompany: () => void
let round = 0

beforeAll(async () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x')
    const id = pathname.split('/').at(-1)
    const isUser = pathname.includes('/users/') && !id?.startsWith('none')
    const user = `{"data":{"id":"${id}","firstName":"Ada","lastName":"Lovelace","email":"a@example.com"}}`
    response.writeHead(pathname.includes('/users/') && !isUser ? 404 : 200)
    response.end(isUser ? user : '{"data":[]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closeCompany = () => {
    server.closeAllConnections()
    server.close()
  }
  bridge = await startProduction({
    company: { url },
    databaseUrl: createSqliteDatabase(),
    flags: [`--max-old-space-size=${heapMegabytes}`],
    preload: path.resolve(import.meta.dirname, '../support/bench/loop-process.ts'),
  })
})

afterAll(async () => {
  await bridge.close()
  closeCompany()
})

let longest = 0

it.each(Object.entries(bodies))('%s', { timeout: 900_000 }, async (name, body) => {
  for (const count of [1, 4]) {
    await pause(200)
    await ask<Held>(bridge.child, 'how long')
    const begun = performance.now()
    const sent = Array.from({ length: count }, () => body((round += 1)))
    const answers = await Promise.all(sent.map(send))
    const ms = performance.now() - begun
    // What is held last is counted when the loop comes round.
    await pause(20)
    const held = await ask<Held>(bridge.child, 'how long')
    longest = Math.max(longest, held.byProcessor)
    console.log(
      `${name}, ${count} at once: answered ${answers.join(', ')} after ${ms.toFixed(0)} ms; held for ${held.byProcessor.toFixed(0)} ms (${held.byClock.toFixed(0)} by the clock), ${(held.peakBytes / megabyte).toFixed(0)} MB`,
    )
    expect(bridge.child.exitCode).toBe(null)
  }
})

async function send({ type, text }: Sent): Promise<string> {
  const response = await fetch(new URL('/api/feeds', bridge.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': type },
    body: text,
  })
  await response.body?.pipeTo(new WritableStream())
  return String(response.status)
}

it('Measures each row of the table', async () => {
  const { peakBytes } = await ask<Held>(bridge.child, 'how long')
  const measure = 'largest and worst bodies of the API, one and four at once'
  noteRatio({
    measure: `${measure}: longest hold of the event loop, processor time`,
    against: 'a second',
    bound: { most: heldSecondsMax },
    measured: longest / 1000,
    bench: 'bodies',
  })
  noteRatio({
    measure: `${measure}: resident memory at most`,
    against: `${heapMegabytes} MB, the heap that there is`,
    bound: { most: 1.5 },
    measured: peakBytes / megabyte / heapMegabytes,
    bench: 'bodies',
  })
})
