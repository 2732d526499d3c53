/* Guesses how a list is paged, by trying usual ways. */
import { byList, type Pagination } from '../../domain/connection.ts'
import type { ListKind } from '../../domain/read-api.ts'
import { ask, idsOf, type Inquiry, recordsOf } from '../inquiry.ts'
import type { PlainList, Query } from './lists.ts'

/** A way to the records beyond a list's first answer. */
export interface WayOn {
  /** In the syntax of the paging setting. */
  readonly setting: string
  /** Ids on its second page; empty if that was not read. */
  readonly beyond: readonly string[]
}

const pageNames = ['page', 'pageNumber', 'page_number', 'pageNo', 'p']
const offsetNames = ['offset', 'skip', 'start', 'startAt', 'from']
const sizeNames = ['limit', 'pageSize', 'per_page', 'perPage', 'page_size', 'size', 'take', 'count']
/** The size to request; a server with smaller pages is still read to the end. */
const pageSize = 100

/** Returns a usual way that brings other records than the first response, which had these ids; undefined if there is none. */
export async function findWayOn(
  inquiry: Inquiry,
  { path, query }: PlainList,
  ids: readonly string[],
): Promise<WayOn | undefined> {
  const first = new Set(ids)
  // The first page is 0 if page 1 has other records than a request without a page, else 1.
  for (const name of pageNames) {
    for (const number of [0, 1]) {
      const beyond = await read({ [name]: String(number + 1) })
      if (!isBeyond(beyond)) continue
      const size = await findSizeName({ [name]: String(number) })
      const end = number === 1 ? '' : `,${number}`
      return { setting: `page:${name},${size},${pageSize}${end}`, beyond }
    }
  }
  for (const name of offsetNames) {
    const beyond = await read({ [name]: String(first.size) })
    if (!isBeyond(beyond)) continue
    const limit = await findSizeName({ [name]: '0' })
    return { setting: `offset:${name},${limit},${pageSize}`, beyond }
  }
  return undefined

  async function read(more: Query): Promise<readonly string[]> {
    const outcome = await ask(inquiry, { path, query: { ...query, ...more } })
    return idsOf(recordsOf(outcome) ?? [])
  }

  function isBeyond(found: readonly string[]): boolean {
    return found.length > 0 && first.isDisjointFrom(new Set(found))
  }

  /**
   * Finds the parameter by which one record can be requested. A wrong one does no harm, since pages are read until one is
   * empty.
   */
  async function findSizeName(firstPage: Query): Promise<string> {
    for (const name of sizeNames) {
      const found = await read({ ...firstPage, [name]: '1' })
      if (found.length === 1 && first.size > 1) return name
    }
    return 'limit'
  }
}

/** Returns the setting for another paging of the list (of all lists, if they share one); undefined if it is already set. */
export function pagingToSet(
  { connection: { pagination }, advise }: Inquiry,
  list: ListKind,
  way: string,
): string | undefined {
  const texts = byList((it) => textOf(pagination[it]))
  // The first page defaults to 1.
  if ([way, `${way},1`].includes(texts[list])) return undefined
  const areAlike = new Set(Object.values(texts)).size === 1
  return advise('pagination', areAlike ? way : { ...texts, [list]: way })
}

function textOf(pagination: Pagination): string {
  const { style } = pagination
  if (style === 'page') {
    const { pageParameter, sizeParameter, size, first } = pagination
    return `page:${pageParameter},${sizeParameter},${size},${first}`
  }
  if (style !== 'offset') return style
  const { offsetParameter, limitParameter, limit } = pagination
  return `offset:${offsetParameter},${limitParameter},${limit}`
}
