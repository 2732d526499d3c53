import { type Kysely, type RawBuilder, sql } from 'kysely'

import type { ListName } from '../operations.ts'
import type { SandboxTables } from '../records/tables.ts'
import type { Place } from './cursor.ts'

export type Queries = Kysely<SandboxTables>

/** The values of a list's filters, by their keys; `project` is the one whose tasks are listed. */
export type FilterValues = Readonly<Record<string, string | number | boolean | undefined>>

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
export async function findEnd(
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
export async function readText(
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
