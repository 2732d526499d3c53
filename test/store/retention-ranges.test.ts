/* What retention goes through range by range is the same as all at once, however long the ranges are. */
import { describe, expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { openStore } from '../../src/store/open-store.ts'
import { retentionStore } from '../../src/store/retention.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { databases } from '../support/database/databases.ts'
import { adasFeed, copyBegunAt, linkTo } from './fixtures.ts'

const rangeLengths = [1, 2, 3, 100]

describe.each(databases)('retention ranges on $name', ({ createMigrated }) => {
  it.each(rangeLengths)(
    'old copies are listed the same with %d rows at once',
    async (rowsAtOnce) => {
      const { store, retention } = await open(rowsAtOnce)
      const names = ['a', 'b', 'c'].flatMap((connectionId) =>
        ['leaves:usr_1', 'leaves:usr_2', 'schedules'].map((key) => ({ connectionId, key })),
      )
      for (const [index, { connectionId, key }] of names.entries()) {
        await store.copies.keepCopy(
          connectionId,
          copyBegunAt(index % 2 === 0 ? 1000 : 2000, { key }),
        )
      }
      const old = names.filter((_, index) => index % 2 === 0)
      const listed = await retention.listCopiesBefore(2000)
      expect(listed).toHaveLength(old.length)
      expect(listed).toEqual(expect.arrayContaining(old))
    },
  )

  it.each(rangeLengths)(
    'ledgers of ended feeds are purged the same with %d rows at once',
    async (rowsAtOnce) => {
      const { store, retention } = await open(rowsAtOnce)
      const feeds = [null, 9, null, 9, 10, null, 9].map((revokedAt) => adasFeed({ revokedAt }))
      const links = feeds.map((feed) => linkTo(feed))
      for (const [index, link] of links.entries()) {
        await store.feeds.createFeed(feeds[index]!, link)
        await store.ledgers.saveLedger(link, { version: 0, entries: new Map() })
      }
      const ended = { revokedBefore: 10, closedBefore: 10 }
      expect(await retention.purgeLedgers(ended)).toBe(3)
      const versions = links.map(async (link) => (await store.ledgers.findLedger(link)).version)
      expect(await Promise.all(versions)).toEqual([1, 0, 1, 0, 1, 1, 0])
      expect(await retention.purgeLedgers(ended)).toBe(0)
    },
  )

  async function open(rowsAtOnce: number) {
    const url = await createMigrated()
    const store = await openStore(url)
    const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
    onTestFinished(async () => {
      await database.close()
      await store.close()
    })
    return { store, retention: retentionStore(database, rowsAtOnce) }
  }
})
