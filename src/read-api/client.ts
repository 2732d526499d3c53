import { hash } from 'node:crypto'

import type { ConnectionSettings } from '../domain/connection.ts'
import { AppError, Misnamed } from '../domain/errors.ts'
import type { RecordOf } from '../domain/kinds.ts'
import {
  type Answer,
  apiPrefix,
  type Asking,
  type FilterOf,
  type IsKnown,
  type ListKind,
  type ReadApi,
  type SingleKind,
  type ParameterNames,
} from '../domain/read-api.ts'
import type { Instant } from '../domain/world.ts'
import { credentialQuery, withoutSecrets } from '../transport/authentication.ts'
import { requestFault } from '../transport/http.ts'
import {
  Requester,
  type RequesterDeps,
  SharedByRequesters,
  withinDeadline,
} from '../transport/requester.ts'
import { Decoder, refusing } from './decoding.ts'
import { mergeRecords } from './merge.ts'
import { collectPages, type Page } from './pagination.ts'
import { misfitsOf, readerOf, readSingle } from './records.ts'

/** Longest time of one operation with all pages, as a multiple of a request's time-out. */
const timeoutsPerOperation = 10
/** Largest size of a list with all pages, as a multiple of the largest response. */
const answersPerList = 4
/** Larger responses get no digest and are read each time. */
const digestedMax = 1_048_576

export class SharedByClients extends SharedByRequesters {
  readonly decoder = new Decoder()

  close(): Promise<void> {
    return this.decoder.close()
  }
}

interface ReadApiClientDeps extends RequesterDeps {
  readonly shared: SharedByClients
}

/**
 * The Read API of one connection over HTTP. Besides the errors of `ReadApi`, aborted operations fail with the signal's
 * reason.
 */
export class ReadApiClient implements ReadApi {
  readonly #settings: ConnectionSettings
  readonly #decoder: Decoder
  readonly #requester: Requester
  /** Lists that have had a second page with other records than the first. */
  readonly #pagedLists = new Set<ListKind>()

  constructor(settings: ConnectionSettings, deps: ReadApiClientDeps) {
    this.#settings = settings
    this.#decoder = deps.shared.decoder
    this.#requester = new Requester(settings, deps)
  }

