import type { Kysely } from 'kysely'

import type { Database } from '../database/database.ts'
import { asAppError } from '../domain/errors.ts'
import type { Ledger, LedgerStore } from '../domain/ledger.ts'
import { decodeEntries, encodeEntries } from './ledger-codec.ts'
import type { StoreTables } from './tables.ts'

/** Ledgers by compare-and-set on their version. */
export class SqlLedgerStore implements LedgerStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findLedger(feedId: string): Promise<Ledger> {
    const row = await this.#queries
      .selectFrom('ledgers')
      .select(['version', 'entries'])
      .where('feed_id', '=', feedId)
      .executeTakeFirst()
    if (!row) return { version: 0, entries: new Map() }
    return { version: row.version, entries: decodeEntries(row.entries) }
  }

  async saveLedger(feedId: string, { version, entries }: Ledger): Promise<boolean> {
    const next = { version: version + 1, entries: encodeEntries(entries) }
    return version === 0 ? this.#insert(feedId, next) : this.#replace(feedId, version, next)
  }

  async #insert(feedId: string, next: NextLedger): Promise<boolean> {
    try {
      const { numInsertedOrUpdatedRows = 0n } = await this.#queries
        .insertInto('ledgers')
        .values({ feed_id: feedId, ...next })
        .onConflict((conflict) => conflict.column('feed_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    } catch (error) {
      if (asAppError(error)?.code === 'conflict') return false
      throw error
    }
  }

  async #replace(feedId: string, version: number, next: NextLedger): Promise<boolean> {
    const { numUpdatedRows } = await this.#queries
      .updateTable('ledgers')
      .set(next)
      .where('feed_id', '=', feedId)
      .where('version', '=', version)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

interface NextLedger {
  readonly version: number
  readonly entries: Uint8Array
}
