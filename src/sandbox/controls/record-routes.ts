import express, { type Request, type RequestHandler, type Router } from 'express'

import { AppError } from '../../domain/errors.ts'
import { likelyMeant } from '../../domain/nearest.ts'
import type { SandboxKeys } from '../../settings/sandbox-keys.ts'
import { onlyTakes } from '../../web/problem.ts'
import { isIdentifier } from '../../wire/fields.ts'
import { type Parameters, readFilter, readNumber, requireKnown } from '../reading/parameters.ts'
import { listCompanies, sampleCompanyId } from '../records/companies.ts'
import type { SandboxDatabase } from '../records/sandbox-database.ts'
import { deleteRecord, putRecord } from './change-record.ts'
import { readBody } from './json-body.ts'
import { findFileRecord, listFileRecords } from './read-record.ts'
import { kindsOfRecords, type RecordKind, recordKinds } from './record-kinds.ts'
import { resetCompany } from './reset-company.ts'
import type { RecordName } from './stored-rows.ts'

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
    const parameters: Parameters = new URL(request.originalUrl, 'http://sandbox').searchParams
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
