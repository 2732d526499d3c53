import { promisify } from 'node:util'
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'

import { z } from 'zod'

import { given } from '../database/prepared-read.ts'
import { asAppError } from '../domain/errors.ts'
import type {
  Ledger,
  LedgerEntry,
  LedgerStore,
  NamedEntry,
  NextLedger,
  SyncHistory,
} from '../domain/ledger.ts'
import { isObject } from '../json/read-json.ts'
import { changeRow, unreadable } from './rows.ts'
import type { LedgerRow, Queries, StoreDatabase } from './tables.ts'

const hashBytes = 7
const pairBytes = 2 * hashBytes
const countBytes = 4
/** Compressed bytes that are unpacked synchronously. */
const smallBytes = 4096
const unpackedMax = 64 * smallBytes

/** Of all entries: sequences, times of the last change, and times of disappearance, in whole seconds. */
type RevisionColumns = readonly [readonly number[], readonly number[], readonly (number | null)[]]

/** A schema for each number would be slow. */
const revisionColumns = z.custom<RevisionColumns>(
  (columns) => Array.isArray(columns) && columns.length === 3 && columns.every(isColumn),
)

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Ledgers, changed by compare-and-set on their version. */
export function ledgerStore({ queries, prepareRead }: StoreDatabase): LedgerStore {
  const read = prepareRead<{ readonly tokenHash: Uint8Array }, Omit<LedgerRow, 'tokenHash'>>(
    queries
      .selectFrom('ledgers')
      .select(['version', 'entries', 'history'])
      .where('tokenHash', '=', given<Uint8Array>('tokenHash')),
  )
  return {
    async findLedger({ tokenHash }) {
      const [row] = await read({ tokenHash })
      if (!row) return { version: 0, entries: new Map() }
      return decodeLedger(row).catch((cause: unknown) => {
        throw unreadable('the ledger of a link', cause)
      })
    },
    saveLedger: async ({ tokenHash }, ledger) =>
      replaceLedger(queries, await nextLedger(tokenHash, ledger)),
  }
}

export async function nextLedger(tokenHash: Uint8Array, ledger: NextLedger): Promise<LedgerRow> {
  const version = ledger.version + 1
  const entries = [...ledger.entries]
  const history = ledger.history ? await encodeHistory(version, ledger.history, entries) : null
  return { tokenHash, version, entries: await encodeEntries(entries), history }
}

/** Stores the row in place of its previous version; false if another version is stored, or the link is gone. */
export async function replaceLedger(queries: Queries, row: LedgerRow): Promise<boolean> {
  const { tokenHash, ...next } = row
  const version = next.version - 1
  if (version > 0) {
    const kept = queries.updateTable('ledgers').where((of) => of.and({ tokenHash, version }))
    return changeRow(kept.set(next))
  }
  try {
    const { numInsertedOrUpdatedRows = 0n } = await queries
      .insertInto('ledgers')
      .values(row)
      .onConflict((conflict) => conflict.column('tokenHash').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  } catch (error) {
    if (asAppError(error)?.code === 'conflict') return false
    throw error
  }
}

/** Copies the ledger to the new link; from then on both count separately. */
export async function copyLedger(
  queries: Queries,
  from: Uint8Array,
  to: Uint8Array,
): Promise<void> {
  await queries
    .insertInto('ledgers')
    .columns(['tokenHash', 'version', 'entries', 'history'])
    .expression((ledger) =>
      ledger
        .selectFrom('ledgers')
        .select((of) => [of.val(to).as('tokenHash'), 'version', 'entries', 'history'])
        .where('tokenHash', '=', from),
    )
    .execute()
}

/**
 * Encodes the entries in about 14 bytes each. First their number, then the pairs of hashes, which do not compress. Then
 * sequences and instants as compressed JSON, by column because values repeat there, in whole seconds. A calendar of many
 * people's shifts can remember tens of thousands of entries.
 */
export async function encodeEntries(entries: NextLedger['entries']): Promise<Uint8Array> {
  const named = [...entries]
  const all = named.map(([, entry]) => entry)
  const bytes = Buffer.alloc(countBytes + named.length * pairBytes)
  bytes.writeUInt32BE(named.length)
  for (const [index, hash] of named.flatMap(([key, it]) => [key, it.contentHash]).entries()) {
    if (Buffer.byteLength(hash, 'base64url') !== hashBytes) {
      throw new Error('A hash in a ledger is seven bytes as base64url.')
    }
    bytes.write(hash, countBytes + index * hashBytes, 'base64url')
  }
  const columns: RevisionColumns = [
    all.map(({ sequence }) => sequence),
    all.map(({ changedAt }) => changedAt / 1000),
    all.map(({ goneAt }) => (goneAt === null ? null : goneAt / 1000)),
  ]
  return Buffer.concat([bytes, await deflate(JSON.stringify(columns))])
}

/** The inverse of `encodeEntries`. */
export async function decodeEntries(bytes: Uint8Array): Promise<Ledger['entries']> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = buffer.readUInt32BE()
  const packed = buffer.subarray(countBytes + count * pairBytes)
  const columns = revisionColumns.parse(JSON.parse(await unpack(packed)))
  if (columns.some(({ length }) => length !== count)) throw new Error('A column is cut off.')
  const [sequences, changes, ends] = columns
  const hashAt = (index: number): string => {
    const from = countBytes + index * hashBytes
    return buffer.toString('base64url', from, from + hashBytes)
  }
  const entries = new Map<string, LedgerEntry>()
  for (const [index, sequence] of sequences.entries()) {
    const [change = 0, end = null] = [changes[index], ends[index]]
    entries.set(hashAt(2 * index), {
      contentHash: hashAt(2 * index + 1),
      sequence,
      changedAt: change * 1000,
      goneAt: end === null ? null : end * 1000,
    })
  }
  return entries
}

interface EncodedHistory extends SyncHistory {
  /** Of the ledger that it belongs to. */
  readonly version: number
  /** `publishedAt` of each entry, in seconds. */
  readonly published: readonly (number | null)[]
}

const encodedHistory = z.custom<EncodedHistory>(
  (value) => isObject(value) && isColumn(value['published'], 2),
)

function encodeHistory(
  version: number,
  history: SyncHistory,
  entries: readonly NamedEntry[],
): Promise<Uint8Array> {
  const published = entries.map(([, { publishedAt }]) =>
    publishedAt === undefined ? null : publishedAt / 1000,
  )
  return deflate(JSON.stringify({ ...history, version, published } satisfies EncodedHistory))
}

async function decodeLedger(row: Omit<LedgerRow, 'tokenHash'>): Promise<Ledger> {
  const { version } = row
  const entries = await decodeEntries(row.entries)
  const unknown = { version, entries }
  if (!row.history) return unknown
  const { published, ...known } = encodedHistory.parse(JSON.parse(await unpack(row.history)))
  if (known.version !== version || published.length !== entries.size) return unknown
  const { since, ranges } = known
  const dated = [...entries].map(([key, entry], index): NamedEntry => {
    const seconds = published[index] ?? null
    return [key, seconds === null ? entry : { ...entry, publishedAt: seconds * 1000 }]
  })
  return { version, entries: new Map(dated), history: { since, ranges } }
}

async function unpack(packed: Uint8Array): Promise<string> {
  return (inflateSmall(packed) ?? (await inflate(packed))).toString()
}

/** Undefined if large, which is unpacked in the thread pool. */
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
