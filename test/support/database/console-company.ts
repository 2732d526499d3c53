/*
 * What the console shows of a large company, written in bulk: people and their calendars in every state, each of their
 * programs, departures, newcomers, disputed leaves, refused mails, and an audit log of two hundred thousand entries.
 */
import { type RawBuilder, sql } from 'kysely'

import { openDatabase } from '../../../src/database/database.ts'
import { columnNames, type StoreTables } from '../../../src/store/tables.ts'
import { insertFeeds } from './many-feeds.ts'
import { insertPeople } from './many-people.ts'

const dayMs = 86_400_000
/** Each names the five hundred people of one act. */
const largeEntries = 200
/** About the one person and calendar of that number. */
export const busiest = 50_000
const busiestEntries = 5000

/** The id of the person of that number. */
export function userOf(number: number): string {
  return `usr_${String(number).padStart(6, '0')}`
}

/** Whether the record of the person of that number says that they have left. */
export function hasGone(number: number): boolean {
  return number % 60 === 5 || number % 300 === 11
}

/** Whether nothing is known of that person that keeps a calendar from them. */
export function isPlain(number: number): boolean {
  return !hasGone(number) && number % 3000 !== 7 && number % 2500 !== 13 && number % 500 !== 9
}

/** Of a hundred people, of a hundred such teams, and of nobody. */
export function managerOf(number: number): string | null {
  if (number % 10_000 === 0) return null
  return userOf(number - (number % (number % 100 === 0 ? 10_000 : 100)))
}

interface LargeCompany {
  readonly url: string
  readonly connectionId: string
  readonly people: number
  readonly now: number
}

/** Fills the bridge's tables at that address, in which nothing stands yet. */
export async function insertConsoleCompany(company: LargeCompany): Promise<void> {
  const { url, people } = company
  const user = url.startsWith('file:')
    ? "'usr_' || printf('%06d', n)"
    : "'usr_' || lpad(n::text, 6, '0')"
  await insertFeeds(url, people, {}, { company: "'main'", user })
  const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
  await insertPeople(database, people)
  for (const statement of managers) await statement.execute(database.queries)
  for (const statement of [...ofCalendars(company), ...ofPeople(company), ...ofAudit(company)]) {
    await statement.execute(database.queries)
  }
  await sql`${database.dialect === 'sqlite' ? sql`pragma optimize` : sql`vacuum analyze`}`.execute(
    database.queries,
  )
  await database.close()
}

/** As `managerOf`. */
const managers: readonly RawBuilder<unknown>[] = [
  sql`update people set manager_id = 'usr_' || substr(user_id, 5, 2) || '0000' where user_id like '%00'`,
  sql`update people set manager_id = null where user_id like '%0000'`,
]

const hasStayed = sql.raw('cast(substr(people.user_id, 5) as integer) % 60 <> 5')

