import { promisify } from 'node:util'
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'

import { CompiledQuery, type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'
import { together } from '../database/together.ts'
import type { CopyContent, CopyHead, CopyStore, Doubt } from '../domain/copy.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import { Recent } from '../domain/memo.ts'
import { clockSkewMs } from '../domain/world.ts'
import { bytesOfList } from '../json/list-text.ts'
import { createRests } from '../json/rest.ts'
import { holdPersonInFeed } from './people.ts'
import { isAmong, readRow, unreadable } from './rows.ts'
import type { CopyRow, Queries, StoreDatabase, StoreTables } from './tables.ts'

/** Last good copies. The refresh that began later wins; of two that began at once, the one stored last. */
export function copyStore(database: StoreDatabase): CopyStore {
  const { queries } = database
  const recent = new Recent<Unpacked & { readonly contentHash: string }>(bytesMaxOfAll)
  const forget = (connectionId: string, keys: readonly string[]): void => {
    for (const key of keys) recent.forget(`${connectionId} ${key}`)
  }
  const readRecords = prepareRecords(database)
  const unpack = createUnpacking()
  const confirm = createConfirming(database)
  return {
    async findHeads(connectionId, keys) {
      if (keys.length === 0) return []
      const rows = queries.selectFrom('copies').selectAll().where('key', 'in', keys)
      return (await rows.where('connectionId', '=', connectionId).execute()).map(headOf)
    },
    async findCopy(connectionId, key) {
      const row = await queries
        .selectFrom('copies')
        .innerJoin('copyRecords', (join) =>
          join
            .onRef('copyRecords.connectionId', '=', 'copies.connectionId')
            .onRef('copyRecords.key', '=', 'copies.key'),
        )
        .selectAll('copies')
        .select('records')
        .where('copies.connectionId', '=', connectionId)
        .where('copies.key', '=', key)
        .executeTakeFirst()
      if (!row) return undefined
      const head = readRow(`the copy ${key}`, () => headOf(row))
      const { records } = await unpack(key, row.records)
      return { ...head, records: ofItsKind.parse(records) }
    },
    /** In one statement. Copies shared by many feeds are unpacked once and cached while unchanged. */
    async findRecords(connectionId, contents, shared) {
      const found = new Map<string, Records>()
      for (const { key, contentHash } of contents) {
        const known = shared.has(key) ? recent.find(`${connectionId} ${key}`) : undefined
        if (known?.contentHash === contentHash) found.set(key, known.records)
      }
      const rows = await readRecords(connectionId, contents, found)
      for (const { key, contentHash } of contents) {
        const row = rows.get(key)
        if (row?.contentHash !== contentHash) return undefined
        if (found.has(key)) continue
        if (!row.records) return undefined
        const unpacked = await unpack(key, row.records)
        found.set(key, unpacked.records)
        if (!shared.has(key)) continue
        recent.keep(`${connectionId} ${key}`, { contentHash, ...unpacked }, unpacked.bytes)
      }
      return found
    },
    async keepCopy(connectionId, { records, ...head }, { whileInFeed, ofDraft = false } = {}) {
      const body = { records: await pack(records) }
      forget(connectionId, [head.key])
      return queries.transaction().execute(async (transaction) => {
        if (whileInFeed && !(await holdPersonInFeed(database, transaction, whileInFeed))) {
          return false
        }
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('copies')
          .values({ connectionId, ...headRow(head), ofDraft: ofDraft ? 1 : 0 })
          .onConflict((conflict) =>
            conflict
              .columns(['connectionId', 'key'])
              .doUpdateSet({ ...headRow(head), ...(ofDraft ? {} : { ofDraft: 0 }) })
              .where(sql.raw<SqlBool>(isOlderThan('excluded'))),
          )
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 0n) return false
        await transaction
          .insertInto('copyRecords')
          .values({ connectionId, key: head.key, ...body })
          .onConflict((conflict) => conflict.columns(['connectionId', 'key']).doUpdateSet(body))
          .execute()
        return true
      })
    },
    confirmCopies: (connectionId, heads) => confirm({ connectionId, heads }),
    async dropCopies(connectionId, keys) {
      if (keys.length === 0) return
      forget(connectionId, keys)
      await deleteCopies(database, queries, (of) =>
        of.and([of('connectionId', '=', connectionId), of('key', 'in', keys)]),
      )
    },
  }
}

