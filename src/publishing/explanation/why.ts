/* Why a record is in one calendar or not. The calendar as it was made decides whether; the rules here only explain a record that is missing. */
import { expandCalendar, type Trace } from '../../calendar/expand.ts'
import { isGroup, isSetAside, type Piece } from '../../calendar/expansion.ts'
import { type CalendarWindow, inWindow } from '../../calendar/local-time.ts'
import type { CalendarFrame } from '../../calendar/record-dates.ts'
import type { CollectionState } from '../../copies/failures.ts'
import type { Company } from '../../domain/company.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import type { Feed } from '../../domain/feed.ts'
import {
  collectionKindOf,
  feedKindOf,
  feedKinds,
  noRecords,
  type RecordKind,
} from '../../domain/kinds.ts'
import { leaveStatuses } from '../../domain/leave.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import type { Maybe } from '../../domain/world.ts'
import { datesIn, type FoundRecord } from './found-records.ts'
import { type TracedCalendar, shownAmong, traceKey } from './made-calendar.ts'
import { type Reason } from './reasons.ts'

export interface Verdict {
  readonly reason: Reason
  readonly uids: readonly string[]
}

interface Asked {
  /** Without what the holders of its links have chosen. */
  readonly set: Feed
  readonly company: Company
  /** If given, leaves and schedules are judged by the events of that day alone. */
  readonly date: PlainDate | undefined
}

/** Why the calendar has the record or not, with the UIDs of its events. */
export async function verdictOn(
  found: FoundRecord,
  made: TracedCalendar,
  { set, company, date }: Asked,
): Promise<Verdict> {
  const { kind, id } = found
  const { feed, window, nothing } = made
  const feedKind = feedKindOf[kind]
  const became = made.became.get(traceKey(feedKind, id))
  const pieces = became ?? []
  const setAside = pieces.find(isSetAside)
  if (nothing) {
    const never = nothing.code === 'unavailable' ? whyNever(found, made, set) : undefined
    return because(never ?? (setAside ? { code: setAside.reason } : nothing))
  }
  const isDaily = kind === 'leave' || kind === 'schedule'
  const isOn = isDaily && date !== undefined ? onDate(date, feed) : () => true
  const events = pieces.filter((it) => !isSetAside(it) && isOn(it.time))
  const uids = shownAmong(events, made)
  if (uids.length > 0) return { reason: shownAs(found, made.states), uids }
  const ofKind = whyNotItsKind(kind, made, set)
  if (ofKind) return because(ofKind)
  const { departed, missingSchedules } = made
  if (found.userIds.length > 0 && found.userIds.every((it) => departed.includes(it))) {
    return because({ code: 'person_left' })
  }
  if (missingSchedules.includes(id) && kind === 'schedule') {
    return because({ code: 'missing_schedule' })
  }
  if (became === undefined || became === null) {
    return because(whyNotRead(found, made, became === null))
  }
  if (date !== undefined && kind === 'schedule' && (date < window.start || window.end <= date)) {
    return because(outside(window))
  }
  if (events.some((it) => countsOn(it, inWindow(window)))) return because({ code: 'calendar_full' })
  if (kind !== 'schedule') {
    if (setAside) return because({ code: setAside.reason })
    const isOutside = events.length > 0 || !touchesWindow(found, { feed, company, window })
    if (isOutside) return because(outside(window))
    return because(whyLeftOut(asServed(made, found), feed.options, set.options))
  }
  const isOfDay = setAside?.reason === 'malformed_day'
  if (setAside && !isOfDay) return because({ code: setAside.reason })
  const schedule = found.record?.kind === 'schedule' ? found.record.record : undefined
  const code = schedule && (await whyNoShifts(schedule, made, { company, date }))
  return because({ code: code ?? (isOfDay ? 'malformed_day' : 'no_shifts') })
}

function whyNotItsKind(
  kind: RecordKind,
  { feed, link }: TracedCalendar,
  set: Feed,
): Reason | undefined {
  const feedKind = feedKindOf[kind]
  if (feed.options[feedKind].show) return undefined
  if (!set.options[feedKind].show) return { code: 'kind_not_shown' }
  return { code: link?.choices.onlyAway ? 'only_away' : 'hidden_by_holder' }
}

/** Why the options leave it out, so that it stays out once the workforce system answers. */
function whyNever(
  { kind, id, record }: FoundRecord,
  made: TracedCalendar,
  set: Feed,
): Reason | undefined {
  const ofKind = whyNotItsKind(kind, made, set)
  if (ofKind) return ofKind
  const { leaves, shifts } = made.feed.options
  if (record?.kind === 'leave') {
    const { status } = record.record
    const isKnown = leaveStatuses.some((it) => it === status)
    const isShown = leaves.statuses.some((it) => it === status)
    return isKnown && !isShown ? hiddenStatus(status, leaveStatuses) : undefined
  }
  if (kind !== 'schedule') return undefined
  const { rotation, scheduleIds } = shifts
  if (rotation) {
    return rotation.weeks.flat().includes(id) ? undefined : { code: 'not_in_rotation' }
  }
  return scheduleIds?.includes(id) === false ? { code: 'schedule_not_chosen' } : undefined
}

function because(reason: Reason): Verdict {
  return { reason, uids: [] }
}

function shownAs({ kind, id, subjects }: FoundRecord, states: readonly CollectionState[]): Reason {
  const state = states.find(({ request: { collection } }) => {
    return collection.kind === collectionKindOf[kind] && subjects.includes(collection.subject)
  })
  if (!state?.head) return { code: 'shown' }
  const { doubt, held = {}, fetchedAt } = state.head
  const since = Object.hasOwn(held, id) ? held[id] : undefined
  if (since !== undefined) return { code: 'shown_unreadable', since }
  if (doubt) return { code: 'shown_doubted', since: fetchedAt }
  const isStale = state.failed || state.late
  return isStale ? { code: 'shown_stale', since: fetchedAt } : { code: 'shown' }
}

