import type { Company } from '../domain/company.ts'
import type { Connection, ShownInFull } from '../domain/connection.ts'
import { type Collection, collectionKey, fittingRecords } from '../domain/copy.ts'
import type { PersonState } from '../domain/departure.ts'
import type { FeedOptions, WindowOption } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import {
  type CollectionKind,
  type FeedKind,
  type RecordOf,
  collectionKinds,
} from '../domain/kinds.ts'
import { type Leave, leaveStatuses, withBegin } from '../domain/leave.ts'
import { shownFeed } from '../domain/link.ts'
import type { PersonInCompany } from '../domain/person.ts'
import {
  type Answer,
  type IsKnown,
  type ReadApi,
  type FilterOf,
  answerOf,
} from '../domain/read-api.ts'
import { isKnownType, readHours, type Schedule } from '../domain/schedule.ts'
import type { PersonReference, User } from '../domain/user.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000

/** How much of a collection a feed needs. */
export interface Scope {
  /** The window asked for, where the collection is asked for by window. */
  readonly reach: WindowOption | null
  /** Whether the reasons of leaves are shown. */
  readonly reasons: boolean
}

/** One thing a feed needs of the Read API. */
export interface CollectionRequest<K extends CollectionKind = CollectionKind> {
  readonly collection: Collection<K>
  readonly scope: Scope
  /** Whether it is asked for without a feed. */
  readonly ofDraft?: boolean
}

/** What one answer of the Read API brought. */
export interface Reading<K extends CollectionKind = CollectionKind> extends Answer<RecordOf[K]> {
  /** Whether leaves hold their reasons. */
  readonly withReasons?: boolean
}

/** With what a collection is read. */
export interface ReadingContext {
  readonly api: ReadApi
  readonly company: Company
  readonly now: Instant
  readonly signal: AbortSignal
  /** Whether it is to be a reading of its own, since it is compared with another. */
  readonly bypassCache: boolean
  /** Whether an open feed shows the reasons of that person's leaves. */
  readonly showsReasons: (userId: string) => boolean
  /** Whether the collection is known as an answer of that digest gives it. */
  readonly isKnown: IsKnown
}

/** Everything that is particular to one kind of collection on its way from the Read API to a copy. */
export interface Kind<K extends CollectionKind> {
  /** What of a feed it is shown as; null for what only serves the others. */
  readonly shownAs: FeedKind | null
  /** Which of its kinds a feed must show to need it; every feed needs it where there is none. */
  readonly neededBy: readonly FeedKind[]
  /** Whether each collection is of one person, named by its subject: gone with them, kept only while a feed has them. */
  readonly isPersonal: boolean
  /** Whether a refusal may say that there is no such thing, rather than that something is wrong. */
  readonly mayBeMissing: boolean
  /** For how long a copy is fresh; null: as it is set. */
  readonly freshMs: number | null
  /** Of whom or what the feed needs it: ids of users, projects or invoices, or one empty text for a list of all. */
  readonly subjectsOf: (feed: Feed, company: Company) => readonly string[]
  readonly scopeOf: (options: FeedOptions) => Scope
  /** Asks for the collection once; null where that is known already. Fails as ReadApi does. */
  readonly read: (
    request: CollectionRequest<K>,
    context: ReadingContext,
  ) => Promise<Reading<K> | null>
  /**
   * What of a record is kept: only what a calendar can show, so that a copy holds no more about a person than it must,
   * and an unrelated field that changes with every answer changes nothing.
   */
  readonly keep: (record: RecordOf[K]) => RecordOf[K]
  /** The record with what of it cannot be read as it was before; left out where a record is read whole or not at all. */
  readonly mended?: (record: RecordOf[K], before: RecordOf[K]) => RecordOf[K]
  /** What a calendar of these people needs of the record; left out where that is all of it. */
  readonly ofPeople?: (record: RecordOf[K], userIds: readonly string[]) => RecordOf[K]
  /** Whom a record names of those who share the collection, and the record with these names in their place; left out where it is of one person or of none. */
  readonly people?: {
    readonly named: (record: RecordOf[K]) => readonly PersonReference[]
    readonly naming: (record: RecordOf[K], people: readonly PersonReference[]) => RecordOf[K]
  }
  /** What of the records counts when less comes than before; left out where it is the records themselves. */
  readonly countedBy?: (record: RecordOf[K]) => readonly string[]
}

/** The same for every feed. */
export const anyScope: Scope = { reach: null, reasons: false }

