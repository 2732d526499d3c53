import { describe, expect, inject, it } from 'vitest'

import type { LedgerEntry } from '../../src/domain/ledger.ts'
import { openStore } from '../../src/store/open-store.ts'
import { databases } from '../support/database/databases.ts'
import { openStoreNode } from '../support/database/store-node.ts'
import { adasFeed, copyBegunAt, erasedPerson, linkTo, uniqueId } from './fixtures.ts'

const kills = inject('isThorough') ? 20 : 1
const writesBeforeKill = 20

describe.each(databases)('killed process on $name', ({ create }) => {
  it('everything a killed process confirmed is stored, and nothing is half written', async () => {
    const url = await create()
    const store = await openStore(url)
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    const connection = uniqueId('connection')
    let version = 0
    for (let round = 0; round < kills; round += 1) {
      const node = await openStoreNode(url)
      const write = async (): Promise<void> => {
        const ledger = { version, entries: shownAt(version) }
        expect(await node.call('ledgers', 'saveLedger', link, ledger)).toBe(true)
        const copy = copyBegunAt(version)
        expect(await node.call('copies', 'keepCopy', connection, copy)).toBe(true)
        version += 1
      }
      for (let writes = 0; writes < writesBeforeKill; writes += 1) await write()
      // It dies with this one under way, of which nothing will be heard.
      void write()
      await node.kill()

      const ledger = await store.ledgers.findLedger(link)
      expect(ledger.version).toBeGreaterThanOrEqual(version)
      expect(ledger.entries).toEqual(shownAt(ledger.version - 1))
      const copy = await store.copies.findCopy(connection, 'leaves:usr_ada')
      expect(copy?.begunAt).toBeGreaterThanOrEqual(version - 1)
      expect(copy).toEqual(copyBegunAt(copy?.begunAt ?? 0))
      version = ledger.version
    }
    await store.close()
  })
})

describe.each(databases)('audit events on $name', ({ createMigrated }) => {
  it('after a kill every change has its audit entry, and every entry its change', async () => {
    const url = await createMigrated()
    const store = await openStore(url)
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    let sent = 0
    for (let round = 0; round < kills; round += 1) {
      const node = await openStoreNode(url)
      const auditEvent = { at: round, actor: 'admin', action: 'link_created' }
      const create = (): Promise<unknown> => {
        const link = linkTo(feed, { label: `link ${(sent += 1)}` })
        return node.call('links', 'createLink', link, auditEvent)
      }
      await create()
      // These are under way when it dies.
      for (let more = 0; more < 10; more += 1) void create()
      await create()
      void create()
      await node.kill()
      const made = (await store.links.listLinks([feed.id])).map(({ label }) => label).slice(1)
      const entries = await store.audit.listEntries({ feedId: feed.id, limit: 999 })
      expect(made.length).toBeGreaterThan(round)
      expect(entries.map(({ label }) => label).toSorted()).toEqual(made.toSorted())
    }
    await store.close()
  })
})

describe.each(databases)('an erasure on $name', ({ createMigrated }) => {
  it('after a kill at any time, a person is there whole or gone with its entry', async () => {
    const url = await createMigrated()
    const store = await openStore(url)
    let erased = 0
    let left = 0
    // Both before and after anything is heard.
    const rounds = Math.max(2, kills)
    for (let round = 0; round < rounds; round += 1) {
      const people = Array.from({ length: 12 }, () => erasedPerson())
      for (const { companyId, userId } of people) {
        const own = adasFeed({ companyId, userIds: [userId] })
        const team = adasFeed({ companyId, userIds: ['usr_bob', userId] })
        for (const feed of [own, team]) await store.feeds.createFeed(feed, linkTo(feed))
        await store.people.seePeople(companyId, [{ id: userId }], 1)
      }
      const node = await openStoreNode(url)
      const auditEvent = { at: round, actor: 'admin', action: 'person_erased' }
      const all = people.map((person) => node.call('erasure', 'deletePerson', person, auditEvent))
      // Every other time it dies before anything is heard of any.
      if (round % 2 === 0) await all[0]
      await node.kill()
      for (const person of people) {
        const feeds = await store.erasure.listFeedsOf(person)
        const found = await store.people.findPerson(person.companyId, person.userId)
        const entries = await store.audit.listEntries({ companyId: person.companyId, limit: 9 })
        const isErased = entries.length === 1
        expect([feeds.length, found?.userId]).toEqual(
          isErased ? [0, undefined] : [2, person.userId],
        )
        if (isErased) erased += 1
        else left += 1
      }
    }
    expect(erased).toBeGreaterThanOrEqual(rounds / 2)
    expect(left).toBeGreaterThan(0)
    await store.close()
  })
})

function shownAt(version: number): ReadonlyMap<string, LedgerEntry> {
  const entry = { contentHash: 'AAAAAAAAAQ', sequence: version, changedAt: 0, goneAt: null }
  return new Map([['AAAAAAAAAA', entry]])
}
