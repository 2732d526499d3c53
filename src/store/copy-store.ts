import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { z } from 'zod'

import type { Database } from '../database/database.ts'
import type { Copy, CopyHead, CopyStore } from '../domain/copy.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { clockSkewMs } from '../domain/world.ts'
import { confirmation, headOf, headRow } from './copies/copy-heads.ts'
import { CopyRecords, pack } from './copies/copy-records.ts'
import { holdPersonInFeed } from './people/holding-people.ts'
import { readRow } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** Last good copies: of two refreshes the one that began later stands, of two that began at once the one kept last. */
export class SqlCopyStore implements CopyStore {
  readonly #database: Database<StoreTables>
  readonly #records: CopyRecords
  readonly findRecords: CopyStore['findRecords']
  readonly confirmCopies: CopyStore['confirmCopies']

  constructor(database: Database<StoreTables>) {
    this.#database = database
    this.#records = new CopyRecords(database)
    this.findRecords = this.#records.find
    this.confirmCopies = confirmation(database)
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
    const head = readRow(`the copy ${key}`, () => headOf(row))
    const { records } = await this.#records.unpack(key, row.records)
    return { ...head, records: z.custom<readonly RecordOf[K][]>().parse(records) }
  }

  async keepCopy(
    connectionId: string,
    { records, ...head }: Copy,
    whileInFeed?: PersonInCompany,
  ): Promise<boolean> {
    const body = { records: await pack(records) }
    this.#records.forget(connectionId, [head.key])
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

  async dropCopies(connectionId: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    this.#records.forget(connectionId, keys)
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
