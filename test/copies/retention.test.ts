/* What is kept, and how long. */
import { describe, expect } from 'vitest'

import type { Copy } from '../../src/domain/copy.ts'
import type { CollectionKind } from '../../src/domain/kinds.ts'
import { calendarUrl, type FeedAnswer, linkOf } from '../support/bridge/bridge.ts'
import { enterConsole } from '../support/bridge/console.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'
import { anyDatabase, databases } from '../support/database/databases.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const reason = 'Eye operation'
const full = { leaves: { detail: 'full' } }

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    leaves: { usr_ada: [leave('lv_ada1', '2026-01-12', { reason })] },
  }))
  .extend('feeds', ({ bridge, poll }) => ({
    adas: (input: object = {}): Promise<FeedAnswer> =>
      bridge.createFeed({ userIds: ['usr_ada'], ...input }),
    bobs: (): Promise<FeedAnswer> => bridge.createFeed({ userIds: ['usr_bob'] }),
    /** The text of the calendar once all copies are due. */
    poll: async (feed: FeedAnswer): Promise<string> => (await poll(calendarUrl(feed))).text,
    revoke: async ({ id }: FeedAnswer): Promise<void> => {
      await bridge.api('DELETE', `/api/feeds/${id}`)
    },
  }))
  .extend('kept', ({ node: { store, purge, connections } }) => {
    const { id: connectionId } = connections.get('main')!
    const copy = <K extends CollectionKind>(key: string): Promise<Copy<K> | undefined> =>
      store.copies.findCopy<K>(connectionId, key)
    return {
      copy,
      reason: async (): Promise<unknown> =>
        (await copy<'leaves'>('leaves:usr_ada'))?.records[0]?.reason,
      /** The version of the ledger of the feed's link; 0 where there is none. */
      ledger: async (feed: FeedAnswer): Promise<number> =>
        (await store.ledgers.findLedger(linkOf(feed))).version,
      purge,
    }
  })

describe.each(anyDatabase())('what a poll stores, on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('A reason is not kept while no feed shows it', async ({ feeds, kept }) => {
    expect(await feeds.poll(await feeds.adas())).not.toContain(reason)
    expect(await kept.reason()).toBeUndefined()
  })

  it('A reason is stored with the first feed that shows it, at once, and removed with the last', async ({
    feeds,
    kept,
  }) => {
    const plain = await feeds.adas()
    const before = await feeds.poll(plain)
    const showing = await feeds.adas({ options: full })
    expect((await pollNow(calendarUrl(showing))).text).toContain(reason)
    expect(await feeds.poll(plain)).toBe(before)
    expect(await kept.reason()).toBe(reason)
    await feeds.revoke(showing)
    expect(await feeds.poll(plain)).toBe(before)
    expect(await kept.reason()).toBeUndefined()
  })

  it('A feed changed to show reasons shows them at the next poll, whether or not its copy is fresh', async ({
    bridge,
    feeds,
    kept,
  }) => {
    const feed = await feeds.adas()
    const detail = async (options: object): Promise<string> => {
      await bridge.api('PATCH', `/api/feeds/${feed.id}`, { options })
      return (await pollNow(calendarUrl(feed))).text
    }
    await feeds.poll(feed)
    expect(await detail(full)).toContain(reason)
    expect(await detail({ leaves: { detail: 'type' } })).not.toContain(reason)
    await feeds.poll(feed)
    expect(await kept.reason()).toBeUndefined()
  })

  it('A lower detail chosen by the holder of a link counts, and the reason is not kept', async ({
    node,
    feeds,
    kept,
  }) => {
    const feed = await feeds.adas({ options: full })
    await feeds.poll(feed)
    const { link } = (await node.store.links.findByTokenHash(linkOf(feed).tokenHash))!
    await node.store.links.changeChoices(link, () => ({ detail: 'type' }))
    await feeds.poll(feed)
    expect(await kept.reason()).toBeUndefined()
  })
})

