import { deflateRawSync, inflateRawSync } from 'node:zlib'

import type { Ledger, LedgerEntry } from '../domain/ledger.ts'
import type { Instant } from '../domain/world.ts'

const hashBytes = 7
const pairBytes = 2 * hashBytes
const countBytes = 4

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
  const revisions = decodeRevisions(buffer.subarray(countBytes + count * pairBytes))
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
  const columns = [
    entries.map(({ sequence }) => sequence),
    entries.map(({ changedAt }) => changedAt / 1000),
    entries.map(({ goneAt }) => (goneAt === null ? null : goneAt / 1000)),
  ]
  return deflateRawSync(JSON.stringify(columns))
}

function decodeRevisions(bytes: Uint8Array): Revision[] {
  const [sequences, changes, ends]: RevisionColumns = JSON.parse(inflateRawSync(bytes).toString())
  return sequences.map((sequence, index) => ({
    sequence,
    changedAt: instantOf(changes[index]) ?? 0,
    goneAt: instantOf(ends[index]),
  }))
}

type RevisionColumns = readonly [number[], number[], (number | null)[]]

function instantOf(seconds: number | null | undefined): Instant | null {
  return typeof seconds === 'number' ? seconds * 1000 : null
}
