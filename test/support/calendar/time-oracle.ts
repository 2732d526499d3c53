/**
 * Which events a calendar must hold and when, computed from the records by Temporal alone: neither luxon nor any of the
 * code that it judges.
 */
import { Temporal } from 'temporal-polyfill'

import type { CalendarSource } from '../../../src/calendar/expansion.ts'
import type { CollectionKind, RecordOf } from '../../../src/domain/kinds.ts'
import type { Leave } from '../../../src/domain/leave.ts'
import type { Schedule } from '../../../src/domain/schedule.ts'
import type { Instant } from '../../../src/domain/world.ts'

export interface ExpectedEvent {
  readonly uid: string
  readonly allDay: boolean
  readonly start: string
  readonly end: string
}

type Span = { readonly first: Temporal.PlainDate; readonly last: Temporal.PlainDate } | TimedSpan
interface TimedSpan {
  readonly from: Instant
  readonly to: Instant
}

const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export function expectedEvents(source: CalendarSource): ExpectedEvent[] {
  return [
    ...leaves(source),
    ...shifts(source),
    ...timesheets(source),
    ...tasks(source),
    ...recordsOf(source, 'invoice').flatMap(({ id, dueDate }) =>
      event(source, `invoice-${id}`, dueSpan(source, dueDate ?? 0, null)),
    ),
  ].toSorted((a, b) => (a.uid < b.uid ? -1 : 1))
}

function recordsOf<K extends CollectionKind>(
  { records }: CalendarSource,
  kind: K,
): readonly RecordOf[K][] {
  return [...records[kind].values()].flat()
}

function leaves(source: CalendarSource): ExpectedEvent[] {
  const shown = recordsOf(source, 'leaves').filter(
    ({ status }) => status === 'APPROVED' || status === 'PENDING',
  )
  if (source.feed.options.leaves.as === 'day') return absences(source, shown)
  return shown.flatMap((leave) => event(source, `leave-${leave.id}`, leaveSpan(source, leave)))
}

/** One event for each date that a leave touches and on which a schedule works, by looking at every date of the window. */
function absences(source: CalendarSource, shown: readonly Leave[]): ExpectedEvent[] {
  const spans = shown.flatMap((leave) => leaveSpan(source, leave) ?? []).filter(isSound)
  const dates = datesOf(source)
  const working = dates.filter((date) => isWorked(source, date))
  const isKnown = areKnown(source) && working.length > 0
  return dates
    .filter((date) => spans.some((span) => touches(source, span, date)))
    .filter((date) => !isKnown || working.includes(date) || isBeforeRotation(source, date))
    .flatMap((date) => {
      const name = `absence-${source.feed.id}-${date.toString().replaceAll('-', '')}`
      return event(source, name, { first: date, last: date })
    })
}

/** No schedule of a rotation is missing, and none rotates without one. */
function areKnown(source: CalendarSource): boolean {
  const { rotation } = source.feed.options.shifts
  const active = recordsOf(source, 'schedules').filter(({ isActive }) => isActive !== false)
  return rotation !== null || active.every(({ type }) => type !== 'ROTATING')
}

function isWorked(source: CalendarSource, date: Temporal.PlainDate): boolean {
  const day = names[date.dayOfWeek - 1]
  return recordsOf(source, 'schedules').some(
    (schedule) =>
      holds(source, schedule, date) &&
      Object.keys(schedule.pattern ?? {}).some((name) => name.toLowerCase() === day),
  )
}

function isBeforeRotation({ feed }: CalendarSource, date: Temporal.PlainDate): boolean {
  const { rotation } = feed.options.shifts
  return rotation !== null && date.toString() < rotation.from
}

function datesOf({ window }: CalendarSource): readonly Temporal.PlainDate[] {
  const [start, end] = [window.start, window.end].map((it) => Temporal.PlainDate.from(it))
  const { days } = start!.until(end!, { largestUnit: 'days' })
  return Array.from({ length: days }, (_, index) => start!.add({ days: index }))
}

