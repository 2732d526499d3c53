import { sql, type Transaction } from 'kysely'

import type { PersonReference } from '../../domain/user.ts'
import type { Instant } from '../../domain/world.ts'
import type { StoreTables } from '../tables.ts'
import { erasureMark, findErased, sightedRow } from './person-rows.ts'

/** A person has fifteen values, of which a statement of SQLite's takes 32,766. */
export const peopleAtOnce = 1000

/** Nobody twice, and all nodes in the same order, so that none waits for the other. */
export function inOrder(people: readonly PersonReference[]): readonly PersonReference[] {
  const byId = new Map(people.map((person) => [person.id, person]))
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Notes in one statement that they were seen, but for those who were erased. */
export async function seeSome(
  transaction: Transaction<StoreTables>,
  companyId: string,
  people: readonly PersonReference[],
  seenAt: Instant,
): Promise<void> {
  const ids = people.map(({ id }) => id)
  const erased = await findErased(transaction, companyId, ids)
  const seen = people.filter(({ id }) => !erased.has(id))
  if (seen.length === 0) return
  await transaction
    .insertInto('people')
    .values(seen.map((person) => sightedRow(companyId, person, seenAt)))
    .onConflict((known) =>
      known.columns(['company_id', 'user_id']).doUpdateSet({
        seen_at: sql.ref('excluded.seen_at'),
        first_name: sql`coalesce(people.first_name, excluded.first_name)`,
        last_name: sql`coalesce(people.last_name, excluded.last_name)`,
      }),
    )
    .execute()
}

/** Notes that the next members of unrevoked feeds were seen, even if they were erased before; gives the last one's id where there may be more. */
export async function seeMembersAfter(
  transaction: Transaction<StoreTables>,
  companyId: string,
  after: string,
  seenAt: Instant,
): Promise<string | undefined> {
  const members = await transaction
    .selectFrom('feed_users')
    .innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
    .select('feed_users.user_id as id')
    .distinct()
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .where('feed_users.user_id', '>', after)
    .orderBy('feed_users.user_id')
    .limit(peopleAtOnce)
    .execute()
  if (members.length === 0) return undefined
  const marks = members.map(({ id }) => erasureMark(companyId, id))
  await transaction.deleteFrom('erased_people').where('mark', 'in', marks).execute()
  await seeSome(transaction, companyId, members, seenAt)
  return members.length < peopleAtOnce ? undefined : members.at(-1)?.id
}
