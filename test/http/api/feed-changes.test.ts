/* One change of many feeds, answered line by line: checked first, safe to repeat, and stopped by a lost connection. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { openDatabase } from '../../../src/database/database.ts'
import { commandLine } from '../../../src/domain/access/staff.ts'
import type { Feed } from '../../../src/domain/feed.ts'
import type { Log } from '../../../src/domain/world.ts'
import { type FeedChangeLine, feedChangeSchema } from '../../../src/feeds/bulk/requested-changes.ts'
import { adminToken, readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../../support/bridge/fake-clock.ts'
import { silentLog } from '../../support/bridge/silent-log.ts'
import { type CompanyServer, startCompanyServer } from '../../support/company/company-server.ts'
import { twoPeople } from '../../support/company/people.ts'
import { anyDatabase } from '../../support/database/databases.ts'
import { askedBy } from '../../support/database/statements.ts'
import { jsonOf } from '../../support/web/api-answer.ts'

const address = '/api/feed-changes'
const dayMs = 86_400_000
/** Told by Node once a server has sent a whole response. */
const finished = 'http.server.response.finish'

function linesIn(text: string): readonly FeedChangeLine[] {
  return text.split('\n').flatMap((line) => {
    return line === '' ? [] : [feedChangeSchema.parse(JSON.parse(line))]
  })
}

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  let company: CompanyServer
  let clock: FakeClock
  let bridge: TestBridge
  let databaseUrl: string
  /** What the bridge logged of lost connections. */
  let stops: object[] = []
  let onStop: () => void = () => undefined

  beforeAll(async () => {
    company = await startCompanyServer()
    Object.assign(company.records, twoPeople())
    clock = createFakeClock()
    const log: Log = {
      ...silentLog,
      warn: (data, event) => {
        if (event !== 'feed_changes_stopped') return
        stops.push(data)
        onStop()
      },
    }
    databaseUrl = await createMigrated()
    const environment = { ...readsFrom(company.url), DATABASE_URL: databaseUrl }
    bridge = await startBridge({ clock, environment, log })
  })

  afterAll(async () => {
    await bridge.close()
    await company.close()
  })

  async function post(body: unknown, key?: string): Promise<Response> {
    return fetch(new URL(address, bridge.listensAt), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${adminToken}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body),
    })
  }

  async function change(body: unknown, key?: string): Promise<readonly FeedChangeLine[]> {
    const response = await post(body, key)
    const text = await response.text()
    expect([response.status, text.startsWith('{"type"') ? text : '']).toEqual([200, ''])
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    return linesIn(text)
  }

  /** Hangs up once that many lines have come; resolves once the bridge has noticed or sent all. */
  async function changeUntil(
    count: number,
    body: unknown,
    key = 'none',
  ): Promise<readonly FeedChangeLine[]> {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    onStop = resolve
    const onFinish = (message: unknown): void => {
      if (Object(message).request.url === address) resolve()
    }
    subscribe(finished, onFinish)
    const request = httpRequest(new URL(address, bridge.listensAt), {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: `Bearer ${adminToken}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
    })
    request.end(JSON.stringify(body))
    const [response] = await once(request, 'response')
    let text = ''
    for await (const part of response) {
      text += String(part)
      if (linesIn(text.slice(0, text.lastIndexOf('\n') + 1)).length < count) continue
      request.destroy()
      break
    }
    await ended
    unsubscribe(finished, onFinish)
    return linesIn(text.slice(0, text.lastIndexOf('\n') + 1))
  }

  /** Gives their ids. */
  async function makeFeeds(name: string, count: number): Promise<readonly string[]> {
    const input = { userIds: ['usr_ada', 'usr_bob'], name }
    const inputs = Array.from({ length: count }, () => input)
    const response = await bridge.api('POST', '/api/feeds', inputs)
    return (await jsonOf(response)).data.map(({ id }) => id)
  }

  async function feedOf(id: string): Promise<Feed> {
    const { store } = await bridge.node()
    return (await store.feeds.findFeed(id))!
  }

  async function actionsOf(id: string): Promise<readonly string[]> {
    const { access } = await bridge.node()
    const entries = await access.audit.listEntries({ feedId: id, limit: 100 })
    return entries.map(({ action }) => action).toSorted()
  }

  it('each id has one line, and an unknown one fails alone', async () => {
    const [one, two] = await makeFeeds('Ids', 2)
    const patch = { timezone: 'Europe/Lisbon', options: { leaves: { detail: 'full' } } }
    const asked = { ids: [one, 'feed_unknown', one, two], change: { patch } }
    const lines = [
      { feedId: one, status: 'done' },
      { feedId: 'feed_unknown', status: 'failed', error: 'There is no feed feed_unknown.' },
      { feedId: two, status: 'done' },
    ]
    expect(await change(asked)).toEqual(lines)
    expect(await feedOf(two!)).toMatchObject({
      timezone: 'Europe/Lisbon',
      ownOptions: { leaves: { detail: 'full' } },
    })
    expect(await change(asked)).toEqual(lines)
    expect(await actionsOf(two!)).toEqual(['feed_changed', 'feed_created'])

    const rotate = { rotate: { graceDays: 3 } }
    const [, , rotated] = await change({ ...asked, change: rotate })
    expect(rotated).toMatchObject({ feedId: two, url: expect.stringContaining('/cfb_') })
    expect(rotated!.url).toContain(rotated!.page)
    expect((await fetch(rotated!.url!)).status).toBe(200)
    const revoked = await change({ ...asked, change: { revoke: { purge: true } } })
    expect(revoked).toEqual(lines)
    expect((await fetch(rotated!.url!)).status).toBe(200)
    const [ended] = await change({ ids: [one], change: { patch } })
    expect(ended).toEqual({
      feedId: one,
      status: 'failed',
      error: `The feed ${one} has been revoked.`,
    })
  })

  it('a filter covers all its feeds in order, but none that was made after it began', async () => {
    const made = await makeFeeds('Paged', 105)
    const { requestedChanges } = (await bridge.node()).administrationBy(commandLine)
    const filter = { search: 'Paged', state: 'open', neverPolled: true }
    const patch = { timezone: 'Europe/Rome' }
    const lines = await requestedChanges.begin({ filter, change: { patch } })
    const first = await lines.next()
    const seen = first.done ? [] : [first.value.feedId]
    await clock.advance(1)
    const [later] = await makeFeeds('Paged later', 1)
    for await (const { feedId } of lines) seen.push(feedId)
    expect(seen.toSorted()).toEqual(made.toSorted())
    expect((await feedOf(later!)).timezone).toBe('Europe/Berlin')
    expect((await change({ filter, change: { patch } })).at(-1)?.feedId).toBe(later)
    expect(await change({ filter: { userId: 'usr_zoe' }, change: { patch } })).toEqual([])
    const revoke = { filter: { search: 'Paged later' }, change: { revoke: {} } }
    expect(await change(revoke)).toEqual([{ feedId: later, status: 'done' }])
    const open = { ...revoke, filter: { ...revoke.filter, state: 'open' } }
    expect(await change(open)).toEqual([])
  })

  it('no further feed changes once the client is gone, and its key continues the rotation on another node', async () => {
    await makeFeeds('Lost', 20)
    const body = { filter: { search: 'Lost' }, change: { rotate: { graceDays: 1 } } }
    stops = []
    const first = await changeUntil(2, body, 'lost')
    expect(stops).toEqual([{ feeds: expect.any(Number), actor: 'admin' }])
    const { feeds: changed } = Object(stops[0])
    expect(changed).toBeGreaterThanOrEqual(first.length)
    expect(changed).toBeLessThan(20)
    const node = await bridge.node()
    const rotated = async (): Promise<number> => {
      const feeds = await node.store.feeds.listFeeds({ search: 'Lost', limit: 1000 })
      const links = await node.store.links.listLinks(feeds.map(({ id }) => id))
      return links.length - feeds.length
    }
    expect(await rotated()).toBe(changed)

    await clock.advance(1000)
    await makeFeeds('Lost later', 1)
    const { requestedChanges } = node.administrationBy({ actor: 'admin', companyId: null })
    const rest: FeedChangeLine[] = []
    const again = await requestedChanges.begin(body, 'lost')
    const beside = change(body, 'lost')
    for await (const line of again) rest.push(line)
    const all = [...rest, ...(await beside)]
    expect(all).toHaveLength(40)
    expect(all.filter(({ status }) => status !== 'done')).toEqual([])
    expect(all.filter(({ url }) => url !== undefined)).toHaveLength(20 - changed)
    expect(await rotated()).toBe(20)

    const other = { ...body, change: { rotate: { graceDays: 2 } } }
    expect((await post(other, 'lost')).status).toBe(409)
    await clock.advance(dayMs)
    const next = await change(body, 'lost')
    expect(next.filter(({ url }) => url !== undefined)).toHaveLength(21)
  })

  it('logs that an error ended the changes early, and the client sees the answer break off', async () => {
    const ids = (await makeFeeds('Damaged', 101)).toSorted()
    const database = await openDatabase(databaseUrl)
    const keep = async (text: string): Promise<void> => {
      await sql`update feeds set own_options = ${text} where id = ${ids.at(-1)!}`.execute(
        database.queries,
      )
    }
    await keep('{')
    stops = []
    const body = { filter: { search: 'Damaged' }, change: { patch: { timezone: 'Asia/Tokyo' } } }
    const response = await post(body)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(stops).toEqual([{ feeds: 100, actor: 'admin' }])
    await keep('{}')
    await database.close()
    expect(await change(body)).toHaveLength(101)
  })

  it('a feed costs no more statements than when it is changed alone', async () => {
    const ids = await makeFeeds('Counted', 30)
    const countOf = async (work: () => Promise<unknown>): Promise<number> =>
      (await askedBy(work)).statements.length
    for (const [single, many] of [
      [
        (id: string) => bridge.api('PATCH', `/api/feeds/${id}`, { timezone: 'Europe/Paris' }),
        { patch: { timezone: 'Europe/Paris' } },
      ],
      [(id: string) => bridge.api('POST', `/api/feeds/${id}/rotations`, {}), { rotate: {} }],
      [(id: string) => bridge.api('DELETE', `/api/feeds/${id}`), { revoke: {} }],
    ] as const) {
      const alone = await countOf(() => single(ids[0]!))
      const few = await countOf(() => change({ ids: ids.slice(1, 5), change: many }))
      const more = await countOf(() => change({ ids: ids.slice(5, 25), change: many }))
      expect([many, (more - few) / 16 <= alone]).toEqual([many, true])
    }
  })

  it('any changes, interrupted and repeated, leave each feed as if made once', async () => {
    const count = 4
    const anyChange = fc.oneof(
      fc.record({
        patch: fc.record(
          {
            timezone: fc.constantFrom('Europe/Rome', 'Asia/Tokyo', null),
            locale: fc.constantFrom('en', 'de'),
            name: fc.constantFrom('Interrupted A', 'Interrupted B'),
            options: fc.constantFrom(null, { tasks: { show: false } }, { tasks: null }),
          },
          { requiredKeys: [] },
        ),
      }),
      fc.record({ rotate: fc.record({ graceDays: fc.nat(3) }) }),
      fc.record({ revoke: fc.record({ purge: fc.boolean() }) }),
    )
    const anyRun = fc.record({
      change: anyChange,
      byFilter: fc.boolean(),
      /** After how many lines the client hangs up, each time. */
      ends: fc.array(fc.integer({ min: 1, max: count }), { maxLength: 2 }),
    })
    let round = 0
    const { store } = await bridge.node()
    /** Everything but random values and times. */
    const stateOf = async (id: string): Promise<unknown> => {
      const { revision: _, id: __, ...feed } = (await store.feeds.findFeed(id))!
      const links = await store.links.listLinks([id])
      const kept = links.map(({ label, endsAt, purged }) => ({ label, endsAt, purged }))
      return { feed, links: kept, actions: await actionsOf(id) }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(anyRun, { minLength: 1, maxLength: 2 }), async (runs) => {
        round += 1
        const word = `Interrupted${round}x`
        const [alone, ...together] = await makeFeeds(word, count + 1)
        for (const [index, { change: wanted, byFilter, ends }] of runs.entries()) {
          // Names change, so that only one filter finds all of them.
          const isFound = byFilter && index === 0
          const body = isFound
            ? { filter: { search: word }, change: wanted }
            : { ids: together, change: wanted }
          const key = `${word} ${index}`
          for (const end of ends) await changeUntil(end, body, key)
          const lines = await change(body, key)
          if (isFound) expect(lines.length).toBeLessThanOrEqual(count + 1)
          else expect(lines.map(({ feedId }) => feedId)).toEqual(together)
          // A filter has included it.
          if (!isFound) await change({ ids: [alone], change: wanted })
        }
        const model = await stateOf(alone!)
        for (const id of together) expect(await stateOf(id)).toEqual(model)
      }),
      { numRuns: inject('isThorough') ? 100 : 4 },
    )
  })
})
