import { hash } from 'node:crypto'

import type { ConnectionSettings } from '../domain/connection.ts'
import { Misnamed } from '../domain/errors.ts'
import type { Answer, Asking, IsKnown, ListKind, SingleKind } from '../domain/read-api.ts'
import { createRests, inSteps } from '../json/rest.ts'
import { TooLarge } from '../json/values.ts'
import { credentialQuery, withoutSecrets } from '../transport/authentication.ts'
import { requestFault } from '../transport/request-fault.ts'
import { type Question, type Requester, withinDeadline } from '../transport/requester.ts'
import type { ReadRecord } from '../wire/fields.ts'
import { listIn, recordIn } from './envelopes.ts'
import { misfitsOf } from './misfits.ts'
import { collectPages, type Page, type Pages } from './pagination.ts'
import { mergeRecords, readRecords, tooLarge } from './records.ts'

/** One operation, with waiting and all pages, takes at most so many times the time-out of one request. */
const timeoutsPerOperation = 10
/** Larger answers are read each time. */
const digestedMax = 1_048_576
const notWhole = 'was not answered whole'
/** All pages of a list together may be so many times as large as one answer. */
const answersPerList = 4

const nouns: Readonly<Record<SingleKind, string>> = { user: 'person', invoice: 'invoice' }

interface Identified {
  readonly id: string
}

export interface AskedList<T> {
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

type AskedPage<T> = Omit<Question<unknown>, 'read'> & Pick<AskedList<T>, 'read'>

type Unless = Asking & { readonly isKnown: IsKnown }

export interface Reader {
  /** All pages of the list at that address, read record by record. */
  list<T extends Identified>(asked: AskedList<T>, asking?: Asking): Promise<Answer<T>>
  /** The same, but null for an answer that came byte for byte as one that is known. */
  listUnlessKnown<T extends Identified>(
    asked: AskedList<T>,
    asking: Unless,
  ): Promise<Answer<T> | null>
  /** The record of that id at that address. */
  record<T extends Identified>(asked: AskedRecord<T>, asking?: Asking): Promise<T>
}

/** Reads lists and records through the requester; `upstream_invalid` for answers that are not in the spec's envelopes. */
export function createReader(settings: ConnectionSettings, requester: Requester): Reader {
  const ms = timeoutsPerOperation * settings.timeoutMs
  const bytesMax = answersPerList * settings.bodyBytesMax
  const credentialNames = Object.keys(credentialQuery(settings.authentication))
  /** Those of which a second page has held other records than the first. */
  const pagedLists = new Set<ListKind>()

  async function list<T extends Identified>(
    { kind, read, url, filterNames }: AskedList<T>,
    { signal, alongside = [], ...how }: Asking = {},
  ): Promise<Answer<T>> {
    const pagination = settings.pagination[kind]
    const { records, addresses, isPaged } = await withinDeadline(
      { url, ms, signal, says: notWhole },
      async (either): Promise<Pages<T>> => {
        const getPage = (page: URL): Promise<Page<T>> =>
          readPage(requester, { ...how, operation: kind, url: page, signal: either, read })
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
    const answer = await inSteps(mergeRecords(kind, records), createRests(signal))
    return { ...answer, pages: addresses }
  }

  async function record<T extends Identified>(
    asked: AskedRecord<T>,
    { signal, ...how }: Asking = {},
  ): Promise<T> {
    const { url, kind } = asked
    const read = (body: Buffer, either: AbortSignal): Promise<T> =>
      inSteps(readSingle(body, asked, settings), createRests(either))
    const { value } = await withinDeadline({ url, ms, signal, says: notWhole }, (either) =>
      requester.get({ ...how, operation: kind, url, signal: either, read }),
    )
    return value
  }

  return {
    list,
    listUnlessKnown: async (asked, asking) =>
      settings.pagination[asked.kind].style === 'none'
        ? onlyListUnlessKnown({ requester, ms }, asked, asking)
        : list(asked, asking),
    record,
  }
}

async function readPage<T>(
  requester: Requester,
  { read: readRecord, ...page }: AskedPage<T>,
): Promise<Page<T>> {
  const read = (body: Buffer, either: AbortSignal): Promise<PageContent<T>> =>
    inSteps(readList(body, page.url, readRecord), createRests(either))
  const { value, link, bytes } = await requester.get({ ...page, read })
  return { ...value, link, bytes }
}

type PageContent<T> = Pick<Page<T>, 'records' | 'containers'>

/** A list that has one page. */
async function onlyListUnlessKnown<T extends Identified>(
  { requester, ms }: { readonly requester: Requester; readonly ms: number },
  asked: AskedList<T>,
  { signal, isKnown, ...how }: Unless,
): Promise<Answer<T> | null> {
  const { kind, url } = asked
  const { value: page } = await withinDeadline({ url, ms, signal, says: notWhole }, (either) => {
    const read = readUnlessKnown(asked, isKnown)
    return requester.get({ ...how, operation: kind, url, signal: either, read })
  })
  if (!page) return null
  const answer = await inSteps(mergeRecords(kind, page.records), createRests(signal))
  return { ...answer, pages: onlyPage(url, page).addresses, ...page.named }
}

interface NamedPage<T> extends PageContent<T> {
  readonly named: Pick<Answer<T>, 'digest'>
}

/** Reads a list that has one page, unless it is known; one that is large is not known by its bytes. */
function readUnlessKnown<T>(
  { url, read }: AskedList<T>,
  isKnown: IsKnown,
): Question<NamedPage<T> | null>['read'] {
  return async (body, signal) => {
    const digest = body.length > digestedMax ? undefined : hash('sha256', body, 'base64url')
    if (digest !== undefined && isKnown(digest)) return null
    const page = await inSteps(readList(body, url, read), createRests(signal))
    return { ...page, named: digest === undefined ? {} : { digest } }
  }
}

function onlyPage<T>({ href }: URL, { records }: Pick<Page<T>, 'records'>): Pages<T> {
  return { records, addresses: records.length > 0 ? [href] : [], isPaged: false }
}

function* readList<T>(
  body: Buffer,
  url: URL,
  read: ReadRecord<T>,
): Generator<unknown, PageContent<T>> {
  const { batches, containers } = yield* listIn(body, url)
  const records = yield* readRecords(batches, { read, url })
  return { records, containers }
}

/**
 * The record of a single-record answer. `upstream_invalid` where it does not fit the spec, or where nobody could say whether
 * it is to be shown; `upstream_misnamed` where it is of another id: many systems heed neither case nor spaces nor zeros.
 */
function* readSingle<T extends Identified>(
  body: Buffer,
  { read, url, id, kind }: AskedRecord<T>,
  { authentication }: Pick<ConnectionSettings, 'authentication'>,
): Generator<unknown, T> {
  const json = yield* recordIn(body, url)
  const { record, unfit, inDoubt } = json instanceof TooLarge ? tooLarge : read(json)
  if (!record || inDoubt.length > 0) {
    const faults = misfitsOf(unfit).map(({ field, expected }) => `${field}: ${expected}`)
    const says = `answered a record that does not fit the spec (${faults.join('; ')})`
    throw requestFault('upstream_invalid', url, says)
  }
  if (record.id === id) return record
  const calledId = withoutSecrets(authentication, record.id)
  const says = `There is no ${kind} "${id}"; the Read API calls this ${nouns[kind]} "${calledId}".`
  throw new Misnamed(says, calledId)
}
