import type { z } from 'zod'

import type { ConnectionSettings } from '../domain/connection.ts'
import type { Answer, RecordFault } from '../domain/read-api.ts'
import { requestFault } from '../transport/request-fault.ts'
import { type Requester, withinDeadline } from '../transport/requester.ts'
import { listEnvelope, recordEnvelope } from '../wire/envelope.ts'
import { type Misfit, misfitsOf } from './misfits.ts'
import { collectRecords, type Page } from './pagination.ts'

/** One operation, with waiting, pages and retries, takes at most so many times the time-out of one request. */
const timeoutsPerOperation = 10
/** All pages of a list together may be so many times as large as one answer. */
const answersPerList = 4
const utf8 = new TextDecoder('utf-8')

interface Identified {
  readonly id: string
}

interface AskedList<T> {
  readonly resource: string
  readonly codec: z.ZodType<T>
  readonly url: URL
}

interface AskedRecord<T> {
  readonly codec: z.ZodType<T>
  readonly url: URL
  readonly id: string
}

export interface Reader {
  /** All pages of the list at that address, decoded record by record. */
  list<T extends Identified>(asked: AskedList<T>, signal?: AbortSignal): Promise<Answer<T>>
  /** The record of that id at that address. */
  record<T extends Identified>(asked: AskedRecord<T>, signal?: AbortSignal): Promise<T>
}

/** Reads lists and records through the requester; `upstream_invalid` for answers that are not in the spec's envelopes. */
export function createReader(settings: ConnectionSettings, requester: Requester): Reader {
  const ms = timeoutsPerOperation * settings.timeoutMs
  const bytesMax = answersPerList * settings.bodyBytesMax
  const says = 'was not answered whole'

  async function list<T extends Identified>(
    { resource, codec, url }: AskedList<T>,
    signal?: AbortSignal,
  ): Promise<Answer<T>> {
    const records = await withinDeadline({ url, ms, signal, says }, (either) => {
      const getPage = (page: URL): Promise<Page> => readPage(page, either)
      return collectRecords(url, settings.pagination, { getPage, bytesMax })
    })
    return decodeRecords(resource, codec, records)
  }

  async function readPage(url: URL, signal: AbortSignal): Promise<Page> {
    const { body, link } = await requester.get(url, signal)
    return { records: readList(body, url), link, bytes: body.length }
  }

  async function record<T extends Identified>(
    { codec, url, id }: AskedRecord<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { body } = await withinDeadline({ url, ms, signal, says }, (either) =>
      requester.get(url, either),
    )
    return readRecord(body, codec, { url, id })
  }

  return { list, record }
}

/** The records of a list answer, not yet decoded. */
function readList(body: Buffer, url: URL): readonly unknown[] {
  const { success, data: envelope } = listEnvelope.safeParse(parse(body, url))
  if (success) return envelope.data
  throw requestFault('upstream_invalid', url, 'answered JSON that is not {"data": […]}')
}

/** The decoded record of a single-record answer; `upstream_invalid` where it does not fit the spec or is another than the one asked for. */
function readRecord<T extends Identified>(
  body: Buffer,
  codec: z.ZodType<T>,
  { url, id }: { url: URL; id: string },
): T {
  const { success, data: envelope } = recordEnvelope.safeParse(parse(body, url))
  if (!success)
    throw requestFault('upstream_invalid', url, 'answered JSON that is not {"data": {…}}')
  const { data: decoded, error } = codec.safeParse(envelope.data)
  if (error) throw unfitRecord(misfitsOf(error.issues), url)
  if (decoded.id === id) return decoded
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

function unfitRecord(misfits: readonly Misfit[], url: URL): Error {
  const faults = misfits.map(({ field, expected }) => `${field}: ${expected}`)
  const says = `answered a record that does not fit the spec (${faults.join('; ')})`
  return requestFault('upstream_invalid', url, says)
}

/** The records that fit, of those with one id the last, and what was set aside. Paths count records over all pages. */
function decodeRecords<T extends Identified>(
  resource: string,
  codec: z.ZodType<T>,
  records: readonly unknown[],
): Answer<T> {
  const fitting = new Map<string, T>()
  const faults = new Map<string, RecordFault>()
  let duplicates = 0
  for (const [index, record] of records.entries()) {
    const decoded = codec.safeParse(record)
    if (decoded.success) keep(decoded.data)
    else misfitsOf(decoded.error.issues).forEach((misfit) => setAside(misfit, index))
  }
  return { records: [...fitting.values()], faults: [...faults.values()], duplicates }

  function keep(record: T): void {
    if (fitting.delete(record.id)) duplicates += 1
    fitting.set(record.id, record)
  }

  function setAside({ field, path, expected }: Misfit, index: number): void {
    const first = { resource, field, count: 0, example: `data[${index}]${path}`, expected }
    const known = faults.get(field) ?? first
    faults.set(field, { ...known, count: known.count + 1 })
  }
}
