import type { Pagination } from '../domain/connection.ts'
import { findLink } from './link-header.ts'
import { requestFault } from './request-fault.ts'

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

const PAGES_MAX = 1_000

/**
 * The records of all pages in order: to the first empty page, since a server may cap pages below the
 * asked size, or to the first one without a next link. `upstream_invalid` for pages that go round in
 * a circle, lead elsewhere or do not end.
 */
export async function collectRecords(
  list: URL,
  pagination: Pagination,
  { getPage, bytesMax }: PageReader,
): Promise<readonly unknown[]> {
  const records: unknown[] = []
  const knownIds = new Set<unknown>()
  const visited = new Set<string>()
  let bytes = 0
  await collectFrom(firstUrl(list, pagination))
  return records

  async function collectFrom(url: URL): Promise<void> {
    visit(url)
    const page = await getPage(url)
    add(page)
    const next = nextUrl(url, pagination, page)
    if (next) await collectFrom(next)
  }

  function visit({ href }: URL): void {
    if (visited.has(href)) throw fault('answered a next page that was read already')
    if (visited.size === PAGES_MAX) throw fault(`answered more than ${PAGES_MAX} pages`)
    visited.add(href)
  }

  function add(page: Page): void {
    bytes += page.bytes
    if (bytes > bytesMax) throw fault(`answered more than ${bytesMax} bytes in all its pages`)
    const known = knownIds.size
    for (const record of page.records) knownIds.add(idOf(record))
    if (page.records.length > 0 && knownIds.size === known) {
      throw fault(`answered the same records again as page ${visited.size}: is the paging right?`)
    }
    records.push(...page.records)
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

function nextUrl(url: URL, pagination: Pagination, page: Page): URL | undefined {
  const { style } = pagination
  const received = page.records.length
  if (style === 'page') return advanced(url, pagination.pageParameter, Math.min(1, received))
  if (style === 'offset') return advanced(url, pagination.offsetParameter, received)
  return style === 'link' ? linkedUrl(url, page) : undefined
}

function linkedUrl(url: URL, { link }: Page): URL | undefined {
  const target = findLink(link, 'next')
  if (target === undefined) return undefined
  const next = URL.parse(target, url.href)
  if (next?.origin === url.origin) return next
  throw requestFault('upstream_invalid', url, 'answered a next page that lies elsewhere')
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
