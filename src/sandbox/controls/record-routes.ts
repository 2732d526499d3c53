import { isDeepStrictEqual } from 'node:util'

import express, { type Request, type Router } from 'express'
import { type Transaction, type Kysely, sql } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import type { Clock } from '../../domain/world.ts'
import type { SandboxKeys } from '../../settings/fields.ts'
import { onlyTakes } from '../../web/problem.ts'
import { isIdentifier } from '../../wire/fields.ts'
import { replaceCompany } from '../loading/import-file.ts'
import { readFilter, readNumber, requireKnown } from '../reading/list-question.ts'
import { listCompanies, sampleCompanyId, lockCompany, noteChange } from '../records/companies.ts'
import {
  type KindRecords,
  kinds,
  type RecordKind,
  recordInFile,
  recordKinds,
  type Row,
  rowOf,
} from '../records/record-kinds.ts'
import {
  insertRows,
  type SandboxDatabase,
  type SandboxTables,
} from '../records/sandbox-database.ts'
import { sampleLists } from '../sample-company.ts'
import { faultsOf, readBody, refuseInput } from './input.ts'

const limitMax = 1000
const limitUsual = 100

export interface RecordRoutesDeps {
  readonly database: SandboxDatabase
  readonly keys: SandboxKeys
  readonly clock: Clock
  /** Called after each change with the company id; without an id, all companies have changed. */
  readonly changed?: ((companyId?: string) => void) | undefined
}

interface RecordAddress {
  readonly companyId: string
  readonly kind: RecordKind
  readonly id: string
}

export function recordRoutes({
  database,
  keys,
  clock,
  changed = () => undefined,
}: RecordRoutesDeps): Router {
  const { queries } = database
  const knownCompanies = async (): Promise<readonly string[]> => {
    const ids = [sampleCompanyId, ...(await listCompanies(queries)), ...keys.values()]
    return [...new Set(ids)].toSorted()
  }
  const router = express.Router({ caseSensitive: true })
  router.param('company', async (_request, _response, next, given: string) => {
    const known = await knownCompanies()
    if (known.includes(given)) return next()
    throw new AppError('not_found', `There is no company ${given}${meantOrAll(given, known)}`)
  })
  router.param('kind', (_request, _response, next, given: string) => {
    if (recordKinds.some((kind) => kind === given)) return next()
    throw new AppError('not_found', `There is no kind ${given}${meantOrAll(given, recordKinds)}`)
  })
  router.param('record', (_request, _response, next, given: string) => {
    if (isIdentifier(given)) return next()
    throw new AppError('not_found', 'Invalid record id.')
  })

  router.get('/', async (_request, response) => {
    response.json({ data: await knownCompanies() })
  })
  router.post('/:company/reset', async (request, response) => {
    const { companyId: id } = nameIn(request)
    await resetCompany(database, id, new Date(clock.now()).toISOString().slice(0, 10))
    changed(id)
    response.json({ data: { id } })
  })
  router.all('/:company/reset', onlyTakes('POST'))
  router.get('/:company/:kind', async (request, response) => {
    const name = nameIn(request)
    const parameters = new URL(request.originalUrl, 'http://sandbox').searchParams
    const isOfUser = kinds[name.kind].belongsTo?.table === 'users'
    requireKnown(parameters, isOfUser ? ['limit', 'userId'] : ['limit'])
    const limit = readNumber(parameters, 'limit', [1, limitMax]) ?? limitUsual
    const userId = readFilter(parameters, 'userId', 'identifier')
    const rows = await listRows(queries, name, limit, userId)
    response.json({ data: rows.map((row) => recordInFile(name.kind, row)) })
  })
  router.get('/:company/:kind/:record', async (request, response) => {
    const name = nameIn(request)
    const row = await findRow(queries, name)
    if (!row) throw noRecord(name)
    response.json({ data: recordInFile(name.kind, row) })
  })
  router.put('/:company/:kind/:record', readBody, async (request, response) => {
    const name = nameIn(request)
    const body: unknown = request.body
    const { change, row } = await putRecord(database, name, body)
    if (change !== 'unchanged') changed(name.companyId)
    response.status(change === 'new' ? 201 : 200).json({ data: recordInFile(name.kind, row) })
  })
  router.delete('/:company/:kind/:record', async (request, response) => {
    const name = nameIn(request)
    if (!(await deleteRecord(database, name))) throw noRecord(name)
    changed(name.companyId)
    response.status(204).end()
  })
  return router
}

/** Reads the route parameters; `kind` and `id` are placeholders on routes without them. */
function nameIn({ params }: Request): RecordAddress {
  const kind = recordKinds.find((known) => known === params['kind']) ?? 'users'
  return { companyId: String(params['company']), kind, id: String(params['record']) }
}

function noRecord({ kind, id }: RecordAddress): AppError {
  return new AppError('not_found', `There is no ${kind.slice(0, -1)} ${id}.`)
}

type Queries = Kysely<SandboxTables>
type Writes = Transaction<SandboxTables>

/** Limits how many ids are compared with a misspelt one. */
const namesMax = 1000

/**
 * Creates or replaces the record in one transaction; a new one goes to the end of its list. Fails with `invalid` and all
 * faults.
 */
