/* Heads of copies as their rows hold them; that some were confirmed is noted by one statement, however many they are. */
import { CompiledQuery } from 'kysely'

import type { Database, Dialect } from '../../database/database.ts'
import type { CopyHead, Doubt } from '../../domain/copy.ts'
import { clockSkewMs } from '../../domain/world.ts'
import { doubtColumn, heldColumn } from '../json-columns.ts'
import type { CopyRow, StoreTables } from '../tables.ts'

/** Of a copy's row, but for its connection. */
export const headColumns = [
  'key',
  'content_hash',
  'begun_at',
  'fetched_at',
  'reach_past_days',
  'reach_future_days',
  'missing_since',
  'with_reasons',
  'doubt',
  'held',
  'emptied_at',
] as const satisfies (keyof CopyRow)[]

/** What a row says of its copy. */
export function headOf(row: CopyRow): CopyHead {
  const { reach_past_days: pastDays, reach_future_days: futureDays } = row
  const doubt = doubtOf(row)
  return {
    key: row.key,
    contentHash: row.content_hash,
    begunAt: row.begun_at,
    fetchedAt: row.fetched_at,
    reach: pastDays === null || futureDays === null ? null : { pastDays, futureDays },
    missingSince: row.missing_since,
    ...(row.with_reasons === 1 ? { withReasons: true } : {}),
    ...(doubt && { doubt }),
    ...(row.held === null ? {} : { held: heldColumn.parse(JSON.parse(row.held)) }),
    ...(row.emptied_at === null ? {} : { emptiedAt: row.emptied_at }),
  }
}

/** The row of that copy, but for its connection. */
export function headRow(head: CopyHead): Omit<CopyRow, 'connection_id'> {
  return {
    key: head.key,
    content_hash: head.contentHash,
    begun_at: head.begunAt,
    fetched_at: head.fetchedAt,
    reach_past_days: head.reach?.pastDays ?? null,
    reach_future_days: head.reach?.futureDays ?? null,
    missing_since: head.missingSince,
    with_reasons: head.withReasons ? 1 : 0,
    doubt: head.doubt ? JSON.stringify(head.doubt) : null,
    held: head.held ? JSON.stringify(head.held) : null,
    emptied_at: head.emptiedAt ?? null,
  }
}

/** The doubt that a row holds. */
export function doubtOf({ doubt }: Pick<CopyRow, 'doubt'>): Doubt | undefined {
  return doubt === null ? undefined : doubtColumn.parse(JSON.parse(doubt))
}

/** What is noted, with its type. */
const noted = {
  begun_at: 'bigint',
  fetched_at: 'bigint',
  reach_past_days: 'integer',
  reach_future_days: 'integer',
  missing_since: 'bigint',
  with_reasons: 'integer',
  doubt: 'text',
  held: 'text',
  emptied_at: 'bigint',
} as const satisfies Record<keyof Omit<CopyRow, Known>, string>

type Known = 'connection_id' | 'key' | 'content_hash'

const said = Object.entries({ key: 'text', content_hash: 'text', ...noted })
const changes = Object.keys(noted).map((name) => `${name} = said.${name}`)

/** Of two refreshes the one that began later stands; one that claims to have begun in the future counts for nothing. */
const areSame = `copies.key = said.key and copies.content_hash = said.content_hash
  and (copies.begun_at <= said.begun_at or copies.begun_at > said.fetched_at + ${clockSkewMs})`

const texts: Readonly<Record<Dialect, string>> = {
  sqlite: `
    with said as materialized (select ${said.map(([name]) => `value ->> '${name}' as ${name}`).join(', ')} from json_each(?1))
    update copies set ${changes.join(', ')} from said
    where copies.connection_id = ?2 and ${areSame} returning key`,
  // Rows are locked in the order of their keys: two that confirm the same do not wait for each other.
  postgres: `
    with said as (
      select * from json_to_recordset($1::json) as said (${said.map((it) => it.join(' ')).join(', ')})),
    locked as (
      select key from copies where connection_id = $2 and key in (select key from said)
      order by key for update)
    update copies set ${changes.join(', ')} from said join locked using (key)
    where copies.connection_id = $2 and ${areSame} returning copies.key`,
}

type Confirm = (connectionId: string, heads: readonly CopyHead[]) => Promise<ReadonlySet<string>>

/** What confirms copies as `CopyStore` says. */
export function confirmation({ dialect, queries }: Database<StoreTables>): Confirm {
  return async (connectionId, heads) => {
    const rows = JSON.stringify(heads.map(headRow))
    const statement = CompiledQuery.raw(texts[dialect], [rows, connectionId])
    const confirmed = await queries.executeQuery<Pick<CopyRow, 'key'>>(statement)
    return new Set(confirmed.rows.map(({ key }) => key))
  }
}
