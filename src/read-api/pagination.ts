import type { Pagination } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import { findLink } from '../transport/link-header.ts'
import { requestFault } from '../transport/request-fault.ts'

const pagesMax = 1_000

export interface Page {
  readonly records: readonly unknown[]
  /** The `Link` header field, empty where there is none. */
  readonly link: string
  readonly bytes: number
}

export interface PageReader {
  readonly getPage: (url: URL) => Promise<Page>
  /** Of all pages together. */
  readonly bytesMax: number
}

/**
 * The records of all pages in order: to the first empty page, since a server may cap pages below the
 * asked size, or to the first one without a next link. A page number past the last that is answered 404 ends the list
 * too. `upstream_invalid` for pages that go round in a circle, lead elsewhere or do not end.
 */
export async function collectRecords(
  list: URL,
  pagination: Pagination,
  { getPage, bytesMax }: PageReader,
): Promise<readonly unknown[]> {
  const pages: Page[] = []
  const knownIds = new Set<unknown>()
  const visited = new Set<string>()
  await collectFrom(firstUrl(list, pagination))
  return pages.flatMap(({ records }) => records)

  async function collectFrom(url: URL): Promise<void> {
    visit(url)
    const page = await getPage(url).catch(pastTheLast)
    if (!page) return
    add(page)
    const next = nextUrl(url, { list, pagination, page })
    if (next) await collectFrom(next)
  }

  function visit({ href }: URL): void {
    if (visited.has(href)) throw fault('answered a next page that was read already')
    if (visited.size === pagesMax) throw fault(`answered more than ${pagesMax} pages`)
    visited.add(href)
  }

  /** Nothing, for a page behind the last; a missing page is never a missing list. */
  function pastTheLast(error: unknown): undefined {
    const isMissing = asAppError(error)?.code === 'upstream_not_found'
    if (pages.length === 0 || !isMissing) throw error
    if (pagination.style !== 'page') throw fault('answered a page of its list with 404')
  }

  function add(page: Page): void {
    pages.push(page)
    const bytes = pages.reduce((sum, it) => sum + it.bytes, 0)
    if (bytes > bytesMax) throw fault(`answered more than ${bytesMax} bytes in all its pages`)
    const known = knownIds.size
    for (const record of page.records) knownIds.add(idOf(record))
    if (page.records.length > 0 && knownIds.size === known) {
      throw fault(`answered the same records again as page ${visited.size}: is the paging right?`)
    }
  }

  function fault(says: string): Error {
    return requestFault('upstream_invalid', list, says)
  }
}

function firstUrl(list: URL, pagination: Pagination): URL {
  const { style } = pagination
  if (style === 'page') {
    const { pageParameter, first, sizeParameter, size } = pagination
    return withQuery(list, { [pageParameter]: first, [sizeParameter]: size })
  }
  if (style === 'offset') {
    const { offsetParameter, limitParameter, limit } = pagination
    return withQuery(list, { [offsetParameter]: 0, [limitParameter]: limit })
  }
  return list
}

interface ReadPage {
  readonly list: URL
  readonly pagination: Pagination
  readonly page: Page
}

function nextUrl(url: URL, { list, pagination, page }: ReadPage): URL | undefined {
  const { style } = pagination
  const received = page.records.length
  if (style === 'page') return advanced(url, pagination.pageParameter, Math.min(1, received))
  if (style === 'offset') return advanced(url, pagination.offsetParameter, received)
  return style === 'link' ? linkedUrl(url, list, page) : undefined
}

function linkedUrl(url: URL, list: URL, { link }: Page): URL | undefined {
  const target = findLink(link, 'next')
  if (target === undefined) return undefined
  const next = URL.parse(target, url.href)
  if (next?.origin === url.origin) return withFilters(next, list)
  throw requestFault('upstream_invalid', url, 'answered a next page that lies elsewhere')
}

/** Every page is asked for with the list's own filters: a link that forgets one would bring other people's records. */
function withFilters(next: URL, list: URL): URL {
  const filtered = new URL(next)
  for (const [name, value] of list.searchParams) {
    const there = next.searchParams.getAll(name)
    if (there.length === 0) filtered.searchParams.append(name, value)
    else if (there.some((it) => it !== value)) {
      throw requestFault('upstream_invalid', list, 'answered a next page with another filter')
    }
  }
  return filtered
}

/** The address with the number moved on; undefined where it stays. */
function advanced(url: URL, parameter: string, by: number): URL | undefined {
  const now = Number(url.searchParams.get(parameter))
  return by === 0 ? undefined : withQuery(url, { [parameter]: now + by })
}

function withQuery(url: URL, parameters: Readonly<Record<string, number>>): URL {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters)) {
    changed.searchParams.set(name, String(value))
  }
  return changed
}

/** A record without an id, which the spec does not know, is like no other. */
function idOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'id' in record ? record.id : record
}
