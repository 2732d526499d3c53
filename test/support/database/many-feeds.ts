/* Stores with any number of feeds, each of a person of its own, written in bulk. */
import { DatabaseSync } from 'node:sqlite'

import pg from 'pg'

import { hashSecret } from '../../../src/domain/secrets.ts'

const columns =
  'id, company_id, user_ids, audience, name, timezone, locale, own_options, revision, leaves_shown, created_at'

/** The feed of that number; they were made one millisecond after the other. */
export function feedIdOf(number: number): string {
  return `feed_${String(number).padStart(9, '0')}`
}

/** The secret of the one link of that feed. */
export function tokenOf(number: number): string {
  return `cfb_${String(number).padStart(43, '0')}`
}

/** Whose the feed of number `n` is, as SQL says it. */
interface Whose {
  readonly company: string
  readonly user: string
}

const usual: Whose = { company: "'main'", user: "'usr_' || n" }

/** Adds `count` feeds, numbered from 1, to the bridge's tables at that address, which are there already. */
export async function insertFeeds(
  url: string,
  count: number,
  options: object,
  whose = usual,
): Promise<void> {
  const json = JSON.stringify(options).replaceAll("'", "''")
  if (url.startsWith('file:')) insertIntoSqlite(url.slice('file:'.length), count, json, whose)
  else await insertIntoPostgres(url, count, json, whose)
}

function insertIntoSqlite(file: string, count: number, options: string, whose: Whose): void {
  const database = new DatabaseSync(file, { timeout: 60_000 })
  database.function('token_hash', (number) => hashSecret('cfb', tokenOf(Number(number))) ?? null)
  database.exec('pragma cache_size = -200000')
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`
  database.exec(`begin;
    ${numbers} insert into feeds (${columns})
      select 'feed_' || printf('%09d', n), ${whose.company}, json_array(${whose.user}), 'own', 'Calendar ' || n,
        'Europe/Berlin', 'en', '${options}', 1, 0, n from numbers;
    ${numbers} insert into feed_users (feed_id, user_id)
      select 'feed_' || printf('%09d', n), ${whose.user} from numbers;
    ${numbers} insert into links (token_hash, feed_id, label, created_at)
      select token_hash(n), 'feed_' || printf('%09d', n), 'default', n from numbers;
    commit`)
  database.close()
}

async function insertIntoPostgres(
  url: string,
  count: number,
  options: string,
  whose: Whose,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const numbers = `from generate_series(1, ${count}) n`
  await client.query(`insert into feeds (${columns})
    select 'feed_' || lpad(n::text, 9, '0'), ${whose.company}, json_build_array(${whose.user})::text, 'own', 'Calendar ' || n,
      'Europe/Berlin', 'en', '${options}', 1, 0, n ${numbers}`)
  await client.query(`insert into feed_users (feed_id, user_id)
    select 'feed_' || lpad(n::text, 9, '0'), ${whose.user} ${numbers}`)
  await client.query(`insert into links (token_hash, feed_id, label, created_at)
    select sha256(('cfb_' || lpad(n::text, 43, '0'))::bytea), 'feed_' || lpad(n::text, 9, '0'), 'default', n ${numbers}`)
  await client.query('analyze')
  await client.end()
}