/** Returns how many. Locks rows in the order of a confirmation, so that the two cannot deadlock. */
export async function deleteCopies(
  { dialect }: Pick<StoreDatabase, 'dialect'>,
  queries: Queries,
  which: (of: ExpressionBuilder<StoreTables, 'copies'>) => Expression<SqlBool>,
): Promise<number> {
  const found = queries.selectFrom('copies').select(['connectionId', 'key']).where(which)
  const locked = found.orderBy('connectionId').orderBy('key').forUpdate()
  const copies =
    dialect === 'sqlite'
      ? queries.deleteFrom('copies').where(which)
      : queries
          .deleteFrom('copies')
          .where((of) =>
            of(of.refTuple('connectionId', 'key'), 'in', locked.$asTuple('connectionId', 'key')),
          )
  return Number((await copies.executeTakeFirst()).numDeletedRows)
}

/** The refresh that began later wins; one with a start in the future does not count. */
function isOlderThan(row: string): string {
  return `(copies.begun_at <= ${row}.begun_at
    or copies.begun_at > ${row}.fetched_at + ${clockSkewMs})`
}

const columnTypes: Readonly<Record<keyof HeadRow, string>> = {
  key: 'text',
  contentHash: 'text',
  begunAt: 'bigint',
  fetchedAt: 'bigint',
  reachPastDays: 'integer',
  reachFutureDays: 'integer',
  missingSince: 'bigint',
  withReasons: 'integer',
  doubt: 'text',
  held: 'text',
  emptiedAt: 'bigint',
}

export const headColumns: readonly string[] = Object.keys(columnTypes)

export function headOf(row: CopyRow): CopyHead {
  const { reachPastDays: pastDays, reachFutureDays: futureDays } = row
  const doubt = doubtOf(row)
  return {
    key: row.key,
    contentHash: row.contentHash,
    begunAt: row.begunAt,
    fetchedAt: row.fetchedAt,
    reach: pastDays === null || futureDays === null ? null : { pastDays, futureDays },
    missingSince: row.missingSince,
    ...(row.withReasons === 1 ? { withReasons: true } : {}),
    ...(doubt && { doubt }),
    ...(row.held === null ? {} : { held: heldColumn.parse(JSON.parse(row.held)) }),
    ...(row.emptiedAt === null ? {} : { emptiedAt: row.emptiedAt }),
  }
}

type HeadRow = Omit<CopyRow, 'connectionId' | 'ofDraft'>

function headRow({ reach, ...head }: CopyHead): HeadRow {
  return {
    key: head.key,
    contentHash: head.contentHash,
    begunAt: head.begunAt,
    fetchedAt: head.fetchedAt,
    reachPastDays: reach?.pastDays ?? null,
    reachFutureDays: reach?.futureDays ?? null,
    missingSince: head.missingSince,
    withReasons: head.withReasons ? 1 : 0,
    doubt: head.doubt ? JSON.stringify(head.doubt) : null,
    held: head.held ? JSON.stringify(head.held) : null,
    emptiedAt: head.emptiedAt ?? null,
  }
}

const doubtColumn = z.object({
  lostHash: z.string(),
  since: z.number(),
  ofAll: z.boolean(),
  isReplaced: z.boolean().default(false),
  readings: z.number(),
  ofMany: z.boolean(),
}) satisfies z.ZodType<Doubt>

export function doubtOf({ doubt }: Pick<CopyRow, 'doubt'>): Doubt | undefined {
  return doubt === null ? undefined : doubtColumn.parse(JSON.parse(doubt))
}

