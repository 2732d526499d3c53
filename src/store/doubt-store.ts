import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../database/database.ts'
import { given, type PreparedRead } from '../database/prepared-read.ts'
import {
  type CopyHead,
  type Doubt,
  type DoubtStore,
  type EmptiedShare,
  emptyHash,
} from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Instant } from '../domain/world.ts'
import { doubtOf, headOf } from './copies.ts'
import type { StoreTables } from './tables.ts'

/** Doubts, each in the row of its copy. */
export class SqlDoubtStore implements DoubtStore {
  readonly #queries: Kysely<StoreTables>
  readonly #filled: PreparedRead<Filled, unknown>

  constructor(database: Database<StoreTables>) {
    this.#queries = database.queries
    this.#filled = prepareFilled(database)
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
    const rows = await this.#filled({ connectionId, kind, end: endOf(kind), most })
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

function ofKind(kind: CollectionKind): RawBuilder<SqlBool> {
  return isWithin(kind, endOf(kind))
}

type Text = string | RawBuilder<string>

function isWithin(kind: Text, end: Text): RawBuilder<SqlBool> {
  return sql<SqlBool>`key >= ${kind} and key < ${end}`
}

/** Before which the keys of a kind end: they are ordered by their bytes, and `;` comes right after the `:` that follows its name. */
function endOf(kind: CollectionKind): string {
  return `${kind};`
}

interface Filled {
  readonly connectionId: string
  readonly kind: string
  readonly end: string
  readonly most: number
}

function prepareFilled(database: Database<StoreTables>): PreparedRead<Filled, unknown> {
  return database.prepareRead(
    database.queries
      .selectFrom('copies')
      .select('key')
      .where('connection_id', '=', given<string>('connectionId'))
      .where(isWithin(given('kind'), given('end')))
      .where('content_hash', '<>', emptyHash)
      .limit(given<number>('most')),
  )
}
