import type { Company } from '../domain/company.ts'
import type { Connection, ShownInFull } from '../domain/connection.ts'
import { type Collection, collectionKey, type CopyUse, fittingRecords } from '../domain/copy.ts'
import type { PersonState } from '../domain/departure.ts'
import type { FeedOptions, WindowOption } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import {
  type CollectionKind,
  type FeedKind,
  type RecordOf,
  collectionKinds,
} from '../domain/kinds.ts'
import { areAllPrivate, leaveStatuses, withBegin } from '../domain/leave.ts'
import { shownFeed } from '../domain/link.ts'
import { type Answer, type IsKnown, type ReadApi, answerOf } from '../domain/read-api.ts'
import { isKnownType, readHours, type Schedule } from '../domain/schedule.ts'
import type { PersonReference, User } from '../domain/user.ts'
import { dayMs, type Instant } from '../domain/world.ts'

export interface Scope {
  /** The window, if the collection is requested by window. */
  readonly reach: WindowOption | null
  readonly reasons: boolean
}

/** A collection that a feed needs from the Read API. */
export interface CollectionRequest<K extends CollectionKind = CollectionKind> {
  readonly collection: Collection<K>
  readonly scope: Scope
  /** Whether it is requested without a feed. */
  readonly ofDraft?: boolean
}

export interface Reading<K extends CollectionKind = CollectionKind> extends Answer<RecordOf[K]> {
  readonly withReasons?: boolean
}

export interface ReadingContext {
  readonly api: ReadApi
  readonly company: Company
  readonly now: Instant
  readonly signal: AbortSignal
  readonly bypassCache: boolean
  readonly showsReasons: (userId: string) => boolean
  readonly isKnown: IsKnown
}

/** Everything specific to one kind of collection, from the Read API to a copy. */
export interface Kind<K extends CollectionKind> {
  /** What a feed shows it as; left out if it only serves other kinds. */
  readonly shownAs?: FeedKind
  /** Whether each collection is about one person, its subject, and is stored only while a feed has that person. */
  readonly isPersonal?: true
  /** Whether a refusal may mean that there is no such record. */
  readonly mayBeMissing?: true
  /** How long a copy is fresh; the configured time if left out. */
  readonly freshMs?: number
  /** The ids of users, projects or invoices for which a feed needs it; one empty string for a list of all. */
  readonly subjectsOf: (feed: Feed, company: Company) => readonly string[]
  readonly scopeOf?: (options: FeedOptions) => Scope
  /** Requests it once; null if the answer is already known. Fails like `ReadApi`. */
  readonly read: (
    request: CollectionRequest<K>,
    context: ReadingContext,
  ) => Promise<Reading<K> | null>
  /** What is stored of a record: no more about a person than a calendar can show, and nothing that changes needlessly. */
  readonly keep: (record: RecordOf[K]) => RecordOf[K]
  /** Returns the record with its unreadable parts as they were before. */
  readonly mended?: (record: RecordOf[K], before: RecordOf[K]) => RecordOf[K]
  /** What a calendar of these people needs of a record. */
  readonly ofPeople?: (record: RecordOf[K], userIds: readonly string[]) => RecordOf[K]
  /** Reads the people in a shared record, and replaces them. */
  readonly people?: {
    readonly named: (record: RecordOf[K]) => readonly PersonReference[]
    readonly naming: (record: RecordOf[K], people: readonly PersonReference[]) => RecordOf[K]
  }
  /** What is counted to detect a loss; the records themselves if left out. */
  readonly countedBy?: (record: RecordOf[K]) => readonly string[]
}

export const anyScope: Scope = { reach: null, reasons: false }