function touches(source: CalendarSource, span: Span, date: Temporal.PlainDate): boolean {
  if ('first' in span) return isWithin(date, span)
  const [from, to] = [wholeSecond(span.from), wholeSecond(span.to)]
  return isWithin(date, { first: companyDate(source, from), last: companyDate(source, to - 1) })
}

function leaveSpan(source: CalendarSource, { startDate, endDate }: Leave): Span | null {
  if (endDate === null) return null
  const first = dayStart(source, startDate)
  const last = lastDay(source, endDate)
  return first && last ? { first, last } : { from: startDate, to: endDate }
}

function timesheets(source: CalendarSource): ExpectedEvent[] {
  const { as } = source.feed.options.timesheets
  return recordsOf(source, 'timesheets')
    .filter(({ userId }) => source.feed.userIds.includes(userId))
    .flatMap(({ id, periodStart, periodEnd, status }) => {
      const isOpen = status === 'DRAFT' || status === 'REJECTED'
      const [from, to] = [dayStart(source, periodStart), lastDay(source, periodEnd)]
      if (!from && !to && periodEnd < periodStart) return []
      const first = from ?? companyDate(source, periodStart)
      const last = to ?? companyDate(source, Math.max(periodStart, periodEnd - 1))
      if (Temporal.PlainDate.compare(first, last) > 0) return []
      return [
        ...(as === 'period' || as === 'both'
          ? event(source, `timesheet-${id}`, { first, last })
          : []),
        ...(as === 'period' || (as === 'todo' && !isOpen)
          ? []
          : event(source, `timesheetdue-${id}`, { first: last, last })),
      ]
    })
}

function tasks(source: CalendarSource): ExpectedEvent[] {
  return recordsOf(source, 'tasks')
    .filter(({ status }) => status !== 'DONE')
    .filter(({ assignees }) => source.feed.userIds.includes(assignees?.[0]?.id ?? ''))
    .flatMap(({ id, dueDate }) =>
      typeof dueDate === 'number' ? event(source, `task-${id}`, dueSpan(source, dueDate, 30)) : [],
    )
}

function dueSpan(source: CalendarSource, due: Instant, minutes: number | null): Span {
  const day = dayStart(source, due) ?? dayEnd(source, due)
  if (day) return { first: day, last: day }
  if (minutes !== null) return { from: due - minutes * 60_000, to: due }
  return { first: companyDate(source, due), last: companyDate(source, due) }
}

function shifts(source: CalendarSource): ExpectedEvent[] {
  const start = Temporal.PlainDate.from(source.window.start).subtract({ days: 3 })
  const dates = Array.from({ length: 40 }, (_, days) => start.add({ days }))
  return recordsOf(source, 'schedules').flatMap((schedule) =>
    dates
      .filter((date) => holds(source, schedule, date))
      .flatMap((date) =>
        source.feed.userIds
          .filter((userId) => !isHidden(source, userId, zoned(source, schedule, date, '00:00')))
          .flatMap((userId) => shift(source, schedule, date, userId)),
      ),
  )
}

function holds(source: CalendarSource, schedule: Schedule, date: Temporal.PlainDate): boolean {
  const { rotation, scheduleIds } = source.feed.options.shifts
  if (schedule.isActive === false || (!rotation && schedule.type === 'ROTATING')) return false
  if (!rotation) return scheduleIds?.includes(schedule.id) ?? false
  const days = Temporal.PlainDate.from(rotation.from).until(date, { largestUnit: 'days' }).days
  if (days < 0) return false
  const week = rotation.weeks[((days - (days % 7)) / 7) % rotation.weeks.length]
  return week?.includes(schedule.id) ?? false
}

