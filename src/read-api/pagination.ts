import { asAppError } from '../domain/errors.ts'
import { requestFault } from '../transport/request-fault.ts'
import { firstPage, nextPage, pageBeside, type PagedList } from './page-addresses.ts'

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
  /** Whether a second page of that list has ever held other records than the first. */
  readonly isPaged: boolean
  /** The pages of another answer of the same list, which are asked for too. */
  readonly alongside: readonly string[]
}

export interface Pages {
  readonly records: readonly unknown[]
  /** The addresses of all pages that held any, in order. */
  readonly addresses: readonly string[]
  readonly isPaged: boolean
}

/**
 * The records of all pages in order: to the first empty page, since a server may cap pages below the
 * asked size, or to the first one without a next link. A page number past the last that is answered 404 ends the list
 * too. A list whose second page repeats the first takes no notice of page numbers and is whole, unless it is known to be
 * paged. `upstream_invalid` for pages that go round in a circle, lead elsewhere or do not end.
 */
export function collectPages(list: PagedList, reader: PageReader): Promise<Pages> {
  return new PageCollection(list, reader).collect()
}

class PageCollection {
  readonly #list: PagedList
  readonly #reader: PageReader
  readonly #pages: { readonly url: URL; readonly page: Page }[] = []
  readonly #knownIds = new Set<string>()
  readonly #visited = new Set<string>()
  #isPaged: boolean

  constructor(list: PagedList, reader: PageReader) {
    this.#list = list
    this.#reader = reader
    this.#isPaged = reader.isPaged
  }

  async collect(): Promise<Pages> {
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
  #isUnpaged(page: Page): boolean {
    const [first, ...others] = this.#pages
    const { style } = this.#list.pagination
    const isNumbered = style === 'page' || style === 'offset'
    if (!first || others.length > 0 || this.#isPaged || !isNumbered) return false
    return page.records.length === first.page.records.length && this.#repeats(page)
  }

  #repeats({ records }: Page): boolean {
    return records.length > 0 && records.every((record) => this.#knownIds.has(idOf(record)))
  }

  #add(url: URL, page: Page): void {
    const { bytesMax } = this.#reader
    this.#pages.push({ url, page })
    const bytes = this.#pages.reduce((sum, it) => sum + it.page.bytes, 0)
    if (bytes > bytesMax) {
      throw this.#fault(`answered more than ${bytesMax} bytes in all its pages`)
    }
    for (const record of page.records) this.#knownIds.add(idOf(record))
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

/** A record without an id that could be one is known by its content. */
function idOf(record: unknown): string {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined
  return typeof id === 'string' ? `id ${id}` : JSON.stringify(record)
}
