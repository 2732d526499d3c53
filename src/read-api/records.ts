/* Parses and decodes the records of one response. Runs on the main thread and, for large responses, in the decoding thread. */
import { createHash } from 'node:crypto'

import type { RecordOf } from '../domain/kinds.ts'
import type { ListKind, SingleKind } from '../domain/read-api.ts'
import { isObject } from '../json/read-json.ts'
import {
  isIdentifier,
  isReplaced,
  type Reading,
  type ReadRecord,
  type Unfit,
} from '../wire/fields.ts'
import { readInvoice } from '../wire/invoice.ts'
import { readLeave } from '../wire/leave.ts'
import { readSchedule } from '../wire/schedule.ts'
import { readTask } from '../wire/task.ts'
import { readTimesheet } from '../wire/timesheet.ts'
import { readUser } from '../wire/user.ts'

/** The types of records in a response; `raw` leaves them as received. */
interface Readable extends Pick<RecordOf, ListKind | SingleKind> {
  readonly raw: unknown
}

export type ReadableList = ListKind | 'raw'
export type RecordIn<K extends ReadableList> = Readable[K]

const readers: { readonly [K in keyof Readable]: ReadRecord<Readable[K]> } = {
  timesheets: readTimesheet,
  leaves: readLeave,
  tasks: readTask,
  schedules: readSchedule,
  user: readUser,
  invoice: readInvoice,
  raw: (json) => ({ record: json, unfit: [], inDoubt: [] }),
}

export function readerOf<K extends keyof Readable>(kind: K): ReadRecord<Readable[K]> {
  return readers[kind]
}

/** Limits for one list with all its pages: ten times what a large company has. */
export const listLimits = { recordsMax: 100_000, containersMax: 1_000_000 } as const

/** More than any calendar needs per record: a timesheet of a year with daily entries has about three thousand values. */
const recordLimits = { bytesMax: 1_048_576, valuesMax: 10_000, depthMax: 32 } as const
/** Misfits of one list; more than any real list has. */
const unfitMax = 1_000_000
/** Misfits are described for this many records, and only counted for further ones. */
export const faultsMax = 1_000

/** Thrown if a response is not accepted; the message completes "GET /path answered …". */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** One record of a response, as far as it is readable. */
export interface Came<T> extends Omit<Reading<T>, 'unfit'> {
  /** Identifies the record on other pages: its id, or a hash of its content without one. */
  readonly name: string
  /** Undefined if it is not valid. */
  readonly id: string | undefined
  /** Whether the id is a text that could not be decoded. */
  readonly isGarbled: boolean
  /** Number of misfits. */
  readonly unfit: number
  /** One misfit per field; empty beyond the first `faultsMax` such records. */
  readonly misfits: readonly Misfit[]
}

/** A parsed list; its records are decoded on demand, in order. */
export interface OpenList<T> {
  readonly length: number
  /** Number of objects and arrays in the response. */
  readonly containers: number
  /** Returns the records from `from` to before `to`; fails with `Refused` if hardly anything fits. */
  decode(from: number, to: number): Came<T>[]
}

/** Parses a list; fails with `Refused` if the body is no list or exceeds the limits. */
export function openList<T>(body: Uint8Array, read: ReadRecord<T>): OpenList<T> {
  const containers = countContainers(body)
  if (containers > listLimits.containersMax) {
    throw new Refused(`more than ${listLimits.containersMax} objects and lists`)
  }
  const data = dataIn(body)
  if (!Array.isArray(data)) throw new Refused('JSON that is not {"data": […]}')
  if (data.length > listLimits.recordsMax) {
    throw new Refused(`more than ${listLimits.recordsMax} records`)
  }
  let [looked, sum] = [0, 0]
  const decodeOne = (json: unknown): Came<T> => {
    const { unfit, ...reading } = isTooLarge(json) ? tooLarge : read(json)
    sum += unfit.length
    if (sum > unfitMax) throw new Refused(`more than ${unfitMax} values that do not fit the spec`)
    if (unfit.length > 0) looked += 1
    const misfits = unfit.length === 0 || looked > faultsMax ? none : misfitsOf(unfit)
    return { ...reading, ...identityOf(json), unfit: unfit.length, misfits }
  }
  const { length } = data
  return { length, containers, decode: (from, to) => data.slice(from, to).map(decodeOne) }
}

