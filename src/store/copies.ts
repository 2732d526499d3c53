import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompressSync, zstdCompress, zstdDecompress } from 'node:zlib'

import {
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
  CompiledQuery,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'
import { z } from 'zod'

import type { Database, Dialect } from '../database/database.ts'
import { given, type PreparedRead } from '../database/prepared-read.ts'
import type { Copy, CopyHead, CopyStore, Doubt, CopyContent } from '../domain/copy.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import { Recent } from '../domain/memo.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { clockSkewMs } from '../domain/world.ts'
import { bytesOfList } from '../json/list-text.ts'
import { createRests } from '../json/rest.ts'
import { holdPersonInFeed } from './people.ts'
import { readRow, readLongRow, inParts, doubtColumn, heldColumn, isAmong } from './rows.ts'
import type { StoreTables, CopyRow } from './tables.ts'

/** Last good copies: of two refreshes the one that began later stands, of two that began at once the one kept last. */
export class SqlCopyStore implements CopyStore {
  readonly #database: Database<StoreTables>
  readonly #records: CopyRecords
  readonly findRecords: CopyStore['findRecords']
  readonly confirmCopies: CopyStore['confirmCopies']

  constructor(database: Database<StoreTables>) {
    this.#database = database
    this.#records = new CopyRecords(database)
    this.findRecords = this.#records.find
    this.confirmCopies = confirmation(database)
  }

  async findHeads(connectionId: string, keys: readonly string[]): Promise<readonly CopyHead[]> {
    if (keys.length === 0) return []
    const rows = await this.#database.queries
      .selectFrom('copies')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .where('key', 'in', keys)
      .execute()
    return rows.map(headOf)
  }

  async findCopy<K extends CollectionKind>(
    connectionId: string,
    key: string,
  ): Promise<Copy<K> | undefined> {
    const row = await this.#database.queries
      .selectFrom('copies')
      .innerJoin('copy_records', (join) =>
        join
          .onRef('copy_records.connection_id', '=', 'copies.connection_id')
          .onRef('copy_records.key', '=', 'copies.key'),
      )
      .selectAll('copies')
      .select('copy_records.records')
      .where('copies.connection_id', '=', connectionId)
      .where('copies.key', '=', key)
      .executeTakeFirst()
    if (!row) return undefined
    const head = readRow(`the copy ${key}`, () => headOf(row))
    const { records } = await this.#records.unpack(key, row.records)
    return { ...head, records: z.custom<readonly RecordOf[K][]>().parse(records) }
  }

  async keepCopy(
    connectionId: string,
    { records, ...head }: Copy,
    whileInFeed?: PersonInCompany,
  ): Promise<boolean> {
    const body = { records: await pack(records) }
    this.#records.forget(connectionId, [head.key])
    return this.#database.queries.transaction().execute(async (transaction) => {
      if (
        whileInFeed !== undefined &&
        !(await holdPersonInFeed(this.#database, transaction, whileInFeed))
      ) {
        return false
      }
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('copies')
        .values({ connection_id: connectionId, ...headRow(head) })
        .onConflict((conflict) =>
          conflict
            .columns(['connection_id', 'key'])
            .doUpdateSet(headRow(head))
            .where((kept) => isOlder(kept, head)),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return false
      await transaction
        .insertInto('copy_records')
        .values({ connection_id: connectionId, key: head.key, ...body })
        .onConflict((conflict) => conflict.columns(['connection_id', 'key']).doUpdateSet(body))
        .execute()
      return true
    })
  }

  async dropCopies(connectionId: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    this.#records.forget(connectionId, keys)
    await this.#database.queries
      .deleteFrom('copies')
      .where('connection_id', '=', connectionId)
      .where('key', 'in', keys)
      .execute()
  }
}

/** Of two refreshes the one that began later stands; one that claims to have begun in the future counts for nothing. */
function isOlder(
  kept: ExpressionBuilder<StoreTables, 'copies'>,
  { begunAt, fetchedAt }: CopyHead,
): Expression<SqlBool> {
  return kept.or([
    kept('copies.begun_at', '<=', begunAt),
    kept('copies.begun_at', '>', fetchedAt + clockSkewMs),
  ])
}

/* Heads of copies as their rows hold them; that some were confirmed is noted by one statement, however many they are. */

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
function headRow(head: CopyHead): Omit<CopyRow, 'connection_id'> {
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
function confirmation({ dialect, queries }: Database<StoreTables>): Confirm {
  return async (connectionId, heads) => {
    const rows = JSON.stringify(heads.map(headRow))
    const statement = CompiledQuery.raw(texts[dialect], [rows, connectionId])
    const confirmed = await queries.executeQuery<Pick<CopyRow, 'key'>>(statement)
    return new Set(confirmed.rows.map(({ key }) => key))
  }
}

/* The records of copies, as they are packed, and as they are read for the calendars that are made of them. */

/** So many records are packed at once, and so many bytes of a packed list unpacked. */
const fewRecords = 100
const smallBytes = 4096
/** Of what they unpack to. */
const ratioMax = 64

/** The copies of a connection, and those of them of which the records are wanted, each a JSON array. */
interface Names {
  readonly connectionId: string
  readonly keys: string
  readonly unread: string
}

interface RecordsRow {
  readonly key: string
  readonly content_hash: string
  readonly records: Uint8Array | null
}

export type Records = readonly RecordOf[CollectionKind][]

/** Records, and how many bytes their JSON has. */
export interface Unpacked {
  readonly records: Records
  readonly bytes: number
}

/** They were checked when they were written, of the kind that the key of their copy names. */
const recordList = z.custom<Records>(Array.isArray)

/** All of a feed's copies are read by one statement, and those that many feeds share are unpacked once while they stay the same. */
export class CopyRecords {
  readonly #read: PreparedRead<Names, RecordsRow>
  readonly #large = new LargeCopies()
  readonly #shared = new SharedRecords()

  constructor(database: Database<StoreTables>) {
    this.#read = prepare(database)
  }

  /** What finds records as `CopyStore` says. */
  readonly find: CopyStore['findRecords'] = async (connectionId, contents, shared) => {
    const found = new Map<string, Records>()
    for (const { key, contentHash } of contents) {
      const known = shared.has(key) && this.#shared.find(`${connectionId} ${key}`, contentHash)
      if (known) found.set(key, known)
    }
    const rows = await this.#rows(connectionId, contents, found)
    for (const { key, contentHash } of contents) {
      const row = rows.get(key)
      if (row?.content_hash !== contentHash) return undefined
      if (found.has(key)) continue
      if (!row.records) return undefined
      const unpacked = await this.unpack(key, row.records)
      found.set(key, unpacked.records)
      if (shared.has(key)) this.#shared.keep(`${connectionId} ${key}`, contentHash, unpacked)
    }
    return found
  }

  /** The records that were packed for the copy of that key; `unavailable` where they cannot be read. */
  unpack(key: string, packed: Uint8Array): Promise<Unpacked> {
    return readLongRow(`the copy ${key}`, async () => {
      const { elements, bytes } = unpackSmall(packed) ?? (await this.#large.unpack(packed))
      return { records: recordList.parse(elements), bytes }
    })
  }

  /** Lets go of what stands in memory of these copies. */
  forget(connectionId: string, keys: readonly string[]): void {
    for (const key of keys) this.#shared.forget(`${connectionId} ${key}`)
  }

  /** With the records of all that are not there yet. */
  async #rows(
    connectionId: string,
    contents: readonly CopyContent[],
    found: ReadonlyMap<string, Records>,
  ): Promise<ReadonlyMap<string, RecordsRow>> {
    const keys = contents.map(({ key }) => key)
    const unread = keys.filter((key) => !found.has(key))
    const names = { keys: JSON.stringify(keys), unread: JSON.stringify(unread) }
    const rows = await this.#read({ connectionId, ...names })
    return new Map(rows.map((row) => [row.key, row]))
  }
}

/** The list's JSON, compressed. */
async function pack(records: readonly unknown[]): Promise<Uint8Array> {
  return records.length <= fewRecords
    ? zstdCompressSync(JSON.stringify(records))
    : packLarge(records)
}

/** Undefined for a list that is large. */
function unpackSmall(packed: Uint8Array): UnpackedList | undefined {
  if (packed.length > smallBytes) return undefined
  try {
    const bytes = zstdDecompressSync(packed, { maxOutputLength: ratioMax * smallBytes })
    return { elements: recordList.parse(JSON.parse(bytes.toString())), bytes: bytes.length }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function prepare(database: Database<StoreTables>): PreparedRead<Names, RecordsRow> {
  const { dialect, queries } = database
  return database.prepareRead(
    queries
      .selectFrom('copies')
      .leftJoin('copy_records', (join) =>
        join
          .onRef('copy_records.connection_id', '=', 'copies.connection_id')
          .onRef('copy_records.key', '=', 'copies.key')
          .on(isAmong(dialect, 'copies.key', 'unread')),
      )
      .select(['copies.key', 'content_hash', 'records'])
      .where('copies.connection_id', '=', given<string>('connectionId'))
      .where(isAmong(dialect, 'copies.key', 'keys')),
  )
}

/* The records of large copies, packed and unpacked beside everything else. */

const compress = promisify<Buffer, Buffer>(zstdCompress)
const decompress = promisify<Uint8Array, Buffer>(zstdDecompress)

/** A list, and how many bytes its JSON has. */
export interface UnpackedList {
  readonly elements: readonly unknown[]
  readonly bytes: number
}

/** The list's JSON, compressed. */
async function packLarge(records: readonly unknown[]): Promise<Uint8Array> {
  return compress(await bytesOfList(records))
}

/** One after the other, so that several together need no more memory than one. */
class LargeCopies {
  #last: Promise<unknown> = Promise.resolve()

  /** The list that was packed. */
  unpack(packed: Uint8Array): Promise<UnpackedList> {
    const unpacked = this.#last.then(async () => elementsIn(await decompress(packed)))
    this.#last = unpacked.catch(() => undefined)
    return unpacked
  }
}

const batchBytes = 32_768
const [quote, backslash, comma] = Buffer.from('"\\,')

/** The elements of a list as `JSON.stringify` writes it, parsed some at a time. */
async function elementsIn(bytes: Buffer): Promise<UnpackedList> {
  const elements: unknown[] = []
  const rests = createRests()
  let [depth, begin, isText] = [0, 1, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (isText && byte === backslash) at += 1
    else if (byte === quote) isText = !isText
    if (isText) continue
    // [ and {, and ] and }, differ in this one bit.
    if ((byte & 0xdf) === 0x5b) depth += 1
    else if ((byte & 0xdf) === 0x5d) depth -= 1
    const isFull = depth === 1 && byte === comma && at - begin >= batchBytes
    if (depth > 0 && !isFull) continue
    elements.push(...recordList.parse(JSON.parse(`[${bytes.toString('utf8', begin, at)}]`)))
    begin = at + 1
    if (rests.isDue()) await rests.take()
  }
  return { elements, bytes: bytes.length }
}

/** As JSON; in memory they are a few times as large. */
const bytesMaxOfAll = 8 * 1024 * 1024

interface Kept extends Unpacked {
  readonly contentHash: string
}

/** Records that are asked for again and again, by their copy, within a fixed number of bytes. */
export class SharedRecords {
  readonly #recent: Recent<Kept>

  constructor(bytesMax = bytesMaxOfAll) {
    this.#recent = new Recent(bytesMax)
  }

  /** Undefined where the copy was of other content. */
  find(copy: string, contentHash: string): Kept['records'] | undefined {
    const kept = this.#recent.find(copy)
    return kept?.contentHash === contentHash ? kept.records : undefined
  }

  /** In place of what the copy held before; what is larger than all may be is not kept. */
  keep(copy: string, contentHash: string, unpacked: Unpacked): void {
    this.#recent.keep(copy, { contentHash, ...unpacked }, unpacked.bytes)
  }

  forget(copy: string): void {
    this.#recent.forget(copy)
  }
}

/** What is known of people and their records, and by which feeds; a table after those that it refers to. */
const tables = [
  'feeds',
  'feed_users',
  'copies',
  'copy_records',
  'leave_owners',
  'proofs',
  'departures',
  'people',
  'erased_people',
  'newcomers',
  'look_rounds',
] as const satisfies (keyof StoreTables)[]

/** Rows have up to twenty values, of which a statement of SQLite's takes 32,766. */
const rowsAtOnce = 1500

type Row = Readonly<Record<string, unknown>>

/** Copies these tables into another database of the same tables, as they stand at one instant. */
export async function copyKnowledge(
  { dialect, queries }: Database<StoreTables>,
  to: Database<StoreTables>,
): Promise<void> {
  const begin = dialect === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
  await queries.connection().execute(async (connection) => {
    await sql.raw(begin).execute(connection)
    try {
      for (const table of tables) await copyTable(table, connection, to.queries)
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

async function copyTable(
  table: string,
  from: Kysely<StoreTables>,
  to: Kysely<StoreTables>,
): Promise<void> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(from)
  const columns = Object.keys(rows[0] ?? {})
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (const part of inParts(rows, rowsAtOnce)) {
    const values = sql.join(part.map((row) => valuesOf(row, columns)))
    await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(to)
  }
}

function valuesOf(row: Row, columns: readonly string[]): RawBuilder<unknown> {
  return sql`(${sql.join(columns.map((column) => row[column]))})`
}
