/* The two envelopes of answers: {"data": […]} and {"data": {…}}. */
import { type Outline, outlineOf, TooMuch } from '../json/outline.ts'
import { NotJson } from '../json/scan.ts'
import { elementsOf, exceeds, TooLarge, valueOf } from '../json/values.ts'
import { requestFault } from '../transport/request-fault.ts'
import { recordLimits } from './records.ts'

/** What may come as one list, on all its pages: ten times what a large company has. */
export const listLimits = { elementsMax: 100_000, containersMax: 1_000_000 } as const
/** What is not larger is parsed as a whole: within all limits, and without waiting. */
const smallBytes = 8_192

const limitOf = {
  elements: `${listLimits.elementsMax} records`,
  containers: `${listLimits.containersMax} objects and lists`,
} as const

const utf8 = new TextDecoder()

/** The records of a list answer, not yet read. */
export interface ListAnswer {
  /** In order, some at a time. */
  readonly batches: Iterable<readonly unknown[]>
  /** How many objects and lists came. */
  readonly containers: number
}

/** The records of a list answer; `upstream_invalid` where it is none, or holds too much. */
export function* listIn(body: Uint8Array, url: URL): Generator<unknown, ListAnswer> {
  if (body.length <= smallBytes) return smallList(body, url)
  const outline = yield* outlineOfData(body, url)
  if (outline?.is !== 'list') throw refused(url, 'JSON that is not {"data": […]}')
  return { batches: elementsOf(body, outline, recordLimits), containers: outline.containers }
}

/** The record of a single-record answer, not yet read; `TooLarge` where it is larger than one may be. */
export function* recordIn(body: Uint8Array, url: URL): Generator<unknown, unknown> {
  if (body.length <= smallBytes) return smallRecord(body, url)
  const outline = yield* outlineOfData(body, url)
  if (outline?.is !== 'object') throw refused(url, 'JSON that is not {"data": {…}}')
  return exceeds(outline.part, recordLimits) ? new TooLarge(body) : valueOf(body, outline.part)
}

function smallList(body: Uint8Array, url: URL): ListAnswer {
  const data = smallData(body, url)
  if (!Array.isArray(data)) throw refused(url, 'JSON that is not {"data": […]}')
  // Brackets within texts are counted, too: they are few.
  return { batches: [data], containers: body.filter((byte) => (byte & 0xdf) === 0x5b).length }
}

function smallRecord(body: Uint8Array, url: URL): unknown {
  const data = smallData(body, url)
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  throw refused(url, 'JSON that is not {"data": {…}}')
}

function smallData(body: Uint8Array, url: URL): unknown {
  const json = parse(body, url)
  return typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined
}

function parse(body: Uint8Array, url: URL): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw refused(url, whatElse(body))
  }
}

function* outlineOfData(body: Uint8Array, url: URL): Generator<unknown, Outline | undefined> {
  try {
    return yield* outlineOf(body, { member: 'data', ...listLimits })
  } catch (error) {
    if (error instanceof TooMuch) throw refused(url, `more than ${limitOf[error.of]}`)
    if (error instanceof NotJson) throw refused(url, whatElse(body))
    throw error
  }
}

function whatElse(body: Uint8Array): string {
  const beginning = utf8.decode(body.subarray(0, 1024))
  return /^\s*</.test(beginning) ? 'HTML: is the base URL right?' : 'what is not JSON'
}

function refused(url: URL, what: string): Error {
  return requestFault('upstream_invalid', url, `answered ${what}`)
}