/** Why the calendar was made without this record, or with a version that concerns none of its people. */
function whyNotRead(
  { kind, subjects, record }: FoundRecord,
  { served, records, feed }: TracedCalendar,
  isOfNobody: boolean,
): Reason {
  if (record === undefined) return { code: 'belongs_to_another' }
  if (isOfNobody) return { code: 'newer_copy' }
  const isRead = subjects.some((subject) => records?.[collectionKindOf[kind]].has(subject))
  if (kind === 'leave' && !isRead) {
    return { code: 'leaves_unproven', because: served?.leavesMissing ?? 'unproven' }
  }
  if (kind === 'task') return { code: isRead ? 'newer_copy' : 'project_not_chosen' }
  if (kind === 'schedule') {
    return { code: feed.options.shifts.rotation ? 'not_in_rotation' : 'schedule_not_chosen' }
  }
  return { code: 'left_out' }
}

/** Takes the version of a task that the calendar has: the copy of a project that it does not show may have another. */
function asServed({ records }: TracedCalendar, found: FoundRecord): FoundRecord {
  if (found.kind !== 'task') return found
  const tasks = [...(records?.tasks.values() ?? [])].flat()
  const record = tasks.findLast(({ id }) => id === found.id)
  return record ? { ...found, record: { kind: 'task', record } } : found
}

/** The rules by which the expanders make no event of a record. */
function whyLeftOut({ record }: FoundRecord, shown: FeedOptions, set: FeedOptions): Reason {
  if (!record || record.kind === 'schedule') return { code: 'left_out' }
  if (record.kind === 'leave') {
    const { status } = record.record
    const isCounted = shown.leaves.statuses.some((it) => it === status)
    return isCounted ? { code: 'nobody_works' } : hiddenStatus(status, leaveStatuses)
  }
  if (record.kind === 'timesheet') {
    const { status } = record.record
    const { statuses, as } = shown.timesheets
    const known = timesheetStatuses.find((it) => it === status)
    if (known && !statuses.includes(known)) return { code: 'status_not_shown', status: known }
    if (as !== 'todo') return { code: 'left_out' }
    return { code: set.timesheets.as === 'todo' ? 'nothing_to_do' : 'hidden_by_holder' }
  }
  if (record.record.dueDate == null) return { code: 'no_due_date' }
  const { hideStatuses } = shown[feedKindOf[record.kind] === 'tasks' ? 'tasks' : 'invoices']
  return hiddenStatus(record.record.status, hideStatuses)
}

/** Names only known statuses: any other is text of the workforce system, which may say anything. */
function hiddenStatus(status: Maybe<string>, known: readonly string[]): Reason {
  return known.includes(status ?? '')
    ? { code: 'status_not_shown', status: status ?? '' }
    : { code: 'left_out' }
}

/** Drops one rule after the other; the first without which there are shifts is the one that hides them. */
async function whyNoShifts(
  schedule: Schedule,
  { feed, window, records }: TracedCalendar,
  { company, date }: Pick<Asked, 'company' | 'date'>,
): Promise<'during_leave' | 'on_holiday' | 'not_in_rotation' | undefined> {
  if (!records) return undefined
  const { leaves, user } = records
  const schedules = new Map([['', [schedule]]])
  const near =
    date === undefined ? window : { ...window, start: addDays(date, -1), end: addDays(date, 2) }
  const isOn = date === undefined ? inWindow(window) : onDate(date, feed)
  const { options } = feed
  const hidden = Object.fromEntries(
    feedKinds.map((kind) => [kind, { ...options[kind], show: false }]),
  )
  const { shifts } = options
  const onLeave = { ...shifts, duringLeave: 'show' } as const
  const onHolidays = { ...onLeave, onHolidays: 'show' } as const
  const rules = [
    ['during_leave', onLeave],
    ['on_holiday', onHolidays],
    ['not_in_rotation', { ...onHolidays, rotation: null, scheduleIds: [schedule.id] }],
  ] as const
  for (const [code, without] of rules) {
    let count = 0
    const trace: Trace = (_, __, pieces) => {
      count += (pieces ?? []).filter((it) => countsOn(it, isOn)).length
    }
    await expandCalendar(
      {
        feed: { ...feed, options: { ...options, ...hidden, shifts: without } },
        company,
        window: near,
        records: { ...structuredClone(noRecords), leaves, user, schedules },
      },
      [],
      undefined,
      trace,
    )
    if (count > 0) return code
  }
  return undefined
}

function countsOn(piece: Piece, isOn: ReturnType<typeof onDate>): boolean {
  return !isSetAside(piece) && isOn(piece.time) && !(isGroup(piece) && piece.count === 0)
}

function onDate(date: PlainDate, { timezone }: Feed): ReturnType<typeof inWindow> {
  return inWindow({ start: date, end: addDays(date, 1), timezone })
}

/** A leave outside the window has no days of absence to look at. */
function touchesWindow(found: FoundRecord, frame: CalendarFrame): boolean {
  if (found.kind !== 'leave' || frame.feed.options.leaves.as === 'person') return true
  const dates = datesIn(found, frame)
  const { start, end } = frame.window
  return dates === null || (dates.first < end && start <= dates.last)
}

function outside({ start, end }: CalendarWindow): Reason {
  return { code: 'outside_window', first: start, last: addDays(end, -1) }
}
