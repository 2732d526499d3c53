import type { Kysely } from 'kysely'

import type { Database } from '../database/database.ts'
import type { CredentialStore, TrustedCredential } from '../domain/connection.ts'
import type { Instant } from '../domain/world.ts'
import { changeRow } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** With which credential each connection is read, one row each. */
export class SqlCredentialStore implements CredentialStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findTrusted(connectionId: string): Promise<TrustedCredential | undefined> {
    const row = await this.#queries
      .selectFrom('trusted_credentials')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return row && { credential: row.credential, doubtedSince: row.doubted_since }
  }

  async trust(connectionId: string, credential: string): Promise<boolean> {
    const doubted = this.#queries
      .updateTable('trusted_credentials')
      .where('connection_id', '=', connectionId)
      .where('doubted_since', 'is not', null)
    if (await changeRow(doubted.set({ credential, doubted_since: null }))) return true
    await this.#queries
      .insertInto('trusted_credentials')
      .values({ connection_id: connectionId, credential, doubted_since: null })
      .onConflict((known) => known.column('connection_id').doUpdateSet({ credential }))
      .execute()
    return false
  }

  async doubt(connectionId: string, since: Instant): Promise<boolean> {
    const trusted = this.#queries
      .updateTable('trusted_credentials')
      .where('connection_id', '=', connectionId)
      .where('doubted_since', 'is', null)
    if (await changeRow(trusted.set({ doubted_since: since }))) return true
    const { numInsertedOrUpdatedRows: added } = await this.#queries
      .insertInto('trusted_credentials')
      .values({ connection_id: connectionId, credential: none, doubted_since: since })
      .onConflict((known) => known.doNothing())
      .executeTakeFirst()
    return (added ?? 0n) > 0n
  }
}

/** With which nothing has been read yet. */
const none = ''
