import type { CollectionKind, RecordOf } from './kinds.ts'
import type { Instant } from './world.ts'

export const apiPrefix = '/api/public/v1/'

export interface Answer<T> {
  /** In the order of the answer; records with the same id are merged to one. */
  readonly records: readonly T[]
  readonly faults: readonly RecordFault[]
  /** Of records that can still be read: fields that do not fit, or that differ between records with one id, count as missing. */
  readonly misfits: readonly RecordFault[]
  /** By record id, those of the misfits that decide whether a record is shown at all. */
  readonly inDoubt: ReadonlyMap<string, readonly string[]>
  readonly ids: readonly string[]
  /** How many records came without a readable id. */
  readonly nameless: number
  /** How many of these have an id that could not be decoded, so that it is not plain ASCII. */
  readonly garbled: number
  readonly pages: readonly string[]
  /** Of its bytes, if it can be recognised by them. */
  readonly digest?: string
}

export function answerOf<T extends { readonly id: string }>(records: readonly T[]): Answer<T> {
  const ids = records.map(({ id }) => id)
  const nothing = { faults: [], misfits: [], inDoubt: new Map<string, readonly string[]>() }
  return { records, ids, ...nothing, nameless: 0, garbled: 0, pages: [] }
}

export interface Asking {
  readonly signal?: AbortSignal | undefined
  /** No kept answer and no cache on the way may answer. */
  readonly bypassCache?: boolean
  /** Goes ahead of others that wait, because it finishes what has been begun. */
  readonly isUrgent?: boolean
  /** The pages of another answer of this list: its further pages are asked for too, with this filter, if pages have numbers. */
  readonly alongside?: readonly string[]
}

export type IsKnown = (digest: string) => boolean

/** Records of one answer that do not fit the spec in one field. No values. */
export interface RecordFault {
  readonly resource: string
  /** Within the record, without indices: `leaveType.name`, `entries.date`. */
  readonly field: string
  readonly count: number
  /** The path of the first one: `data[3].leaveType.name`. */
  readonly example: string
  readonly expected: string
}

/** Kinds that come as lists, in the order of settings and of what connections are told apart by, and those asked for one by one. */
export const listKinds = ['leaves', 'timesheets', 'tasks', 'schedules'] as const
export type ListKind = (typeof listKinds)[number]
export type SingleKind = Exclude<CollectionKind, ListKind>

interface Filters extends Readonly<Record<ListKind, object>> {
  readonly timesheets: {
    readonly employee?: string
    readonly status?: string
    readonly from?: Instant
    readonly to?: Instant
  }
  readonly leaves: { readonly employee?: string; readonly status?: string }
  /** There is no list of all tasks. */
  readonly tasks: { readonly project: string }
  readonly schedules: { readonly type?: string; readonly active?: boolean }
}

export type FilterOf<K extends ListKind> = Filters[K]

/** The name of the query parameter for each filter; null is never sent. Tasks are filtered by the path. */
export type ParameterNames = {
  readonly [K in Exclude<ListKind, 'tasks'>]: {
    readonly [F in keyof Required<Filters[K]>]: string | null
  }
}

export const defaultParameters: ParameterNames = {
  timesheets: { employee: 'userId', status: 'status', from: 'startDate', to: 'endDate' },
  leaves: { employee: 'userId', status: 'status' },
  schedules: { type: 'type', active: 'isActive' },
}

/**
 * One company's Read API. A filter without a parameter name is not sent, and the API may ignore any filter. Fails with
 * - `upstream_unavailable`: not reached, timed out, 429, 5xx, or paused after many failures (`retryAfterMs` where known);
 * - `upstream_rejected`: any other status than 200, 404 and 410 (`status`), 401 and 403 among them;
 * - `upstream_not_found`: 404 or 410 (`status`);
 * - `upstream_invalid`: an answer that is not what the spec describes, too large, or endless;
 * - `upstream_misnamed`: a single record with another id than the one asked for.
 */
export interface ReadApi {
  list<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
    asking?: Asking,
  ): Promise<Answer<RecordOf[K]>>
  /** Null for an answer that is known by its digest: it is not read again. */
  listUnlessKnown<K extends ListKind>(
    kind: K,
    filter: FilterOf<K>,
    asking: Asking & { readonly isKnown: IsKnown },
  ): Promise<Answer<RecordOf[K]> | null>
  get<K extends SingleKind>(kind: K, id: string, asking?: Asking): Promise<RecordOf[K]>
  /** When an operation other than that one last answered 200; null if none has since the start. */
  lastAnswerBut(kind: CollectionKind): Instant | null
}
