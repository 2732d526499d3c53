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

export interface PageReader<T> {
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
 * The records of all pages in order: to the first empty page, since a server may cap pages below the
 * asked size, or to the first one without a next link. A page number past the last that is answered 404 ends the list
 * too. A list whose second page repeats the first takes no notice of page numbers and is whole, unless it is known to be
 * paged. `upstream_invalid` for pages that go round in a circle, lead elsewhere, do not end or hold too much together.
 */
export function collectPages<T>(list: PagedList, reader: PageReader<T>): Promise<Pages<T>> {
  return new PageCollection(list, reader).collect()
}

class PageCollection<T> {
  readonly #list: PagedList
  readonly #reader: PageReader<T>
  readonly #pages: { readonly url: URL; readonly page: Page<T> }[] = []
  readonly #known = new Set<string>()
  readonly #visited = new Set<string>()
  readonly #sum = { bytes: 0, records: 0, containers: 0 }
  #isPaged: boolean

  constructor(list: PagedList, reader: PageReader<T>) {
    this.#list = list
    this.#reader = reader
    this.#isPaged = reader.isPaged
  }

  async collect(): Promise<Pages<T>> {
    await this.#collectFrom(firstPage(this.#list))
    for (const href of this.#reader.alongside) {
      await this.#collectBeside(pageBeside(href, this.#list))
    }
    const full = this.#pages.filter(({ page }) => page.records.length > 0)
    return {
      records: full.flatMap(({ page }) => page.records),
      addresses: full.map(({ url }) => url.href),
      isPaged: this.#isPaged,
    }
  }

  async #collectFrom(url: URL): Promise<void> {
    this.#visit(url)
    const page = await this.#reader.getPage(url).catch((error) => this.#pastTheLast(error))
    if (!page || this.#isUnpaged(page)) return
    if (this.#repeats(page)) {
      const count = this.#visited.size
      throw this.#fault(`answered the same records again as page ${count}: is the paging right?`)
    }
    this.#add(url, page)
    this.#isPaged ||= this.#pages.length === 2 && page.records.length > 0
    const end = { received: page.records.length, link: page.link }
    const next = nextPage(url, this.#list, end)
    if (next) await this.#collectFrom(next)
  }

  /** What lies behind the last page may be missing, empty or once more the last page. */
  async #collectBeside(url: URL | undefined): Promise<void> {
    if (!url || this.#visited.has(placeOf(url))) return
    this.#visit(url)
    const page = await this.#reader.getPage(url).catch(missing)
    if (page) this.#add(url, page)
  }

  #visit(url: URL): void {
    const place = placeOf(url)
    if (this.#visited.has(place)) throw this.#fault('answered a next page that was read already')
    if (this.#visited.size === pagesMax) throw this.#fault(`answered more than ${pagesMax} pages`)
    this.#visited.add(place)
  }

  /** Nothing, for a page behind the last; a missing page is never a missing list. */
  #pastTheLast(error: unknown): undefined {
    if (this.#pages.length === 0) throw error
    missing(error)
    const { style } = this.#list.pagination
    if (style !== 'page') throw this.#fault('answered a page of its list with 404')
  }

  /** Whether it is the first page again, where numbers of pages mean nothing. */
  #isUnpaged(page: Page<T>): boolean {
    const [first, ...others] = this.#pages
    const { style } = this.#list.pagination
    const isNumbered = style === 'page' || style === 'offset'
    if (!first || others.length > 0 || this.#isPaged || !isNumbered) return false
    return page.records.length === first.page.records.length && this.#repeats(page)
  }

  #repeats({ records }: Page<T>): boolean {
    return records.length > 0 && records.every(({ name }) => this.#known.has(name))
  }

  #add(url: URL, page: Page<T>): void {
    const { bytesMax } = this.#reader
    const sum = this.#sum
    this.#pages.push({ url, page })
    sum.bytes += page.bytes
    sum.records += page.records.length
    sum.containers += page.containers
    if (sum.bytes > bytesMax) throw this.#fault(saysTooMuch(bytesMax, 'bytes'))
    if (sum.records > listLimits.recordsMax) {
      throw this.#fault(saysTooMuch(listLimits.recordsMax, 'records'))
    }
    if (sum.containers > listLimits.containersMax) {
      throw this.#fault(saysTooMuch(listLimits.containersMax, 'objects and lists'))
    }
    for (const { name } of page.records) this.#known.add(name)
  }

  #fault(says: string): Error {
    return requestFault('upstream_invalid', this.#list.url, says)
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

function saysTooMuch(max: number, what: string): string {
  return `answered more than ${max} ${what} in all its pages`
}

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

function firstPage({ url, pagination }: PagedList): URL {
  const { style } = pagination
  if (style === 'page') return withQuery(url, numbered(pagination, pagination.first))
  return style === 'offset' ? withQuery(url, numbered(pagination, 0)) : url
}

/** Where the page after the one at that address is; undefined after the last. */
function nextPage(url: URL, list: PagedList, { received, link }: PageEnd): URL | undefined {
  const { pagination } = list
  const { style } = pagination
  if (style === 'page') return advanced(url, pagination.pageParameter, Math.min(1, received))
  if (style === 'offset') return advanced(url, pagination.offsetParameter, received)
  return style === 'link' ? linkedPage(url, list, link) : undefined
}

/** The page of this list that has the place of a page of another answer of it; undefined where no numbers tell its pages apart. */
function pageBeside(href: string, list: PagedList): URL | undefined {
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
  const target = nextLink(link)
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