/** Reads the record of a single-record response; fails with `Refused` if there is none. */
export function readSingle<T>(body: Uint8Array, read: ReadRecord<T>): Reading<T> {
  if (body.length > recordLimits.bytesMax) return tooLarge
  const data = dataIn(body)
  if (isObject(data)) return isTooLarge(data) ? tooLarge : read(data)
  throw new Refused('JSON that is not {"data": {…}}')
}

const none: readonly never[] = []
const { bytesMax, valuesMax, depthMax } = recordLimits
const tooLarge: Reading<never> = {
  record: undefined,
  unfit: [
    {
      path: [],
      message: `expected at most ${bytesMax} bytes, ${valuesMax} values and ${depthMax} levels`,
    },
  ],
  inDoubt: [],
}

const utf8 = new TextDecoder()

function dataIn(body: Uint8Array): unknown {
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(body))
  } catch {
    const beginning = utf8.decode(body.subarray(0, 1024))
    const isHtml = /^\s*</.test(beginning)
    throw new Refused(isHtml ? 'HTML: is the base URL right?' : 'what is not JSON')
  }
  return typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined
}

const quote = 0x22
const backslash = 0x5c

/** Counts the objects and arrays of a JSON text before it is parsed, since each takes memory. */
function countContainers(body: Uint8Array): number {
  let count = 0
  let isText = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (byte === quote) isText = !isText
    else if (isText && byte === backslash) at += 1
    // The opening brackets [ and { differ only in this bit.
    else if (!isText && (byte & 0xdf) === 0x5b) count += 1
  }
  return count
}

/** Whether a record exceeds the limits. Works without recursion, so any depth is safe. */
function isTooLarge(record: unknown): boolean {
  let [values, bytes] = [1, 0]
  let level: readonly unknown[] = [record]
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string') bytes += Buffer.byteLength(value)
      if (typeof value !== 'object' || value === null) continue
      const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
      values += members.length
      if (depth === depthMax || values > valuesMax) return true
      for (const member of members) below.push(member)
    }
    if (bytes > bytesMax) return true
    level = below
  }
  return false
}

/** A record that is too large still has its id: it exists, so its stored copy remains. */
function identityOf(json: unknown): Pick<Came<unknown>, 'name' | 'id' | 'isGarbled'> {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
  if (typeof id === 'string' && isIdentifier(id)) return { id, name: id, isGarbled: false }
  return { id: undefined, name: contentName(json), isGarbled: isReplaced(id) }
}

/** Begins with a control character, unlike any id. */
function contentName(json: unknown): string {
  const hash = createHash('sha256')
  try {
    hash.update(JSON.stringify(json))
  } catch {
    // Too deep for JSON.stringify, which is recursive.
    hash.update('deep')
  }
  return `\n${hash.digest('base64url')}`
}

/** A field that does not fit the spec; contains no values of the record. */
export interface Misfit {
  /** Without array indices: `leaveType.name`, `entries.date`. */
  readonly field: string
  /** First place within the record: `.entries[0].date`. */
  readonly path: string
  /** The expectation: "expected string". */
  readonly expected: string
}

/** Returns one misfit per field with a fault. */
export function misfitsOf(unfit: readonly Unfit[]): readonly Misfit[] {
  const first = new Map<string, Misfit>()
  for (const { path, message } of unfit) {
    const names = path.filter((key) => typeof key !== 'number')
    const field = names.length === 0 ? '(record)' : names.join('.')
    if (first.has(field)) continue
    first.set(field, {
      field,
      path: path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join(''),
      // zod's "Invalid input: expected string, received number", without the received part.
      expected: message.replace(/^Invalid input: /, '').replace(/, received .*$/s, ''),
    })
  }
  return [...first.values()]
}
