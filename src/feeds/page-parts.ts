/* Pages of lists, whose entries may be large. */
import { createRests } from '../json/rest.ts'

/** Of the JSON of a page: what is made of it stands in memory several times. An entry has less than a megabyte. */
const bytesMax = 4 * 1024 * 1024
/** Between two rests: each part is a search of its own. */
const rowsAtOnce = 100

interface PageSource<Place, Row extends Place, View> {
  /** Behind which the page begins; null for the first. */
  readonly begin: Place | null
  readonly limit: number
  /** At most so many of those behind that place. */
  readonly read: (after: Place | null, limit: number) => Promise<readonly Row[]>
  readonly view: (rows: readonly Row[]) => Promise<readonly View[]>
}

interface ReadPage<Place, View> {
  readonly data: View[]
  /** Behind which the next page begins; null for the last. */
  readonly end: Place | null
}

/** A page of at most so many entries, of fewer where they are large; others have their turn while it is read. */
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

/** All of them, each as it is told, with its row. */
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
