import { type Kysely, sql } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { listOperations, type ListName } from '../operations.ts'
import { emptyCompany } from '../records/companies.ts'
import type { SandboxTables } from '../records/sandbox-database.ts'
import {
  type Place,
  readCursor,
  writeCursor,
  type AskedPage,
  type FilterValues,
  wrong,
} from './list-question.ts'

export type Queries = Kysely<SandboxTables>

export interface ListQuestion {
  readonly companyId: string
  readonly list: ListName
  readonly filters: FilterValues
}

export interface Part {
  readonly after?: Place | undefined
  readonly offset?: number
  readonly limit: number
}

export interface Row extends Place {
  readonly record: string
}

export async function readRows(
  queries: Queries,
  question: ListQuestion,
  { after, offset = 0, limit }: Part,
): Promise<readonly Row[]> {
  const { sort, table, where } = askedOf(question, after)
  const { rows } = await sql<Row>`
    select record, ${sort} as sort, position from ${table} where ${where}
    order by ${sort}, position limit ${limit} offset ${offset}
  `.execute(queries)
  return rows
}

/** Returns the place of the last of the next `limit` records; undefined if the list ends earlier. */
async function findEnd(
  queries: Queries,
  question: ListQuestion,
  { after, limit }: Pick<Part, 'after' | 'limit'>,
): Promise<Place | undefined> {
  const { sort, table, where } = askedOf(question, after)
  const { rows } = await sql<Place>`
    select ${sort} as sort, position from ${table} where ${where}
    order by ${sort}, position limit 1 offset ${limit - 1}
  `.execute(queries)
  return rows[0]
}

/** Reads the records between two places, including the last. The database joins them, which creates fewer objects here. */
async function readText(
  queries: Queries,
  question: ListQuestion,
  { after, end }: { readonly after: Place | undefined; readonly end: Place | undefined },
): Promise<{ readonly text: string | null; readonly generation: string | null }> {
  const { sort, table, where } = askedOf(question, after, end)
  const { rows } = await sql<{ text: string | null; generation: string | null }>`
    select string_agg(record, ',' order by ${sort}, position) as text,
      (select generation from workforce_companies where id = ${question.companyId}) as generation
    from ${table} where ${where}
  `.execute(queries)
  return rows[0] ?? { text: null, generation: null }
}

/** All other columns must be equal. */
const operators: Readonly<Record<string, string>> = { period_start: '>=', period_end: '<=' }

function askedOf({ companyId, list, filters }: ListQuestion, after?: Place, end?: Place) {
  const place = ({ sort, position }: Place, operator: '>' | '<=') =>
    listOperations[list].sortedBy === 'position'
      ? sql`position ${sql.raw(operator)} ${position}`
      : sql`(${sql.ref(listOperations[list].sortedBy)}, position) ${sql.raw(operator)} (${sort}, ${position})`
  const all = [
    sql`company_id = ${companyId}`,
    ...Object.entries(filters).map(
      ([column, value]) => sql`${sql.ref(column)} ${sql.raw(operators[column] ?? '=')} ${value}`,
    ),
    ...(after ? [place(after, '>')] : []),
    ...(end ? [place(end, '<=')] : []),
  ]
  return {
    sort: sql.ref(listOperations[list].sortedBy),
    table: sql.table(list),
    where: sql.join(all, sql` and `),
  }
}

const recordsAtOnce = 200

export interface ListAnswer {
  /** The JSON text in parts. Fails if the company is reloaded meanwhile: no list mixes two loads. */
  readonly body: AsyncIterable<string>
  /** The cursor and size of the next page; undefined if there is none. */
  readonly next: { readonly cursor: string; readonly limit: number } | undefined
}

/** A question about one generation of the company. */
type Standing = ListQuestion & { readonly generation: string }

/** Reads the requested page; call `requireCursor` first. */
export async function answerList(
  queries: Queries,
  question: Standing,
  page: AskedPage,
): Promise<ListAnswer> {
  if (page.is === 'whole') return { body: jsonOf(allTexts(queries, question)), next: undefined }
  if (page.is === 'number') {
    const rows = await readRows(queries, question, page)
    return { body: jsonOf([textOf(rows)]), next: undefined }
  }
  const { cursor, limit } = page
  const subject = subjectOf(question)
  const after = cursor === undefined ? undefined : readCursor(cursor, subject)
  const rows = await readRows(queries, question, { after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next =
    last && rows.length > limit ? { cursor: writeCursor(last, subject), limit } : undefined
  return { body: jsonOf([textOf(shown)]), next }
}

/** Fails with `invalid` for a cursor of another list. */
export function requireCursor(question: Standing, page: AskedPage): void {
  if (page.is !== 'cursor' || page.cursor === undefined) return
  if (readCursor(page.cursor, subjectOf(question))) return
  throw wrong('cursor', 'is not a cursor of this list; start again without it')
}

/** Includes the generation: a reload of the company invalidates all cursors. */
function subjectOf({ companyId, generation, list, filters }: Standing): string {
  return JSON.stringify([companyId, generation, list, Object.entries(filters)])
}

function textOf(rows: readonly Row[]): string | null {
  return rows.length === 0 ? null : rows.map(({ record }) => record).join(',')
}

/** Reads the whole list in parts, each record as it is at that time. */
async function* allTexts(queries: Queries, question: Standing): AsyncGenerator<string | null> {
  let after: Place | undefined
  do {
    const end: Place | undefined = await findEnd(queries, question, { after, limit: recordsAtOnce })
    const { text, generation } = await readText(queries, question, { after, end })
    if ((generation ?? emptyCompany.generation) !== question.generation) {
      const message = 'The company is being reloaded; try again.'
      throw new AppError('unavailable', message, { retryAfterMs: 1000 })
    }
    yield text
    after = end
  } while (after)
}

async function* jsonOf(
  parts: AsyncIterable<string | null> | Iterable<string | null>,
): AsyncGenerator<string> {
  let before = '{"data":['
  for await (const text of parts) {
    if (text === null) continue
    yield before + text
    before = ','
  }
  yield before === ',' ? ']}' : '{"data":[]}'
}

interface RecordName {
  readonly companyId: string
  readonly table: 'users' | 'invoices' | 'projects'
  readonly id: string
}

/** Returns a record as JSON text; undefined if the company has none with this id. */
export async function findRecord(
  queries: Queries,
  name: RecordName & { readonly table: 'users' | 'invoices' },
): Promise<string | undefined> {
  const record = await find(queries, name, 'record')
  return record !== undefined && name.table === 'users'
    ? withManager(queries, name, record)
    : record
}

export async function hasProject(
  queries: Queries,
  companyId: string,
  id: string,
): Promise<boolean> {
  return (await find(queries, { companyId, table: 'projects', id }, 'id')) !== undefined
}

async function find(
  queries: Queries,
  { companyId, table, id }: RecordName,
  column: 'id' | 'record',
): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)}
    where company_id = ${companyId} and id = ${id}
  `.execute(queries)
  return rows[0]?.value
}

const known = z.record(z.string(), z.unknown())

/** Get user expands the manager from the manager's current record. */
async function withManager(queries: Queries, name: RecordName, record: string): Promise<string> {
  const user = known.parse(JSON.parse(record))
  const { assignedManagerId: managerId } = user
  if (typeof managerId !== 'string' || managerId === '') return record
  const manager = await find(queries, { ...name, id: managerId }, 'record')
  if (manager === undefined) return record
  const { id, firstName, lastName } = known.parse(JSON.parse(manager))
  return JSON.stringify({ ...user, assignedManager: { id, firstName, lastName } })
}
