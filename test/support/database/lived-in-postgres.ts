/* The same as lived-in.ts, in PostgreSQL. */
import pg from 'pg'

import { dayMs, ledgerBytes, leavesEach, recordsBytes, type Residents } from './lived-in.ts'

/** As personId writes a number. */
const person = "'usr_' || lpad(n::text, 5, '0')"
/** Each value is cut out of these random bytes elsewhere, so that none compresses. */
const pool = `(select string_agg(sha512(i::text::bytea), null::bytea) as bytes from generate_series(1, 1024) i) pool`
const poolBytes = 65_536

function bytesOf(size: number): string {
  return `substring(pool.bytes from 1 + (random() * ${poolBytes - size - 1})::int for ${size})`
}

/** Writes what is kept of these people, who all have a feed already, and of their companies. */
export async function moveInPostgres(
  url: string,
  all: readonly Residents[],
  now: number,
): Promise<void> {
  await withClient(url, async (client) => {
    for (const residents of all) await client.query(statements(residents, now))
    await client.query('vacuum analyze')
  })
}

/** Writes what the links of those feeds were served with last. */
export async function publishAllPostgres(url: string, feedsAfter: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`update links set fingerprint = md5(feed_id), etag = md5(label || feed_id), last_modified = created_at
      where feed_id > '${feedsAfter}'`)
    await client.query(`insert into ledgers (token_hash, version, entries)
      select token_hash, 1, ${bytesOf(ledgerBytes)} from links cross join ${pool} where feed_id > '${feedsAfter}'`)
    await client.query('update feeds set polled = 1, leaves_shown = 1')
  })
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client)
  await client.end()
}

function statements({ companyId, connectionId, from, to }: Residents, now: number): string {
  const numbers = `generate_series(${from}, ${to - 1}) n`
  const fetchedAt = now - 3_600_000
  const copies = Object.entries(recordsBytes).map(([kind, bytes]) => {
    const key = `'${connectionId}', '${kind}:' || ${person}`
    return `insert into copies (connection_id, key, content_hash, begun_at, fetched_at, with_reasons)
        select ${key}, md5(n || '${kind}'), ${fetchedAt}, ${fetchedAt}, 0 from ${numbers};
      insert into copy_records select ${key}, ${bytesOf(bytes)} from ${numbers} cross join ${pool};`
  })
  return `begin;
    ${copies.join('\n')}
    insert into leave_owners (connection_id, leave_id, user_id, is_owner, since)
      select '${connectionId}', 'lv_${companyId}_' || n || '_' || i, ${person}, 1, ${now - dayMs}
      from ${numbers} cross join generate_series(0, ${leavesEach - 1}) i;
    insert into people
        (company_id, user_id, folded_id, reversed_id, first_name, last_name, state, seen_at, read_at, due_at)
      select '${companyId}', ${person}, 'usr_' || n, reverse(${person}), 'First', 'Last', 'active',
        ${now}, ${now}, ${now + dayMs} from ${numbers};
    insert into look_rounds (company_id, looked_at, due_at, problems, read_at)
      values ('${companyId}', ${now}, ${now + dayMs}, '[]', 0);
    insert into proofs (connection_id, state, since, battery_at)
      values ('${connectionId}', 'proven', ${now - dayMs}, ${now});
    commit`
}
