import { deflateRawSync, inflateRawSync } from 'node:zlib'

import type { Kysely } from 'kysely'
import { z } from 'zod'

import type { Database } from '../database/database.ts'
import { asAppError } from '../domain/errors.ts'
import type { Ledger, LedgerEntry, LedgerStore } from '../domain/ledger.ts'
import { changeRow, readRow } from './rows.ts'
import type { LedgerRow, StoreTables } from './tables.ts'

const hashBytes = 7
const pairBytes = 2 * hashBytes
const countBytes = 4

/** Of all entries the sequences, the instants of their last change and those at which they went, in whole seconds. */
const revisionColumns = z.tuple([
  z.array(z.number()),
  z.array(z.number()),
  z.array(z.number().nullable()),
])

/** Ledgers by compare-and-set on their version. */
export class SqlLedgerStore implements LedgerStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findLedger(feedId: string): Promise<Ledger> {
    const row = await this.#queries
      .selectFrom('ledgers')
      .select(['version', 'entries'])
      .where('feed_id', '=', feedId)
      .executeTakeFirst()
    if (!row) return { version: 0, entries: new Map() }
    const entries = readRow(`the ledger of the feed ${feedId}`, () => decodeEntries(row.entries))
    return { version: row.version, entries }
  }

  async saveLedger(feedId: string, { version, entries }: Ledger): Promise<boolean> {
    const next = { version: version + 1, entries: encodeEntries(entries) }
    if (version === 0) return this.#insert(feedId, next)
    const kept = this.#queries.updateTable('ledgers').where('feed_id', '=', feedId)
    return changeRow(kept.set(next).where('version', '=', version))
  }

  async #insert(feedId: string, first: Omit<LedgerRow, 'feed_id'>): Promise<boolean> {
    try {
      const { numInsertedOrUpdatedRows = 0n } = await this.#queries
        .insertInto('ledgers')
        .values({ feed_id: feedId, ...first })
        .onConflict((conflict) => conflict.column('feed_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    } catch (error) {
      if (asAppError(error)?.code === 'conflict') return false
      throw error
    }
  }
}

/**
 * The ledger's entries in about 14 bytes each: the number of them, then their pairs of hashes, which no compression makes
 * smaller, then sequences and instants, which repeat, as compressed JSON of whole seconds.
 */
export function encodeEntries(entries: Ledger['entries']): Uint8Array {
  const all = [...entries]
  const count = Buffer.alloc(countBytes)
  count.writeUInt32BE(all.length)
  const hashes = all.flatMap(([key, { contentHash }]) => [hashOf(key), hashOf(contentHash)])
  return Buffer.concat([count, ...hashes, encodeRevisions(all.map(([, entry]) => entry))])
}

/** What `encodeEntries` was given, in the same order. */
export function decodeEntries(bytes: Uint8Array): Ledger['entries'] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = buffer.readUInt32BE()
  const hashes = buffer.subarray(countBytes, countBytes + count * pairBytes)
  const revisions = decodeRevisions(buffer.subarray(countBytes + count * pairBytes), count)
  return new Map(
    revisions.map((revision, index) => [
      hashAt(hashes, 2 * index),
      { contentHash: hashAt(hashes, 2 * index + 1), ...revision },
    ]),
  )
}

function hashOf(text: string): Uint8Array {
  const hash = Buffer.from(text, 'base64url')
  if (hash.length !== hashBytes) throw new Error('A hash in a ledger is seven bytes as base64url.')
  return hash
}

function hashAt(hashes: Buffer, index: number): string {
  return hashes.toString('base64url', index * hashBytes, (index + 1) * hashBytes)
}

type Revision = Omit<LedgerEntry, 'contentHash'>

/** Column by column, since each repeats itself. */
function encodeRevisions(entries: readonly Revision[]): Uint8Array {
  const columns: z.input<typeof revisionColumns> = [
    entries.map(({ sequence }) => sequence),
    entries.map(({ changedAt }) => changedAt / 1000),
    entries.map(({ goneAt }) => (goneAt === null ? null : goneAt / 1000)),
  ]
  return deflateRawSync(JSON.stringify(columns))
}

function decodeRevisions(bytes: Uint8Array, count: number): Revision[] {
  const columns = revisionColumns.parse(JSON.parse(inflateRawSync(bytes).toString()))
  if (columns.some(({ length }) => length !== count)) throw new Error('A column is cut off.')
  const [sequences, changes, ends] = columns
  return sequences.map((sequence, index) => {
    const [change = 0, end = null] = [changes[index], ends[index]]
    return { sequence, changedAt: change * 1000, goneAt: end === null ? null : end * 1000 }
  })
}
