import type { CollectionKind, RecordOf } from './kinds.ts'
import type { Instant } from './world.ts'

/** Between the base URL and an operation's own path. */
export const apiPrefix = '/api/public/v1/'

/** What a list operation brought: the records that can be read, and what was set aside. */
export interface Answer<T> {
  /** In the order of the answer; of records with one id only one, whatever order they came in. */
  readonly records: readonly T[]
  /** Of records that cannot be read. */
  readonly faults: readonly RecordFault[]
  /** Of records that can be read all the same: what does not fit counts as missing, and what another record of the same id says as not said. */
  readonly misfits: readonly RecordFault[]
  /** By record id, the fields among those misfits on which it depends whether a record is shown at all. */
  readonly inDoubt: ReadonlyMap<string, readonly string[]>
  /** The ids of all records that came, readable or not. */
  readonly ids: readonly string[]
  /** How many records came of which not even the id can be read. */
  readonly nameless: number
  /** Of how many of these the id is a text that could not be decoded: whatever it was, it did not consist of ASCII characters alone. */
  readonly garbled: number
  /** The addresses of the pages that it was read from, in order. */
  readonly pages: readonly string[]
  /** Of its bytes, where it is known again by them. */
  readonly digest?: string
}

/** These records as the whole of an answer. */
export function answerOf<T extends { readonly id: string }>(records: readonly T[]): Answer<T> {
  const ids = records.map(({ id }) => id)
  const nothing = { faults: [], misfits: [], inDoubt: new Map<string, readonly string[]>() }
  return { records, ids, ...nothing, nameless: 0, garbled: 0, pages: [] }
}

/** How one operation is asked for. */
export interface Asking {
  readonly signal?: AbortSignal | undefined
  /** By a reading of its own: neither a kept answer nor a cache on the way may speak for it. */
  readonly bypassCache?: boolean
  /** Whether it goes ahead of others that wait: what has been begun ends by it. */
  readonly isUrgent?: boolean
  /**
   * The pages of another answer of the same list: those that follow where this one ends are asked for all the same, with
   * this one's filter in place of theirs, as far as they can be asked for by number.
   */
  readonly alongside?: readonly string[]
}

/** Whether the answer of that digest is known. */
export type IsKnown = (digest: string) => boolean

/** Records of one answer that do not fit the spec at one field: how many, and where the first one stands. No values. */
export interface RecordFault {
  /** `leaves`, `timesheets`, … */
  readonly resource: string
  /** The field within the record, array indices left out: `leaveType.name`, `entries.date`. */
  readonly field: string
  readonly count: number
  /** Path of the first one within the answer: `data[3].leaveType.name`. */
  readonly example: string
  /** What would be right: "expected string". */
  readonly expected: string
}

export interface TimesheetFilter {
  readonly employee?: string
  readonly status?: string
  /** Only timesheets whose periodStart is at or after it. */
  readonly from?: Instant
  /** Only timesheets whose periodEnd is at or before it. */
  readonly to?: Instant
}

export interface LeaveFilter {
  readonly employee?: string
  readonly status?: string
}

/** Tasks are asked for by project; there is no list of all. */
export interface TaskFilter {
  readonly project: string
}

export interface ScheduleFilter {
  readonly type?: string
  readonly active?: boolean
}

interface Filters {
  readonly timesheets: TimesheetFilter
  readonly leaves: LeaveFilter
  readonly tasks: TaskFilter
  readonly schedules: ScheduleFilter
}

/** Kinds of records that are asked for one by one, and those that come as lists. */
export type SingleKind = 'user' | 'invoice'
export type ListKind = Exclude<CollectionKind, SingleKind>

/** What a list can be filtered by; a list that is not named has no filter. */
export type FilterOf<K extends ListKind> = K extends keyof Filters
  ? Filters[K]
  : Readonly<Record<string, never>>

/**
 * One company's Read API. A filter whose parameter has no name is not sent; nothing is promised about
 * whether the API honours one. Both methods fail with
 * - `upstream_unavailable`: not reached, timed out, 429, 5xx, or paused after many failures (`retryAfterMs` where known);
 * - `upstream_rejected`: any other status than 200, 404 and 410 (`status`), 401 and 403 among them;
 * - `upstream_not_found`: 404 or 410 (`status`);
 * - `upstream_invalid`: an answer that is not what the spec describes, too large, or endless;
 * - `upstream_misnamed`: a single record of another id than the one asked for, which the sentence names.
 */
export interface ReadApi {
  list<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
    asking?: Asking,
  ): Promise<Answer<RecordOf[K]>>
  /** The same, but null for an answer that came byte for byte as one that is known by its digest: it is not read again. */
  listUnlessKnown<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
    asking: Asking & { readonly isKnown: IsKnown },
  ): Promise<Answer<RecordOf[K]> | null>
  get<K extends SingleKind>(kind: K, id: string, asking?: Asking): Promise<RecordOf[K]>
  /** When an operation other than that one last answered 200; null while none has since the start. */
  lastAnswerBut(kind: CollectionKind): Instant | null
}