export const kinds: { readonly [K in CollectionKind]: Kind<K> } = {
  leaves: {
    shownAs: 'leaves',
    isPersonal: true,
    subjectsOf: ({ options, userIds }) =>
      options.leaves.show || hidesShifts(options) ? userIds : [],
    scopeOf: (options) => ({ reach: null, reasons: showsReasons(options) }),
    async read(
      { collection: { subject }, scope },
      { api, company, now, showsReasons: isShown, ...as },
    ) {
      const withReasons = scope.reasons || isShown(subject)
      // Leaves with reasons are another copy than the same leaves without.
      const named = (digest: string): string => (withReasons ? `${digest} in full` : digest)
      const isKnown = (digest: string): boolean => as.isKnown(named(digest))
      const filter = { employee: subject }
      const answer = await api.listUnlessKnown('leaves', filter, { ...as, isKnown })
      if (!answer) return null
      const { digest, ...reading } = fittingRecords(answer)
      const all = reading.records.map((leave) => withBegin(leave, company, now))
      // The same answer means more once a leave without an end has begun.
      const isKnowable = digest !== undefined && all.every(({ hasBegun }) => hasBegun !== false)
      const records = withReasons ? all : withoutReasons(all)
      return { ...reading, records, withReasons, ...(isKnowable && { digest: named(digest) }) }
    },
    keep: ({ id, startDate, endDate, hasBegun, status, days, reason, leaveType }) => ({
      id,
      startDate,
      endDate,
      ...(hasBegun === undefined ? {} : { hasBegun }),
      status,
      days,
      reason,
      leaveType: leaveType && { name: leaveType.name, category: leaveType.category },
    }),
    // Leaves with an unknown status or an invalid span cannot be shown, so they count as missing.
    countedBy: ({ id, status, startDate, endDate }) => {
      const isForward = endDate === null || endDate > startDate - dayMs
      return leaveStatuses.some((it) => it === status) && isForward ? [id] : []
    },
  },
  /** One list for the whole company, since the Read API ties no schedule to a user. */
  schedules: {
    shownAs: 'shifts',
    subjectsOf: ({ options }) => (showsShifts(options) || skipsDaysOff(options) ? [''] : []),
    async read(_, { api, ...asking }) {
      const answer = await api.listUnlessKnown('schedules', {}, asking)
      return answer && fittingRecords(answer)
    },
    keep: ({ id, name, type, isActive, pattern }) => ({ id, name, type, isActive, pattern }),
    mended: (record, before) => ({ ...record, pattern: mendedPattern(record, before) }),
    // One schedule may contain all shifts of all people, so its working days are counted.
    countedBy: ({ id, isActive, type, pattern }) => {
      const days = isActive === false || !isKnownType(type) ? [] : Object.entries(pattern ?? {})
      return days.flatMap(([day, hours]) => (readHours(hours) ? `${id} ${day.toLowerCase()}` : []))
    },
  },
  timesheets: {
    shownAs: 'timesheets',
    isPersonal: true,
    subjectsOf: ({ options, userIds }) => (options.timesheets.show ? userIds : []),
    scopeOf: ({ window }) => ({ reach: window, reasons: false }),
    async read({ collection: { subject }, scope: { reach } }, { api, now, ...asking }) {
      const filter = { employee: subject, ...(reach && bounds(reach, now)) }
      const answer = await api.listUnlessKnown('timesheets', filter, asking)
      const reading = answer && fittingRecords(answer)
      // The filter saves work but guarantees nothing.
      const isTheirs = ({ userId }: { userId: string }): boolean => userId === subject
      return reading && { ...reading, records: reading.records.filter(isTheirs) }
    },
    keep: ({ id, userId, periodStart, periodEnd, status, entries }) => ({
      id,
      userId,
      periodStart,
      periodEnd,
      status,
      entries: entries?.map(({ hoursWorked, expectedHours }) => ({ hoursWorked, expectedHours })),
    }),
  },
  tasks: {
    shownAs: 'tasks',
    mayBeMissing: true,
    subjectsOf: (feed, company) => (feed.options.tasks.show ? projectsOf(feed, company) : []),
    async read({ collection: { subject } }, { api, ...asking }) {
      const answer = await api.listUnlessKnown('tasks', { project: subject }, asking)
      return answer && fittingRecords(answer)
    },
    // Another person's task stays as an id, so that no older copy of it is shown.
    ofPeople: (task, userIds) =>
      task.assignees?.some(({ id }) => userIds.includes(id)) ? task : { id: task.id },
    keep: (task) => ({
      id: task.id,
      title: task.title,
      description: task.description,
      status: task.status,
      priority: task.priority,
      dueDate: task.dueDate,
      estimatedHours: task.estimatedHours,
      actualHours: task.actualHours,
      assignees: task.assignees?.map(({ id, firstName, lastName }) => ({
        id,
        firstName,
        lastName,
      })),
    }),
    people: {
      named: ({ assignees }) => assignees ?? [],
      naming: (task, assignees) => ({ ...task, assignees }),
    },
    // Without a due date or an assignee, no calendar shows it.
    countedBy: ({ id, dueDate, assignees }) =>
      dueDate !== null && dueDate !== undefined && assignees?.length ? [id] : [],
  },
  invoice: {
    shownAs: 'invoices',
    mayBeMissing: true,
    subjectsOf: ({ options: { invoices } }) => (invoices.show ? invoices.invoiceIds : []),
    read: async ({ collection }, { api, signal, bypassCache }) =>
      answerOf([await api.get('invoice', collection.subject, { signal, bypassCache })]),
    keep: ({ id, invoiceNumber, status, dueDate, totalAmount, currency, recipient }) => ({
      id,
      invoiceNumber,
      status,
      dueDate,
      totalAmount,
      currency,
      recipient: recipient && { name: recipient.name },
    }),
  },
  /** A person's name, and whether they have left. Every feed needs these for its people. */
  user: {
    isPersonal: true,
    freshMs: 12 * 3_600_000,
    subjectsOf: ({ userIds }) => userIds,
    // It decides what else may be stored about the person. So it bypasses caches and goes ahead, since other requests wait
    // for it.
    read: async ({ collection: { subject } }, { api, signal }) =>
      answerOf([await api.get('user', subject, { signal, bypassCache: true, isUrgent: true })]),
    keep: ({ id, firstName, lastName, isActive }) => ({ id, firstName, lastName, isActive }),
  },
}

