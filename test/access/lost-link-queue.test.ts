/* Strangers who ask for lost links by the thousand, on a clock that stands still, and one person who has lost theirs. */
import { describe, expect, inject, it as base } from 'vitest'

import { readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { ada } from '../support/company/people.ts'
import { startMailServer } from '../support/web/mail-server.ts'

const address = 'ada@lost.example'
const user = { ...ada, email: address }
/** The longest before a request is looked at. */
const pauseMs = 4000
/** More than can wait. */
const flood = 1100
/** So many of them come at once. */
const abreast = 20

const it = base
  .extend('clock', () => createFakeClock())
  .extend('logged', (): LogLine[] => [])
  .extend('server', () => startMailServer())
  .extend('bridge', async ({ clock, logged, server }, { onCleanup }) => {
    const company = await startCompanyServer()
    company.records.users.push(user)
    const environment = { ...readsFrom(company.url), ...server.environment, TRUST_PROXY: '1' }
    const bridge = await startBridge({ environment, clock, log: recordedLog(logged) })
    onCleanup(async () => {
      await bridge.close()
      await company.close()
      await server.close()
    })
    await bridge.createFeed({ userIds: [user.id] })
    const reading = { userId: user.id, state: 'active', user, readAt: clock.now() } as const
    await (await bridge.node()).store.people.keepReading('main', reading, 9e15)
    return bridge
  })
  /** All of the answer but the time of day. */
  .extend('ask', ({ bridge }) => async (email: string, from: string): Promise<string> => {
    const answer = await fetch(new URL('/lost-link', bridge.listensAt), {
      method: 'POST',
      headers: { Origin: bridge.url, 'X-Forwarded-For': from },
      body: new URLSearchParams({ email }),
    })
    const fields = [...answer.headers].filter(([name]) => name !== 'date')
    return JSON.stringify([answer.status, fields, await answer.text()])
  })
  /** What all of a flood are answered. */
  .extend('askFor', ({ ask }) => {
    return async (email: (at: number) => string, from: (at: number) => string, count = flood) => {
      const answers = new Set<string>()
      for (let first = 0; first < count; first += abreast) {
        const length = Math.min(abreast, count - first)
        const some = Array.from({ length }, (_, index) => first + index)
        const asked = await Promise.all(some.map((at) => ask(email(at), from(at))))
        for (const answer of asked) answers.add(answer)
      }
      return answers
    }
  })
  /** So many come and go, with some time of the machine's own after each. */
  .extend('pauses', ({ bridge, clock }) => async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      await clock.advance(pauseMs)
      await fetch(new URL('/healthz', bridge.listensAt))
    }
  })

/** How many requests each line of the log says were dropped. */
function dropped(logged: readonly LogLine[]): readonly number[] {
  const lines = logged.filter(({ event }) => event === 'lost_link_dropped')
  return lines.map(({ data }) => ('count' in data ? Number(data.count) : 0))
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const ofNetwork = (at: number): string => `2001:db8:7:${(at * 59).toString(16)}::${at.toString(16)}`
const ofInternet = (at: number): string => `198.18.${at >> 8}.${at & 255}`

describe('the queue of lost-link requests', () => {
  it('A person gets their link mail despite a flood from one /48; drops are logged once a minute', async ({
    clock,
    server,
    ask,
    askFor,
    pauses,
    logged,
  }) => {
    const answers = await askFor((at) => `nobody${at}@flood.example`, ofNetwork)
    answers.add(await ask(address, '203.0.113.9'))
    expect(answers.size).toBe(1)
    expect(dropped(logged)).toEqual([1])
    await pauses(60)
    await server.receivedFor(address)
    // Fifty of them were let in.
    expect(dropped(logged)).toEqual([1, flood - 50 - 1])
    await ask(address, ofNetwork(5))
    expect(sum(dropped(logged))).toBe(flood - 50 + 1)
    await clock.advance(3_600_000)
    await ask('nobody@flood.example', ofNetwork(5))
    expect(sum(dropped(logged))).toBe(flood - 50 + 1)
  })

  it('An invalid address takes no place in the queue, costs no time and gets the same answer', async ({
    clock,
    server,
    ask,
    askFor,
    logged,
  }) => {
    const impossible = [
      '',
      'ada',
      '@lost.example',
      'ada@',
      'a@b, ada@lost.example',
      'x'.repeat(3000),
    ]
    // One that took a place would have the person wait for another pause.
    const count = inject('isThorough') ? flood : impossible.length
    const answers = await askFor((at) => impossible[at % impossible.length]!, ofInternet, count)
    answers.add(await ask(address, ofInternet(flood)))
    expect(answers.size).toBe(1)
    await clock.advance(pauseMs)
    await server.receivedFor(address)
    expect(dropped(logged)).toEqual([])
  })

  it('A waiting address takes one place in the queue, however it is written', async ({
    server,
    ask,
    pauses,
  }) => {
    const written = [address, 'ADA@lost.example', ' Ada@Lost.Example ', 'aDa@lost.EXAMPLE']
    for (let at = 0; at < 20; at += 1) await ask(written[at % written.length]!, ofInternet(at))
    await pauses(1)
    await server.receivedFor(address)
    await pauses(100)
    expect(server.mails.map(({ to }) => to)).toEqual([[address]])
  })
})
