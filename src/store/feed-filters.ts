import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'

import type { Dialect } from '../database/database.ts'
import type { FeedFilter, FeedState } from '../domain/feed.ts'
import { holdsText } from './feed-search.ts'
import type { StoreTables } from './tables.ts'

type Feeds = ExpressionBuilder<StoreTables, 'feeds'>
type Condition = Expression<SqlBool>

/* Three indexes hold the few feeds that are revoked, closed or were never polled, each in the order of the list. SQLite takes
   one only where the condition stands as the index has it, without values, and where no other column seems to promise more:
   `+` and `|| ''` keep those out of its choice. PostgreSQL knows how many rows each condition leaves, and would not any more
   where a column stands so: it would read the whole table for a page of open feeds. */

/** What holds of every feed that the filter lets through. */
export function filterConditions(
  filter: FeedFilter,
  feeds: Feeds,
  dialect: Dialect,
): readonly Condition[] {
  const { companyId, userIds, unrevoked, state, neverPolled, search, after } = filter
  const ofUsers = feeds.selectFrom('feed_users').select('feed_id')
  return [
    ...(companyId == null
      ? []
      : [ofCompany(feeds, companyId, dialect === 'sqlite' && isOfFew(filter))]),
    ...(userIds == null ? [] : [feeds('id', 'in', ofUsers.where('user_id', 'in', userIds))]),
    ...(unrevoked ? [feeds('revoked_at', 'is', null)] : []),
    ...(state == null ? [] : [stateConditions(dialect)[state]]),
    ...(neverPolled ? [sql<SqlBool>`polled = 0`] : []),
    ...(search == null ? [] : [holdsText(feeds, search)]),
    ...(after
      ? [feeds(feeds.refTuple('created_at', 'id'), '>', feeds.tuple(after.createdAt, after.id))]
      : []),
  ]
}

/** A feed that was revoked after it was closed is revoked. */
function stateConditions(dialect: Dialect): Readonly<Record<FeedState, Condition>> {
  const kept = dialect === 'sqlite' ? sql`+` : sql``
  return {
    open: sql`${kept}revoked_at is null and ${kept}closed_at is null`,
    revoked: sql`revoked_at is not null`,
    closed: sql`closed_at is not null and ${kept}revoked_at is null`,
  }
}

/** Whether an index of few feeds holds all that the filter lets through. */
function isOfFew({ neverPolled, state }: FeedFilter): boolean {
  return neverPolled === true || state === 'revoked' || state === 'closed'
}

function ofCompany(feeds: Feeds, companyId: string, keptOut: boolean): Condition {
  return keptOut ? sql`company_id || '' = ${companyId}` : feeds('company_id', '=', companyId)
}