export async function putRecord(
  { queries }: SandboxDatabase,
  name: RecordAddress,
  body: unknown,
): Promise<{ readonly change: 'new' | 'changed' | 'unchanged'; readonly row: Row }> {
  const { companyId: company_id, kind, id } = name
  const record = readRecord(kind, named(body, id))
  return queries.transaction().execute(async (writes) => {
    const { next_position } = await lockCompany(writes, company_id)
    const before = await findRow(writes, name)
    const position = Number(before?.['position'] ?? next_position)
    const row = rowOf(kind, record, { company_id, position })
    await requireOwner(writes, name, row)
    if (before && isSame(before, row)) return { change: 'unchanged', row: before }
    await keepOriginal(writes, name, before)
    await writeRow(writes, name, row)
    await noteChange(writes, company_id, { next_position: Math.max(next_position, position + 1) })
    return { change: before ? 'changed' : 'new', row }
  })
}

/** Writes every timestamp in the format of the spec, as an import does. */
function readRecord<K extends RecordKind>(kind: K, json: unknown): KindRecords[K] {
  const { schema } = kinds[kind]
  const { data, error } = schema.safeParse(json)
  if (error) throw refuseInput('The record does not fit', faultsOf(error))
  return z.encode(schema, data)
}

/** Deletes the record (a user with their leaves and timesheets) in one transaction. Returns false if there is none. */
export async function deleteRecord(
  { queries }: SandboxDatabase,
  name: RecordAddress,
): Promise<boolean> {
  return queries.transaction().execute(async (writes) => {
    await lockCompany(writes, name.companyId)
    const before = await findRow(writes, name)
    if (!before) return false
    const remove = async (which: RecordAddress, row: Row): Promise<void> => {
      await keepOriginal(writes, which, row)
      await removeRow(writes, which)
    }
    await remove(name, before)
    const owned = recordKinds.filter((kind) => kinds[kind].belongsTo?.table === name.kind)
    for (const kind of owned) {
      for (const row of await listRows(writes, { ...name, kind }, null, name.id)) {
        await remove({ ...name, kind, id: String(row['id']) }, row)
      }
    }
    await noteChange(writes, name.companyId, {})
    return true
  })
}

/** Adds the id from the address; the body may omit it, but must not contain another one. */
function named(body: unknown, id: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (!('id' in body)) return { ...body, id }
  if (body.id === id) return body
  const detail = 'must be the id in the address, or be left out'
  throw refuseInput('The record does not fit', [{ pointer: '/id', detail }])
}

async function requireOwner(
  writes: Writes,
  { companyId, kind }: RecordAddress,
  row: Row,
): Promise<void> {
  const { belongsTo } = kinds[kind]
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

/** Ignores the order of members within a record. */
function isSame(one: Row, other: Row): boolean {
  return Object.entries(other).every(([column, value]) =>
    column === 'record'
      ? isDeepStrictEqual(JSON.parse(String(one[column])), JSON.parse(String(value)))
      : one[column] === value,
  )
}

/* Rows of one company, for any kind. */

async function findRow(
  queries: Queries,
  { companyId, kind, id }: RecordAddress,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} and id = ${id}
  `.execute(queries)
  return rows[0]
}

/** Returns the first `limit` rows (all if null), of one user if given. */
async function listRows(
  queries: Queries,
  { companyId, kind }: RecordAddress,
  limit: number | null,
  userId: string | number | undefined,
): Promise<readonly Row[]> {
  const { order = ['id'] } = kinds[kind]
  const ofUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`
  const { rows } = await sql<Row>`
    select * from ${sql.table(kind)} where company_id = ${companyId} ${ofUser}
    order by ${sql.join(order.map((column) => sql.ref(column)))}
    ${limit === null ? sql`` : sql`limit ${limit}`}
  `.execute(queries)
  return rows
}

async function writeRow(writes: Writes, name: RecordAddress, row: Row): Promise<void> {
  await removeRow(writes, name)
  await insertRows(writes, name.kind, [row])
}

async function removeRow(queries: Queries, { companyId, kind, id }: RecordAddress): Promise<void> {
  await sql`
    delete from ${sql.table(kind)} where company_id = ${companyId} and id = ${id}
  `.execute(queries)
}

/* Each record as it was before its first change since its company was loaded. */

/** Stores the row as it was before its first change (undefined if there was none); later calls change nothing. */
async function keepOriginal(
  writes: Writes,
  { companyId: company_id, kind, id }: RecordAddress,
  row: Row | undefined,
): Promise<void> {
  await writes
    .insertInto('workforce_originals')
    .values({ company_id, kind, id, record: row ? JSON.stringify(row) : null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const storedKind = z.enum(recordKinds)
const storedRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

/**
 * Undoes all changes to single records in one transaction. The sample company becomes today's sample; any other returns to
 * its last import.
 */
export async function resetCompany(
  { queries }: SandboxDatabase,
  companyId: string,
  today: PlainDate,
): Promise<void> {
  await queries.transaction().execute(async (writes) => {
    await lockCompany(writes, companyId)
    if (companyId === sampleCompanyId) {
      return replaceCompany(writes, companyId, sampleLists({ today }), null)
    }
    const isOfCompany = ['company_id', '=', companyId] as const
    const originals = await writes
      .selectFrom('workforce_originals')
      .selectAll()
      .where(...isOfCompany)
      .execute()
    for (const { kind, id, record } of originals) {
      const name = { companyId, kind: storedKind.parse(kind), id }
      if (record === null) await removeRow(writes, name)
      else await writeRow(writes, name, storedRow.parse(JSON.parse(record)))
    }
    await writes
      .deleteFrom('workforce_originals')
      .where(...isOfCompany)
      .execute()
    if (originals.length > 0) await noteChange(writes, companyId, {})
  })
}
