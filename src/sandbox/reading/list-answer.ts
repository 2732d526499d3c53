import { AppError } from '../../domain/errors.ts'
import { readCompany } from '../records/companies.ts'
import { type CursorSubject, readCursor, writeCursor } from './cursor.ts'
import type { AskedPage } from './list-question.ts'
import { type ListQuestion, type Part, type Queries, readRows, type Row } from './lists.ts'
import { wrong } from './parameters.ts'

/** So many records are read and held at a time. */
const rowsAtOnce = 200

/** A list as it goes out. */
export interface ListAnswer {
  /** The JSON text, part by part. Fails where the company is loaded anew meanwhile: no list is of two. */
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
  if (page.is === 'whole') return { body: jsonOf(allRows(queries, question)), next: undefined }
  if (page.is === 'number') {
    const rows = await readRows(queries, question, page)
    return { body: jsonOf([rows]), next: undefined }
  }
  return answerPage(queries, question, page)
}

async function answerPage(
  queries: Queries,
  question: ListQuestion & { readonly generation: string },
  { cursor, limit }: Extract<AskedPage, { readonly is: 'cursor' }>,
): Promise<ListAnswer> {
  const { companyId, generation, list, filters } = question
  const subject: CursorSubject = [companyId, generation, list, Object.entries(filters)]
  const after = cursor === undefined ? undefined : readCursor(cursor, subject)
  if (cursor !== undefined && !after) {
    throw wrong('cursor', 'is none of this list: begin anew without it')
  }
  const rows = await readRows(queries, question, { after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next =
    last && rows.length > limit ? { cursor: writeCursor(last, subject), limit } : undefined
  return { body: jsonOf([shown]), next }
}

/** All of the list, some at a time; each as it is when its turn comes. */
async function* allRows(
  queries: Queries,
  question: ListQuestion & { readonly generation: string },
): AsyncGenerator<readonly Row[]> {
  let part: Part = { limit: rowsAtOnce }
  for (;;) {
    const rows = await readRows(queries, question, part)
    const { generation } = await readCompany(queries, question.companyId)
    if (generation !== question.generation) throw loadedAnew()
    yield rows
    if (rows.length < rowsAtOnce) return
    part = { after: rows.at(-1), limit: rowsAtOnce }
  }
}

function loadedAnew(): AppError {
  return new AppError('unavailable', 'The company is being loaded anew: ask again.', {
    retryAfterMs: 1000,
  })
}

async function* jsonOf(
  parts: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  let before = '{"data":['
  for await (const rows of parts) {
    if (rows.length === 0) continue
    yield before + rows.map(({ record }) => record).join(',')
    before = ','
  }
  yield before === ',' ? ']}' : '{"data":[]}'
}
