/* The records of copies, as they are packed, and as they are read for the calendars that are made of them. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

import { z } from 'zod'

import type { Database } from '../../database/database.ts'
import { given, type PreparedRead } from '../../database/prepared-read.ts'
import type { CopyContent, CopyStore } from '../../domain/copy.ts'
import type { CollectionKind, RecordOf } from '../../domain/kinds.ts'
import { isAmong } from '../given-texts.ts'
import { readLongRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { LargeCopies, packLarge, type UnpackedList } from './large-copies.ts'
import { SharedRecords } from './shared-records.ts'

/** So many records are packed at once, and so many bytes of a packed list unpacked. */
const fewRecords = 100
const smallBytes = 4096
/** Of what they unpack to. */
const ratioMax = 64

/** The copies of a connection, and those of them of which the records are wanted, each a JSON array. */
interface Names {
  readonly connectionId: string
  readonly keys: string
  readonly unread: string
}

interface RecordsRow {
  readonly key: string
  readonly content_hash: string
  readonly records: Uint8Array | null
}

export type Records = readonly RecordOf[CollectionKind][]

/** Records, and how many bytes their JSON has. */
export interface Unpacked {
  readonly records: Records
  readonly bytes: number
}

/** They were checked when they were written, of the kind that the key of their copy names. */
const recordList = z.custom<Records>(Array.isArray)

/** All of a feed's copies are read by one statement, and those that many feeds share are unpacked once while they stay the same. */
export class CopyRecords {
  readonly #read: PreparedRead<Names, RecordsRow>
  readonly #large = new LargeCopies()
  readonly #shared = new SharedRecords()

  constructor(database: Database<StoreTables>) {
    this.#read = prepare(database)
  }

  /** What finds records as `CopyStore` says. */
  readonly find: CopyStore['findRecords'] = async (connectionId, contents, shared) => {
    const found = new Map<string, Records>()
    for (const { key, contentHash } of contents) {
      const known = shared.has(key) && this.#shared.find(`${connectionId} ${key}`, contentHash)
      if (known) found.set(key, known)
    }
    const rows = await this.#rows(connectionId, contents, found)
    for (const { key, contentHash } of contents) {
      const row = rows.get(key)
      if (row?.content_hash !== contentHash) return undefined
      if (found.has(key)) continue
      if (!row.records) return undefined
      const unpacked = await this.unpack(key, row.records)
      found.set(key, unpacked.records)
      if (shared.has(key)) this.#shared.keep(`${connectionId} ${key}`, contentHash, unpacked)
    }
    return found
  }

  /** The records that were packed for the copy of that key; `unavailable` where they cannot be read. */
  unpack(key: string, packed: Uint8Array): Promise<Unpacked> {
    return readLongRow(`the copy ${key}`, async () => {
      const { elements, bytes } = unpackSmall(packed) ?? (await this.#large.unpack(packed))
      return { records: recordList.parse(elements), bytes }
    })
  }

  /** Lets go of what stands in memory of these copies. */
  forget(connectionId: string, keys: readonly string[]): void {
    for (const key of keys) this.#shared.forget(`${connectionId} ${key}`)
  }

  /** With the records of all that are not there yet. */
  async #rows(
    connectionId: string,
    contents: readonly CopyContent[],
    found: ReadonlyMap<string, Records>,
  ): Promise<ReadonlyMap<string, RecordsRow>> {
    const keys = contents.map(({ key }) => key)
    const unread = keys.filter((key) => !found.has(key))
    const names = { keys: JSON.stringify(keys), unread: JSON.stringify(unread) }
    const rows = await this.#read({ connectionId, ...names })
    return new Map(rows.map((row) => [row.key, row]))
  }
}

/** The list's JSON, compressed. */
export async function pack(records: readonly unknown[]): Promise<Uint8Array> {
  return records.length <= fewRecords
    ? zstdCompressSync(JSON.stringify(records))
    : packLarge(records)
}

/** Undefined for a list that is large. */
function unpackSmall(packed: Uint8Array): UnpackedList | undefined {
  if (packed.length > smallBytes) return undefined
  try {
    const bytes = zstdDecompressSync(packed, { maxOutputLength: ratioMax * smallBytes })
    return { elements: recordList.parse(JSON.parse(bytes.toString())), bytes: bytes.length }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function prepare(database: Database<StoreTables>): PreparedRead<Names, RecordsRow> {
  const { dialect, queries } = database
  return database.prepareRead(
    queries
      .selectFrom('copies')
      .leftJoin('copy_records', (join) =>
        join
          .onRef('copy_records.connection_id', '=', 'copies.connection_id')
          .onRef('copy_records.key', '=', 'copies.key')
          .on(isAmong(dialect, 'copies.key', 'unread')),
      )
      .select(['copies.key', 'content_hash', 'records'])
      .where('copies.connection_id', '=', given<string>('connectionId'))
      .where(isAmong(dialect, 'copies.key', 'keys')),
  )
}
