import type { ConnectionSettings } from '../domain/connection.ts'
import type { Answer, Asking, ListKind, SingleKind } from '../domain/read-api.ts'
import { credentialQuery } from '../transport/authentication.ts'
import { requestFault } from '../transport/request-fault.ts'
import { type Question, type Requester, withinDeadline } from '../transport/requester.ts'
import { listEnvelope, recordEnvelope } from '../wire/envelope.ts'
import { isIdentifier } from '../wire/fields.ts'
import type { Reading, ReadRecord } from '../wire/forgiving.ts'
import { countByField, misfitsOf, type UnfitRecord } from './misfits.ts'
import { collectPages, type Page, type Pages } from './pagination.ts'

/** One operation, with waiting and all pages, takes at most so many times the time-out of one request. */
const timeoutsPerOperation = 10
/** All pages of a list together may be so many times as large as one answer. */
const answersPerList = 4

const utf8 = new TextDecoder('utf-8')

interface Identified {
  readonly id: string
}

interface AskedList<T> {
  readonly kind: ListKind
  readonly read: ReadRecord<T>
  readonly url: URL
  /** The names of all query parameters by which that list can be filtered. */
  readonly filterNames: readonly string[]
}

interface AskedRecord<T> {
  readonly kind: SingleKind
  readonly read: ReadRecord<T>
  readonly url: URL
  readonly id: string
}

type AskedPage = Omit<Question<unknown>, 'read'>

export interface Reader {
  /** All pages of the list at that address, read record by record. */
  list<T extends Identified>(asked: AskedList<T>, asking?: Asking): Promise<Answer<T>>
  /** The record of that id at that address. */
  record<T extends Identified>(asked: AskedRecord<T>, asking?: Asking): Promise<T>
}

/** Reads lists and records through the requester; `upstream_invalid` for answers that are not in the spec's envelopes. */
export function createReader(settings: ConnectionSettings, requester: Requester): Reader {
  const ms = timeoutsPerOperation * settings.timeoutMs
  const bytesMax = answersPerList * settings.bodyBytesMax
  const says = 'was not answered whole'
  const credentialNames = Object.keys(credentialQuery(settings.authentication))
  /** Those of which a second page has held other records than the first. */
  const pagedLists = new Set<ListKind>()

  async function list<T extends Identified>(
    { kind, read, url, filterNames }: AskedList<T>,
    { signal, anew = false, alongside = [] }: Asking = {},
  ): Promise<Answer<T>> {
    const pagination = settings.pagination[kind]
    const { records, addresses, isPaged } = await withinDeadline(
      { url, ms, signal, says },
      async (either): Promise<Pages> => {
        const getPage = (page: URL): Promise<Page> =>
          readPage({ operation: kind, url: page, signal: either, anew })
        if (pagination.style === 'none') return onlyPage(url, await getPage(url))
        const paged = { url, pagination, filterNames, credentialNames }
        return collectPages(paged, {
          getPage,
          bytesMax,
          isPaged: pagedLists.has(kind),
          alongside,
        })
      },
    )
    if (isPaged) pagedLists.add(kind)
    return { ...readRecords(kind, read, records), pages: addresses }
  }

  async function readPage(page: AskedPage): Promise<Page> {
    const read = (body: Buffer): readonly unknown[] => readList(body, page.url)
    const { value: records, link, bytes } = await requester.get({ ...page, read })
    return { records, link, bytes }
  }

  async function record<T extends Identified>(
    { kind, ...asked }: AskedRecord<T>,
    { signal, anew = false }: Asking = {},
  ): Promise<T> {
    const { url } = asked
    const read = (body: Buffer): T => readSingle(body, asked)
    const { value } = await withinDeadline({ url, ms, signal, says }, (either) =>
      requester.get({ operation: kind, url, signal: either, anew, read }),
    )
    return value
  }

  return { list, record }
}

function onlyPage({ href }: URL, { records }: Page): Pages {
  return { records, addresses: records.length > 0 ? [href] : [], isPaged: false }
}

/** The records of a list answer, not yet read. */
function readList(body: Buffer, url: URL): readonly unknown[] {
  const { success, data: envelope } = listEnvelope.safeParse(parse(body, url))
  if (success) return envelope.data
  throw requestFault('upstream_invalid', url, 'answered JSON that is not {"data": […]}')
}

/** The records that can be read, of those with one id the last, and what of them all does not fit. */
function readRecords<T extends Identified>(
  kind: ListKind,
  read: ReadRecord<T>,
  records: readonly unknown[],
): Omit<Answer<T>, 'pages'> {
  const byId = new Map<string, Reading<T> & { readonly record: T }>()
  const ids = new Set<string>()
  const unreadable: UnfitRecord[] = []
  const misfitting: UnfitRecord[] = []
  let [nameless, duplicates] = [0, 0]
  for (const [index, json] of records.entries()) {
    const { record, unfit, inDoubt } = read(json)
    const id = idOf(json)
    if (id === undefined) nameless += 1
    else ids.add(id)
    if (unfit.length > 0) (record ? misfitting : unreadable).push({ index, unfit })
    if (!record) continue
    if (byId.delete(record.id)) duplicates += 1
    byId.set(record.id, { record, unfit, inDoubt })
  }
  const doubtful = [...byId].filter(([, { inDoubt }]) => inDoubt.length > 0)
  return {
    records: [...byId.values()].map(({ record }) => record),
    faults: unreadable.length > 0 ? countByField(kind, unreadable) : [],
    misfits: misfitting.length > 0 ? countByField(kind, misfitting) : [],
    inDoubt: new Map(doubtful.map(([id, { inDoubt }]) => [id, inDoubt])),
    ids: [...ids],
    nameless,
    duplicates,
  }
}

/** The id of whatever came as a record, where it can be one. */
function idOf(json: unknown): string | undefined {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
  return typeof id === 'string' && isIdentifier(id) ? id : undefined
}

/**
 * The record of a single-record answer. `upstream_invalid` where it does not fit the spec, where nobody could say whether
 * it is to be shown, or where it is another than the one asked for.
 */
function readSingle<T extends { readonly id: string }>(
  body: Buffer,
  { read, url, id }: Omit<AskedRecord<T>, 'kind'>,
): T {
  const { success, data: envelope } = recordEnvelope.safeParse(parse(body, url))
  if (!success) {
    throw requestFault('upstream_invalid', url, 'answered JSON that is not {"data": {…}}')
  }
  const { record, unfit, inDoubt } = read(envelope.data)
  if (!record || inDoubt.length > 0) {
    const faults = misfitsOf(unfit).map(({ field, expected }) => `${field}: ${expected}`)
    const says = `answered a record that does not fit the spec (${faults.join('; ')})`
    throw requestFault('upstream_invalid', url, says)
  }
  if (record.id === id) return record
  throw requestFault('upstream_invalid', url, 'answered a record of another id')
}

function parse(body: Buffer, url: URL): unknown {
  const text = utf8.decode(body)
  try {
    return JSON.parse(text)
  } catch {
    const what = /^\s*</.test(text) ? 'HTML: is the base URL right?' : 'what is not JSON'
    throw requestFault('upstream_invalid', url, `answered ${what}`)
  }
}
