import type { Pagination } from '../domain/connection.ts'
import { findLink } from '../transport/link-header.ts'
import { requestFault } from '../transport/request-fault.ts'

/** A list as it is asked for. */
export interface PagedList {
  /** Without any page: with the list's filters and no more. */
  readonly url: URL
  readonly pagination: Pagination
  /** The names of all query parameters by which that list can be filtered. */
  readonly filterNames: readonly string[]
  /** The query parameters that carry the credential, which no page's address holds. */
  readonly credentialNames: readonly string[]
}

/** What of a page says where the next one is. */
interface PageEnd {
  /** How many records it holds. */
  readonly received: number
  /** The `Link` header field, empty where there is none. */
  readonly link: string
}

export function firstPage({ url, pagination }: PagedList): URL {
  const { style } = pagination
  if (style === 'page') return withQuery(url, numbered(pagination, pagination.first))
  return style === 'offset' ? withQuery(url, numbered(pagination, 0)) : url
}

/** Where the page after the one at that address is; undefined after the last. */
export function nextPage(url: URL, list: PagedList, { received, link }: PageEnd): URL | undefined {
  const { pagination } = list
  const { style } = pagination
  if (style === 'page') return advanced(url, pagination.pageParameter, Math.min(1, received))
  if (style === 'offset') return advanced(url, pagination.offsetParameter, received)
  return style === 'link' ? linkedPage(url, list, link) : undefined
}

/** The page of this list that has the place of a page of another answer of it; undefined where no numbers tell its pages apart. */
export function pageBeside(href: string, list: PagedList): URL | undefined {
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

function linkedPage(url: URL, list: PagedList, link: string): URL | undefined {
  const target = findLink(link, 'next')
  if (target === undefined) return undefined
  const next = URL.parse(target, url.href)
  if (next?.origin === url.origin) return withFilters(next, list)
  throw requestFault('upstream_invalid', url, 'answered a next page that lies elsewhere')
}

/** Every page is asked for with the list's own filters, written as for the first: a link that forgets one would bring other people's records. */
function withFilters(next: URL, { url: list, credentialNames }: PagedList): URL {
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

/** The filters are this list's; what else stands there must be numbers, since a cursor belongs to its own answer. */
function linkedBeside(query: URLSearchParams, { url, filterNames }: PagedList): URL | undefined {
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
