import { sql } from 'kysely'

import type { CompanyWorkStore } from '../domain/company-work.ts'
import { isLastMailRefused } from './people-groups.ts'
import { inRanges, isOpen } from './rows.ts'
import type { StoreDatabase } from './tables.ts'

/** SQLite counts in parts, so that other requests are served meanwhile. */
const feedsAtOnce = 4000

interface FeedPlace {
  readonly createdAt: number
  readonly id: string
}

export function companyWorkStore({ queries, dialect }: StoreDatabase): CompanyWorkStore {
  const heldBackOf = (companyId: string) =>
    queries
      .selectFrom('departures')
      .where('departures.companyId', '=', companyId)
      .where('heldBack', '=', 1)
      .where('leftAt', 'is', null)
  const feedsAfter = (companyId: string, after: FeedPlace | null) => {
    const feeds = queries.selectFrom('feeds').where('companyId', '=', companyId)
    return after ? feeds.where(sql<boolean>`(created_at, id) > ${placeOf(after)}`) : feeds
  }
  return {
    async sumHeldBack(companyId) {
      const row = await heldBackOf(companyId)
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('since').as('until')])
        .executeTakeFirst()
      return { count: row?.count ?? 0, until: row?.until ?? 0 }
    },
    listHeldBack: (companyId, limit) =>
      heldBackOf(companyId)
        .leftJoin('people', (both) =>
          both
            .onRef('people.companyId', '=', 'departures.companyId')
            .onRef('people.userId', '=', 'departures.userId'),
        )
        .select(['departures.userId as id', 'because', 'since', 'firstName', 'lastName'])
        .orderBy('departures.userId')
        .limit(limit)
        .execute(),
    async countCalendars(companyId, since) {
      const counted = { open: 0, asked: 0 }
      const asked = sql`exists (select 1 from links cross join activity
        where links.feed_id = feeds.id and activity.token_hash = links.token_hash
          and activity.last_polled_at >= ${since} and activity.client <> 'browser')`
      await inRanges<FeedPlace | null>(null, async (from) => {
        const after = feedsAfter(companyId, from)
        const end =
          dialect === 'sqlite'
            ? await after
                .select(['createdAt', 'id'])
                .orderBy('createdAt')
                .orderBy('id')
                .offset(feedsAtOnce)
                .limit(1)
                .executeTakeFirst()
            : undefined
        const some = end ? after.where(sql<boolean>`(created_at, id) <= ${placeOf(end)}`) : after
        const row = await some
          .select([
            sql<number>`count(*) filter (where ${isOpen})`.as('open'),
            sql<number>`count(*) filter (where ${isOpen} and ${asked})`.as('asked'),
          ])
          .executeTakeFirst()
        counted.open += row?.open ?? 0
        counted.asked += row?.asked ?? 0
        return end
      })
      return counted
    },
    async countTroubles({ companyId, connectionId, now }) {
      const { rows } = await sql<{ disputed: number; mailRefused: number; misnamed: number }>`select
        (select count(distinct user_id) from leave_owners
          where connection_id = ${connectionId} and contested = 1) as disputed,
        (select count(distinct feed_users.user_id)
          from audit cross join feeds cross join feed_users
          where audit.company_id = ${companyId} and ${isLastMailRefused(now)}
            and feeds.id = audit.feed_id and ${isOpen} and feeds.audience = 'own'
            and feed_users.feed_id = feeds.id) as mail_refused,
        (select count(*) from people
          where company_id = ${companyId} and state = 'misnamed') as misnamed`.execute(queries)
      return rows[0] ?? { disputed: 0, mailRefused: 0, misnamed: 0 }
    },
  }
}

function placeOf({ createdAt, id }: FeedPlace) {
  return sql`(${createdAt}, ${id})`
}
