import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Dialect } from '../database/database.ts'
import { quietBefore, regularPolls } from '../domain/activity.ts'
import {
  type GroupsOf,
  type ListedState,
  type MissingFeed,
  type PeopleGroup,
  refusalsCountSince,
} from '../domain/people-list.ts'
import { isOfCompany, isOpen } from './rows.ts'

/** Whether a row of `people` is of that state, as `listedState` tells it. */
export function isInState(companyId: string, state: ListedState): RawBuilder<SqlBool> {
  const isHeld = sql`user_id in (select user_id from newcomers where company_id = ${companyId})`
  if (state === 'held') return sql`${isHeld}`
  if (state === 'misnamed') return sql`state = 'misnamed' and not ${isHeld}`
  const hasLeft = sql`user_id in (select user_id from departures
    where company_id = ${companyId} and left_at is not null)`
  if (state !== 'left') return sql`state = ${state} and not ${isHeld} and not ${hasLeft}`
  return sql`state <> 'misnamed' and not ${isHeld}
    and (state in ('user_inactive', 'user_missing') or ${hasLeft})`
}

export function lacksFeed(companyId: string, missing: MissingFeed): RawBuilder<SqlBool> {
  const own = sql`select 1 from feed_users join feeds on feeds.id = feed_users.feed_id
    where feed_users.user_id = people.user_id and ${isOwn(companyId)}`
  if (missing === 'none') return sql`not exists (${own})`
  return sql`exists (${own} and feeds.polled = 0) and not exists (${own} and feeds.polled = 1)`
}

/** An open calendar of one's own. */
function isOwn(companyId: string): RawBuilder<SqlBool> {
  return sql`${isOfCompany(companyId)} and feeds.audience = 'own' and ${isOpen}`
}

/**
 * Whether a row of `people` is in that group. The members are found as a set where many have to be looked at, since a
 * question about each person would take SQLite several times as long; PostgreSQL asks all at once. A cross join keeps SQLite
 * to the order of the tables.
 */
export function isInGroup(name: PeopleGroup, of: GroupsOf, dialect: Dialect): RawBuilder<SqlBool> {
  const { companyId } = of
  if (name === 'left') return isInState(companyId, 'left')
  if (name === 'quiet') return isQuietPerson(of)
  if (name === 'trouble') return isInTrouble(of)
  const owners = sql`select feed_users.user_id from feeds cross join feed_users
    where feed_users.feed_id = feeds.id and ${isOwn(companyId)}`
  const theirs = sql`select 1 from feed_users cross join feeds
    where feed_users.user_id = people.user_id and feeds.id = feed_users.feed_id and ${isOwn(companyId)}`
  if (name === 'never-subscribed') {
    return sql`user_id in (${owners} and feeds.polled = 0)
      and not exists (${theirs} and feeds.polled = 1)`
  }
  const everybody = sql`select user_id from people where company_id = ${companyId}`
  const hasNone =
    dialect === 'sqlite'
      ? sql`user_id in (${everybody} except ${owners})`
      : sql`not exists (${theirs})`
  const isHere = sql`${isInState(companyId, 'active')} or ${isInState(companyId, 'unread')}`
  return sql`(${isHere}) and ${hasNone}`
}

/** As `isQuiet` tells it of all calendars of their own. */
function isQuietPerson({ companyId, now }: GroupsOf): RawBuilder<SqlBool> {
  const since = quietBefore(now)
  const isProgram = sql`activity.client <> 'browser'`
  return sql`user_id in (
      select feed_users.user_id from activity cross join links cross join feeds cross join feed_users
      where activity.polls >= ${regularPolls} and activity.last_polled_at < ${since} and ${isProgram}
        and links.token_hash = activity.token_hash and feeds.id = links.feed_id
        and ${isOwn(companyId)} and feed_users.feed_id = feeds.id)
    and not exists (
      select 1 from feed_users cross join feeds cross join links cross join activity
      where feed_users.user_id = people.user_id and feeds.id = feed_users.feed_id
        and ${isOwn(companyId)} and links.feed_id = feeds.id
        and activity.token_hash = links.token_hash
        and activity.last_polled_at >= ${since} and ${isProgram})`
}

/** As `Trouble` names it. */
function isInTrouble({ companyId, connectionId, now }: GroupsOf): RawBuilder<SqlBool> {
  return sql`(state = 'misnamed'
    or user_id in (select user_id from newcomers where company_id = ${companyId})
    or user_id in (select user_id from departures
      where company_id = ${companyId} and held_back = 1 and left_at is null)
    or user_id in (select user_id from leave_owners
      where connection_id = ${connectionId} and contested = 1)
    or user_id in (
      select feed_users.user_id from audit cross join feeds cross join feed_users
      where audit.company_id = ${companyId} and ${isLastMailRefused(now)}
        and feeds.id = audit.feed_id and ${isOwn(companyId)} and feed_users.feed_id = feeds.id))`
}

/** Whether a row of `audit` notes that the last mail about its feed was not taken. */
export function isLastMailRefused(now: number): RawBuilder<SqlBool> {
  return sql`audit.action = 'mail_refused' and audit.at >= ${refusalsCountSince(now)}
    and not exists (select 1 from audit as later where later.feed_id = audit.feed_id
      and later.action = 'mail_sent' and later.at >= audit.at)`
}