function shift(
  source: CalendarSource,
  schedule: Schedule,
  date: Temporal.PlainDate,
  userId: string,
): ExpectedEvent[] {
  const entries = Object.entries(schedule.pattern ?? {}) as [
    string,
    { start: string; end: string },
  ][]
  const hours = entries.findLast(([day]) => day.toLowerCase() === names[date.dayOfWeek - 1])?.[1]
  if (!hours) return []
  const nextDate = date.add({ days: 1 })
  const from = zoned(source, schedule, date, hours.start)
  const to =
    hours.end === '24:00'
      ? zoned(source, schedule, nextDate, '00:00')
      : zoned(source, schedule, hours.end > hours.start ? date : nextDate, hours.end)
  const span = worked(source, userId, {
    from: Math.floor(from.epochMilliseconds / 1000) * 1000,
    to: Math.floor(to.epochMilliseconds / 1000) * 1000,
  })
  const midnight = zoned(source, schedule, date, '00:00')
  const isWhole = span.from === wholeSecond(from.epochMilliseconds)
  if (!isWhole && !isLeft(source, userId, span, midnight)) return []
  const name = `shift-${schedule.id}-${userId}-${date.toString().replaceAll('-', '')}`
  if (source.feed.options.shifts.as === 'hours' || !isSound(span)) return event(source, name, span)
  const day = Temporal.Instant.fromEpochMilliseconds(span.from)
    .toZonedDateTimeISO(source.feed.timezone)
    .toPlainDate()
  return event(source, name, { first: day, last: day })
}

/** What approved leaves with times of day leave of the begin and the end of a shift. */
function worked(source: CalendarSource, userId: string, span: TimedSpan): TimedSpan {
  const off = timedLeaves(source, userId)
    .map(({ from, to }) => ({ from: wholeSecond(from), to: wholeMinute(source, wholeSecond(to)) }))
    .toSorted((one, other) => one.from - other.from)
  let [from, to] = [span.from, span.to]
  let coversBegin: TimedSpan | null = null
  const runs: TimedSpan[] = []
  for (const leave of off) {
    const last: TimedSpan | undefined = runs.pop()
    if (last && leave.from - last.to <= 60_000) {
      runs.push({ from: last.from, to: Math.max(last.to, leave.to) })
    } else runs.push(...(last ? [last] : []), leave)
  }
  for (const run of runs.filter((it) => it.to > span.from && it.from < span.to)) {
    if (run.from <= span.from) coversBegin = run
    if (run.to + 60_000 >= span.to) to = Math.min(to, run.from)
  }
  if (coversBegin) from = Math.max(from, coversBegin.to)
  return { from, to: Math.max(from, to) }
}

/** What is left of a night shift does not begin on a day off. */
function isLeft(
  source: CalendarSource,
  userId: string,
  { from, to }: TimedSpan,
  midnight: Temporal.ZonedDateTime,
): boolean {
  const begin = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(midnight.timeZoneId)
  const isSameDay = begin.toPlainDate().equals(midnight.toPlainDate())
  return to > from && (isSameDay || !isHidden(source, userId, begin.startOfDay()))
}

/** 15:59 and 15:59:59 are 16:00. */
function wholeMinute({ company }: CalendarSource, instant: Instant): Instant {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(company.timezone)
  const minute = at.round({ smallestUnit: 'minute', roundingMode: 'ceil' })
  return (minute.minute === 59 ? minute.add({ minutes: 1 }) : minute).epochMilliseconds
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000
}

function timedLeaves(source: CalendarSource, userId: string): readonly TimedSpan[] {
  if (source.feed.options.shifts.duringLeave === 'show') return []
  return (source.records.leaves.get(userId) ?? [])
    .filter((it) => it.status === 'APPROVED')
    .flatMap((leave) => leaveSpan(source, leave) ?? [])
    .filter(isSound)
    .filter((span) => 'from' in span)
}

function zoned(
  { company }: CalendarSource,
  { id }: Schedule,
  date: Temporal.PlainDate,
  time: string,
): Temporal.ZonedDateTime {
  const timeZone = company.scheduleTimezones[id] ?? company.timezone
  return date.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(timeZone)
}

