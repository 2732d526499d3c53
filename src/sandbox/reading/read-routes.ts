import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import express, { type Request, type Response, type Router } from 'express'

import { AppError, codeOf } from '../../domain/errors.ts'
import type { SandboxKeys } from '../../settings/fields.ts'
import { isNotModified, sendNotModified, streamedCodingFor } from '../../web/conditional-request.ts'
import type { RequestLimit } from '../../web/request-limit.ts'
import { isIdentifier } from '../../wire/fields.ts'
import { companyOf } from '../callers.ts'
import type { Behaviour } from '../controls/behaviour.ts'
import type { Imitation } from '../controls/imitation.ts'
import type { RequestLog } from '../controls/request-log.ts'
import { type ListOperation, operations, type RecordOperation } from '../operations.ts'
import { readCompany } from '../records/companies.ts'
import type { CompanyRow } from '../records/sandbox-database.ts'
import {
  credentialNames,
  filterNames,
  type FilterValues,
  queryNames,
  readListQuestion,
  requireKnown,
} from './list-question.ts'
import { answerList, requireCursor, type Queries, findRecord, hasProject } from './lists.ts'

export interface ReadDeps {
  readonly queries: Queries
  readonly keys: SandboxKeys
  readonly imitation: Imitation
  /** Limit of requests without a valid key per client address. */
  readonly failures: RequestLimit
  readonly requests: RequestLog
}

interface Exchange {
  readonly request: Request
  readonly response: Response
  readonly companyId: string
  readonly parameters: URLSearchParams
  readonly behaviour: Behaviour
}

/** Returns the routes of the six Read API operations, each limited to the caller's company. */
export function readRoutes(deps: ReadDeps): Router {
  const router = express.Router({ caseSensitive: true })
  for (const operation of operations) {
    router.get(operation.path.replace('{id}', ':id'), (request, response) =>
      exchange(deps, operation, request, response),
    )
  }
  return router
}

/** Authenticates first: other callers learn nothing. */
async function exchange(
  deps: ReadDeps,
  operation: ListOperation | RecordOperation,
  request: Request,
  response: Response,
): Promise<void> {
  const { queries, keys, failures, requests, imitation } = deps
  const { behaviour } = imitation
  const facts = { operation, shown: shownNames(operation, behaviour) }
  requests.note(request, facts)
  const companyId = companyOf(request, { keys, behaviour, failures })
  requests.note(request, { ...facts, companyId })
  await imitation.misbehave(operation, request)
  const parameters = new URL(request.originalUrl, 'http://sandbox').searchParams
  const exchanged = { request, response, companyId, parameters, behaviour }
  if ('list' in operation) await showList(queries, operation, exchanged)
  else await showRecord(queries, operation, exchanged)
}

function shownNames(
  operation: ListOperation | RecordOperation,
  behaviour: Behaviour,
): readonly string[] {
  const secret = credentialNames(behaviour)
  const names = 'list' in operation ? queryNames(operation, behaviour) : []
  return names.filter((name) => !secret.includes(name))
}

async function showList(
  queries: Queries,
  operation: ListOperation,
  exchanged: Exchange,
): Promise<void> {
  const { request, response, companyId, parameters, behaviour } = exchanged
  const { filters, page } = readListQuestion(parameters, operation, behaviour)
  const company = await readCompany(queries, companyId)
  const project = await projectOf(queries, operation, exchanged)
  const question = {
    companyId,
    list: operation.list,
    filters: { ...filters, ...project },
    generation: company.generation,
  }
  requireCursor(question, page)
  if (isKnown(exchanged, company)) return
  const { body, next } = await answerList(queries, question, page)
  if (next) {
    const names = [...filterNames(operation, behaviour).values()]
    const link = nextAddress(exchanged, names, { ...next })
    response.setHeader('Link', `<${link}>; rel="next"`)
  }
  await sendJson(request, response, body)
}

/** Limits tasks to those of the project that are not archived; `not_found` for an unknown project. */
async function projectOf(
  queries: Queries,
  { list }: ListOperation,
  { request, companyId }: Exchange,
): Promise<FilterValues> {
  if (list !== 'tasks') return {}
  const id = idOf(request)
  if (await hasProject(queries, companyId, id)) return { project_id: id, archived: 0 }
  throw new AppError('not_found', `There is no project ${id}.`)
}

async function showRecord(
  queries: Queries,
  { record: table }: RecordOperation,
  exchanged: Exchange,
): Promise<void> {
  const { request, response, companyId, parameters, behaviour } = exchanged
  requireKnown(parameters, credentialNames(behaviour))
  const id = idOf(request)
  const company = await readCompany(queries, companyId)
  const found = await findRecord(queries, { companyId, table, id })
  if (found === undefined)
    throw new AppError('not_found', `There is no ${table.slice(0, -1)} ${id}.`)
  if (isKnown(exchanged, company)) return
  await sendJson(request, response, [`{"data":${found}}`])
}

/** Rejects an invalid identifier without a database query. */
function idOf({ params: { id = '' } }: Request): string {
  if (typeof id === 'string' && isIdentifier(id)) return id
  throw new AppError('not_found', 'Invalid record id.')
}

/** Sends 304 if the client's copy is current (RFC 9110 section 13.2.2). The ETag is of the revision before any data was read. */
function isKnown(
  { request, response, behaviour }: Exchange,
  { revision }: Pick<CompanyRow, 'revision'>,
): boolean {
  const name = hash(
    'sha256',
    `${revision}\n${behaviour.version}\n${request.originalUrl}`,
    'base64url',
  )
  const validators = { etag: `W/"${name.slice(0, 27)}"` }
  response.vary('Authorization, Accept-Encoding').setHeader('Cache-Control', 'private, no-cache')
  const isSame = isNotModified(request.headers, validators)
  if (isSame) sendNotModified(response, validators)
  else response.setHeader('ETag', validators.etag)
  return isSame
}

/** Returns the address of the next page: the same filters, without any secret. */
function nextAddress(
  { request, parameters, behaviour }: Exchange,
  filters: readonly string[],
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): string {
  const query = new URLSearchParams()
  for (const name of filters) {
    const value = parameters.get(name)
    if (value !== null) query.set(name, value)
  }
  if (behaviour.pagination === null) query.set('limit', String(limit))
  query.set('cursor', cursor)
  const { pathname } = new URL(request.originalUrl, 'http://sandbox')
  return `${pathname}?${query.toString()}`
}

const gzipLevel = 1

/** Streams JSON as fast as it is read; if it fails midway, the client sees a truncated response. */
async function sendJson(
  { method, headers }: Request,
  response: Response,
  body: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const primed = await begun(body)
  response.vary('Accept-Encoding').type('application/json')
  const isCompressed = streamedCodingFor(headers['accept-encoding']) === 'gzip'
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  if (method === 'HEAD') {
    response.end()
    return
  }
  const source = Readable.from(primed, { highWaterMark: 1 })
  const sent = isCompressed
    ? pipeline(source, createGzip({ level: gzipLevel }), response)
    : pipeline(source, response)
  await sent.catch((error: unknown) => {
    if (!goneCodes.has(codeOf(error))) throw error
  })
}

/** Node's error codes for a client that disconnects early. */
const goneCodes: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
])

/** Waits for the first part: a failure until then can still become an error response. */
async function begun(
  body: AsyncIterable<string> | Iterable<string>,
): Promise<AsyncIterable<string>> {
  const parts = (async function* all() {
    yield* body
  })()
  const first = await parts.next()
  return (async function* again() {
    if (first.done !== true) yield first.value
    yield* parts
  })()
}
