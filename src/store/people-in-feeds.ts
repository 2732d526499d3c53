import { type Kysely, sql } from 'kysely'

import type { Dialect } from '../database/database.ts'
import type { StoreTables } from './tables.ts'

type Queries = Kysely<StoreTables>

/**
 * Whether a feed has that person, to be asked in the transaction that keeps something of them: an erasure that comes
 * meanwhile waits for its end. SQLite's transactions take turns by themselves.
 */
export async function isInFeed(
  queries: Queries,
  dialect: Dialect,
  userId: string,
): Promise<boolean> {
  if (dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${nameOf(userId)}, 0))`.execute(
      queries,
    )
  }
  const row = await queries
    .selectFrom('feed_users')
    .select('feed_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Waits until nothing of that person is being kept, and lets nothing be kept until the transaction ends. */
export async function holdKeeping(
  queries: Queries,
  dialect: Dialect,
  userId: string,
): Promise<void> {
  if (dialect !== 'postgres') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(userId)}, 0))`.execute(queries)
}

function nameOf(userId: string): string {
  return `person:${userId}`
}
