/* Looks for what somebody writes into a search field. */
import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { StoreTables } from './tables.ts'

type Feeds = ExpressionBuilder<StoreTables, 'feeds'>
type Condition = Expression<SqlBool>

/** Whether it is a feed's id, or part of its name, of an id in it or of a name known of one: each looked through once, not once for each feed. */
export function holdsText(feeds: Feeds, text: string): Condition {
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
