import { AppError } from '../../domain/errors.ts'
import { emptyCompany } from '../records/companies.ts'
import { type CursorSubject, type Place, readCursor, writeCursor } from './cursor.ts'
import type { AskedPage } from './list-question.ts'
import { findEnd, type ListQuestion, type Queries, readRows, readText, type Row } from './lists.ts'
import { wrong } from './parameters.ts'

/** So many records are read and held at a time. */
const recordsAtOnce = 200

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
  throw wrong('cursor', 'is none of this list: begin anew without it')
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
  return new AppError('unavailable', 'The company is being loaded anew: ask again.', {
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
