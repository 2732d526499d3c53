import { isDeepStrictEqual } from 'node:util'

import express, { type Request, type RequestHandler, type Router } from 'express'
import { type Transaction, type Kysely, sql } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../../domain/nearest.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import type { SandboxKeys } from '../../settings/fields.ts'
import { onlyTakes } from '../../web/problem.ts'
import { isIdentifier } from '../../wire/fields.ts'
import { replaceCompany } from '../loading/import-file.ts'
import {
  type QueryParameters,
  readFilter,
  readNumber,
  requireKnown,
} from '../reading/list-question.ts'
import { listCompanies, sampleCompanyId, lockCompany, noteChange } from '../records/companies.ts'
import type { SandboxDatabase, SandboxTables, OriginalRow } from '../records/sandbox-database.ts'
import { sampleLists } from '../sample-company.ts'
import { readBody, refuseInput } from './input.ts'
import { kindsOfRecords, type RecordKind, recordKinds, type Row } from './record-kinds.ts'

export interface RecordRoutesDeps {
  readonly database: SandboxDatabase
  readonly keys: SandboxKeys
  /** Told after each change of a company. */
  readonly changed: (companyId: string) => void
  readonly today: () => string
}

const limitMax = 1000
const limitUsual = 100

/** The companies and their records, to be looked at and changed. */
export function recordRoutes(deps: RecordRoutesDeps): Router {
  const router = express.Router({ caseSensitive: true })
  router.get('/', showCompanies(deps))
  router.post('/:company/reset', reset(deps))
  router.all('/:company/reset', onlyTakes('POST'))
  router.get('/:company/:kind', showRecords(deps))
  router.get('/:company/:kind/:record', showRecord(deps))
  router.put('/:company/:kind/:record', readBody, changeRecord(deps))
  router.delete('/:company/:kind/:record', removeRecord(deps))
  return router
}

function showCompanies(deps: RecordRoutesDeps): RequestHandler {
  return async (_request, response) => {
    response.json({ data: await knownCompanies(deps) })
  }
}

function reset(deps: RecordRoutesDeps): RequestHandler {
  return async (request, response) => {
    const id = await companyIn(deps, request)
    await resetCompany(deps.database, id, deps.today())
    deps.changed(id)
    response.json({ data: { id } })
  }
}

function showRecords(deps: RecordRoutesDeps): RequestHandler {
  return async (request, response) => {
    const companyId = await companyIn(deps, request)
    const kind = kindIn(request)
    const parameters: QueryParameters = new URL(request.originalUrl, 'http://sandbox').searchParams
    const isOfUser = kindsOfRecords[kind].belongsTo?.table === 'users'
    requireKnown(parameters, isOfUser ? ['limit', 'userId'] : ['limit'])
    const limit = readNumber(parameters, 'limit', [1, limitMax]) ?? limitUsual
    const userId = readFilter(parameters, 'userId', { is: 'identifier' })
    const which = typeof userId === 'string' ? { limit, userId } : { limit }
    const { queries } = deps.database
    response.json({ data: await listFileRecords(queries, { companyId, kind }, which) })
  }
}

function showRecord(deps: RecordRoutesDeps): RequestHandler {
  return async (request, response) => {
    const name = await nameIn(deps, request)
    const record = await findFileRecord(deps.database.queries, name)
    if (!record) throw noRecord(name)
    response.json({ data: record })
  }
}

function changeRecord(deps: RecordRoutesDeps): RequestHandler {
  return async (request, response) => {
    const name = await nameIn(deps, request)
    const body: unknown = request.body
    const change = await putRecord(deps.database, name, body)
    if (change !== 'unchanged') deps.changed(name.companyId)
    const record = await findFileRecord(deps.database.queries, name)
    response.status(change === 'new' ? 201 : 200).json({ data: record })
  }
}

function removeRecord(deps: RecordRoutesDeps): RequestHandler {
  return async (request, response) => {
    const name = await nameIn(deps, request)
    if (!(await deleteRecord(deps.database, name))) throw noRecord(name)
    deps.changed(name.companyId)
    response.status(204).end()
  }
}

async function nameIn(deps: RecordRoutesDeps, request: Request): Promise<RecordName> {
  const companyId = await companyIn(deps, request)
  const kind = kindIn(request)
  const id = String(request.params['record'])
  if (!isIdentifier(id)) throw new AppError('not_found', 'This can be the id of no record.')
  return { companyId, kind, id }
}