/** By looking at every minute of the date. */
function isHidden(
  source: CalendarSource,
  userId: string,
  midnight: Temporal.ZonedDateTime,
): boolean {
  if (source.feed.options.shifts.duringLeave === 'show') return false
  const approved = (source.records.leaves.get(userId) ?? []).filter(
    (it) => it.status === 'APPROVED',
  )
  const date = midnight.toPlainDate()
  const spans = approved
    .filter((leave) => !isPart(source, leave))
    .flatMap((leave) => leaveSpan(source, leave) ?? [])
    .filter(isSound)
  if (spans.some((span) => 'first' in span && isWithin(date, span))) return true
  const timed = spans.filter((span) => 'from' in span)
  const end = date.add({ days: 1 }).toZonedDateTime(midnight.timeZoneId).epochMilliseconds
  for (let minute = midnight.epochMilliseconds; minute < end; minute += 60_000) {
    // Anyone who is away until 23:59 is away until midnight.
    if (!timed.some(({ from, to }) => from <= minute && minute < to + 60_000)) return false
  }
  return true
}

function isPart(source: CalendarSource, leave: Leave): boolean {
  const span = leaveSpan(source, leave)
  return span !== null && 'first' in span && span.first.equals(span.last) && leave.days === 0.5
}

function isSound(span: Span): boolean {
  return 'first' in span
    ? Temporal.PlainDate.compare(span.first, span.last) <= 0
    : Math.floor(span.from / 1000) < Math.floor(span.to / 1000)
}

function isWithin(
  date: Temporal.PlainDate,
  { first, last }: { first: Temporal.PlainDate; last: Temporal.PlainDate },
): boolean {
  return Temporal.PlainDate.compare(first, date) <= 0 && Temporal.PlainDate.compare(date, last) <= 0
}

/** Nothing, where the span is none or lies outside the window. */
function event(source: CalendarSource, name: string, span: Span | null): ExpectedEvent[] {
  if (!span || !isSound(span)) return []
  const uid = `${name}@main.calendar-feed-bridge`
  const { start, end, timezone } = source.window
  if ('first' in span) {
    const after = span.last.add({ days: 1 }).toString()
    const first = span.first.toString()
    return first < end && after > start ? [{ uid, allDay: true, start: first, end: after }] : []
  }
  const edge = (date: string): Instant =>
    Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds
  const [from, to] = [span.from, span.to].map((it) => Math.floor(it / 1000) * 1000) as [
    number,
    number,
  ]
  if (from >= edge(end) || to <= edge(start)) return []
  return [{ uid, allDay: false, start: iso(from), end: iso(to) }]
}

function iso(instant: Instant): string {
  return new Date(instant).toISOString()
}

function onDayClock({ company }: CalendarSource, instant: Instant): Temporal.ZonedDateTime {
  const timezone = company.dates === 'utc' ? 'UTC' : company.timezone
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone)
}

function companyDate({ company }: CalendarSource, instant: Instant): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(company.timezone)
    .toPlainDate()
}

function dayStart(source: CalendarSource, instant: Instant): Temporal.PlainDate | null {
  const time = onDayClock(source, instant)
  return time.equals(time.startOfDay()) ? time.toPlainDate() : null
}

function dayEnd(source: CalendarSource, instant: Instant): Temporal.PlainDate | null {
  const time = onDayClock(source, instant)
  const date = time.toPlainDate()
  const next = date.add({ days: 1 }).toZonedDateTime(time.timeZoneId).epochMilliseconds
  const isLate = (time.hour === 23 && time.minute === 59) || next - instant <= 60_000
  return isLate ? date : null
}

function lastDay(source: CalendarSource, end: Instant): Temporal.PlainDate | null {
  const day = dayStart(source, end)
  if (!day) return dayEnd(source, end)
  return source.company.endDates === 'exclusive' ? day.subtract({ days: 1 }) : day
}
