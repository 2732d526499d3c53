import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { FeedFilter, FeedState } from '../domain/feed.ts'
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
    ...(search == null ? [] : [found(feeds, search)]),
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

/** People, their feeds and names are each looked through once, not once for each feed. */
function found(feeds: Feeds, text: string): Condition {
  const ofIds = feeds
    .selectFrom('feed_users')
    .select('feed_id')
    .where((users) => users.or(inAnyCase(sql.ref('user_id'), text)))
  return feeds.or([
    feeds('id', '=', text),
    feeds('id', 'in', ofIds),
    feeds('id', 'in', ofNamed(feeds, text)),
    ...inAnyCase(sql.ref('name'), text),
  ])
}

/** SQLite joins in this order because it is told to; one id may be two companies' people. */
function ofNamed(feeds: Feeds, text: string): Expression<string> {
  const theirs = feeds
    .selectFrom('people')
    .crossJoin('feed_users')
    .crossJoin('feeds as theirs')
    .select('theirs.id')
    .where((people) => people.or(inAnyCase(fullName, text)))
    .whereRef('feed_users.user_id', '=', 'people.user_id')
    .whereRef('theirs.id', '=', 'feed_users.feed_id')
    .whereRef('theirs.company_id', '=', 'people.company_id')
  return sql<string>`${theirs}`
}

const fullName = sql<string>`coalesce(first_name, '') || ' ' || coalesce(last_name, '')`

/** SQLite knows case in ASCII only, so of other letters the usual ways to write a name are looked for: "özil", "Özil", "ÖZIL". */
function inAnyCase(column: RawBuilder<unknown>, text: string): readonly Condition[] {
  const lower = text.toLowerCase()
  const capital = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  const written = /^\p{ASCII}*$/u.test(text) ? [lower] : [lower, capital, text.toUpperCase()]
  return written.map((it) => sql<SqlBool>`lower(${column}) like ${patternOf(it)} escape '\\'`)
}

function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
