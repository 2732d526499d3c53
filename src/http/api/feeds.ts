import type { Request, RequestHandler, Response } from 'express'

import { AppError } from '../../domain/errors.ts'
import { parseQuery, tableSchema } from '../../feeds/feed-input.ts'
import type {
  ChangedFeedView,
  FeedDetails,
  FeedPage,
  ImportedFeedsView,
} from '../../feeds/feed-view.ts'
import { type ImportedRow, viewRow } from '../../feeds/import/import-result.ts'
import { linkTable } from '../../feeds/import/link-table.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import { tableBytesMax } from '../../feeds/import/table-refusals.ts'
import { bytesOfList } from '../../json/list-text.ts'
import { inSteps } from '../../json/rest.ts'
import { bodyOf } from '../../web/request-body.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import {
  feedIdOf,
  isList,
  isPurge,
  jsonBody,
  parseList,
  parseOne,
  refuseQuery,
  requireJson,
  tableIn,
} from './input.ts'
import { TablePlaces } from './table-places.ts'

type FeedApiDeps = Pick<HttpDeps, 'administrationBy' | 'publicUrl'>

type FeedRequest = Request<{ id: string }>

/** `POST /api/feeds`: one feed as an object, several as an array or as a table; their addresses stand in no other reply. */
export function createFeeds(deps: FeedApiDeps): RequestHandler {
  const places = new TablePlaces()
  return (request, response) =>
    withinPlace(places, response, async (takePlace) => {
      const isTable = Boolean(request.is('text/csv'))
      if (!isTable) requireJson(request)
      const bytes = await bodyOf(request, tableBytesMax, takePlace)
      if (isTable) {
        await takePlace()
        return importFeeds(deps, request, response, bytes)
      }
      refuseTableQuery(request)
      if (!isList(bytes)) return createOne(deps, request, response, parseOne(bytes))
      await takePlace()
      return createSeveral(deps, request, response, await parseList(bytes))
    })
}

/** Does the work, which takes a place once it knows that it needs one; it is free again when the answer has gone out. */
async function withinPlace(
  places: TablePlaces,
  response: Response,
  work: (takePlace: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { companyId } = staffOf(response)
  let free: (() => void) | undefined
  try {
    await work(async () => {
      free ??= await places.take(companyId)
    })
  } finally {
    if (free && response.closed) free()
    else if (free) response.once('close', free)
  }
}

async function createOne(
  { administrationBy, publicUrl }: FeedApiDeps,
  request: Request,
  response: Response<ChangedFeedView>,
  input: unknown,
): Promise<void> {
  const result = await administrationBy(staffOf(response)).idempotentCreation.create(
    input,
    request.get('Idempotency-Key'),
  )
  const [feed] = result.feeds
  if (!feed) throw new AppError('gone', 'The feed that was made under this key is no longer there.')
  if (result.replayed) response.setHeader('Idempotency-Replayed', 'true')
  response.setHeader('Location', `${publicUrl}/api/feeds/${feed.id}`)
  response.status(201).json({ ...feed, ...warned(result.warnings) })
}

async function createSeveral(
  { administrationBy }: FeedApiDeps,
  request: Request,
  response: Response,
  inputs: readonly unknown[],
): Promise<void> {
  if (inputs.length === 0) throw new AppError('invalid', 'The list holds no feed.')
  const key = request.get('Idempotency-Key')
  const result = await administrationBy(staffOf(response)).idempotentCreation.createAll(inputs, key)
  if (result.replayed) response.setHeader('Idempotency-Replayed', 'true')
  await sendRows(response, result.feeds, result.warnings)
}

/** A row whose feed exists is skipped: the same table may come again. */
async function importFeeds(
  { administrationBy }: FeedApiDeps,
  request: Request,
  response: Response,
  bytes: Uint8Array,
): Promise<void> {
  const { companyId } = parseQuery(tableSchema, request.query)
  const table = tableIn(bytes, request)
  const records = await readCsv(table.text)
  const { rows, warnings } = await administrationBy(staffOf(response)).feedImport.run(records, {
    companyId,
  })
  refuseTotalFailure(rows)
  if (request.accepts(['application/json', 'text/csv']) === 'text/csv') {
    response.status(201).type('text/csv').send(linkTable(rows))
    return
  }
  await sendRows(response, rows.map(viewRow), [...table.warnings, ...warnings])
}

/** Thousands of rows have many megabytes: they are written as JSON bit by bit. */
async function sendRows(
  response: Response,
  data: ImportedFeedsView['data'],
  warnings: readonly string[],
): Promise<void> {
  const rows = await inSteps(bytesOfList(data))
  const rest = JSON.stringify(warned(warnings)).slice(1)
  const end = rest === '}' ? rest : `,${rest}`
  const body = Buffer.concat([Buffer.from('{"data":'), rows, Buffer.from(end)])
  response.status(201).type('json').send(body)
}

/** `GET /api/feeds`: a page of feeds, by company and user. */
export function listFeeds({ administrationBy }: FeedApiDeps) {
  return async ({ query }: Request, response: Response<FeedPage>): Promise<void> => {
    const page = await administrationBy(staffOf(response)).listing.list(query)
    const hints = page.warnings?.map((it) => `${it} The parameter search finds people by name.`)
    response.json(hints === undefined ? page : { ...page, warnings: hints })
  }
}

/** `GET /api/feeds/{id}`: the feed, who asked for it, and how old its copies are. */
export function showFeed({ administrationBy }: FeedApiDeps) {
  return async (request: FeedRequest, response: Response<FeedDetails>): Promise<void> => {
    refuseQuery(request)
    response.json(await administrationBy(staffOf(response)).listing.show(feedIdOf(request)))
  }
}

/** `PATCH /api/feeds/{id}`: an RFC 7396 merge patch. */
export function updateFeed({ administrationBy }: FeedApiDeps) {
  return async (request: FeedRequest, response: Response<ChangedFeedView>): Promise<void> => {
    refuseQuery(request)
    const { changes } = administrationBy(staffOf(response))
    const { feed, warnings } = await changes.update(feedIdOf(request), jsonBody(request))
    response.json({ ...feed, ...warned(warnings) })
  }
}

/** `DELETE /api/feeds/{id}`: its end, with `?purge` after 30 days of a calendar that says so. */
export function revokeFeed({ administrationBy }: FeedApiDeps) {
  return async (request: FeedRequest, response: Response): Promise<void> => {
    await administrationBy(staffOf(response)).changes.revoke(feedIdOf(request), isPurge(request))
    response.status(204).end()
  }
}

/** Each feed of JSON names its company itself: one in the address would be passed over. */
function refuseTableQuery({ query }: Request): void {
  const { companyId } = parseQuery(tableSchema, query)
  if (companyId === undefined) return
  const detail = 'Is only for a table; a feed in JSON has the member `companyId`.'
  const faults = [{ pointer: '/companyId', detail }]
  throw new AppError('invalid', `The query is not valid: companyId: ${detail}`, { faults })
}

function refuseTotalFailure(rows: readonly ImportedRow[]): void {
  const [first] = rows
  if (first?.reason == null || rows.some(({ status }) => status !== 'failed')) return
  throw new AppError('unavailable', first.reason)
}

function warned(warnings: readonly string[]): { warnings?: readonly string[] } {
  return warnings.length > 0 ? { warnings } : {}
}
