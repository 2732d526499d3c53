import type { Pagination } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import { nextLink, requestFault } from '../transport/http.ts'
import { type Came, listLimits } from './records.ts'

const pagesMax = 1_000

export interface Page<T> {
  readonly records: readonly Came<T>[]
  /** The `Link` header field; empty if absent. */
  readonly link: string
  readonly bytes: number
  /** Number of objects and arrays. */
  readonly containers: number
}

/** A list to collect page by page. */
export interface PagedList<T> {
  /** The address with the list's filters, without page parameters. */
  readonly url: URL
  readonly pagination: Pagination
  /** All query parameters that can filter this list. */
  readonly filterNames: readonly string[]
  /** Query parameters that carry the credential; no page's address contains them. */
  readonly credentialNames: readonly string[]
  readonly getPage: (url: URL) => Promise<Page<T>>
  /** Limit for all pages together. */
  readonly bytesMax: number
  /** Whether a second page of this list has ever had other records than the first. */
  readonly isPaged: boolean
  /** Page addresses of another answer of the same list, to request as well. */
  readonly alongside: readonly string[]
}

export interface Pages<T> {
  readonly records: readonly Came<T>[]
  /** Addresses of all pages with records, in order. */
  readonly addresses: readonly string[]
  readonly isPaged: boolean
}

/**
 * Returns the records of all pages in order. Stops at the first empty page, since servers may cap the page size, or at the
 * first without a next link. A 404 for a page number past the last ends the list, too. If the second page repeats the
 * first, the server ignores page numbers and the list is complete, unless it is known to be paged. Fails with
 * `upstream_invalid` if pages repeat, lead elsewhere, do not end or exceed the limits together.
 */
export async function collectPages<T>(list: PagedList<T>): Promise<Pages<T>> {
  const { bytesMax, getPage, alongside, pagination } = list
  const { recordsMax, containersMax } = listLimits
  const pages: { readonly url: URL; readonly page: Page<T> }[] = []
  const known = new Set<string>()
  const visited = new Set<string>()
  const sum = { bytes: 0, records: 0, containers: 0 }
  let { isPaged } = list

  for (let next: URL | undefined = firstPage(list); next;) next = await collect(next)
  // A page behind the last may be missing, empty or the last page again.
  for (const href of alongside) {
    const url = pageBeside(href, list)
    if (!url || visited.has(placeOf(url))) continue
    visit(url)
    const page = await getPage(url).catch(missing)
    if (page) add(url, page)
  }
  const full = pages.filter(({ page }) => page.records.length > 0)
  return {
    records: full.flatMap(({ page }) => page.records),
    addresses: full.map(({ url }) => url.href),
    isPaged,
  }

  /** Returns the next page's address; undefined after the last. */
  async function collect(url: URL): Promise<URL | undefined> {
    visit(url)
    const page = await getPage(url).catch(pastTheLast)
    if (!page) return undefined
    if (page.records.length > 0 && page.records.every(({ name }) => known.has(name))) {
      if (isFirstAgain(page)) return undefined
      const says = `answered the same records again as page ${visited.size}: is the paging right?`
      throw fault(says)
    }
    add(url, page)
    isPaged ||= pages.length === 2 && page.records.length > 0
    return nextPage(url, list, page)
  }

  function visit(url: URL): void {
    const place = placeOf(url)
    if (visited.has(place)) throw fault('answered a next page that was read already')
    if (visited.size === pagesMax) throw fault(`answered more than ${pagesMax} pages`)
    visited.add(place)
  }

  /** Accepts a missing page behind the last. A missing first page is an error: it does not mean a missing list. */
  function pastTheLast(error: unknown): undefined {
    if (pages.length === 0) throw error
    missing(error)
    if (pagination.style !== 'page') throw fault('answered a page of its list with 404')
  }

  /** Whether a repeated page is the first one, from a list that ignores page numbers. */
  function isFirstAgain({ records }: Page<T>): boolean {
    const isNumbered = pagination.style === 'page' || pagination.style === 'offset'
    const isSecond = pages.length === 1 && records.length === pages[0]?.page.records.length
    return isSecond && isNumbered && !isPaged
  }

  function add(url: URL, page: Page<T>): void {
    pages.push({ url, page })
    sum.bytes += page.bytes
    sum.records += page.records.length
    sum.containers += page.containers
    refuseMore(sum.bytes, bytesMax, 'bytes')
    refuseMore(sum.records, recordsMax, 'records')
    refuseMore(sum.containers, containersMax, 'objects and lists')
    for (const { name } of page.records) known.add(name)
  }

  function refuseMore(count: number, max: number, what: string): void {
    if (count > max) throw fault(`answered more than ${max} ${what} in all its pages`)
  }

  function fault(says: string): Error {
    return requestFault('upstream_invalid', list.url, says)
  }
}

