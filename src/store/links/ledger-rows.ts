/* How the ledgers of links come to be kept. */
import type { Kysely } from 'kysely'

import { asAppError } from '../../domain/errors.ts'
import { changeRow } from '../rows.ts'
import type { LedgerRow, StoreTables } from '../tables.ts'

/** Keeps the row in place of the one of the version before; false where there is none. */
export async function replaceLedger(
  queries: Kysely<StoreTables>,
  { token_hash, ...next }: LedgerRow,
): Promise<boolean> {
  const version = next.version - 1
  if (version === 0) return insertLedger(queries, { token_hash, ...next })
  const kept = queries.updateTable('ledgers').where('token_hash', '=', token_hash)
  return changeRow(kept.set(next).where('version', '=', version))
}

async function insertLedger(queries: Kysely<StoreTables>, first: LedgerRow): Promise<boolean> {
  try {
    const { numInsertedOrUpdatedRows = 0n } = await queries
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
