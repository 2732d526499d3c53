import { type RawBuilder, sql } from 'kysely'

import type { LostManagers, WithoutManager } from '../domain/person.ts'
import type { TeamStore } from '../domain/team.ts'
import { isAmong, isOpen } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

type Named = { readonly userId: string }

export function teamStore({ queries, dialect }: StoreDatabase): TeamStore {
  const idsIn = (userIds: readonly string[]): RawBuilder<unknown> => {
    const texts = JSON.stringify(userIds)
    return dialect === 'sqlite'
      ? sql`select value as user_id from json_each(${texts})`
      : sql`select value collate "C" as user_id from jsonb_array_elements_text(cast(${texts} as jsonb))`
  }
  return {
    async listMembers(companyId, { managerId, depth }, kept) {
      const keptTexts = sql<string>`${JSON.stringify(kept)}`
      const reports = (manager: RawBuilder<unknown>): RawBuilder<unknown> => sql`
        people.company_id = ${companyId} and people.manager_id = ${manager}
          and (people.manager_missing_since is null
            or ${isAmong(dialect, 'people.userId', keptTexts)})`
      // `union` ends in cycles; `cross join` fixes the join order for SQLite.
      const deeper = sql`union select people.user_id from below cross join people
        where ${reports(sql`below.user_id`)}`
      const { rows } = await sql<Named>`
        with recursive below(user_id) as (
          select people.user_id from people where ${reports(sql`${managerId}`)}
          ${depth === 'all' ? deeper : sql``})
        select user_id from below where user_id <> ${managerId} and not exists (
          select 1 from departures where departures.company_id = ${companyId}
            and departures.user_id = below.user_id and left_at is not null)`.execute(queries)
      // Databases sort text differently.
      return rows.map(({ userId }) => userId).toSorted((a, b) => (a < b ? -1 : 1))
    },
    async listFeedsAbove(companyId, userIds) {
      const { rows } = await sql<{ readonly id: string }>`
        with recursive above(user_id) as (
          ${idsIn(userIds)}
          union select people.manager_id from above cross join people
            where people.company_id = ${companyId} and people.user_id = above.user_id
              and people.manager_id is not null)
        select feeds.id from above cross join feeds
          where feeds.company_id = ${companyId} and feeds.team_manager_id = above.user_id
            and feeds.revoked_at is null and feeds.closed_at is null
          order by feeds.id`.execute(queries)
      return rows.map(({ id }) => id)
    },
    async listTeamFeeds(companyId, managerId) {
      const teams = queries.selectFrom('feeds').select('id').where('companyId', '=', companyId)
      const ofManager =
        managerId === undefined
          ? teams.where('teamManagerId', 'is not', null)
          : teams.where('teamManagerId', '=', managerId)
      const rows = await ofManager.where(isOpen).orderBy('id').execute()
      return rows.map(({ id }) => id)
    },
    async findManagerState(companyId, managerId) {
      const isTheirs = { companyId, userId: managerId }
      const left = queries.selectFrom('departures').select('leftAt').where('leftAt', 'is not', null)
      if (await left.where((of) => of.and(isTheirs)).executeTakeFirst()) return 'left'
      const known = queries.selectFrom('people').select('userId')
      return (await known.where((of) => of.and(isTheirs)).executeTakeFirst()) ? 'here' : 'unknown'
    },
    findLostManagers: (companyId) => findLostManagers(queries, companyId),
    countReporting: (companyId) => countReporting(queries, companyId),
  }
}

export async function findLostManagers(queries: Queries, companyId: string): Promise<LostManagers> {
  const { rows: people } = await sql<WithoutManager>`
    with missing as (
      select user_id, manager_id, manager_missing_since as since from people
        where company_id = ${companyId} and manager_missing_since is not null
          and manager_id is not null),
    team as (
      select people.manager_id, count(*) as reporting
        from (select distinct manager_id from missing) as lost cross join people
        where people.company_id = ${companyId} and people.manager_id = lost.manager_id
        group by people.manager_id)
    select missing.user_id, missing.manager_id, missing.since, team.reporting
      from missing join team on team.manager_id = missing.manager_id`.execute(queries)
  // Beyond fifty times as many, they are few in any case.
  const most = 50 * people.length
  const reporting = most > 0 ? await countReporting(queries, companyId, most) : 0
  return { people, reporting }
}

async function countReporting(
  queries: Queries,
  companyId: string,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const { rows } = await sql<{ readonly people: number }>`
    select count(*) as people from (
      select 1 from people where company_id = ${companyId} and manager_id is not null
        limit ${most}) as reporting`.execute(queries)
  return rows[0]?.people ?? 0
}