describe.each(databases)('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('The purge removes a reason from the remaining copy when there are no more polls', async ({
    feeds,
    kept,
  }) => {
    const feed = await feeds.adas({ options: full })
    await feeds.poll(feed)
    await kept.purge()
    expect(await kept.reason()).toBe(reason)
    await feeds.revoke(feed)
    await kept.purge()
    expect(await kept.reason()).toBeUndefined()
    expect(await kept.copy('leaves:usr_ada')).toBeDefined()
  })

  it('Audit entries are kept for 400 days, and a sign-in until it ends', async ({
    clock,
    node: { store },
    kept,
  }) => {
    const [start, endsAt] = [clock.now(), clock.now() + 1000]
    const session = { cookieHash: new Uint8Array(32), person: null, staff: null }
    await store.sessions.createSession({ ...session, createdAt: start, endsAt })
    const auditEvent = { at: start, actor: 'admin', action: 'feed_created' } as const
    await store.audit.addEntry(auditEvent, {
      companyId: 'x',
      feedId: null,
      userIds: [],
      label: null,
    })
    const found = async (): Promise<readonly boolean[]> => [
      (await store.audit.listEntries({ companyId: 'x', limit: 1 })).length === 1,
      (await store.sessions.findSession(session.cookieHash)) !== undefined,
    ]
    await kept.purge()
    expect(await found()).toEqual([true, true])
    await clock.advance(1000)
    await kept.purge()
    expect(await found()).toEqual([true, false])
    await clock.advance(400 * dayMs - 1000)
    await kept.purge()
    expect(await found()).toEqual([true, false])
    await clock.advance(1)
    await kept.purge()
    expect(await found()).toEqual([false, false])
  })

  it('Copies and the ledger of an ended feed are deleted after 30 days, and not before', async ({
    clock,
    feeds,
    kept,
  }) => {
    const kinds = ['leaves', 'timesheets', 'user']
    const adas = kinds.map((kind) => `${kind}:usr_ada`)
    const others = [...kinds.map((kind) => `${kind}:usr_bob`), 'tasks:prj_web', 'schedules']
    const found = async (): Promise<readonly string[]> => {
      const keys = [...adas, ...others]
      const copies = await Promise.all(keys.map((key) => kept.copy(key)))
      return keys.filter((_, index) => copies[index])
    }
    const ended = await feeds.adas()
    const open = await feeds.bobs()
    await feeds.poll(ended)
    await feeds.poll(open)
    await feeds.revoke(ended)
    const before = [await kept.ledger(ended), await kept.ledger(open)]
    expect(before.every((version) => version > 0)).toBe(true)
    await clock.advance(29 * dayMs)
    await kept.purge()
    expect(await found()).toEqual([...adas, ...others])
    expect([await kept.ledger(ended), await kept.ledger(open)]).toEqual(before)
    await clock.advance(2 * dayMs)
    await kept.purge()
    expect(await found()).toEqual(others)
    expect([await kept.ledger(ended), await kept.ledger(open)]).toEqual([0, before[1]])
    expect((await pollNow(calendarUrl(ended))).status).toBe(410)
  })

  it('What only a preview has read is deleted within two hours, unless a feed came to need it', async ({
    clock,
    bridge,
    feeds,
    kept,
  }) => {
    const session = await enterConsole(bridge)
    await session.send('/console/hand-out', { act: 'check', people: 'usr_ada' })
    await session.send('/console/hand-out', { act: 'check', people: 'usr_bob' })
    const bobs = await feeds.bobs()
    await clock.advance(hourMs)
    await kept.purge()
    expect(await kept.copy('leaves:usr_ada')).toBeDefined()
    await clock.advance(1)
    await kept.purge()
    const keys = ['leaves:usr_ada', 'timesheets:usr_ada', 'user:usr_ada']
    expect(await Promise.all(keys.map(kept.copy))).toEqual([undefined, undefined, undefined])
    expect(await kept.copy('leaves:usr_bob')).toBeDefined()
    await feeds.revoke(bobs)
    await clock.advance(2 * hourMs)
    await kept.purge()
    expect(await kept.copy('leaves:usr_bob')).toBeDefined()
  })

  it('A preview shortens nothing that is kept of a feed before', async ({
    clock,
    bridge,
    feeds,
    kept,
  }) => {
    const feed = await feeds.adas()
    await feeds.poll(feed)
    await feeds.revoke(feed)
    const session = await enterConsole(bridge)
    await session.send('/console/hand-out', { act: 'check', people: 'usr_ada' })
    await clock.advance(2 * hourMs)
    await kept.purge()
    expect(await kept.copy('leaves:usr_ada')).toBeDefined()
  })

  it('A departure is forgotten once the person is in no feed and not in the directory', async ({
    company,
    clock,
    node,
    feeds,
    kept,
  }) => {
    const { departures, people } = node.store
    company.records.users = [{ id: 'usr_ada' }, { id: 'usr_bob' }]
    await feeds.bobs()
    const feed = await feeds.adas()
    company.records.users = [{ id: 'usr_ada', isActive: false }, { id: 'usr_bob' }]
    await clock.advance(dayMs)
    await feeds.poll(feed)
    await kept.purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toMatchObject({
      because: 'user_inactive',
    })
    await feeds.revoke(feed)
    await kept.purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toBeDefined()
    await people.dropUnseen('main', Number.MAX_SAFE_INTEGER)
    await kept.purge()
    expect(await departures.findDeparture('main', 'usr_ada')).toBeUndefined()
  })

  it('A copy in use stays while the Read API is silent; a project copy stays while a feed names it', async ({
    company,
    clock,
    feeds,
    kept,
  }) => {
    company.records.tasks['prj_other'] = []
    const feed = await feeds.adas({ options: { tasks: { projectIds: ['prj_other'] } } })
    await feeds.poll(feed)
    await clock.advance(400 * dayMs)
    await kept.purge()
    for (const key of ['leaves:usr_ada', 'timesheets:usr_ada', 'tasks:prj_other', 'schedules']) {
      expect([key, await kept.copy(key)]).toEqual([key, expect.anything()])
    }
    await feeds.revoke(feed)
    await feeds.bobs()
    await kept.purge()
    expect(await kept.copy('tasks:prj_other')).toBeUndefined()
    expect(await kept.copy('schedules')).toBeDefined()
  })
})

it('The bridge purges on its own, at once and every hour, until it ends', async ({
  clock,
  node: { purging },
  feeds,
  kept,
}) => {
  const endedFeed = async (): Promise<FeedAnswer> => {
    const feed = await feeds.adas()
    await feeds.poll(feed)
    await feeds.revoke(feed)
    return feed
  }
  const isKept = async (feed: FeedAnswer): Promise<boolean> => (await kept.ledger(feed)) > 0
  const first = await endedFeed()
  await clock.advance(31 * dayMs - 3_600_000)
  const second = await endedFeed()
  expect(await isKept(first)).toBe(true)
  await clock.advance(3_600_000 - 1)
  purging.start()
  purging.start()
  await clock.sleepers(1)
  expect([await isKept(first), await isKept(second)]).toEqual([false, true])
  await clock.advance(31 * dayMs)
  // Of those that sleep it may be another.
  while (await isKept(second)) await clock.advance(3_600_000)
  const third = await endedFeed()
  await purging.close()
  await clock.advance(32 * dayMs)
  expect(await isKept(third)).toBe(true)
})