/** A schema for each of very many would be slow. */
const heldColumn = z.custom<Readonly<Record<string, number>>>(
  (held) =>
    typeof held === 'object' &&
    held !== null &&
    Object.values(held).every((since) => typeof since === 'number'),
)

/** A cast would prevent SQLite from using its index. */
const said: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: ['connectionId', ...headColumns].map(
    (name) => `value ->> '${name}' as ${inDatabase(name)}`,
  ),
  postgres: Object.entries({ connectionId: 'text', ...columnTypes }).map(
    ([name, type]) => `cast(value ->> '${name}' as ${type}) as ${inDatabase(name)}`,
  ),
}
const changes = headColumns
  .filter((name) => name !== 'key' && name !== 'contentHash')
  .map((name) => `${inDatabase(name)} = said.${inDatabase(name)}`)

function inDatabase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const isSaid = `copies.connection_id = said.connection_id and copies.key = said.key
  and copies.content_hash = said.content_hash and ${isOlderThan('said')}`

/** Marks any number of copies as confirmed in one statement. */
const confirmation: Readonly<Record<Dialect, string>> = {
  sqlite: `
    with said as materialized (select ${said.sqlite.join(', ')} from json_each(?1))
    update copies set ${changes.join(', ')} from said
    where ${isSaid} returning copies.connection_id, copies.key, copies.content_hash`,
  // Locks rows in one order, so that two confirmations cannot deadlock. Of an array PostgreSQL expects ten rows, which it looks
  // up by index; of rows from a function it would expect a hundred, and scan small tables.
  postgres: `
    with said as (
      select ${said.postgres.join(', ')}
      from unnest(array(select json_array_elements($1::json))) as said (value)),
    locked as (
      select connection_id, key from said join copies using (connection_id, key)
      order by connection_id, key for update of copies)
    update copies set ${changes.join(', ')} from said join locked using (connection_id, key)
    where ${isSaid} returning copies.connection_id, copies.key, copies.content_hash`,
}

interface Confirmed {
  readonly connectionId: string
  readonly heads: readonly CopyHead[]
}

type ConfirmedRow = Pick<CopyRow, 'connectionId' | 'key' | 'contentHash'>

/** Returns the keys that are still of the same content. On PostgreSQL, polls at the same time share one statement. */
function createConfirming({ dialect, queries }: StoreDatabase) {
  const confirmAll = async (all: readonly Confirmed[]): Promise<ReadonlySet<string>[]> => {
    const rows = all.flatMap(({ connectionId, heads }) =>
      heads.map((head) => ({ connectionId, ...headRow(head) })),
    )
    // One row for each copy and content: of two refreshes, the one that began later.
    const latest = new Map(
      rows
        .toSorted((one, other) => one.begunAt - other.begunAt)
        .map((row) => [contentName(row), row]),
    )
    const values = [JSON.stringify([...latest.values()])]
    const statement = CompiledQuery.raw(confirmation[dialect], values)
    const confirmed = await queries.executeQuery<ConfirmedRow>(statement)
    const names = new Set(confirmed.rows.map(contentName))
    return all.map(({ connectionId, heads }) => {
      const found = heads.filter((head) => names.has(contentName({ connectionId, ...head })))
      return new Set(found.map(({ key }) => key))
    })
  }
  if (dialect === 'postgres') return together(confirmAll)
  return async (one: Confirmed) => (await confirmAll([one]))[0] ?? new Set<string>()
}

function contentName({ connectionId, key, contentHash }: ConfirmedRow): string {
  return `${connectionId} ${contentHash} ${key}`
}

/* Packing and unpacking of the records of copies. */

/** Limit of records, and of packed bytes, for packing and unpacking synchronously. */
const fewRecords = 100
const smallBytes = 4096
/** Upper bound of the compression ratio. */
const ratioMax = 64
/** Bytes of JSON in the cache; in memory records take a few times as much. */
const bytesMaxOfAll = 8 * 1024 * 1024
const batchBytes = 32_768

type Records = readonly RecordOf[CollectionKind][]

interface Unpacked {
  readonly records: Records
  readonly bytes: number
}

