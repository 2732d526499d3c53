import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

import type { Kysely } from 'kysely'
import { z } from 'zod'

import type { Database } from '../database/database.ts'
import { asAppError } from '../domain/errors.ts'
import type { Ledger, LedgerEntry, LedgerStore } from '../domain/ledger.ts'
import type { FeedLink } from '../domain/link.ts'
import { inSteps } from '../json/rest.ts'
import { changeRow, readLongRow } from './rows.ts'
import type { LedgerRow, StoreTables } from './tables.ts'

const hashBytes = 7
const pairBytes = 2 * hashBytes
const countBytes = 4

type LinkHash = Pick<FeedLink, 'tokenHash'>

/** Of all entries the sequences, the instants of their last change and those at which they went, in whole seconds. */
const revisionColumns = z.tuple([
  z.array(z.number()),
  z.array(z.number()),
  z.array(z.number().nullable()),
])

type RevisionColumns = z.infer<typeof revisionColumns>

type Steps<T> = Generator<undefined, T>

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Ledgers by compare-and-set on their version. */
export class SqlLedgerStore implements LedgerStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findLedger({ tokenHash }: LinkHash): Promise<Ledger> {
    const row = await this.#queries
      .selectFrom('ledgers')
      .select(['version', 'entries'])
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    if (!row) return { version: 0, entries: new Map() }
    const entries = await readLongRow('the ledger of a link', () => decodeEntries(row.entries))
    return { version: row.version, entries }
  }

  async saveLedger({ tokenHash }: LinkHash, { version, entries }: Ledger): Promise<boolean> {
    const next = { version: version + 1, entries: await encodeEntries(entries) }
    if (version === 0) return this.#insert({ token_hash: tokenHash, ...next })
    const kept = this.#queries.updateTable('ledgers').where('token_hash', '=', tokenHash)
    return changeRow(kept.set(next).where('version', '=', version))
  }

  async #insert(first: LedgerRow): Promise<boolean> {
    try {
      const { numInsertedOrUpdatedRows = 0n } = await this.#queries
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

/**
 * The ledger's entries in about 14 bytes each: the number of them, then their pairs of hashes, which no compression makes
 * smaller, then sequences and instants, which repeat, as compressed JSON of whole seconds. A calendar of many people's
 * shifts comes to remember tens of thousands.
 */
export async function encodeEntries(entries: Ledger['entries']): Promise<Uint8Array> {
  const all = [...entries]
  const count = Buffer.alloc(countBytes)
  count.writeUInt32BE(all.length)
  const hashes = await inSteps(writeHashes(all))
  return Buffer.concat([count, hashes, await encodeRevisions(all.map(([, entry]) => entry))])
}

/** What `encodeEntries` was given, in the same order. */
export async function decodeEntries(bytes: Uint8Array): Promise<Ledger['entries']> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = buffer.readUInt32BE()
  const hashes = buffer.subarray(countBytes, countBytes + count * pairBytes)
  const columns = await decodeColumns(buffer.subarray(countBytes + count * pairBytes), count)
  return inSteps(readEntries(hashes, columns))
}

function* writeHashes(all: readonly (readonly [string, LedgerEntry])[]): Steps<Buffer> {
  const hashes = Buffer.alloc(all.length * pairBytes)
  for (const [index, [key, { contentHash }]] of all.entries()) {
    writeHash(hashes, key, 2 * index)
    writeHash(hashes, contentHash, 2 * index + 1)
    yield
  }
  return hashes
}

function writeHash(hashes: Buffer, hash: string, index: number): void {
  if (Buffer.byteLength(hash, 'base64url') !== hashBytes) {
    throw new Error('A hash in a ledger is seven bytes as base64url.')
  }
  hashes.write(hash, index * hashBytes, 'base64url')
}

function* readEntries(
  hashes: Buffer,
  [sequences, changes, ends]: RevisionColumns,
): Steps<Ledger['entries']> {
  const entries = new Map<string, LedgerEntry>()
  for (const [index, sequence] of sequences.entries()) {
    const [change = 0, end = null] = [changes[index], ends[index]]
    entries.set(hashAt(hashes, 2 * index), {
      contentHash: hashAt(hashes, 2 * index + 1),
      sequence,
      changedAt: change * 1000,
      goneAt: end === null ? null : end * 1000,
    })
    yield
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
  const columns = revisionColumns.parse(JSON.parse((await inflate(bytes)).toString()))
  if (columns.some(({ length }) => length !== count)) throw new Error('A column is cut off.')
  return columns
}