  async list<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
    asking: Asking = {},
  ): Promise<Answer<RecordOf[K]>> {
    const { signal, alongside = [] } = asking
    const pagination = this.#settings.pagination[kind]
    const { url, filterNames } = this.#listAddress(kind, filter)
    if (pagination.style === 'none') return this.#onlyPage(kind, url, asking)
    const { records, addresses, isPaged } = await this.#whole(url, signal, (either) =>
      collectPages<RecordOf[K]>({
        url,
        pagination,
        filterNames,
        credentialNames: Object.keys(credentialQuery(this.#settings.authentication)),
        getPage: (page) => this.#readPage(kind, page, { ...asking, signal: either }),
        bytesMax: answersPerList * this.#settings.bodyBytesMax,
        isPaged: this.#pagedLists.has(kind),
        alongside,
      }),
    )
    if (isPaged) this.#pagedLists.add(kind)
    return { ...(await mergeRecords(kind, records, signal)), pages: addresses }
  }

  async listUnlessKnown<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
    { isKnown, ...asking }: Asking & { readonly isKnown: IsKnown },
  ): Promise<Answer<RecordOf[K]> | null> {
    if (this.#settings.pagination[kind].style !== 'none') return this.list(kind, filter, asking)
    return this.#onlyPage(kind, this.#listAddress(kind, filter).url, asking, isKnown)
  }

  /**
   * Fails with `upstream_invalid` if the record does not fit the spec or may be one not to show. Fails with
   * `upstream_misnamed` if it has another id: many systems ignore case, spaces and zeros.
   */
  async get<K extends SingleKind>(
    kind: K,
    id: string,
    { signal, ...how }: Asking = {},
  ): Promise<RecordOf[K]> {
    const url = this.#address(`${singlePaths[kind]}/${segment(id, kind)}`)
    const { value } = await this.#whole(url, signal, (either) =>
      this.#requester.get({
        ...how,
        operation: kind,
        url,
        signal: either,
        read: async (body) => {
          const reading = await refusing(url, () => readSingle(body, readerOf(kind)))
          const { record, unfit, inDoubt } = reading
          if (record && inDoubt.length === 0) return this.#named(kind, id, record)
          const faults = misfitsOf(unfit).map(({ field, expected }) => `${field}: ${expected}`)
          const says = `answered a record that does not fit the spec (${faults.join('; ')})`
          throw requestFault('upstream_invalid', url, says)
        },
      }),
    )
    return value
  }

  lastAnswerBut(kind: ListKind | SingleKind): Instant | null {
    return this.#requester.lastAnswerBut(kind)
  }

  /** Closes the connections; requests under way fail with `upstream_unavailable`. */
  close(): Promise<void> {
    return this.#requester.close()
  }

  /** Reads a list of one page; null if its digest is known. */
  #onlyPage<K extends ListKind>(kind: K, url: URL, asking: Asking): Promise<Answer<RecordOf[K]>>
  #onlyPage<K extends ListKind>(
    kind: K,
    url: URL,
    asking: Asking,
    isKnown?: IsKnown,
  ): Promise<Answer<RecordOf[K]> | null>
  async #onlyPage<K extends ListKind>(
    kind: K,
    url: URL,
    { signal, ...how }: Asking,
    isKnown?: IsKnown,
  ): Promise<Answer<RecordOf[K]> | null> {
    let digest: string | undefined
    const { value } = await this.#whole(url, signal, (either) =>
      this.#requester.get({
        ...how,
        operation: kind,
        url,
        signal: either,
        read: async (body, end) => {
          if (isKnown && body.length <= digestedMax) digest = hash('sha256', body, 'base64url')
          if (digest !== undefined && isKnown?.(digest)) return null
          return this.#decoder.readList(body, { kind, url, signal: end })
        },
      }),
    )
    if (!value) return null
    const { records } = value
    const pages = records.length > 0 ? [url.href] : []
    const answer = await mergeRecords(kind, records, signal)
    return { ...answer, pages, ...(digest !== undefined && { digest }) }
  }

  async #readPage<K extends ListKind>(
    kind: K,
    url: URL,
    { signal, ...how }: Asking & { readonly signal: AbortSignal },
  ): Promise<Page<RecordOf[K]>> {
    const { value, link, bytes } = await this.#requester.get({
      ...how,
      operation: kind,
      url,
      signal,
      read: (body, end) => this.#decoder.readList(body, { kind, url, signal: end }),
    })
    return { ...value, link, bytes }
  }

  #whole<T>(
    url: URL,
    signal: AbortSignal | undefined,
    work: (either: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ms = timeoutsPerOperation * this.#settings.timeoutMs
    return withinDeadline({ url, ms, signal, says: 'was not answered whole' }, work)
  }

  #named<K extends SingleKind>(kind: K, id: string, record: RecordOf[K]): RecordOf[K] {
    if (record.id === id) return record
    const calledId = withoutSecrets(this.#settings.authentication, record.id)
    const says = `There is no ${kind} "${id}"; the Read API calls this ${nouns[kind]} "${calledId}".`
    throw new Misnamed(says, calledId)
  }

  #listAddress<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
  ): { readonly url: URL; readonly filterNames: readonly string[] } {
    const { path, query } = listOf(kind)
    const filters = query?.(filter, this.#settings.parameters) ?? []
    const url = this.#address(path(filter), filters)
    return { url, filterNames: filters.flatMap(([name]) => name ?? []) }
  }

  #address(path: string, query: Query = []): URL {
    const url = apiUrl(this.#settings.baseUrl, path)
    for (const [name, value] of query) {
      if (name !== null && value !== undefined) url.searchParams.append(name, value)
    }
    return url
  }
}

const nouns: Readonly<Record<SingleKind, string>> = { user: 'person', invoice: 'invoice' }
/** Followed by the record's id. */
const singlePaths: Readonly<Record<SingleKind, string>> = { user: 'users', invoice: 'invoices' }

/** Query parameters; those without a name or a value are not sent. */
type Query = readonly (readonly [name: string | null, value: string | undefined])[]

interface ListOperation<K extends ListKind> {
  /** Fails with `upstream_not_found` for an id that no path can carry. */
  readonly path: (filter: FilterOf<K>) => string
  /** Left out if the list has no filter to send. */
  readonly query?: (filter: FilterOf<K>, names: ParameterNames) => Query
}

const lists: { readonly [K in ListKind]: ListOperation<K> } = {
  timesheets: {
    path: () => 'timesheets',
    query: ({ employee, status, from, to }, { timesheets: names }) => [
      [names.employee, employee],
      [names.status, status],
      [names.from, timestamp(from)],
      [names.to, timestamp(to)],
    ],
  },
  leaves: {
    path: () => 'leaves',
    query: ({ employee, status }, { leaves: names }) => [
      [names.employee, employee],
      [names.status, status],
    ],
  },
  tasks: { path: ({ project }) => `projects/${segment(project, 'project')}/tasks` },
  schedules: {
    path: () => 'schedules',
    query: ({ type, active }, { schedules: names }) => [
      [names.type, type],
      [names.active, active?.toString()],
    ],
  },
}

function listOf<K extends ListKind>(kind: K): ListOperation<K> {
  return lists[kind]
}

/** Returns the address of a path of the Read API. */
export function apiUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl + apiPrefix + path)
}

function timestamp(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

// URL parsers resolve `.` and `..` even when percent-encoded, which would request another path.
function segment(id: string, noun: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new AppError('upstream_not_found', `No ${noun} can have the id ${JSON.stringify(id)}.`)
  }
  return encodeURIComponent(id)
}
