import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { z } from 'zod'

import type { Database } from '../database/database.ts'
import type { Copy, CopyHead, CopyStore } from '../domain/copy.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { clockSkewMs } from '../domain/world.ts'
import { confirmation, headOf, headRow } from './copies/copy-heads.ts'
import { LargeCopies, packLarge } from './large-copies.ts'
import { holdPersonInFeed } from './people/holding-people.ts'
import { readLongRow } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** So many records are packed at once, and so many bytes of a packed list unpacked. */
const fewRecords = 100
const smallBytes = 4096
/** Of what they unpack to. */
const ratioMax = 64

/** Last good copies: of two refreshes the one that began later stands, of two that began at once the one kept last. */
export class SqlCopyStore implements CopyStore {
  readonly #database: Database<StoreTables>
  readonly #large = new LargeCopies()
  readonly #confirm

  constructor(database: Database<StoreTables>) {
    this.#database = database
    this.#confirm = confirmation(database)
  }

  async findHeads(connectionId: string, keys: readonly string[]): Promise<readonly CopyHead[]> {
    if (keys.length === 0) return []
    const rows = await this.#database.queries
      .selectFrom('copies')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .where('key', 'in', keys)
      .execute()
    return rows.map(headOf)
  }

  async findCopy<K extends CollectionKind>(
    connectionId: string,
    key: string,
  ): Promise<Copy<K> | undefined> {
    const row = await this.#database.queries
      .selectFrom('copies')
      .innerJoin('copy_records', (join) =>
        join
          .onRef('copy_records.connection_id', '=', 'copies.connection_id')
          .onRef('copy_records.key', '=', 'copies.key'),
      )
      .selectAll('copies')
      .select('copy_records.records')
      .where('copies.connection_id', '=', connectionId)
      .where('copies.key', '=', key)
      .executeTakeFirst()
    if (!row) return undefined
    return readLongRow(`the copy ${key}`, async () => ({
      ...headOf(row),
      records: await this.#recordsOf<K>(row),
    }))
  }

  async keepCopy(
    connectionId: string,
    { records, ...head }: Copy,
    whileInFeed?: PersonInCompany,
  ): Promise<boolean> {
    const body = { records: await pack(records) }
    return this.#database.queries.transaction().execute(async (transaction) => {
      if (
        whileInFeed !== undefined &&
        !(await holdPersonInFeed(this.#database, transaction, whileInFeed))
      ) {
        return false
      }
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('copies')
        .values({ connection_id: connectionId, ...headRow(head) })
        .onConflict((conflict) =>
          conflict
            .columns(['connection_id', 'key'])
            .doUpdateSet(headRow(head))
            .where((kept) => isOlder(kept, head)),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return false
      await transaction
        .insertInto('copy_records')
        .values({ connection_id: connectionId, key: head.key, ...body })
        .onConflict((conflict) => conflict.columns(['connection_id', 'key']).doUpdateSet(body))
        .execute()
      return true
    })
  }

  /** An array: its records were checked when they were written, of the kind that the key names. */
  async #recordsOf<K extends CollectionKind>(row: {
    records: Uint8Array
  }): Promise<readonly RecordOf[K][]> {
    const records = unpackSmall(row.records) ?? (await this.#large.unpack(row.records))
    return z.custom<readonly RecordOf[K][]>(Array.isArray).parse(records)
  }

  confirmCopies(connectionId: string, heads: readonly CopyHead[]): Promise<ReadonlySet<string>> {
    return this.#confirm(connectionId, heads)
  }

  async dropCopies(connectionId: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await this.#database.queries
      .deleteFrom('copies')
      .where('connection_id', '=', connectionId)
      .where('key', 'in', keys)
      .execute()
  }
}

/** Of two refreshes the one that began later stands; one that claims to have begun in the future counts for nothing. */
function isOlder(
  kept: ExpressionBuilder<StoreTables, 'copies'>,
  { begunAt, fetchedAt }: CopyHead,
): Expression<SqlBool> {
  return kept.or([
    kept('copies.begun_at', '<=', begunAt),
    kept('copies.begun_at', '>', fetchedAt + clockSkewMs),
  ])
}

async function pack(records: readonly unknown[]): Promise<Uint8Array> {
  return records.length <= fewRecords
    ? zstdCompressSync(JSON.stringify(records))
    : packLarge(records)
}

/** Undefined for a list that is large. */
function unpackSmall(packed: Uint8Array): unknown {
  if (packed.length > smallBytes) return undefined
  try {
    const bytes = zstdDecompressSync(packed, { maxOutputLength: ratioMax * smallBytes })
    return JSON.parse(bytes.toString())
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