/** A person's leaves, shown themselves or only hiding shifts. A reason is kept only while a feed of that person shows it. */
const leaves: Kind<'leaves'> = {
  shownAs: 'leaves',
  neededBy: ['leaves', 'shifts'],
  isPersonal: true,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ options, userIds }) =>
    options.leaves.show || hidesShifts(options) ? userIds : [],
  scopeOf: (options) => ({ reach: null, reasons: showsReasons(options) }),
  async read(
    { collection: { subject }, scope },
    { api, company, now, showsReasons: isShown, ...asking },
  ) {
    const withReasons = scope.reasons || isShown(subject)
    // The same leaves with their reasons are another copy than those without.
    const named = (digest: string): string => (withReasons ? `${digest} in full` : digest)
    const isKnown = (digest: string): boolean => asking.isKnown(named(digest))
    const answer = await api.listUnlessKnown(
      'leaves',
      { employee: subject },
      { ...asking, isKnown },
    )
    if (!answer) return null
    const { digest: whole, ...reading } = fittingRecords(answer)
    const records = reading.records.map((leave) => withBegin(leave, company, now))
    // The same answer says more once it has begun.
    const isKnowable = records.every(({ hasBegun }) => hasBegun !== false)
    const digest = whole !== undefined && isKnowable ? { digest: named(whole) } : {}
    if (withReasons) return { ...reading, records, ...digest, withReasons }
    return { ...reading, records: withoutReasons(records), ...digest }
  },
  keep: ({ id, startDate, endDate, hasBegun, status, days, reason, leaveType }) => ({
    id,
    startDate,
    endDate,
    ...(hasBegun === undefined ? {} : { hasBegun }),
    status,
    days,
    reason,
    leaveType: leaveType && { name: leaveType.name },
  }),
  countedBy: (leave) => (isLegible(leave) ? [leave.id] : []),
}

/** Whether a calendar can tell whether to show it, and when: that all leaves are there says little where none has a status. */
function isLegible({ status, startDate, endDate }: Leave): boolean {
  const isForward = endDate === null || endDate > startDate - dayMs
  return leaveStatuses.some((it) => it === status) && isForward
}

/** Whether one of a person's open links shows the reasons of their leaves. */
export function areReasonsShown(inFull: readonly ShownInFull[]): boolean {
  return inFull.some(({ feed, link }) => showsReasons(shownFeed(feed, link).options))
}

/** The same leaves as they are kept for somebody none of whose feeds shows reasons. */
export function withoutReasons<T extends object>(records: readonly T[]): readonly T[] {
  return records.map((leave) => ({ ...leave, reason: undefined }))
}

function showsReasons({ leaves: { show, detail } }: FeedOptions): boolean {
  return show && detail === 'full'
}

function hidesShifts(options: FeedOptions): boolean {
  const { show, duringLeave } = options.shifts
  return show && duringLeave === 'hide' && mayHaveShifts(options)
}

/** The company's schedules: one list, since the Read API ties none to a user. */
const schedules: Kind<'schedules'> = {
  shownAs: 'shifts',
  neededBy: ['shifts'],
  isPersonal: false,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ options }) => (mayHaveShifts(options) ? [''] : []),
  scopeOf: () => anyScope,
  async read(_, { api, ...asking }) {
    const answer = await api.listUnlessKnown('schedules', {}, asking)
    return answer && fittingRecords(answer)
  },
  keep: ({ id, name, type, isActive, pattern }) => ({ id, name, type, isActive, pattern }),
  mended: (record, before) => ({ ...record, pattern: mendedPattern(record, before) }),
  // One schedule may be all shifts of everybody: its working days are what can be lost.
  countedBy: ({ id, isActive, type, pattern }) =>
    isActive === false || !isKnownType(type)
      ? []
      : workingDays(pattern).map((day) => `${id} ${day.toLowerCase()}`),
}

/** Whether there are schedules to show shifts of, or it is not known yet whether there are. */
function mayHaveShifts({
  shifts: { rotation, scheduleIds },
}: Pick<FeedOptions, 'shifts'>): boolean {
  return rotation !== null || scheduleIds === null || scheduleIds.length > 0
}

function workingDays(pattern: Schedule['pattern']): readonly string[] {
  return Object.entries(pattern ?? {}).flatMap(([day, hours]) => (readHours(hours) ? [day] : []))
}

/** A day whose hours cannot be read stands as it was, as far as it could be read then; one without hours is a day off. */
function mendedPattern({ pattern }: Schedule, before: Schedule): Schedule['pattern'] {
  const known = new Map(Object.entries(before.pattern ?? {}))
  const isLost = (day: string, hours: unknown): boolean =>
    hours !== null && hours !== undefined && !readHours(hours) && !!readHours(known.get(day))
  const days = Object.entries(pattern ?? {})
  if (!days.some(([day, hours]) => isLost(day, hours))) return pattern
  return Object.fromEntries(
    days.map(([day, hours]) => [day, isLost(day, hours) ? known.get(day) : hours]),
  )
}