/** Ignores a missing page; rethrows any other error. */
function missing(error: unknown): undefined {
  if (asAppError(error)?.code !== 'upstream_not_found') throw error
}

/** The order of query parameters makes no difference. */
function placeOf(url: URL): string {
  const place = new URL(url)
  place.searchParams.sort()
  return place.href
}

function firstPage({ url, pagination }: PagedList<unknown>): URL {
  const { style } = pagination
  if (style === 'page') return withQuery(url, numbered(pagination, pagination.first))
  return style === 'offset' ? withQuery(url, numbered(pagination, 0)) : url
}

function nextPage(
  url: URL,
  list: PagedList<unknown>,
  { records, link }: Page<unknown>,
): URL | undefined {
  const { pagination } = list
  const { style } = pagination
  const received = records.length
  if (style === 'page') return advanced(url, pagination.pageParameter, Math.min(1, received))
  if (style === 'offset') return advanced(url, pagination.offsetParameter, received)
  return style === 'link' ? linkedPage(url, list, link) : undefined
}

/** Returns this list's page at the place of a page of another answer; undefined if numbers do not tell its pages apart. */
function pageBeside(href: string, list: PagedList<unknown>): URL | undefined {
  const { url, pagination } = list
  const { style } = pagination
  const { pathname, searchParams } = new URL(href)
  if (style === 'link')
    return pathname === url.pathname ? linkedBeside(searchParams, list) : undefined
  if (style === 'none') return undefined
  const place = searchParams.get(placeName(pagination)) ?? ''
  return isDecimal(place) ? withQuery(url, numbered(pagination, Number(place))) : undefined
}

type NumberedPagination = Extract<Pagination, { readonly style: 'page' | 'offset' }>

function placeName(pagination: NumberedPagination): string {
  return pagination.style === 'page' ? pagination.pageParameter : pagination.offsetParameter
}

function numbered(pagination: NumberedPagination, place: number): Readonly<Record<string, number>> {
  const [name, size] =
    pagination.style === 'page'
      ? [pagination.sizeParameter, pagination.size]
      : [pagination.limitParameter, pagination.limit]
  return { [placeName(pagination)]: place, [name]: size }
}

function linkedPage(url: URL, list: PagedList<unknown>, link: string): URL | undefined {
  const target = nextLink(link)
  if (target === undefined) return undefined
  const next = URL.parse(target, url.href)
  if (next?.origin === url.origin) return withFilters(next, list)
  throw requestFault('upstream_invalid', url, 'answered a next page that lies elsewhere')
}

/**
 * Every page is requested with the list's own filters, as written for the first. A link without one would return other
 * people's records.
 */
function withFilters(next: URL, { url: list, credentialNames }: PagedList<unknown>): URL {
  const filtered = new URL(next)
  for (const name of credentialNames) filtered.searchParams.delete(name)
  for (const [name, value] of list.searchParams) {
    const there = next.searchParams.getAll(name)
    if (!there.every((it) => it === value || isSameInstant(it, value))) {
      throw requestFault('upstream_invalid', list, 'answered a next page with another filter')
    }
    filtered.searchParams.set(name, value)
  }
  return filtered
}

/** The form of date bounds in our requests. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** A bare day means its first instant in UTC, as in ECMAScript. Without an offset, a time could be in any zone. */
const instant = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Whether a link repeats our date bound in another form. */
function isSameInstant(given: string, asked: string): boolean {
  return timestamp.test(asked) && instant.test(given) && Date.parse(given) === Date.parse(asked)
}

/** The filters are from this list. All other parameters must be numbers, since a cursor belongs to its own answer. */
function linkedBeside(
  query: URLSearchParams,
  { url, filterNames }: PagedList<unknown>,
): URL | undefined {
  const places = [...query].filter(([name]) => !filterNames.includes(name))
  if (!places.every(([, value]) => isDecimal(value))) return undefined
  return withQuery(url, Object.fromEntries(places))
}

function isDecimal(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

/** Returns the address with the number advanced; undefined if it would not change. */
function advanced(url: URL, parameter: string, by: number): URL | undefined {
  const now = Number(url.searchParams.get(parameter))
  return by === 0 ? undefined : withQuery(url, { [parameter]: now + by })
}

function withQuery(url: URL, parameters: Readonly<Record<string, number | string>>): URL {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters)) {
    changed.searchParams.set(name, String(value))
  }
  return changed
}
