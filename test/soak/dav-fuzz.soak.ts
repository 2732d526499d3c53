/*
 * A stranger with an account sends 100,000 mangled requests while others poll: the node lives, serves the others, its memory
 * stays flat, and no request takes long. More with HOSTILE_REQUESTS.
 */
import { setTimeout as pause } from 'node:timers/promises'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { createFeedAt } from '../support/bridge/bridge.ts'
import { databases } from '../support/database/databases.ts'
import {
  accountOf,
  basic,
  type DavAccount,
  propfind,
  query,
  readMultistatus,
  sync,
} from '../support/dav/dav-client.ts'
import { exchange } from '../support/dav/exchange.ts'
import { bombs, type KnownAccount, mangledRequest } from '../support/dav/mangled-requests.ts'
import { attack } from '../support/hostile/attackers.ts'
import { type ExposedProgram, startExposed } from '../support/hostile/exposed-program.ts'
import { survive } from '../support/hostile/survive.ts'

const requests = Number(process.env['HOSTILE_REQUESTS'] ?? 100_000)
const batch = 1000
const atOnce = 32
const bodyBytesMax = 256 * 1024
/** Processor time of all threads. */
const heldMsMax = 500
/** Undefined if the request was incomplete. */
const answers = [undefined, 200, 207, 304, 308, 400, 401, 403, 404, 405, 408, 413, 415, 417, 431]

const unread = 500
/** All answers together would take more. */
const unreadBytesMax = 400 * 1024 * 1024

describe.each(databases)('accounts on $name', (database) => {
  let node: ExposedProgram
  let account: DavAccount
  let known: KnownAccount

  beforeAll(async () => {
    node = await startExposed({
      DATABASE_URL: await database.create(),
      FEED_FRESH_SECONDS: '20',
      FEED_POLLS_PER_MINUTE: '100000',
      UNKNOWN_TOKENS_PER_MINUTE: '1000000',
    })
    account = accountOf(await createFeedAt(node.url, { userIds: ['usr_bob'] }), node.url)
    const [event] = readMultistatus(await report(query(''))).responses
    const { syncToken } = readMultistatus(await report(sync('')))
    known = { ...account, event: event!.href, syncToken: syncToken! }
  })

  afterAll(async () => {
    const { code, events } = await node.stop()
    expect(code).toBe(0)
    expect(events.filter((name) => /failed|crashed/.test(name))).toEqual([])
  })

  const report = (body: string) => account.ask('REPORT', account.calendar, { body })

  it(`answer ${requests} mangled requests without a 5xx`, async () => {
    const failed: string[] = []
    const statuses: Record<string, number> = {}
    await survive(node, async () => {
      for (let made = 0; made < requests; made += batch) {
        const seed = inject('propertySeed') + made
        const all = fc.sample(mangledRequest(known, 20_000), { numRuns: batch, seed }).values()
        const sendAll = async (): Promise<void> => {
          for (const request of all) {
            const socket = await attack(node.url)
            if (!socket) throw new Error('The server takes no connections.')
            const { status, head, body } = await exchange(socket, request)
            statuses[String(status)] = (statuses[String(status)] ?? 0) + 1
            if (!answers.includes(status)) {
              failed.push(
                `${request.bytes.toString('latin1').slice(0, 2000)}\n${head}\n${body.slice(0, 2000)}`,
              )
            }
          }
        }
        await Promise.all(Array.from({ length: atOnce }, sendAll))
      }
    })
    console.log('requests', statuses)
    expect(failed).toEqual([])
    expect(readMultistatus(await report(sync(known.syncToken)))).toEqual({
      responses: [],
      syncToken: known.syncToken,
    })
  })

  it('spend little processor time on any request of 256 KiB', async () => {
    const held: (readonly [body: string, ms: number])[] = []
    for (const body of bombs(bodyBytesMax - 100, known)) {
      for (const method of ['PROPFIND', 'REPORT']) {
        const before = node.processorMs()
        const answer = await account.ask(method, account.calendar, {
          body,
          headers: { Depth: '1' },
        })
        held.push([
          `${method} ${body.slice(0, 60)}…${body.slice(-60)}`,
          node.processorMs() - before,
        ])
        expect(answers).toContain(answer.status)
        if (answer.status === 207) readMultistatus(answer)
      }
    }
    console.log(held.toSorted(([, a], [, b]) => b - a).slice(0, 5))
    expect(held.filter(([, ms]) => ms > heldMsMax)).toEqual([])
    expect(node.isAlive()).toBe(true)
  })
  it(`take little memory for ${unread} clients that ask for everything and read nothing`, async () => {
    const names = Array.from({ length: 300 }, (_, index) => `<a${index}/>`)
    const body = propfind('<C:calendar-data/>', ...names)
    const head = [
      `PROPFIND ${known.calendar} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: ${basic('x', known.secret)}`,
      'Depth: 1',
      `Content-Length: ${body.length}`,
    ]
    const before = node.residentBytes()
    let most = before
    const sockets = await Promise.all(Array.from({ length: unread }, () => attack(node.url)))
    for (const socket of sockets) {
      socket?.pause().write(`${head.join('\r\n')}\r\n\r\n${body}`)
    }
    for (let seconds = 0; seconds < 10; seconds += 1) {
      await pause(1000)
      most = Math.max(most, node.residentBytes())
    }
    for (const socket of sockets) socket?.destroy()
    console.log(`${before >> 20} MB before, at most ${most >> 20} MB`)
    expect(most - before).toBeLessThan(unreadBytesMax)
    expect((await report(sync(''))).status).toBe(207)
  })
})