/** The spec's bounds leave out what straddles them: periods of up to this length are still found. */
const slackDays = 100
/** The window begins and ends with a month, in any zone. */
const monthDays = 32

/** A person's timesheets of the window. What was asked for is a saving, not a guarantee: others' that come are dropped. */
const timesheets: Kind<'timesheets'> = {
  shownAs: 'timesheets',
  neededBy: ['timesheets'],
  isPersonal: true,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ userIds }) => userIds,
  scopeOf: ({ window }) => ({ reach: window, reasons: false }),
  async read({ collection: { subject }, scope }, { api, now, ...asking }) {
    const filter = { employee: subject, ...bounds(scope.reach, now) }
    const answer = await api.listUnlessKnown('timesheets', filter, asking)
    const reading = answer && fittingRecords(answer)
    if (!reading) return null
    return { ...reading, records: reading.records.filter(({ userId }) => userId === subject) }
  },
  keep: ({ id, userId, periodStart, periodEnd, status, entries }) => ({
    id,
    userId,
    periodStart,
    periodEnd,
    status,
    entries: entries?.map(({ hoursWorked, expectedHours }) => ({ hoursWorked, expectedHours })),
  }),
}

function bounds(
  reach: WindowOption | null,
  now: Instant,
): Pick<FilterOf<'timesheets'>, 'from' | 'to'> {
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

/** A project's tasks, shared by all who are shown some of them. */
const tasks: Kind<'tasks'> = {
  shownAs: 'tasks',
  neededBy: ['tasks'],
  isPersonal: false,
  mayBeMissing: true,
  freshMs: null,
  subjectsOf: projectsOf,
  scopeOf: () => anyScope,
  async read({ collection: { subject } }, { api, ...asking }) {
    const answer = await api.listUnlessKnown('tasks', { project: subject }, asking)
    return answer && fittingRecords(answer)
  },
  // That it is there counts all the same: what an older copy of it says does not.
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
    assignees: task.assignees?.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
  }),
  people: {
    named: ({ assignees }) => assignees ?? [],
    naming: (task, assignees) => ({ ...task, assignees }),
  },
  // Without a day or a person it is in no calendar.
  countedBy: ({ id, dueDate, assignees }) =>
    dueDate === null || dueDate === undefined || !assignees?.length ? [] : [id],
}

/** The projects whose tasks the feed reads. */
export function projectsOf(
  { options }: Pick<Feed, 'options'>,
  company: Company,
): readonly string[] {
  return options.tasks.projectIds ?? company.projects
}

/** A person's name, and whether they have left; every feed needs those of its people. */
const users: Kind<'user'> = {
  shownAs: null,
  neededBy: [],
  isPersonal: true,
  mayBeMissing: false,
  freshMs: 12 * 3_600_000,
  subjectsOf: ({ userIds }) => userIds,
  scopeOf: () => anyScope,
  // Who somebody is decides what else of them may be kept: no cache speaks for the API, and other answers wait for this one.
  read: async ({ collection }, { api, signal }) =>
    answerOf([
      await api.get('user', collection.subject, { signal, bypassCache: true, isUrgent: true }),
    ]),
  keep: ({ id, firstName, lastName, isActive }) => ({ id, firstName, lastName, isActive }),
}

/** What a user says of itself: only an explicit `false` means that the person has left. */
export function personState({ isActive }: Pick<User, 'isActive'>): PersonState {
  return isActive === false ? 'user_inactive' : 'active'
}

/** An invoice that a feed names. */
const invoices: Kind<'invoice'> = {
  shownAs: 'invoices',
  neededBy: ['invoices'],
  isPersonal: false,
  mayBeMissing: true,
  freshMs: null,
  subjectsOf: ({ options }) => options.invoices.invoiceIds,
  scopeOf: () => anyScope,
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
}

export const kinds: { readonly [K in CollectionKind]: Kind<K> } = {
  leaves,
  schedules,
  timesheets,
  tasks,
  invoice: invoices,
  user: users,
}

/** The keys of all copies that are of this person alone. */
export function personalKeys(userId: string): readonly string[] {
  return collectionKinds
    .filter((kind) => kinds[kind].isPersonal)
    .map((kind) => collectionKey({ kind, subject: userId }))
}

/** What is of one person is kept only while a feed has them; undefined for all else, and for what is asked for without a feed. */
export function personInFeed(
  { company }: Connection,
  { collection, ofDraft }: CollectionRequest,
): PersonInCompany | undefined {
  if (ofDraft || !kinds[collection.kind].isPersonal) return undefined
  return { companyId: company.id, userId: collection.subject }
}
