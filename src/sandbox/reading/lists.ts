import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import type { ListName } from '../operations.ts'
import { emptyCompany } from '../records/companies.ts'
import type { SandboxTables } from '../records/sandbox-database.ts'
import {
  type Place,
  type CursorSubject,
  readCursor,
  writeCursor,
  type AskedPage,
  type FilterValues,
  wrong,
} from './list-question.ts'

export type Queries = Kysely<SandboxTables>

/** Records of one company's list. */
export interface ListQuestion {
  readonly companyId: string
  readonly list: ListName
  readonly filters: FilterValues
}

/** Which of them: so many from that place, or number, on. */
export interface Part {
  readonly after?: Place | undefined
  readonly offset?: number
  readonly limit: number
}

/** One record as JSON text, and its place. */
export interface Row extends Place {
  readonly record: string
}

type Condition = (value: unknown) => RawBuilder<unknown>

const equals =
  (column: string): Condition =>
  (value) =>
    sql`${sql.ref(column)} = ${value}`

/** By the keys of the filters. */
const conditions: Readonly<Record<ListName, Readonly<Record<string, Condition>>>> = {
  timesheets: {
    employee: equals('user_id'),
    status: equals('status'),
    from: (value) => sql`period_start >= ${value}`,
    to: (value) => sql`period_end <= ${value}`,
  },
  leaves: { employee: equals('user_id'), status: equals('status') },
  tasks: {
    project: (value) => sql`project_id = ${value} and archived = 0`,
  },
  schedules: {
    type: equals('type'),
    active: (value) => sql`active = ${Number(value)}`,
  },
}

/** By what each list is sorted before the position. */
const sorts: Readonly<Record<ListName, string>> = {
  timesheets: 'period_start',
  leaves: 'position',
  tasks: 'position',
  schedules: 'position',
}

/** The records that pass all filters, in the list's order. */
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

/** Where a part of so many records ends that begins after that place; undefined where the list ends before. */
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

/** The records between two places, the last one among them, put together by the database: that many objects less to make and to clear away. */
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

interface Asked {
  readonly sort: RawBuilder<unknown>
  readonly table: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
}

function askedOf({ companyId, list, filters }: ListQuestion, after?: Place, end?: Place): Asked {
  const all = [
    sql`company_id = ${companyId}`,
    ...Object.entries(filters).flatMap(([key, value]) => conditionOf(list, key, value)),
    ...(after ? [beside(list, sql`>`, after)] : []),
    ...(end ? [beside(list, sql`<=`, end)] : []),
  ]
  return { sort: sql.ref(sorts[list]), table: sql.table(list), where: sql.join(all, sql` and `) }
}

function conditionOf(list: ListName, key: string, value: unknown): readonly RawBuilder<unknown>[] {
  const condition = conditions[list][key]
  if (!condition) throw new Error(`The list ${list} has no filter ${key}.`)
  return value === undefined ? [] : [condition(value)]
}

function beside(
  list: ListName,
  operator: RawBuilder<unknown>,
  { sort, position }: Place,
): RawBuilder<unknown> {
  if (sorts[list] === 'position') return sql`position ${operator} ${position}`
  return sql`(${sql.ref(sorts[list])}, position) ${operator} (${sort}, ${position})`
}

/** So many records are read and held at a time. */
const recordsAtOnce = 200

/** A list as it goes out. */
export interface ListAnswer {
  /** The JSON text, part by part. Fails where the company is loaded again meanwhile: no list is of two. */
  readonly body: AsyncIterable<string>
  /** What leads to the next page; undefined after the last. */
  readonly next: NextPage | undefined
}

/** The query parameters of the next page, beside the filters. */
export interface NextPage {
  readonly cursor: string
  readonly limit: number
}

/** Answers the question, of a company as it stood when it was of that generation. */
export async function answerList(
  queries: Queries,
  question: ListQuestion & { readonly generation: string },
  page: AskedPage,
): Promise<ListAnswer> {
  requireCursor(question, page)
  if (page.is === 'whole') return { body: jsonOf(allTexts(queries, question)), next: undefined }
  if (page.is === 'number') {
    const rows = await readRows(queries, question, page)
    return { body: jsonOf([textOf(rows)]), next: undefined }
  }
  return answerPage(queries, question, page)
}

