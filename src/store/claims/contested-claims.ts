/* Claims to leaves that have come for several people. There are few, and an index of them. */
import { type Kysely, type RawBuilder, sql } from 'kysely'

import type { Instant } from '../../domain/world.ts'
import type { StoreTables } from '../tables.ts'
import { type ClaimQuery, claimsOf } from './claim-queries.ts'

/** A leave that came for more of them is booked for all: each finds out by themselves when it goes. */
const claimantsMax = 5

/** Those of which no more than that many people have the leave. */
export function disputedClaims(queries: Kysely<StoreTables>, connectionId: string): ClaimQuery {
  return claimsOf(queries, connectionId)
    .where('contested', '=', sql.lit(1))
    .where('leave_id', 'in', (claims) =>
      claims
        .selectFrom('leave_owners')
        .select('leave_id')
        .where('connection_id', '=', connectionId)
        .where('contested', '=', sql.lit(1))
        .groupBy('leave_id')
        .having(({ fn }) => fn.countAll(), '<=', claimantsMax),
    )
}

/** How many people, those who are gone not counted, own leaves that have come, since then, for one other as well. SQLite takes the tables in this order: few claims are contested. */
export function wrongedOwners(
  connectionId: string | RawBuilder<string>,
  since: Instant | RawBuilder<Instant>,
): RawBuilder<{ readonly owners: number }> {
  return sql`
    with disputed as (
      select leave_id, user_id from leave_owners
      where connection_id = ${connectionId} and contested = 1)
    select count(distinct owner.user_id) as owners
    from disputed cross join leave_owners as wrong cross join leave_owners as owner
    where wrong.connection_id = ${connectionId}
      and wrong.leave_id = disputed.leave_id and wrong.user_id = disputed.user_id
      and wrong.is_owner = 0 and wrong.since > ${since}
      and owner.connection_id = wrong.connection_id
      and owner.leave_id = wrong.leave_id and owner.is_owner = 1
      and owner.is_gone = 0
      and not exists (
        select 1 from leave_owners as third
        where third.connection_id = wrong.connection_id and third.leave_id = wrong.leave_id
          and third.user_id <> wrong.user_id and third.user_id <> owner.user_id)
  `
}
