import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'

import type { FeedFilter, FeedState } from '../domain/feed.ts'
import { holdsText } from './feed-search.ts'
import type { StoreTables } from './tables.ts'

type Feeds = ExpressionBuilder<StoreTables, 'feeds'>
type Condition = Expression<SqlBool>

/* Three indexes hold the few feeds that are revoked, closed or were never polled, each in the order of the list. SQLite takes
   one only where the condition stands as the index has it, without values, and where no other column seems to promise more:
   `+` and `|| ''` keep those out of its choice. */

/** What holds of every feed that the filter lets through. */
export function filterConditions(filter: FeedFilter, feeds: Feeds): readonly Condition[] {
  const { companyId, userIds, unrevoked, state, neverPolled, search, after } = filter
  const isOfFew = neverPolled === true || state === 'revoked' || state === 'closed'
  const ofUsers = feeds.selectFrom('feed_users').select('feed_id')
  return [
    ...(companyId == null ? [] : [ofCompany(feeds, companyId, isOfFew)]),
    ...(userIds == null ? [] : [feeds('id', 'in', ofUsers.where('user_id', 'in', userIds))]),
    ...(unrevoked ? [feeds('revoked_at', 'is', null)] : []),
    ...(state == null ? [] : [stateConditions[state]]),
    ...(neverPolled ? [sql<SqlBool>`polled = 0`] : []),
    ...(search == null ? [] : [holdsText(feeds, search)]),
    ...(after
      ? [feeds(feeds.refTuple('created_at', 'id'), '>', feeds.tuple(after.createdAt, after.id))]
      : []),
  ]
}

/** A feed that was revoked after it was closed is revoked. */
const stateConditions: Readonly<Record<FeedState, Condition>> = {
  open: sql`+revoked_at is null and +closed_at is null`,
  revoked: sql`revoked_at is not null`,
  closed: sql`closed_at is not null and +revoked_at is null`,
}

function ofCompany(feeds: Feeds, companyId: string, isOfFew: boolean): Condition {
  return isOfFew ? sql`company_id || '' = ${companyId}` : feeds('company_id', '=', companyId)
}