/** `not_found`, with the one that is likely meant, for a company that nobody has loaded and no key names. */
async function companyIn(deps: RecordRoutesDeps, { params }: Request): Promise<string> {
  const given = String(params['company'])
  const known = await knownCompanies(deps)
  if (known.includes(given)) return given
  throw new AppError('not_found', `There is no company ${given}${hint(given, known)}`)
}

async function knownCompanies({ database, keys }: RecordRoutesDeps): Promise<readonly string[]> {
  const ids = [sampleCompanyId, ...(await listCompanies(database.queries)), ...keys.values()]
  return [...new Set(ids)].toSorted()
}

function kindIn({ params }: Request): RecordKind {
  const given = String(params['kind'])
  const kind = recordKinds.find((known) => known === given)
  if (kind) return kind
  const says = `There is no kind ${given}: there are ${recordKinds.join(', ')}`
  throw new AppError('not_found', `${says}${hint(given, recordKinds)}`)
}

function hint(given: string, known: readonly string[]): string {
  const meant = likelyMeant(given, known)
  return meant === undefined ? '.' : `; did you mean \`${meant}\`?`
}

function noRecord({ kind, id }: RecordName): AppError {
  return new AppError('not_found', `There is no ${kind.slice(0, -1)} ${id}.`)
}

type Writes = Transaction<SandboxTables>

/** What came of a change. */
export type Change = 'new' | 'changed' | 'unchanged'

/** More are not looked at for the one that was meant. */
const namesMax = 1000

/** Writes the record, new ones at the end of their list, in one transaction; `invalid`, with every fault, for one that does not fit. */
export async function putRecord(
  { queries }: SandboxDatabase,
  name: RecordName,
  body: unknown,
): Promise<Change> {
  const { rowOf } = kindsOfRecords[name.kind]
  const record = named(body, name.id)
  rowOf(record, { company_id: name.companyId, position: 0 })
  return queries.transaction().execute(async (writes) => {
    const { next_position } = await lockCompany(writes, name.companyId)
    const before = await findRow(writes, name)
    const position = Number(before?.['position'] ?? next_position)
    const row = rowOf(record, { company_id: name.companyId, position })
    await requireOwner(writes, name, row)
    if (before && isSame(before, row)) return 'unchanged'
    await keepOriginal(writes, name, before)
    await writeRow(writes, name, row)
    const next = Math.max(next_position, position + 1)
    await noteChange(writes, name.companyId, { next_position: next })
    return before ? 'changed' : 'new'
  })
}

/** Removes the record, with a user their leaves and timesheets, in one transaction; false where there is none. */
export async function deleteRecord(
  { queries }: SandboxDatabase,
  name: RecordName,
): Promise<boolean> {
  return queries.transaction().execute(async (writes) => {
    await lockCompany(writes, name.companyId)
    const before = await findRow(writes, name)
    if (!before) return false
    await remove(writes, name, before)
    if (name.kind === 'users') await removeBelongings(writes, name)
    await noteChange(writes, name.companyId, {})
    return true
  })
}

/** The address says which it is: the record need not, and must not say another. */
function named(body: unknown, id: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (!('id' in body)) return { ...body, id }
  if (body.id === id) return body
  const detail = 'must be the id in the address, or be left out'
  throw refuseInput('The record does not fit', [{ pointer: '/id', detail }])
}

async function requireOwner(
  writes: Writes,
  { companyId, kind }: RecordName,
  row: Row,
): Promise<void> {
  const { belongsTo } = kindsOfRecords[kind]
  if (!belongsTo) return
  const { member, column, table } = belongsTo
  const id = String(row[column])
  const ids = writes.selectFrom(table).select('id').where('company_id', '=', companyId)
  if (await ids.where('id', '=', id).executeTakeFirst()) return
  const some = await ids.orderBy('id').limit(namesMax).execute()
  const known = some.map((it) => it.id)
  const detail = `no ${table === 'users' ? 'user' : 'project'} has this id${meantOrAll(id, known)}`
  throw refuseInput('The record does not fit', [{ pointer: `/${member}`, detail }])
}

/** In which order a record's members stand makes no difference. */
function isSame(one: Row, other: Row): boolean {
  return Object.entries(other).every(([column, value]) =>
    column === 'record'
      ? isDeepStrictEqual(JSON.parse(String(one[column])), JSON.parse(String(value)))
      : one[column] === value,
  )
}

async function removeBelongings(writes: Writes, user: RecordName): Promise<void> {
  for (const kind of ['leaves', 'timesheets'] as const) {
    for (const row of await rowsOfUser(writes, user, kind)) {
      await remove(writes, { ...user, kind, id: String(row['id']) }, row)
    }
  }
}