/** Whether one of a person's open links shows the reasons of their leaves. */
export function areReasonsShown(inFull: readonly ShownInFull[]): boolean {
  return inFull.some(({ feed, link }) => showsReasons(shownFeed(feed, link).options))
}

export function withoutReasons<T extends object>(records: readonly T[]): readonly T[] {
  return records.map((leave) => ({ ...leave, reason: undefined }))
}

function showsReasons({ leaves: { show, detail, as, privateCategories } }: FeedOptions): boolean {
  return show && detail === 'full' && as === 'person' && !areAllPrivate(privateCategories)
}

function hidesShifts(options: FeedOptions): boolean {
  return options.shifts.duringLeave === 'hide' && showsShifts(options)
}

/** Whether schedules say on which days nobody works. */
function skipsDaysOff({ leaves, shifts: { rotation, scheduleIds } }: FeedOptions): boolean {
  const areNamed = rotation !== null || (scheduleIds !== null && scheduleIds.length > 0)
  return leaves.show && leaves.as === 'day' && areNamed
}

function showsShifts({ shifts: { show, rotation, scheduleIds } }: FeedOptions): boolean {
  return show && (rotation !== null || scheduleIds === null || scheduleIds.length > 0)
}

/** Takes the earlier hours if the new ones are unreadable; a day without hours is a day off. */
function mendedPattern({ pattern }: Schedule, before: Schedule): Schedule['pattern'] {
  const known = new Map(Object.entries(before.pattern ?? {}))
  const isLost = ([day, hours]: [string, unknown]): boolean =>
    hours !== null && hours !== undefined && !readHours(hours) && !!readHours(known.get(day))
  const days = Object.entries(pattern ?? {})
  if (!days.some(isLost)) return pattern
  return Object.fromEntries(days.map((it) => (isLost(it) ? [it[0], known.get(it[0])] : it)))
}

/**
 * Wider than the window, which starts and ends with a month in any zone, because the spec's bounds leave out records that
 * straddle them.
 */
function bounds({ pastDays, futureDays }: WindowOption, now: Instant) {
  const widerBy = 32 + 100
  // Whole days, so that requests on the same day are identical.
  const startOfDay = (days: number): Instant => Math.floor(now / dayMs + days) * dayMs
  return { from: startOfDay(-(pastDays + widerBy)), to: startOfDay(futureDays + widerBy) }
}

export function projectsOf(
  { options }: Pick<Feed, 'options'>,
  company: Company,
): readonly string[] {
  return options.tasks.projectIds ?? company.projects
}

/** Only an explicit `false` means that the person has left. */
export function personState({ isActive }: Pick<User, 'isActive'>): PersonState {
  return isActive === false ? 'user_inactive' : 'active'
}

export function personalKeys(userId: string): readonly string[] {
  const personal = collectionKinds.filter((kind) => kinds[kind].isPersonal)
  return personal.map((kind) => collectionKey({ kind, subject: userId }))
}

/** Why the collection is stored. A person's own is stored only while they are in a feed, or if it is requested without one. */
export function useOf(
  { company }: Connection,
  { collection, ofDraft }: CollectionRequest,
): CopyUse {
  if (ofDraft) return { ofDraft }
  if (!kinds[collection.kind].isPersonal) return {}
  return { whileInFeed: { companyId: company.id, userId: collection.subject } }
}
