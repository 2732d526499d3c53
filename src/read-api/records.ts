/* The records of one answer, parsed and decoded. Runs on the main thread and, for large answers, in the decoding thread. */
import { createHash } from 'node:crypto'

import type { RecordOf } from '../domain/kinds.ts'
import type { ListKind, SingleKind } from '../domain/read-api.ts'
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

/** What the elements of an answer can be read as; `raw` leaves them as they came. */
interface Readable extends Pick<RecordOf, ListKind | SingleKind> {
  readonly raw: unknown
}

/** A list's kind, or `raw`. */
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

/** What may come as one list, on all its pages: ten times what a large company has. */
export const listLimits = { recordsMax: 100_000, containersMax: 1_000_000 } as const

/** More than any calendar needs of one record: a timesheet of a year with entries for each day has some three thousand values. */
const recordLimits = { bytesMax: 1_048_576, valuesMax: 10_000, depthMax: 32 } as const
/** More than any real list has. */
const unfitMax = 1_000_000
/** The misfits of the first records are described; further ones are only counted. */
export const faultsMax = 1_000

/** Why an answer cannot be taken; the message completes "GET /path answered …". */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** One record of an answer, as far as it can be read. */
export interface Came<T> extends Omit<Reading<T>, 'unfit'> {
  /** By what it is known again on another page: its id, or its content where it has none. */
  readonly name: string
  /** Undefined where it is not a valid one. */
  readonly id: string | undefined
  /** Whether the id is a text that could not be decoded. */
  readonly isGarbled: boolean
  /** How many things do not fit. */
  readonly unfit: number
  /** What does not, field by field; empty beyond the first such records. */
  readonly misfits: readonly Misfit[]
}

/** A list answer, parsed; its records are decoded as they are asked for, in order. */
export interface OpenList<T> {
  readonly length: number
  /** How many objects and lists came. */
  readonly containers: number
  /** The records from there to there; `Refused` where hardly anything of them all fits. */
  decode(from: number, to: number): Came<T>[]
}

/** Parses a list answer; `Refused` where it is none, or holds too much. */
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

/** Reads the record of a single-record answer; `Refused` where it is none. */
export function readSingle<T>(body: Uint8Array, read: ReadRecord<T>): Reading<T> {
  if (body.length > recordLimits.bytesMax) return tooLarge
  const data = dataIn(body)
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    return isTooLarge(data) ? tooLarge : read(data)
  }
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

/** How many objects and lists begin in a JSON text: counted before anything is made of them, since each takes memory. */
function countContainers(body: Uint8Array): number {
  let count = 0
  let isText = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (byte === quote) isText = !isText
    else if (isText && byte === backslash) at += 1
    // Both brackets that open, [ and {, differ in this one bit.
    else if (!isText && (byte & 0xdf) === 0x5b) count += 1
  }
  return count
}

/** Whether a record exceeds the limits; needs no stack, however deep it is. */
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

/** A record that is too large keeps its id: it came, and the kept copy of it remains. */
function identityOf(json: unknown): Pick<Came<unknown>, 'name' | 'id' | 'isGarbled'> {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined
  if (typeof id === 'string' && isIdentifier(id)) return { id, name: id, isGarbled: false }
  return { id: undefined, name: contentName(json), isGarbled: isReplaced(id) }
}

/** No id begins with a control character. */
function contentName(json: unknown): string {
  const hash = createHash('sha256')
  try {
    hash.update(JSON.stringify(json))
  } catch {
    // Too deep for JSON.stringify, which needs a stack.
    hash.update('deep')
  }
  return `\n${hash.digest('base64url')}`
}

/** What does not fit the spec at one field of a record; no values. */
export interface Misfit {
  /** Array indices left out: `leaveType.name`, `entries.date`. */
  readonly field: string
  /** Its first place within the record: `.entries[0].date`. */
  readonly path: string
  /** What would be right: "expected string". */
  readonly expected: string
}

/** One misfit for each field at which something does not fit. */
export function misfitsOf(unfit: readonly Unfit[]): readonly Misfit[] {
  const first = new Map<string, Misfit>()
  for (const { path, message } of unfit) {
    const names = path.filter((key) => typeof key !== 'number')
    const field = names.length === 0 ? '(record)' : names.join('.')
    if (first.has(field)) continue
    first.set(field, {
      field,
      path: path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join(''),
      // zod's "Invalid input: expected string, received number" without what was received.
      expected: message.replace(/^Invalid input: /, '').replace(/, received .*$/s, ''),
    })
  }
  return [...first.values()]
}
