import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Team } from '../domain/feed.ts'
import type { LostManagers, WithoutManager } from '../domain/person.ts'
import type { ListedManager, TeamPerson, TeamStore } from '../domain/team.ts'
import { isNamed } from './people-list.ts'
import { isAmong, isOpen } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

export function teamStore({ queries, dialect }: StoreDatabase): TeamStore {
  const idsIn = (userIds: readonly string[]): RawBuilder<unknown> => {
    const texts = JSON.stringify(userIds)
    return dialect === 'sqlite'
      ? sql`select value as user_id from json_each(${texts})`
      : sql`select value collate "C" as user_id from jsonb_array_elements_text(cast(${texts} as jsonb))`
  }
  const isReporting = (kept: readonly string[]): RawBuilder<SqlBool> => {
    const keptTexts = sql<string>`${JSON.stringify(kept)}`
    return sql`(people.manager_missing_since is null
      or ${isAmong(dialect, 'people.userId', keptTexts)})`
  }
  /** `from` with the ids of members as `below.user_id`. */
  const members = (
    { select, from }: Readonly<Record<'select' | 'from', RawBuilder<unknown>>>,
    companyId: string,
    { managerId, depth }: Team,
    kept: readonly string[],
  ): RawBuilder<TeamPerson> => {
    const reports = (manager: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      people.company_id = ${companyId} and people.manager_id = ${manager} and ${isReporting(kept)}`
    // `union` ends in cycles; `cross join` fixes the join order for SQLite.
    const deeper = sql`union select people.user_id from below cross join people
      where ${reports(sql`below.user_id`)}`
    return sql`
      with recursive below(user_id) as (
        select people.user_id from people where ${reports(sql`${managerId}`)}
        ${depth === 'all' ? deeper : sql``})
      select ${select} from ${from} where below.user_id <> ${managerId}
        and not ${hasLeft(companyId, sql`below.user_id`)}`
  }
  return {
    async listMembers(...of) {
      const parts = { select: sql`user_id`, from: sql`below` }
      const { rows } = await members(parts, ...of).execute(queries)
      // Databases sort text differently.
      return rows.map(({ userId }) => userId).toSorted((a, b) => (a < b ? -1 : 1))
    },
    async describeMembers(companyId, team, kept, limit) {
      const from = sql`below cross join people as known`
      const select = sql`known.user_id, sort_name, first_name, last_name, email`
      const some = members({ select, from }, companyId, team, kept)
      const { rows } =
        await sql<TeamPerson>`select * from (${some} and known.company_id = ${companyId}
        and known.user_id = below.user_id limit ${limit}) as described
        order by sort_name, user_id`.execute(queries)
      return rows
    },
    async listManagers(companyId, { search, after, limit }, kept) {
      const reports = (manager: RawBuilder<unknown>): RawBuilder<unknown> => sql`from people
        where people.company_id = ${companyId} and people.manager_id = ${manager}
          and people.user_id <> ${manager} and ${isReporting(kept)}
          and not ${hasLeft(companyId, sql`people.user_id`)}`
      const next = sql`from people where people.company_id = ${companyId} and people.manager_id`
      const place = sql`(coalesce(known.sort_name, ''), managers.id)`
      // Each step of the recursion finds the next manager by the index, however many people report to the last.
      const { rows } = await sql<ListedManager>`
        with recursive managers(id) as (
          select min(people.manager_id) ${next} is not null
          union all select (select min(people.manager_id) ${next} > managers.id)
            from managers where managers.id is not null),
        listed as (
          select managers.id, coalesce(known.sort_name, '') as sort_name,
            known.first_name, known.last_name, known.email
          from managers left join people as known
            on known.company_id = ${companyId} and known.user_id = managers.id
          where managers.id is not null
            and exists (select 1 ${reports(sql`managers.id`)})
            ${search === undefined ? sql`` : sql`and ${isNamed(search, 'known', sql`managers.id`)}`}
            ${after ? sql`and ${place} > (${after.sortName}, ${after.userId})` : sql``}
          order by coalesce(known.sort_name, ''), managers.id limit ${limit})
        select listed.id as user_id, sort_name, first_name, last_name, email,
          (select count(*) ${reports(sql`listed.id`)}) as reports
          from listed order by sort_name, listed.id`.execute(queries)
      return rows
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

function hasLeft(companyId: string, userId: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`exists (select 1 from departures where departures.company_id = ${companyId}
    and departures.user_id = ${userId} and left_at is not null)`
}
