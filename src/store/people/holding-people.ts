/* Whoever keeps something of a person sees to it that no erasure of them comes between; of other companies' people of the same id none is asked. */
import type { Transaction } from 'kysely'

import type { Database } from '../../database/database.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import type { StoreTables } from '../tables.ts'
import { findErased } from './person-rows.ts'

/**
 * Whether a feed of the company has that person, who stays as they are until the transaction ends, in which something of
 * them is kept: an erasure that comes meanwhile waits.
 */
export async function holdPersonInFeed(
  { shareTurn }: Database<StoreTables>,
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  await shareTurn(transaction, keepingOf(userId))
  const row = await transaction
    .selectFrom('feed_users')
    .innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
    .select('feed_id')
    .where('user_id', '=', userId)
    // Asked for the equal one, SQLite would go through all feeds of the company, and not by the index of people.
    .where('company_id', '>=', companyId)
    .where('company_id', '<=', companyId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether that person, in a feed or in none, has not been erased, and is not until the transaction ends. */
export async function holdUnlessErased(
  { shareTurn }: Database<StoreTables>,
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  await shareTurn(transaction, keepingOf(userId))
  return (await findErased(transaction, companyId, [userId])).size === 0
}

/** The turn of whoever keeps something of a person of that id, or lets nothing be kept. */
export function keepingOf(userId: string): string {
  return `person:${userId}`
}
