import { type Kysely, type RawBuilder, sql } from 'kysely'

import type { DepartureShare, RecentDepartures } from '../../domain/departure.ts'
import type { Instant } from '../../domain/world.ts'
import type { StoreTables } from '../tables.ts'

interface Counts {
  readonly people: number
  readonly leaving: number
  readonly were_here: number
  readonly held_back: number
  readonly feed_people: number
  readonly feed_leaving: number
}

/** Who leaves since then, of all known people and of those in feeds. */
export async function countRecentDepartures(
  queries: Kysely<StoreTables>,
  companyId: string,
  since: Instant,
): Promise<RecentDepartures> {
  const leaving = sql`departures where company_id = ${companyId} and since >= ${since}`
  const leftBefore = sql`select user_id from departures
    where company_id = ${companyId} and since < ${since} and left_at is not null`
  const { rows } = await sql<Counts>`with members as (${membersOf(companyId)})
    select
      (select count(*) from (${peopleOf(companyId)} union select user_id from members) as known
        where user_id not in (${leftBefore})) as people,
      (select count(*) from ${leaving}) as leaving,
      (select count(*) from ${leaving} and was_here = 1) as were_here,
      (select count(*) from ${leaving} and held_back = 1) as held_back,
      (select count(*) from members where user_id not in (${leftBefore})) as feed_people,
      (select count(*) from ${leaving} and user_id in (select user_id from members)) as feed_leaving`.execute(
    queries,
  )
  const [counts] = rows
  if (!counts) throw new Error('A count is one row.')
  return {
    known: { people: counts.people, leaving: counts.leaving },
    wereHere: counts.were_here,
    heldBack: counts.held_back,
    inFeeds: { people: counts.feed_people, leaving: counts.feed_leaving },
  }
}

/** How many are held back, of all known people who have not left. */
export async function countHeldBack(
  queries: Kysely<StoreTables>,
  companyId: string,
): Promise<DepartureShare> {
  const { rows } = await sql<DepartureShare>`with members as (${membersOf(companyId)})
    select
      (select count(*) from (${peopleOf(companyId)} union select user_id from members) as known
        where user_id not in (select user_id from departures
          where company_id = ${companyId} and left_at is not null)) as people,
      (select count(*) from departures
        where company_id = ${companyId} and held_back = 1) as leaving`.execute(queries)
  return rows[0] ?? { people: 0, leaving: 0 }
}

function peopleOf(companyId: string): RawBuilder<unknown> {
  return sql`select user_id from people where company_id = ${companyId}`
}

function membersOf(companyId: string): RawBuilder<unknown> {
  return sql`select distinct feed_users.user_id from feed_users
    join feeds on feeds.id = feed_users.feed_id
    where feeds.company_id = ${companyId} and feeds.revoked_at is null`
}