/** Checked when written, with the kind that the key names. */
const recordList = z.custom<Records>(Array.isArray)
/** The key determines the kind, which no type can express. */
const ofItsKind = z.custom<never[]>(Array.isArray)

interface RecordsRow {
  readonly key: string
  readonly contentHash: string
  readonly records: Uint8Array | null
}

/** Reads records by key, unpacking only those not in the cache. */
function prepareRecords({ dialect, queries, prepareRead }: StoreDatabase) {
  const read = prepareRead<object, RecordsRow>(
    queries
      .selectFrom('copies')
      .leftJoin('copyRecords', (join) =>
        join
          .onRef('copyRecords.connectionId', '=', 'copies.connectionId')
          .onRef('copyRecords.key', '=', 'copies.key')
          .on(isAmong(dialect, 'copies.key', given('unread'))),
      )
      .select(['copies.key', 'contentHash', 'records'])
      .where('copies.connectionId', '=', given<string>('connectionId'))
      .where(isAmong(dialect, 'copies.key', given('keys'))),
  )
  return async (
    connectionId: string,
    contents: readonly CopyContent[],
    known: ReadonlyMap<string, Records>,
  ): Promise<ReadonlyMap<string, RecordsRow>> => {
    const keys = contents.map(({ key }) => key)
    const unread = keys.filter((key) => !known.has(key))
    const names = { keys: JSON.stringify(keys), unread: JSON.stringify(unread) }
    const rows = await read({ connectionId, ...names })
    return new Map(rows.map((row) => [row.key, row]))
  }
}

const compress = promisify<Buffer, Buffer>(zstdCompress)
const decompress = promisify<Uint8Array, Buffer>(zstdDecompress)

/** Compresses the JSON of the list, a large one in the thread pool. */
async function pack(records: readonly unknown[]): Promise<Uint8Array> {
  return records.length <= fewRecords
    ? zstdCompressSync(JSON.stringify(records))
    : compress(await bytesOfList(records))
}

/** Unpacks records; fails with `unavailable` if they cannot be read. */
function createUnpacking(): (key: string, packed: Uint8Array) => Promise<Unpacked> {
  /** Large lists one after the other, so that several need no more memory than one. */
  let last: Promise<unknown> = Promise.resolve()
  return async (key, packed) => {
    try {
      const small = unpackSmall(packed)
      if (small) return small
      const unpacked = last.then(async () => unpackLarge(await decompress(packed)))
      last = unpacked.catch(() => undefined)
      return await unpacked
    } catch (error) {
      throw unreadable(`the copy ${key}`, error)
    }
  }
}

/** Undefined if the list is large. */
function unpackSmall(packed: Uint8Array): Unpacked | undefined {
  if (packed.length > smallBytes) return undefined
  try {
    const bytes = zstdDecompressSync(packed, { maxOutputLength: ratioMax * smallBytes })
    return { records: recordList.parse(JSON.parse(bytes.toString())), bytes: bytes.length }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const [quote, backslash, comma] = Buffer.from('"\\,')

/** Parses the elements of a JSON list in parts, as `JSON.stringify` writes it. */
async function unpackLarge(bytes: Buffer): Promise<Unpacked> {
  const records: RecordOf[CollectionKind][] = []
  const rests = createRests()
  let [depth, begin, isText] = [0, 1, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (isText && byte === backslash) at += 1
    else if (byte === quote) isText = !isText
    if (isText) continue
    // `[` and `{` differ only in this bit, and so do `]` and `}`.
    if ((byte & 0xdf) === 0x5b) depth += 1
    else if ((byte & 0xdf) === 0x5d) depth -= 1
    const isFull = depth === 1 && byte === comma && at - begin >= batchBytes
    if (depth > 0 && !isFull) continue
    records.push(...recordList.parse(JSON.parse(`[${bytes.toString('utf8', begin, at)}]`)))
    begin = at + 1
    if (rests.isDue()) await rests.take()
  }
  return { records, bytes: bytes.length }
}
