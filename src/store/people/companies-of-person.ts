import { type Kysely, sql } from 'kysely'

import type { StoreTables } from '../tables.ts'
import { findErased } from './person-rows.ts'

/** The companies of which anything is kept of somebody with that id, or who have erased one, in order. */
export async function findCompaniesOf(
  queries: Kysely<StoreTables>,
  userId: string,
  copyKeys: readonly string[],
  connectionIds: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const named = await findNamed(queries, userId)
  const connected = await findConnections(queries, userId, copyKeys)
  const found = new Set(named)
  for (const [companyId, connectionId] of connectionIds) {
    if (connected.has(connectionId)) found.add(companyId)
  }
  for (const companyId of connectionIds.keys()) {
    if ((await findErased(queries, companyId, [userId])).size > 0) found.add(companyId)
  }
  return [...found].toSorted()
}

async function findNamed(queries: Kysely<StoreTables>, userId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ company: string }>`
    select feeds.company_id as company from feed_users
      join feeds on feeds.id = feed_users.feed_id where feed_users.user_id = ${userId}
    union select company_id from people where user_id = ${userId} or manager_id = ${userId}
    union select company_id from departures where user_id = ${userId}
  `.execute(queries)
  return rows.map(({ company }) => company)
}

/** The connections, of whichever company, in which one of these copies or a claim of somebody with that id is kept. */
export async function findConnections(
  queries: Kysely<StoreTables>,
  userId: string,
  copyKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ connection: string }>`
    select connection_id as connection from copies where key in (${sql.join(copyKeys)})
    union select connection_id from leave_owners where user_id = ${userId}
  `.execute(queries)
  return new Set(rows.map(({ connection }) => connection))
}
