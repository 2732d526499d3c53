/* What is kept, and how long. */
import { describe, expect } from 'vitest'

import type { Copy } from '../../src/domain/copy.ts'
import { calendarUrl, type FeedAnswer } from '../support/bridge.ts'
import { databases } from '../support/databases.ts'
import { it as base, pollNow } from '../support/fixtures.ts'
import { leave } from '../support/people.ts'

const dayMs = 86_400_000
const reason = 'Eye operation'
const full = { leaves: { detail: 'full' } }

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    leaves: { usr_ada: [leave('lv_ada1', '2026-01-12', { reason })] },
  }))
  .extend('adasFeed', ({ bridge }) => (input: object = {}): Promise<FeedAnswer> => {
    return bridge.createFeed({ userIds: ['usr_ada'], ...input })
  })
  .extend('revoke', ({ bridge }) => async ({ id }: FeedAnswer): Promise<void> => {
    await bridge.api('DELETE', `/api/feeds/${id}`)
  })
  .extend('textOf', ({ poll }) => async (feed: FeedAnswer): Promise<string> => {
    return (await poll(calendarUrl(feed))).text
  })
  .extend('copyOf', ({ node }) => (key: string): Promise<Copy | undefined> => {
    return node.store.copies.findCopy(node.connections.get('main')!.id, key)
  })
  .extend('keptReason', ({ copyOf }) => async (): Promise<unknown> => {
    const copy = (await copyOf('leaves:usr_ada')) as Copy<'leaves'> | undefined
    return copy?.records[0]?.reason
  })
  .extend('ledgerOf', ({ node }) => async ({ id }: FeedAnswer): Promise<number> => {
    return (await node.store.ledgers.findLedger(id)).version
  })

