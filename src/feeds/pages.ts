import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import type { FeedFilter } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import { jsonOf } from '../json/read-json.ts'
import { createRests } from '../json/rest.ts'
import { idField } from './feed-input.ts'

const cursorSchema = z.tuple([z.int(), idField])

export function makeCursor({ createdAt, id }: Pick<Feed, 'createdAt' | 'id'>): string {
  return writeCursor([createdAt, id])
}

/** `invalid` for anything that `makeCursor` has not made. */
export function parseCursor(cursor: string): NonNullable<FeedFilter['after']> {
  const [createdAt, id] = readCursor(cursorSchema, cursor)
  return { createdAt, id }
}

export function writeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** `invalid` for anything that `writeCursor` has not written of such a place. */
export function readCursor<T>(place: z.ZodType<T>, cursor: string): T {
  const parsed = place.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()))
  if (parsed.success) return parsed.data
  const faults = [{ pointer: '/cursor', detail: 'Must be the nextCursor of a page before.' }]
  throw new AppError('invalid', 'The query is not valid.', { faults })
}

/** Of JSON per page, which is in memory several times. An entry has less than a megabyte. */
const bytesMax = 4 * 1024 * 1024
const rowsAtOnce = 100

interface PageSource<Place, Row extends Place, View> {
  /** Where the page begins; null for the first. */
  readonly begin: Place | null
  readonly limit: number
  readonly read: (after: Place | null, limit: number) => Promise<readonly Row[]>
  readonly view: (rows: readonly Row[]) => Promise<readonly View[]>
}

interface ReadPage<Place, View> {
  readonly data: View[]
  /** Where the next page begins; null after the last. */
  readonly end: Place | null
}

/** A page of at most `limit` entries, fewer if they are large. Pauses between parts, so that other requests are answered. */
export async function readInParts<Place, Row extends Place, View>(
  source: PageSource<Place, Row, View>,
): Promise<ReadPage<Place, View>> {
  const data: View[] = []
  let end = source.begin
  let bytes = 0
  for await (const [entry, row] of entriesOf(source)) {
    if (data.length === source.limit || bytes >= bytesMax) return { data, end }
    data.push(entry)
    bytes += JSON.stringify(entry).length
    end = row
  }
  return { data, end: null }
}

async function* entriesOf<Place, Row extends Place, View>({
  begin,
  limit,
  read,
  view,
}: PageSource<Place, Row, View>): AsyncGenerator<readonly [View, Row]> {
  const rests = createRests()
  const most = Math.min(rowsAtOnce, limit + 1)
  let after = begin
  for (let isMore = true; isMore;) {
    const rows = await read(after, most)
    for (const [index, entry] of (await view(rows)).entries()) {
      const row = rows[index]
      if (row) yield [entry, row]
    }
    after = rows.at(-1) ?? after
    isMore = rows.length === most
    if (rests.isDue()) await rests.take()
  }
}
