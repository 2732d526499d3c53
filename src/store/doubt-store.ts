import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../database/database.ts'
import {
  type CopyHead,
  type Doubt,
  type DoubtStore,
  type EmptiedShare,
  emptyHash,
  keyPrefix,
} from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Instant } from '../domain/world.ts'
import { doubtOf, headOf } from './copies/copy-heads.ts'
import type { StoreTables } from './tables.ts'

/** Doubts, each in the row of its copy. */
export class SqlDoubtStore implements DoubtStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async saveDoubt(connectionId: string, key: string, doubt: Doubt | null): Promise<void> {
    await this.#queries
      .updateTable('copies')
      .set({ doubt: doubt && JSON.stringify(doubt) })
      .where('connection_id', '=', connectionId)
      .where('key', '=', key)
      .execute()
  }

  async listDoubted(connectionId: string): Promise<readonly CopyHead[]> {
    const rows = await this.#copies(connectionId).where('doubt', 'is not', null).execute()
    return rows.map(headOf)
  }

  async listFilled(
    connectionId: string,
    kind: CollectionKind,
    limit: number,
  ): Promise<readonly CopyHead[]> {
    const rows = await this.#copies(connectionId)
      .where(ofKind(kind))
      .where('content_hash', '<>', emptyHash)
      .orderBy('fetched_at')
      .limit(limit)
      .execute()
    return rows.map(headOf)
  }

  async countFilled(connectionId: string, kind: CollectionKind, most: number): Promise<number> {
    const rows = await this.#queries
      .selectFrom('copies')
      .select('key')
      .where('connection_id', '=', connectionId)
      .where(ofKind(kind))
      .where('content_hash', '<>', emptyHash)
      .limit(most)
      .execute()
    return rows.length
  }

  async countEmptied(
    connectionId: string,
    kind: CollectionKind,
    since: Instant,
  ): Promise<EmptiedShare> {
    const rows = await this.#queries
      .selectFrom('copies')
      .select(['content_hash', 'doubt'])
      .where('connection_id', '=', connectionId)
      .where(ofKind(kind))
      .where((copy) =>
        copy.or([copy('content_hash', '<>', emptyHash), copy('emptied_at', '>=', since)]),
      )
      .execute()
    const emptied = rows.filter(
      (row) => row.content_hash === emptyHash || isEmptying(doubtOf(row), since),
    )
    return { filled: rows.length, emptied: emptied.length }
  }

  #copies(connectionId: string) {
    return this.#queries.selectFrom('copies').selectAll().where('connection_id', '=', connectionId)
  }
}

/** Whether everything is said to be gone since then. */
function isEmptying(doubt: Doubt | undefined, since: Instant): boolean {
  return doubt !== undefined && doubt.ofAll && doubt.since >= since
}

/** Keys are ordered by their bytes, and `;` comes right after the `:` that ends a prefix. */
function ofKind(kind: CollectionKind): RawBuilder<SqlBool> {
  return sql<SqlBool>`(key = ${kind} or (key >= ${keyPrefix(kind)} and key < ${`${kind};`}))`
}