async function remove(writes: Writes, name: RecordName, before: Row): Promise<void> {
  await keepOriginal(writes, name, before)
  await removeRow(writes, name)
}

type Queries = Kysely<SandboxTables>

/** The record as a company file has it; undefined where there is none. */
async function findFileRecord(queries: Queries, name: RecordName): Promise<object | undefined> {
  const row = await findRow(queries, name)
  return row && inFile(name.kind, row)
}

/** The first so many records, of one user where one is named, each as a company file has it. */
async function listFileRecords(
  queries: Queries,
  of: Pick<RecordName, 'companyId' | 'kind'>,
  which: Parameters<typeof listRows>[2],
): Promise<readonly object[]> {
  const rows = await listRows(queries, of, which)
  return rows.map((row) => inFile(of.kind, row))
}

function inFile(kind: RecordKind, row: Row): object {
  const record: unknown = JSON.parse(String(row['record']))
  return { ...Object(record), ...kindsOfRecords[kind].inFile(row) }
}

/* Rows of one company, of whatever kind. */

/** Which record of which company. */
export interface RecordName {
  readonly companyId: string
  readonly kind: RecordKind
  readonly id: string
}

/** The record's row; undefined where there is none. */
async function findRow(
  queries: Queries,
  { companyId, kind, id }: RecordName,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} and id = ${id}
  `.execute(queries)
  return rows[0]
}

/** The first so many rows, of one user where one is named. */
async function listRows(
  queries: Queries,
  { companyId, kind }: Pick<RecordName, 'companyId' | 'kind'>,
  { limit, userId }: { readonly limit: number; readonly userId?: string | undefined },
): Promise<readonly Row[]> {
  const order = kindsOfRecords[kind].order.map((column) => sql.ref(column))
  const ofUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} ${ofUser}
    order by ${sql.join(order)} limit ${limit}
  `.execute(queries)
  return rows
}

/** All rows of the kind that belong to that user. */
async function rowsOfUser(
  queries: Queries,
  { companyId, id: userId }: RecordName,
  kind: 'leaves' | 'timesheets',
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} and user_id = ${userId}
  `.execute(queries)
  return rows
}

/** Writes the row in the place of the one of that name, if there is one. */
async function writeRow(queries: Queries, name: RecordName, row: Row): Promise<void> {
  await removeRow(queries, name)
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  const values = sql.join(Object.values(row))
  await sql`insert into ${sql.table(name.kind)} (${columns}) values (${values})`.execute(queries)
}

async function removeRow(queries: Queries, { companyId, kind, id }: RecordName): Promise<void> {
  await sql`
    delete from ${sql.table(kind)} where company_id = ${companyId} and id = ${id}
  `.execute(queries)
}

/* What records were before they were changed for the first time since their company was loaded. */

const storedRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
const storedKind = z.enum(recordKinds)

/** Keeps the row as it was; undefined: there was none. The first change since the company was loaded counts. */
async function keepOriginal(
  writes: Writes,
  { companyId: company_id, kind, id }: RecordName,
  row: Row | undefined,
): Promise<void> {
  await writes
    .insertInto('workforce_originals')
    .values({ company_id, kind, id, record: row ? JSON.stringify(row) : null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Puts every record back as it was loaded, in its place; false where nothing has been changed since. */
async function restoreOriginals(writes: Writes, companyId: string): Promise<boolean> {
  const originals = await writes
    .selectFrom('workforce_originals')
    .selectAll()
    .where('company_id', '=', companyId)
    .execute()
  for (const original of originals) await restore(writes, original)
  await writes.deleteFrom('workforce_originals').where('company_id', '=', companyId).execute()
  return originals.length > 0
}

async function restore(
  writes: Writes,
  { company_id, kind, id, record }: OriginalRow,
): Promise<void> {
  const name = { companyId: company_id, kind: storedKind.parse(kind), id }
  if (record === null) await removeRow(writes, name)
  else await writeRow(writes, name, storedRow.parse(JSON.parse(record)))
}

/** Takes back every change of single records, in one transaction: the sample's company becomes the sample of today, any other what was loaded last. */
export async function resetCompany(
  { queries }: SandboxDatabase,
  companyId: string,
  today: PlainDate,
): Promise<void> {
  const isSample = companyId === sampleCompanyId
  const lists = isSample ? sampleLists({ today }) : null
  await queries.transaction().execute(async (writes) => {
    await lockCompany(writes, companyId)
    if (lists) return replaceCompany(writes, companyId, lists, null)
    if (await restoreOriginals(writes, companyId)) await noteChange(writes, companyId, {})
  })
}
