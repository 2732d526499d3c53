import { deflateRawSync, zstdCompressSync } from 'node:zlib'

import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { readOptions } from '../../src/domain/feed-options.ts'
import { adasFeed, copyBegunAt, linkTo, removeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What is said of rows that no release has written so: what they are, and nothing of what stands in them. */
export function testUnreadable({ url, store }: Stores): void {
  async function damage(statement: RawBuilder<unknown>): Promise<void> {
    const database = await openDatabase(url)
    await statement.execute(database.queries)
    await database.close()
  }

  it.each([
    ['user_ids', '["usr_secret",7]'],
    ['user_ids', '"usr_secret"'],
    ['own_options', '{"secret'],
  ])('a feed with %s set to %s is unavailable in every query', async (column, value) => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    await damage(sql`update feeds set ${sql.ref(column)} = ${value} where id = ${feed.id}`)
    for (const read of [
      () => store.feeds.findFeed(feed.id),
      () => store.feeds.listFeeds({ companyId: feed.companyId, limit: 1 }),
      () => store.feeds.changeFeed(feed.id, (kept) => kept),
      () => store.links.findByTokenHash(link.tokenHash),
    ]) {
      await expect(read()).rejects.toMatchObject(unreadable(`the feed ${feed.id}`))
    }
    await removeFeed(store, feed)
  })

  it.each([
    '{"hide":["secret"],"detail":null}',
    '{"hide":"tasks"}',
    '{"reminderMinutes":"15"}',
    '{',
  ])(
    'a link with the choices %s is unavailable: it shows no more than was chosen',
    async (choices) => {
      const feed = adasFeed()
      const link = linkTo(feed)
      await store.feeds.createFeed(feed, link)
      await damage(sql`update links set choices = ${choices} where feed_id = ${feed.id}`)
      for (const read of [
        () => store.links.findByTokenHash(link.tokenHash),
        () => store.links.listLinks([feed.id]),
      ]) {
        await expect(read()).rejects.toMatchObject(unreadable(`a link of the feed ${feed.id}`))
      }
      await removeFeed(store, feed)
    },
  )

  it.each([
    ['{"leaves":{"colour":"red"},"moon":{}}', { leaves: {} }],
    [
      '{"leaves":{"detail":"secret","show":"yes"},"reminderMinutes":5}',
      { leaves: {}, reminderMinutes: 5 },
    ],
    [
      '{"leaves":{"statuses":[7]},"shifts":{"scheduleIds":"sch_day","show":false}}',
      { leaves: {}, shifts: { show: false } },
    ],
    ['{"leaves":null,"tasks":[],"selfService":0}', { tasks: {} }],
    ['["secret"]', {}],
    ['null', {}],
  ])('an unknown or invalid option is ignored: %s', async (json, ownOptions) => {
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    await damage(sql`update feeds set own_options = ${json} where id = ${feed.id}`)
    const found = await store.feeds.findFeed(feed.id)
    expect(found).toEqual({ ...feed, ownOptions, options: readOptions(feed.audience, ownOptions) })
    expect(await store.feeds.listFeeds({ companyId: feed.companyId, limit: 1 })).toHaveLength(1)
  })

  it.each([
    ['no compressed bytes', sql`${Buffer.from('secret')}`],
    ['no list', sql`${compressed({ 0: 'secret' })}`],
  ])('a copy with the records %s is unavailable, its head is not', async (_, records) => {
    const [connection, copy] = [uniqueId('connection'), copyBegunAt(1000)]
    await store.copies.keepCopy(connection, copy)
    await damage(
      sql`update copy_records set records = ${records} where connection_id = ${connection}`,
    )
    const reading = store.copies.findCopy(connection, copy.key)
    await expect(reading).rejects.toMatchObject(unreadable(`the copy ${copy.key}`))
    expect(await store.copies.findHeads(connection, [copy.key])).toHaveLength(1)
  })

  it.each([
    ['empty', Buffer.alloc(0)],
    ['cut off', Buffer.from('0000000203', 'hex')],
    [
      'of another count',
      Buffer.concat([Buffer.from('00000000', 'hex'), deflateRawSync('[[1],[2],[3]]')]),
    ],
    [
      'of other values',
      Buffer.concat([Buffer.from('00000000', 'hex'), deflateRawSync('{"secret":1}')]),
    ],
  ])('a ledger with the entries %s is unavailable', async (_, entries) => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    await store.ledgers.saveLedger(link, { version: 0, entries: new Map() })
    await damage(sql`update ledgers set entries = ${entries} where token_hash = ${link.tokenHash}`)
    const reading = store.ledgers.findLedger(link)
    await expect(reading).rejects.toMatchObject(unreadable('the ledger of a link'))
  })

  it('unreadable findings and ids of created feeds are unavailable', async () => {
    const [connection, keyHash] = [uniqueId('connection'), uniqueId('key')]
    const examination = { companyId: 'main', ok: true, findings: [] }
    await store.examinations.keepExamination(connection, { examination, examinedAt: 1 })
    const creation = { keyHash, requestHash: '', feedIds: [], createdAt: 9e14 }
    await store.feeds.createFeeds([], creation)
    await damage(
      sql`update examinations set findings = '[{"secret":1}]' where connection_id = ${connection}`,
    )
    await damage(sql`update creations set feed_ids = '{"secret":1}' where key_hash = ${keyHash}`)
    await expect(store.examinations.findExamination(connection)).rejects.toMatchObject(
      unreadable('the examination of the company main'),
    )
    await expect(store.feeds.findCreation(keyHash)).rejects.toMatchObject(
      unreadable('the feeds that were made under a key'),
    )
  })
}

function unreadable(what: string): object {
  return {
    name: 'AppError',
    code: 'unavailable',
    message: `What the database holds of ${what} cannot be read.`,
  }
}

function compressed(value: unknown): Uint8Array {
  return zstdCompressSync(JSON.stringify(value))
}