/** The ids of these people as the list that is kept of them. */
function listOf(people: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select '[' || string_agg('"' || user_id || '"', ',' order by user_id) || ']'
    from (${people}) as members)`
}

type Statements = readonly RawBuilder<unknown>[]

/** The number of a calendar and of its person is the instant at which it was made. */
function ofCalendars({ url, people, now }: LargeCompany): Statements {
  const members = sql`select people.user_id from people
    where people.company_id = 'main' and people.manager_id = managers.user_id and ${hasStayed}`
  const number = sql`created_at`
  return [
    sql`insert into activity (token_hash, client, first_polled_at, last_polled_at, last_status, polls)
      select token_hash,
        case ${number} % 4 when 0 then 'google' when 1 then 'outlook' when 2 then 'apple' else 'thunderbird' end,
        ${sql.lit(now - 90 * dayMs)},
        ${sql.lit(now)} - case when ${number} % 25 = 4 then ${sql.lit(20 * dayMs)} else ${number} % 86400 * 1000 end,
        200, 90 from links where ${number} % 20 <> 3`,
    sql`insert into activity (token_hash, client, first_polled_at, last_polled_at, last_status, polls)
      select token_hash, 'browser', ${sql.lit(now - 90 * dayMs)}, ${sql.lit(now - dayMs)}, 200, 2
        from links where ${number} % 5 = 3`,
    sql`insert into links (token_hash, feed_id, label, created_at)
      select ${randomBytes(url)}, id, 'phone', ${number} from feeds where ${number} % 10 = 0`,
    sql`update feeds set polled = 1 where ${number} % 20 <> 3`,
    sql`update feeds set revoked_at = ${sql.lit(now - dayMs)} where ${number} % 40 = 1`,
    sql`update feeds set closed_at = ${sql.lit(now - dayMs)} where ${number} % 60 = 5`,
    sql`update feeds set own_options = '{"shifts":{"scheduleIds":["sch_day"]}}' where ${number} % 3 = 0`,
    sql`insert into feeds (id, company_id, user_ids, audience, name, timezone, locale, own_options, revision,
        leaves_shown, created_at, team_manager_id, team_depth)
      select 'feed_team_' || user_id, 'main', ${listOf(members)}, 'others', 'Team of ' || user_id,
        'Europe/Berlin', 'en', '{}', 1, 0, ${sql.lit(people)}, user_id, 'direct'
        from people as managers where user_id like '%00' and user_id not like '%0000'`,
    sql`insert into feed_users (feed_id, user_id) select feeds.id, people.user_id
      from feeds join people on people.company_id = feeds.company_id and people.manager_id = feeds.team_manager_id
      where ${hasStayed}`,
  ]
}

function ofPeople({ connectionId, now }: LargeCompany): Statements {
  const number = sql`cast(substr(user_id, 5) as integer)`
  const connection = sql.lit(connectionId)
  const at = sql.lit(now)
  const longAgo = sql.lit(now - 90 * dayMs)
  return [
    sql`update people set due_at = ${sql.lit(now + 30 * dayMs)}, read_at = ${at}, seen_at = ${at}`,
    sql`update people set state = 'misnamed' where ${number} % 3000 = 7`,
    sql`update people set state = 'unread', first_name = null, last_name = null, email = null, folded_email = null
      where ${number} % 500 = 9`,
    sql`update people set state = 'user_inactive' where ${number} % 60 = 5`,
    sql`insert into look_rounds (company_id, looked_at, due_at, problems, read_at, called_at)
      values ('main', ${at}, ${sql.lit(now + 30 * dayMs)}, '[]', ${at}, ${at})`,
    sql`insert into proofs (connection_id, state, since, battery_at)
      values (${connection}, 'proven', ${sql.lit(now - dayMs)}, ${at})`,
    sql`insert into departures (company_id, user_id, because, since, read_at, left_at, was_here, held_back, cleared)
      select 'main', user_id, 'user_inactive', ${sql.lit(now - 2 * dayMs)}, ${at},
        case when ${number} % 60 = 5 then ${sql.lit(now - dayMs)} end, 1, case when ${number} % 60 = 5 then 0 else 1 end, 0
        from people where ${number} % 60 = 5 or ${number} % 300 = 11`,
    sql`insert into newcomers (company_id, user_id, since, read_at, confirmed_at)
      select 'main', user_id, ${at}, ${at}, ${at} from people where ${number} % 2500 = 13`,
    sql`insert into leave_owners (connection_id, leave_id, user_id, contested, is_owner, since)
      select ${connection}, 'lv_' || user_id, user_id, case when ${number} % 400 = 17 then 1 else 0 end, 1, ${longAgo}
        from people`,
    sql`insert into leave_owners (connection_id, leave_id, user_id, contested, is_owner, since)
      select ${connection}, 'lv_' || user_id, 'usr_000001', 1, 0, ${longAgo} from people where ${number} % 400 = 17`,
  ]
}

/** In the order of time, as they are noted. */
function ofAudit({ url, now }: LargeCompany): Statements {
  const isSqlite = url.startsWith('file:')
  const id = isSqlite ? sql`lower(hex(randomblob(16)))` : sql`gen_random_uuid()::text`
  const entry = (
    at: RawBuilder<unknown>,
    actor: string,
    action: string,
    where: string,
  ): RawBuilder<unknown> =>
    sql`select ${id} as id, ${at} as at, ${sql.raw(actor)} as actor, ${sql.lit(action)} as action, 'main' as company_id,
      id as feed_id, user_ids, 'default' as label from feeds where audience = 'own' and ${sql.raw(where)}`
  /** Spread over so many days before others. */
  const spread = (days: number, before: number): RawBuilder<unknown> =>
    sql`${sql.lit(now - before * dayMs)} - created_at * 7919 % ${sql.lit(days * 86_400)} * 1000`
  const first500 = sql`select user_id from people order by user_id limit 500`
  const all = [
    entry(spread(300, 30), staff, 'feed_created', '1 = 1'),
    entry(spread(29, 1), staff, 'mail_sent', 'created_at % 2 = 0'),
    entry(spread(29, 0), `'token:main/sync'`, 'link_rotated', 'created_at % 3 = 0'),
    entry(sql`${sql.lit(now)} - created_at`, `'bridge'`, 'mail_refused', 'created_at % 30 = 6'),
    sql`select ${id} as id, ${sql.lit(now)} - numbers.created_at * 1000 as at, 'staff:hr1@example.com' as actor,
      'calendar_viewed' as action, 'main' as company_id, feeds.id as feed_id, feeds.user_ids, 'a reason' as label
      from feeds cross join feeds as numbers where feeds.created_at = ${sql.lit(busiest)}
        and numbers.created_at <= ${sql.lit(busiestEntries)} and numbers.audience = 'own'`,
    sql`select ${id} as id, ${sql.lit(now)} - created_at * 3600000 as at, 'operator' as actor,
      'people_exported' as action, 'main' as company_id, cast(null as text) as feed_id, ${listOf(first500)} as user_ids,
      cast(null as text) as label
      from feeds where created_at <= ${sql.lit(largeEntries)} and audience = 'own'`,
  ]
  return [
    sql`insert into audit (id, at, actor, action, company_id, feed_id, user_ids, label)
      select * from (${sql.join(all, sql` union all `)}) as entries order by at`,
  ]
}

const staff = `'staff:hr' || created_at % 7 || '@example.com'`

function randomBytes(url: string): RawBuilder<unknown> {
  return url.startsWith('file:') ? sql`randomblob(32)` : sql`sha256(gen_random_uuid()::text::bytea)`
}
