import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'

import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { LedgerEntry } from '../../src/domain/ledger.ts'
import { openStore } from '../../src/store/open-store.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { adasFeed, linkTo } from './fixtures.ts'

const feeds = 200
const events = 350
const bytesMax = 8192

it('a feed with 350 events, some of them changed, takes at most 8 KB of the file', async () => {
  const url = createSqliteDatabase()
  const store = await openStore(url)
  const before = await fileBytes(url)
  for (let index = 0; index < feeds; index += 1) {
    const feed = adasFeed({ companyId: 'main' })
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    await store.links.savePublication(link, null, {
      fingerprint: shortHash() + shortHash() + shortHash() + shortHash(),
      etag: `W/"${shortHash()}${shortHash()}"`,
      lastModified: feed.createdAt,
    })
    await store.ledgers.saveLedger(link, { version: 0, entries: someLedger(feed.createdAt) })
  }
  await store.close()
  expect(((await fileBytes(url)) - before) / feeds).toBeLessThan(bytesMax)
})

function someLedger(now: number): ReadonlyMap<string, LedgerEntry> {
  return new Map(
    Array.from({ length: events }, (_, index) => {
      const changes = index % 10 === 0 ? 1 + (index % 3) : 0
      const entry = { sequence: changes, changedAt: now + changes * index * 61_000, goneAt: null }
      return [shortHash(), { contentHash: shortHash(), ...entry }]
    }),
  )
}

function shortHash(): string {
  return randomBytes(7).toString('base64url')
}

/** With all that still stands in the log. */
async function fileBytes(url: string): Promise<number> {
  const database = await openDatabase(url)
  await sql`pragma wal_checkpoint(truncate)`.execute(database.queries)
  await database.close()
  return statSync(url.slice('file:'.length)).size
}
