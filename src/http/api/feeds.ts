import type { Request, RequestHandler, Response } from 'express'

import { AppError } from '../../domain/errors.ts'
import { viewRow } from '../../feeds/bulk/feed-import.ts'
import { readCsv, tableBytesMax } from '../../feeds/bulk/read-table.ts'
import { linkTable } from '../../feeds/bulk/write-table.ts'
import { parseQuery, tableSchema } from '../../feeds/feed-input.ts'
import type { ImportedFeedsView } from '../../feeds/feed-view.ts'
import { bytesOfList } from '../../json/list-text.ts'
import { bodyOf } from '../../web/request-body.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { isList, parseList, parseOne, requireJson, tableIn } from './input.ts'
import type { TablePlaces } from './table-places.ts'

/** `POST /api/feeds`: takes one feed as an object, or several as an array or table. No other response shows the new addresses. */
export function createFeeds(deps: HttpDeps, places: TablePlaces): RequestHandler {
  return async (request, response) => {
    const { companyId } = staffOf(response)
    let free: (() => void) | undefined
    const takePlace = async (): Promise<void> => {
      free ??= await places.take(companyId)
    }
    try {
      const isTable = Boolean(request.is('text/csv'))
      if (!isTable) requireJson(request)
      const bytes = await bodyOf(request, tableBytesMax, takePlace)
      if (!isTable) refuseTableQuery(request)
      if (!isTable && !isList(bytes)) {
        return await createOne(deps, request, response, parseOne(bytes))
      }
      await takePlace()
      if (isTable) await importFeeds(deps, request, response, bytes)
      else await createSeveral(deps, request, response, parseList(bytes))
    } finally {
      // The place is free again once the response is sent.
      if (free && response.closed) free()
      else if (free) response.once('close', free)
    }
  }
}

/** A feed in JSON names its own company, so the parameter would be ignored. */
function refuseTableQuery({ query }: Request): void {
  const { companyId } = parseQuery(tableSchema, query)
  if (companyId === undefined) return
  const detail = 'Only for tables; in JSON each feed has the member `companyId`.'
  const faults = [{ pointer: '/companyId', detail }]
  throw new AppError('invalid', `Invalid query: companyId: ${detail}`, { faults })
}

async function createOne(
  { administrationBy, publicUrl }: HttpDeps,
  request: Request,
  response: Response,
  input: unknown,
): Promise<void> {
  const { idempotentCreation } = administrationBy(staffOf(response))
  const result = await idempotentCreation.create(input, request.get('Idempotency-Key'))
  const [feed] = result.feeds
  if (!feed) throw new AppError('gone', 'The feed that this key created no longer exists.')
  if (result.replayed) response.setHeader('Idempotency-Replayed', 'true')
  response.setHeader('Location', `${publicUrl}/api/feeds/${feed.id}`)
  response.status(201).json({ ...feed, ...warned(result.warnings) })
}

async function createSeveral(
  { administrationBy }: HttpDeps,
  request: Request,
  response: Response,
  inputs: readonly unknown[],
): Promise<void> {
  if (inputs.length === 0) throw new AppError('invalid', 'The list is empty.')
  const { idempotentCreation } = administrationBy(staffOf(response))
  const result = await idempotentCreation.createAll(inputs, request.get('Idempotency-Key'))
  if (result.replayed) response.setHeader('Idempotency-Replayed', 'true')
  await sendRows(response, result.feeds, result.warnings)
}

/** Rows with an existing feed are skipped, so the same table can be sent again. */
async function importFeeds(
  { administrationBy }: HttpDeps,
  request: Request,
  response: Response,
  bytes: Uint8Array,
): Promise<void> {
  const { companyId } = parseQuery(tableSchema, request.query)
  const table = tableIn(bytes, request)
  const { feedImport } = administrationBy(staffOf(response))
  const { rows, warnings } = await feedImport.run(await readCsv(table), { companyId })
  const [first] = rows
  if (first?.reason != null && rows.every(({ status }) => status === 'failed')) {
    throw new AppError('unavailable', first.reason)
  }
  if (request.accepts(['application/json', 'text/csv']) === 'text/csv') {
    response.status(201).type('text/csv').send(linkTable(rows))
    return
  }
  await sendRows(response, rows.map(viewRow), warnings)
}

/** Thousands of rows take many megabytes, so they are serialized in parts. */
async function sendRows(
  response: Response,
  data: ImportedFeedsView['data'],
  warnings: readonly string[],
): Promise<void> {
  const rows = await bytesOfList(data)
  const rest = JSON.stringify(warned(warnings)).slice(1)
  const end = rest === '}' ? rest : `,${rest}`
  const body = Buffer.concat([Buffer.from('{"data":'), rows, Buffer.from(end)])
  response.status(201).type('json').send(body)
}

export function warned(warnings: readonly string[]): { warnings?: readonly string[] } {
  return warnings.length > 0 ? { warnings } : {}
}
