/* What is kept, and how long. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Copy } from '../../src/domain/copy.ts'
import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { createSqliteDatabase, databases } from '../support/databases.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { leave, twoPeople } from '../support/people.ts'

const dayMs = 86_400_000
const reason = 'Eye operation'
const full = { leaves: { detail: 'full' } }

describe.each(databases)('on $name', ({ create }) => {
  let company: CompanyServer
  let clock: FakeClock
  let bridge: TestBridge

  beforeEach(async () => {
    clock = createFakeClock()
    company = await startCompanyServer()
    Object.assign(company.records, twoPeople())
    company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', { reason })]
    bridge = await startBridge({
      clock,
      environment: {
        ...readsFrom(company.url),
        DATABASE_URL: await create(),
        WORKFORCE_PROJECTS: 'prj_web',
        FEED_FRESH_SECONDS: '60',
      },
    })
  })

  afterEach(async () => {
    await bridge.close()
    await company.close()
  })

  async function poll(feed: FeedAnswer): Promise<string> {
    await clock.advance(61_000)
    return (await fetch(calendarUrl(feed))).text()
  }

  async function copyOf(key: string): Promise<Copy | undefined> {
    const { store, connections } = await bridge.node()
    return store.copies.findCopy(connections.get('main')!.id, key)
  }

  /** Of Ada's and Bob's leaves, timesheets and names, the project's tasks and the schedules. */
  async function keptCopies(): Promise<readonly boolean[]> {
    const people = ['leaves', 'timesheets', 'user'].flatMap((kind) => [
      `${kind}:usr_ada`,
      `${kind}:usr_bob`,
    ])
    const copies = await Promise.all([...people, 'tasks:prj_web', 'schedules'].map(copyOf))
    return copies.map((copy) => copy !== undefined)
  }

  async function keptReason(): Promise<unknown> {
    const copy = (await copyOf('leaves:usr_ada')) as Copy<'leaves'> | undefined
    return copy?.records[0]?.reason
  }

  async function purge(): Promise<void> {
    await (await bridge.node()).retention.purge()
  }

  test('a reason is not kept while no feed shows it', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    expect(await poll(feed)).not.toContain(reason)
    expect(await keptReason()).toBeUndefined()
  })

  test('it comes with the first feed that shows it, at once, and goes with the last', async () => {
    const plain = await bridge.createFeed({ userIds: ['usr_ada'] })
    const before = await poll(plain)
    const showing = await bridge.createFeed({ userIds: ['usr_ada'], options: full })
    expect(await (await fetch(calendarUrl(showing))).text()).toContain(reason)
    expect(await poll(plain)).toBe(before)
    expect(await keptReason()).toBe(reason)
    await bridge.api('DELETE', `/api/feeds/${showing.id}`)
    expect(await poll(plain)).toBe(before)
    expect(await keptReason()).toBeUndefined()
  })

  test('a feed that is changed to show it shows it at the next poll, fresh copy or not', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await poll(feed)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { options: full })
    expect(await (await fetch(calendarUrl(feed))).text()).toContain(reason)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { options: { leaves: { detail: 'type' } } })
    expect(await (await fetch(calendarUrl(feed))).text()).not.toContain(reason)
    await poll(feed)
    expect(await keptReason()).toBeUndefined()
  })

  test('what the holder of the link lowers counts: nobody is shown a reason then', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: full })
    await poll(feed)
    const { store } = await bridge.node()
    const choices = { hide: [], detail: 'type' as const }
    await store.feeds.changeFeed(feed.id, (kept) => ({ ...kept, choices }))
    await poll(feed)
    expect(await keptReason()).toBeUndefined()
  })

  test('where nobody polls any more it is taken out of the copy that stays', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: full })
    await poll(feed)
    await purge()
    expect(await keptReason()).toBe(reason)
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    await purge()
    expect(await keptReason()).toBeUndefined()
    expect(await copyOf('leaves:usr_ada')).toBeDefined()
  })

  test('copies and the ledger of a feed that ended go after 30 days, and not before', async () => {
    const ended = await bridge.createFeed({ userIds: ['usr_ada'] })
    const open = await bridge.createFeed({ userIds: ['usr_bob'] })
    await poll(ended)
    await poll(open)
    await bridge.api('DELETE', `/api/feeds/${ended.id}`)
    const ledger = async ({ id }: FeedAnswer): Promise<number> =>
      (await (await bridge.node()).store.ledgers.findLedger(id)).version
    const before = [await ledger(ended), await ledger(open)]
    expect(before.every((version) => version > 0)).toBe(true)
    await clock.advance(29 * dayMs)
    await purge()
    expect(await keptCopies()).toEqual([true, true, true, true, true, true, true, true])
    expect([await ledger(ended), await ledger(open)]).toEqual(before)
    await clock.advance(2 * dayMs)
    await purge()
    expect(await keptCopies()).toEqual([false, true, false, true, false, true, true, true])
    expect([await ledger(ended), await ledger(open)]).toEqual([0, before[1]])
    expect((await fetch(calendarUrl(ended))).status).toBe(410)
  })

  test('that somebody left is forgotten with their last feed', async () => {
    const { departures } = (await bridge.node()).store
    company.records.users = [{ id: 'usr_ada' }, { id: 'usr_bob' }]
    await bridge.createFeed({ userIds: ['usr_bob'] })
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    company.records.users = [{ id: 'usr_ada', isActive: false }, { id: 'usr_bob' }]
    await poll(feed)
    await purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toMatchObject({
      because: 'user_inactive',
    })
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    await purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toBeUndefined()
  })

  test('a copy in use stays however long the Read API is silent; of a project it stays by its name in a feed', async () => {
    const projects = { tasks: { projectIds: ['prj_other'] } }
    company.records.tasks['prj_other'] = []
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: projects })
    await poll(feed)
    await clock.advance(400 * dayMs)
    await purge()
    for (const key of ['leaves:usr_ada', 'timesheets:usr_ada', 'tasks:prj_other', 'schedules']) {
      expect([key, await copyOf(key)]).toEqual([key, expect.anything()])
    }
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    await bridge.createFeed({ userIds: ['usr_bob'] })
    await purge()
    expect(await copyOf('tasks:prj_other')).toBeUndefined()
    expect(await copyOf('schedules')).toBeDefined()
  })
})

test('the bridge purges by itself, now and once an hour, until it ends', async () => {
  const clock = createFakeClock()
  const bridge = await startBridge({ clock, environment: { DATABASE_URL: createSqliteDatabase() } })
  const { retention, store } = await bridge.node()
  const endFeed = async (): Promise<string> => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await fetch(calendarUrl(feed))
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    return feed.id
  }
  const isKept = async (id: string): Promise<boolean> =>
    (await store.ledgers.findLedger(id)).version > 0
  const first = await endFeed()
  await clock.advance(31 * dayMs - 3_600_000)
  const second = await endFeed()
  expect(await isKept(first)).toBe(true)
  await clock.advance(3_600_000 - 1)
  retention.start()
  retention.start()
  await clock.sleepers(1)
  expect([await isKept(first), await isKept(second)]).toEqual([false, true])
  await clock.advance(31 * dayMs)
  await clock.sleepers(1)
  expect(await isKept(second)).toBe(false)
  await bridge.close()
})
