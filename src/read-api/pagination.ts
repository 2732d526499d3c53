import type { Pagination } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import { nextLink, requestFault } from '../transport/http.ts'
import { type Came, listLimits } from './records.ts'

const pagesMax = 1_000

/** One page, its records read. */
export interface Page<T> {
  readonly records: readonly Came<T>[]
  /** The `Link` header field, empty where there is none. */
  readonly link: string
  readonly bytes: number
  /** How many objects and lists it holds. */
  readonly containers: number
}

/** A list as it is asked for. */
export interface PagedList<T> {
  /** Without any page: with the list's filters and no more. */
  readonly url: URL
  readonly pagination: Pagination
  /** The names of all query parameters by which that list can be filtered. */
  readonly filterNames: readonly string[]
  /** The query parameters that carry the credential, which no page's address holds. */
  readonly credentialNames: readonly string[]
  readonly getPage: (url: URL) => Promise<Page<T>>
  /** Of all pages together. */
  readonly bytesMax: number
  /** Whether a second page of that list has ever held other records than the first. */
  readonly isPaged: boolean
  /** The pages of another answer of the same list, which are asked for too. */
  readonly alongside: readonly string[]
}

export interface Pages<T> {
  readonly records: readonly Came<T>[]
  /** The addresses of all pages that held any, in order. */
  readonly addresses: readonly string[]
  readonly isPaged: boolean
}

/**
 * The records of all pages in order: to the first empty page, since a server may cap pages below the asked size, or to the
 * first one without a next link. A page number past the last that is answered 404 ends the list too. A list whose second page
 * repeats the first ignores page numbers and is whole, unless it is known to be paged. `upstream_invalid` for pages that go
 * round in a circle, lead elsewhere, do not end or hold too much together.
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
  // What is behind the last page may be missing, empty or once more the last page.
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

  /** Where the next page is; undefined where there is none. */
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

  /** Nothing, for a page behind the last; a missing page is never a missing list. */
  function pastTheLast(error: unknown): undefined {
    if (pages.length === 0) throw error
    missing(error)
    if (pagination.style !== 'page') throw fault('answered a page of its list with 404')
  }

  /** Whether a page that repeats is the first one, of a list that ignores page numbers. */
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

/** Nothing for a missing page; any other error goes on. */
function missing(error: unknown): undefined {
  if (asAppError(error)?.code !== 'upstream_not_found') throw error
}

/** Two addresses that differ only in the order of their queries are one. */
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

/** Where the page after that one is; undefined after the last. */
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

/** The page of this list that has the place of a page of another answer of it; undefined where no numbers tell its pages apart. */
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

/** Every page is asked for with the list's own filters, written as for the first: a link that forgets one would bring other people's records. */
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

/** Bounds of dates are asked for in this form. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** A bare day is its first instant in UTC, as ECMAScript reads it, too; without an offset a time could be any zone's. */
const instant = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Whether a bound that was asked for comes back written otherwise. */
function isSameInstant(given: string, asked: string): boolean {
  return timestamp.test(asked) && instant.test(given) && Date.parse(given) === Date.parse(asked)
}

/** The filters are this list's; all else in the query must be numbers, since a cursor belongs to its own answer. */
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

/** The address with the number moved on; undefined where it stays. */
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
