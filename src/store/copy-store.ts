import type { Database } from '../database/database.ts'
import type { Copy, CopyHead, CopyStore } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { isInFeed } from './people-in-feeds.ts'
import { decodeRecords, encodeRecords } from './record-codec.ts'
import type { CopyHeadRow, StoreTables } from './tables.ts'

/** Last good copies: of two refreshes the one that began later stands, of two that began at once the one kept last. */
export class SqlCopyStore implements CopyStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async findHeads(connectionId: string, keys: readonly string[]): Promise<readonly CopyHead[]> {
    if (keys.length === 0) return []
    const rows = await this.#database.queries
      .selectFrom('snapshot_heads')
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
      .selectFrom('snapshot_heads as head')
      .innerJoin('snapshot_bodies as body', (join) =>
        join
          .onRef('body.connection_id', '=', 'head.connection_id')
          .onRef('body.key', '=', 'head.key'),
      )
      .selectAll('head')
      .select('body.records')
      .where('head.connection_id', '=', connectionId)
      .where('head.key', '=', key)
      .executeTakeFirst()
    return row && { ...headOf(row), records: decodeRecords(row.records) }
  }

  async keepCopy(
    connectionId: string,
    { records, ...head }: Copy,
    whileInFeed?: string,
  ): Promise<boolean> {
    const { queries, dialect } = this.#database
    const body = { records: encodeRecords(records) }
    return queries.transaction().execute(async (transaction) => {
      if (whileInFeed !== undefined && !(await isInFeed(transaction, dialect, whileInFeed))) {
        return false
      }
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('snapshot_heads')
        .values({ connection_id: connectionId, ...headRow(head) })
        .onConflict((conflict) =>
          conflict
            .columns(['connection_id', 'key'])
            .doUpdateSet(headRow(head))
            .where('snapshot_heads.begun_at', '<=', head.begunAt),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return false
      await transaction
        .insertInto('snapshot_bodies')
        .values({ connection_id: connectionId, key: head.key, ...body })
        .onConflict((conflict) => conflict.columns(['connection_id', 'key']).doUpdateSet(body))
        .execute()
      return true
    })
  }

  async confirmCopy(connectionId: string, head: CopyHead): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('snapshot_heads')
      .set(headRow(head))
      .where('connection_id', '=', connectionId)
      .where('key', '=', head.key)
      .where('content_hash', '=', head.contentHash)
      .where('begun_at', '<=', head.begunAt)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async dropCopies(connectionId: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await this.#database.queries
      .deleteFrom('snapshot_heads')
      .where('connection_id', '=', connectionId)
      .where('key', 'in', keys)
      .execute()
  }
}

function headOf(row: CopyHeadRow): CopyHead {
  const { reach_past_days: pastDays, reach_future_days: futureDays } = row
  return {
    key: row.key,
    contentHash: row.content_hash,
    begunAt: row.begun_at,
    fetchedAt: row.fetched_at,
    reach: pastDays === null || futureDays === null ? null : { pastDays, futureDays },
    missingSince: row.missing_since,
    ...(row.with_reasons === 1 ? { withReasons: true } : {}),
  }
}

function headRow(head: CopyHead): Omit<CopyHeadRow, 'connection_id'> {
  return {
    key: head.key,
    content_hash: head.contentHash,
    begun_at: head.begunAt,
    fetched_at: head.fetchedAt,
    reach_past_days: head.reach?.pastDays ?? null,
    reach_future_days: head.reach?.futureDays ?? null,
    missing_since: head.missingSince,
    with_reasons: head.withReasons ? 1 : 0,
  }
}
