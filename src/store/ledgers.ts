import { promisify } from 'node:util'
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'

import type { Kysely } from 'kysely'
import { z } from 'zod'

import type { Database } from '../database/database.ts'
import { given, type PreparedRead } from '../database/prepared-read.ts'
import { asAppError } from '../domain/errors.ts'
import type { Ledger, LedgerEntry, LedgerStore, NamedEntry, NextLedger } from '../domain/ledger.ts'
import type { FeedLink } from '../domain/link.ts'
import { readLongRow, changeRow } from './rows.ts'
import type { LedgerRow, StoreTables } from './tables.ts'

const hashBytes = 7
const pairBytes = 2 * hashBytes
const countBytes = 4
/** So few compressed bytes are unpacked at once, and to so many at most. */
const smallBytes = 4096
const unpackedMax = 64 * smallBytes

type LinkHash = Pick<FeedLink, 'tokenHash'>

/** Of all entries the sequences, the instants of their last change and those at which they went, in whole seconds. */
type RevisionColumns = readonly [readonly number[], readonly number[], readonly (number | null)[]]

/** Of very many entries a schema of each number would take long. */
const revisionColumns = z.custom<RevisionColumns>(
  (columns) => Array.isArray(columns) && columns.length === 3 && columns.every(isColumn),
)

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Ledgers by compare-and-set on their version. */
export class SqlLedgerStore implements LedgerStore {
  readonly #queries: Kysely<StoreTables>
  readonly #read: PreparedRead<LinkHash, Pick<LedgerRow, 'version' | 'entries'>>

  constructor(database: Database<StoreTables>) {
    const { queries } = database
    this.#queries = queries
    this.#read = database.prepareRead(
      queries
        .selectFrom('ledgers')
        .select(['version', 'entries'])
        .where('token_hash', '=', given<Uint8Array>('tokenHash')),
    )
  }

  async findLedger({ tokenHash }: LinkHash): Promise<Ledger> {
    const [row] = await this.#read({ tokenHash })
    if (!row) return { version: 0, entries: new Map() }
    const entries = await readLongRow('the ledger of a link', () => decodeEntries(row.entries))
    return { version: row.version, entries }
  }

  async saveLedger({ tokenHash }: LinkHash, ledger: NextLedger): Promise<boolean> {
    return replaceLedger(this.#queries, await nextLedger(tokenHash, ledger))
  }
}

/** The row that follows on the ledger's version. */
export async function nextLedger(
  tokenHash: Uint8Array,
  { version, entries }: NextLedger,
): Promise<LedgerRow> {
  return { token_hash: tokenHash, version: version + 1, entries: await encodeEntries(entries) }
}

/**
 * The ledger's entries in about 14 bytes each: the number of them, then their pairs of hashes, which no compression makes
 * smaller, then sequences and instants, which repeat, as compressed JSON of whole seconds. A calendar of many people's
 * shifts comes to remember tens of thousands.
 */
export async function encodeEntries(entries: NextLedger['entries']): Promise<Uint8Array> {
  const all = [...entries]
  const count = Buffer.alloc(countBytes)
  count.writeUInt32BE(all.length)
  const hashes = writeHashes(all)
  return Buffer.concat([count, hashes, await encodeRevisions(all.map(([, entry]) => entry))])
}

/** What `encodeEntries` was given, in the same order. */
export async function decodeEntries(bytes: Uint8Array): Promise<Ledger['entries']> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = buffer.readUInt32BE()
  const hashes = buffer.subarray(countBytes, countBytes + count * pairBytes)
  const columns = await decodeColumns(buffer.subarray(countBytes + count * pairBytes), count)
  return readEntries(hashes, columns)
}

function writeHashes(all: readonly NamedEntry[]): Buffer {
  const hashes = Buffer.alloc(all.length * pairBytes)
  for (const [index, [key, { contentHash }]] of all.entries()) {
    writeHash(hashes, key, 2 * index)
    writeHash(hashes, contentHash, 2 * index + 1)
  }
  return hashes
}