describe.each(databases)('on $name', ({ create }) => {
  it.override('databaseUrl', create)

  it('a reason is not kept while no feed shows it', async ({ adasFeed, textOf, keptReason }) => {
    expect(await textOf(await adasFeed())).not.toContain(reason)
    expect(await keptReason()).toBeUndefined()
  })

  it('it comes with the first feed that shows it, at once, and goes with the last', async ({
    adasFeed,
    revoke,
    textOf,
    keptReason,
  }) => {
    const plain = await adasFeed()
    const before = await textOf(plain)
    const showing = await adasFeed({ options: full })
    expect((await pollNow(calendarUrl(showing))).text).toContain(reason)
    expect(await textOf(plain)).toBe(before)
    expect(await keptReason()).toBe(reason)
    await revoke(showing)
    expect(await textOf(plain)).toBe(before)
    expect(await keptReason()).toBeUndefined()
  })

  it('a feed that is changed to show it shows it at the next poll, fresh copy or not', async ({
    bridge,
    adasFeed,
    textOf,
    keptReason,
  }) => {
    const feed = await adasFeed()
    const detail = async (options: object): Promise<string> => {
      await bridge.api('PATCH', `/api/feeds/${feed.id}`, { options })
      return (await pollNow(calendarUrl(feed))).text
    }
    await textOf(feed)
    expect(await detail(full)).toContain(reason)
    expect(await detail({ leaves: { detail: 'type' } })).not.toContain(reason)
    await textOf(feed)
    expect(await keptReason()).toBeUndefined()
  })

  it('what the holder of the link lowers counts: nobody is shown a reason then', async ({
    node,
    adasFeed,
    textOf,
    keptReason,
  }) => {
    const feed = await adasFeed({ options: full })
    await textOf(feed)
    const choices = { hide: [], detail: 'type' as const }
    await node.store.feeds.changeFeed(feed.id, (kept) => ({ ...kept, choices }))
    await textOf(feed)
    expect(await keptReason()).toBeUndefined()
  })

  it('where nobody polls any more it is taken out of the copy that stays', async ({
    node,
    adasFeed,
    revoke,
    textOf,
    copyOf,
    keptReason,
  }) => {
    const feed = await adasFeed({ options: full })
    await textOf(feed)
    await node.retention.purge()
    expect(await keptReason()).toBe(reason)
    await revoke(feed)
    await node.retention.purge()
    expect(await keptReason()).toBeUndefined()
    expect(await copyOf('leaves:usr_ada')).toBeDefined()
  })

  it('copies and the ledger of a feed that ended go after 30 days, and not before', async ({
    clock,
    bridge,
    node,
    adasFeed,
    revoke,
    textOf,
    copyOf,
    ledgerOf,
  }) => {
    const kinds = ['leaves', 'timesheets', 'user']
    const adas = kinds.map((kind) => `${kind}:usr_ada`)
    const others = [...kinds.map((kind) => `${kind}:usr_bob`), 'tasks:prj_web', 'schedules']
    const kept = async (): Promise<readonly string[]> => {
      const keys = [...adas, ...others]
      const copies = await Promise.all(keys.map(copyOf))
      return keys.filter((_, index) => copies[index])
    }
    const ended = await adasFeed()
    const open = await bridge.createFeed({ userIds: ['usr_bob'] })
    await textOf(ended)
    await textOf(open)
    await revoke(ended)
    const before = [await ledgerOf(ended), await ledgerOf(open)]
    expect(before.every((version) => version > 0)).toBe(true)
    await clock.advance(29 * dayMs)
    await node.retention.purge()
    expect(await kept()).toEqual([...adas, ...others])
    expect([await ledgerOf(ended), await ledgerOf(open)]).toEqual(before)
    await clock.advance(2 * dayMs)
    await node.retention.purge()
    expect(await kept()).toEqual(others)
    expect([await ledgerOf(ended), await ledgerOf(open)]).toEqual([0, before[1]])
    expect((await pollNow(calendarUrl(ended))).status).toBe(410)
  })

  it('that somebody left is forgotten with their last feed', async ({
    company,
    bridge,
    node,
    adasFeed,
    revoke,
    textOf,
  }) => {
    const { departures } = node.store
    company.records.users = [{ id: 'usr_ada' }, { id: 'usr_bob' }]
    await bridge.createFeed({ userIds: ['usr_bob'] })
    const feed = await adasFeed()
    company.records.users = [{ id: 'usr_ada', isActive: false }, { id: 'usr_bob' }]
    await textOf(feed)
    await node.retention.purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toMatchObject({
      because: 'user_inactive',
    })
    await revoke(feed)
    await node.retention.purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toBeUndefined()
  })

  it('a copy in use stays however long the Read API is silent; of a project it stays by its name in a feed', async ({
    company,
    clock,
    bridge,
    node,
    adasFeed,
    revoke,
    textOf,
    copyOf,
  }) => {
    company.records.tasks['prj_other'] = []
    const feed = await adasFeed({ options: { tasks: { projectIds: ['prj_other'] } } })
    await textOf(feed)
    await clock.advance(400 * dayMs)
    await node.retention.purge()
    for (const key of ['leaves:usr_ada', 'timesheets:usr_ada', 'tasks:prj_other', 'schedules']) {
      expect([key, await copyOf(key)]).toEqual([key, expect.anything()])
    }
    await revoke(feed)
    await bridge.createFeed({ userIds: ['usr_bob'] })
    await node.retention.purge()
    expect(await copyOf('tasks:prj_other')).toBeUndefined()
    expect(await copyOf('schedules')).toBeDefined()
  })
})

it('the bridge purges by itself, now and once an hour, until it ends', async ({
  clock,
  node: { retention },
  adasFeed,
  revoke,
  textOf,
  ledgerOf,
}) => {
  const endedFeed = async (): Promise<FeedAnswer> => {
    const feed = await adasFeed()
    await textOf(feed)
    await revoke(feed)
    return feed
  }
  const isKept = async (feed: FeedAnswer): Promise<boolean> => (await ledgerOf(feed)) > 0
  const first = await endedFeed()
  await clock.advance(31 * dayMs - 3_600_000)
  const second = await endedFeed()
  expect(await isKept(first)).toBe(true)
  await clock.advance(3_600_000 - 1)
  retention.start()
  retention.start()
  await clock.sleepers(1)
  expect([await isKept(first), await isKept(second)]).toEqual([false, true])
  await clock.advance(31 * dayMs)
  await clock.sleepers(1)
  expect(await isKept(second)).toBe(false)
  const third = await endedFeed()
  await retention.close()
  await clock.advance(32 * dayMs)
  expect(await isKept(third)).toBe(true)
})
