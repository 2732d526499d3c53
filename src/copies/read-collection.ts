import type { Collection } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { WindowOption } from '../domain/feed-options.ts'
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import type { Answer, RecordFault, ReadApi } from '../domain/read-api.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000
/** The spec's bounds leave out what straddles them: periods of up to this length are still found. */
const slackDays = 100
/** The window begins and ends with a month, in any zone. */
const monthDays = 32

/** One thing a feed needs of the Read API. */
export interface CollectionRequest<K extends CollectionKind = CollectionKind> {
  readonly collection: Collection<K>
  /** The window asked for, where the collection is asked for by window. */
  readonly reach: WindowOption | null
  /** Whether the feed shows the reasons of leaves. */
  readonly reasons?: boolean
  /** Whether it is asked for without a feed. */
  readonly ofDraft?: boolean
}

/** What one reading of a collection brought. */
export interface Reading<K extends CollectionKind = CollectionKind> {
  readonly records: readonly RecordOf[K][]
  readonly faults: readonly RecordFault[]
}

interface ReadContext {
  readonly api: ReadApi
  readonly now: Instant
  readonly signal: AbortSignal
}

type Reader<K extends CollectionKind> = (
  request: CollectionRequest<K>,
  context: ReadContext,
) => Promise<Reading<K>>

const readers: { readonly [K in CollectionKind]: Reader<K> } = {
  leaves: ({ collection }, { api, signal }) =>
    api.list('leaves', { employee: collection.subject }, signal).then(toReading<'leaves'>),
  timesheets: ({ collection, reach }, { api, now, signal }) =>
    api
      .list('timesheets', { employee: collection.subject, ...bounds(reach, now) }, signal)
      .then((answer) => ownTimesheets(answer, collection.subject)),
  tasks: ({ collection }, { api, signal }) =>
    api.list('tasks', { project: collection.subject }, signal).then(toReading<'tasks'>),
  schedules: (_, { api, signal }) => api.list('schedules', {}, signal).then(toReading<'schedules'>),
  user: async ({ collection }, { api, signal }) => ({
    records: [await api.get('user', collection.subject, signal)],
    faults: [],
  }),
  invoice: async ({ collection }, { api, signal }) => ({
    records: [await api.get('invoice', collection.subject, signal)],
    faults: [],
  }),
}

/** Asks the Read API for one collection; fails as ReadApi does. */
export function readCollection<K extends CollectionKind>(
  request: CollectionRequest<K>,
  context: ReadContext,
): Promise<Reading<K>> {
  return readers[request.collection.kind](request, context)
}

function toReading<K extends CollectionKind>(answer: Answer<RecordOf[K]>): Reading<K> {
  const { records, faults } = answer
  // A format that changed is not "there are none": the last good copy stands.
  if (records.length > 0 || faults.length === 0) return { records, faults }
  const details = faults.map(({ field, expected }) => `${field}: ${expected}`)
  throw new AppError(
    'upstream_invalid',
    `None of the records that were answered fits the spec (${details.join('; ')}).`,
  )
}

/** The filter that was sent is a saving, not a guarantee. */
function ownTimesheets(
  answer: Answer<RecordOf['timesheets']>,
  userId: string,
): Reading<'timesheets'> {
  const { records, faults } = toReading<'timesheets'>(answer)
  return { records: records.filter((timesheet) => timesheet.userId === userId), faults }
}

function bounds(reach: WindowOption | null, now: Instant): { from?: Instant; to?: Instant } {
  if (!reach) return {}
  return {
    from: startOfDay(now - (reach.pastDays + monthDays + slackDays) * dayMs),
    to: startOfDay(now + (reach.futureDays + monthDays + slackDays) * dayMs),
  }
}

/** Whole days, so that two requests of one day are the same request. */
function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / dayMs) * dayMs
}