async function answerPage(
  queries: Queries,
  question: ListQuestion & { readonly generation: string },
  { cursor, limit }: Extract<AskedPage, { readonly is: 'cursor' }>,
): Promise<ListAnswer> {
  const subject = subjectOf(question)
  const after = cursor === undefined ? undefined : readCursor(cursor, subject)
  const rows = await readRows(queries, question, { after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next =
    last && rows.length > limit ? { cursor: writeCursor(last, subject), limit } : undefined
  return { body: jsonOf([textOf(shown)]), next }
}

/** `invalid` for a cursor that is none of this list. */
export function requireCursor(
  question: ListQuestion & { readonly generation: string },
  page: AskedPage,
): void {
  if (page.is !== 'cursor' || page.cursor === undefined) return
  if (readCursor(page.cursor, subjectOf(question))) return
  throw wrong('cursor', 'is not a cursor of this list; start again without it')
}

function subjectOf({
  companyId,
  generation,
  list,
  filters,
}: ListQuestion & { readonly generation: string }): CursorSubject {
  return [companyId, generation, list, Object.entries(filters)]
}

function textOf(rows: readonly Row[]): string | null {
  return rows.length === 0 ? null : rows.map(({ record }) => record).join(',')
}

/** All of the list, some at a time; each record as it is when its turn comes. */
async function* allTexts(
  queries: Queries,
  question: ListQuestion & { readonly generation: string },
): AsyncGenerator<string | null> {
  let after: Place | undefined
  do {
    const end: Place | undefined = await findEnd(queries, question, { after, limit: recordsAtOnce })
    const { text, generation } = await readText(queries, question, { after, end })
    if ((generation ?? emptyCompany.generation) !== question.generation) throw loadedAnew()
    yield text
    after = end
  } while (after)
}

function loadedAnew(): AppError {
  return new AppError('unavailable', 'The company is being reloaded; try again.', {
    retryAfterMs: 1000,
  })
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

/** Which record of a company. */
interface RecordName {
  readonly table: 'users' | 'invoices' | 'projects'
  readonly id: string
}

/** One record of a company as JSON text; undefined where it has none of that id. */
export async function findRecord(
  queries: Queries,
  companyId: string,
  { table, id }: RecordName & { readonly table: 'users' | 'invoices' },
): Promise<string | undefined> {
  const record = await find(queries, companyId, { table, id, column: 'record' })
  return record !== undefined && table === 'users'
    ? withManager(queries, companyId, record)
    : record
}

/** Whether the company has such a project. */
export async function hasProject(
  queries: Queries,
  companyId: string,
  id: string,
): Promise<boolean> {
  return (await find(queries, companyId, { table: 'projects', id, column: 'id' })) !== undefined
}

async function find(
  queries: Queries,
  companyId: string,
  { table, id, column }: RecordName & { readonly column: 'id' | 'record' },
): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)}
    where company_id = ${companyId} and id = ${id}
  `.execute(queries)
  return rows[0]?.value
}

const known = z.looseObject({
  id: z.string(),
  firstName: z.unknown().optional(),
  lastName: z.unknown().optional(),
  assignedManagerId: z.unknown().optional(),
})

/** Get user shows the manager: whom the company knows stands there as they are now. */
async function withManager(queries: Queries, companyId: string, record: string): Promise<string> {
  const user = known.parse(JSON.parse(record))
  const managerId = user.assignedManagerId
  if (typeof managerId !== 'string' || managerId === '') return record
  const manager = await find(queries, companyId, {
    table: 'users',
    id: managerId,
    column: 'record',
  })
  if (manager === undefined) return record
  const { id, firstName, lastName } = known.parse(JSON.parse(manager))
  return JSON.stringify({ ...user, assignedManager: { id, firstName, lastName } })
}