function writeHash(hashes: Buffer, hash: string, index: number): void {
  if (Buffer.byteLength(hash, 'base64url') !== hashBytes) {
    throw new Error('A hash in a ledger is seven bytes as base64url.')
  }
  hashes.write(hash, index * hashBytes, 'base64url')
}

function readEntries(
  hashes: Buffer,
  [sequences, changes, ends]: RevisionColumns,
): Ledger['entries'] {
  const entries = new Map<string, LedgerEntry>()
  for (const [index, sequence] of sequences.entries()) {
    const [change = 0, end = null] = [changes[index], ends[index]]
    entries.set(hashAt(hashes, 2 * index), {
      contentHash: hashAt(hashes, 2 * index + 1),
      sequence,
      changedAt: change * 1000,
      goneAt: end === null ? null : end * 1000,
    })
  }
  return entries
}

function hashAt(hashes: Buffer, index: number): string {
  return hashes.toString('base64url', index * hashBytes, (index + 1) * hashBytes)
}

/** Column by column, since each repeats itself. */
function encodeRevisions(entries: readonly LedgerEntry[]): Promise<Uint8Array> {
  const columns: RevisionColumns = [
    entries.map(({ sequence }) => sequence),
    entries.map(({ changedAt }) => changedAt / 1000),
    entries.map(({ goneAt }) => (goneAt === null ? null : goneAt / 1000)),
  ]
  return deflate(JSON.stringify(columns))
}

async function decodeColumns(bytes: Uint8Array, count: number): Promise<RevisionColumns> {
  const text = (inflateSmall(bytes) ?? (await inflate(bytes))).toString()
  const columns = revisionColumns.parse(JSON.parse(text))
  if (columns.some(({ length }) => length !== count)) throw new Error('A column is cut off.')
  return columns
}

/** Undefined for what is large, which is unpacked beside everything else. */
function inflateSmall(bytes: Uint8Array): Buffer | undefined {
  if (bytes.length > smallBytes) return undefined
  try {
    return inflateRawSync(bytes, { maxOutputLength: unpackedMax })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isColumn(column: unknown, place: number): boolean {
  const fits = (value: unknown): boolean =>
    typeof value === 'number' || (place === 2 && value === null)
  return Array.isArray(column) && column.every(fits)
}

/* How the ledgers of links come to be kept. */

/** Keeps the row in place of the one of the version before; false where there is none. */
export async function replaceLedger(
  queries: Kysely<StoreTables>,
  { token_hash, ...next }: LedgerRow,
): Promise<boolean> {
  const version = next.version - 1
  if (version === 0) return insertLedger(queries, { token_hash, ...next })
  const kept = queries.updateTable('ledgers').where('token_hash', '=', token_hash)
  return changeRow(kept.set(next).where('version', '=', version))
}

async function insertLedger(queries: Kysely<StoreTables>, first: LedgerRow): Promise<boolean> {
  try {
    const { numInsertedOrUpdatedRows = 0n } = await queries
      .insertInto('ledgers')
      .values(first)
      .onConflict((conflict) => conflict.column('token_hash').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  } catch (error) {
    if (asAppError(error)?.code === 'conflict') return false
    throw error
  }
}

/** The new link goes on counting where the old one stands, each for itself from then on. */
export async function copyLedger(
  queries: Kysely<StoreTables>,
  from: Uint8Array,
  to: Uint8Array,
): Promise<void> {
  await queries
    .insertInto('ledgers')
    .columns(['token_hash', 'version', 'entries'])
    .expression((ledger) =>
      ledger
        .selectFrom('ledgers')
        .select((of) => [of.val(to).as('token_hash'), 'version', 'entries'])
        .where('token_hash', '=', from),
    )
    .execute()
}
