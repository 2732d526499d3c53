import type { Company } from '../../domain/company.ts'
import {
  type ZoneClock,
  type ZoneClocks,
  type Finding,
  type FindingLevel,
  findingOf,
} from '../../domain/examination.ts'
import type { Leave } from '../../domain/leave.ts'
import { addDays, weekdayOf, type PlainDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/world.ts'
import { counted, type Advise } from '../advice.ts'
import { allLeaves, allTimesheets, type ListFacts } from './list-facts.ts'

/** Enough to tell, few enough to try zones with. */
const datesMax = 500
/** How many times of day are told. */
const timesMax = 3
/** A zone is believed to be right if of so many dates at least such a share are midnights in it. */
const midnights = { least: 4, share: 0.9 }

/** At which midnight bare days are written. */
export interface DatesVerdict {
  /** Whether the setting says so, too. */
  readonly ok: boolean
  readonly dates: Company['dates']
  /** The zone in which they are midnights; the company's where nothing shows another. */
  readonly timezone: string
  /** How many dates were looked at. */
  readonly count: number
  readonly utc: DayEdges
  /** In the company's zone. */
  readonly local: DayEdges
}

/** What the dates are on one clock. */
interface DayEdges {
  /** How many of them are the edge of a day. */
  readonly edges: number
  /** The most frequent times of day, as `HH:MM`, and how often they come. */
  readonly times: readonly (readonly [time: string, count: number])[]
}

/** Tells from leaves and timesheets how bare days are written; as set, where nothing shows it. */
export function judgeDates(
  lists: ListFacts,
  company: Company,
  zoneClock: ZoneClocks,
): DatesVerdict {
  const instants = datesOf(lists)
  const utc = edgesOn(zoneClock('UTC'), instants)
  const local = edgesOn(zoneClock(company.timezone), instants)
  const isTold = Math.max(utc.edges, local.edges) >= enoughOf(instants)
  const zone = isTold ? undefined : findZone(instants, company, zoneClock)
  const dates = zone === undefined ? likelierDates(utc, local, company) : 'local'
  const timezone = zone ?? company.timezone
  return { ok: dates === company.dates, dates, timezone, count: instants.length, utc, local }
}

function datesOf(lists: ListFacts): readonly Instant[] {
  return [
    ...allLeaves(lists).flatMap(({ startDate, endDate }) => [startDate, endDate ?? []].flat()),
    ...allTimesheets(lists).flatMap(({ periodStart, periodEnd }) => [periodStart, periodEnd]),
  ].slice(0, datesMax)
}

function edgesOn(clock: ZoneClock, instants: readonly Instant[]): DayEdges {
  const counts = new Map<string, number>()
  for (const instant of instants) {
    const time = timeOfDayAt(instant, clock)
    counts.set(time, (counts.get(time) ?? 0) + 1)
  }
  const times = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, timesMax)
  return { edges: countEdges(instants, clock), times }
}

function countEdges(instants: readonly Instant[], clock: ZoneClock): number {
  return instants.filter((instant) => isDayEdge(instant, clock)).length
}

function enoughOf(instants: readonly Instant[]): number {
  return instants.length * midnights.share
}

/** A usual zone in which nearly all dates are midnights. */
function findZone(
  instants: readonly Instant[],
  { timezone }: Company,
  zoneClock: ZoneClocks,
): string | undefined {
  if (instants.length < midnights.least) return undefined
  return usualZones.find(
    (zone) => zone !== timezone && countEdges(instants, zoneClock(zone)) >= enoughOf(instants),
  )
}

function likelierDates(utc: DayEdges, local: DayEdges, { dates }: Company): Company['dates'] {
  if (utc.edges === local.edges) return dates
  return utc.edges > local.edges ? 'utc' : 'local'
}

/** Says at which midnight days stand and, where that is one of another zone, of which. */
export function sayDates(
  verdict: DatesVerdict,
  { timezone }: Company,
  advise: Advise,
): readonly Finding[] {
  const { ok, dates } = verdict
  const finding = findingOf({
    check: 'dates',
    level: levelOf(verdict),
    seen: seenOf(verdict, timezone),
    means: meansOf(verdict),
    set: ok ? null : advise('dates', dates),
  })
  return verdict.timezone === timezone ? [finding] : [finding, sayZone(verdict, timezone, advise)]
}

/** Times of day are no fault; but whether days are read rightly does not show in them. */
function levelOf(verdict: DatesVerdict): FindingLevel {
  if (!verdict.ok) return 'wrong'
  return verdict.count === 0 || areTimes(verdict) ? 'note' : 'ok'
}

function areTimes({ count, utc, local }: DatesVerdict): boolean {
  return Math.max(utc.edges, local.edges) * 2 < count
}

function seenOf({ count, utc, local }: DatesVerdict, timezone: string): string {
  if (count === 0) return 'No dates came from which it could be told how days are written.'
  return `Of ${counted(count, 'date')} of leaves and timesheets ${utc.edges} are midnights in UTC (${timesOf(utc)}) and ${local.edges} in ${timezone} (${timesOf(local)}).`
}

function timesOf({ times }: DatesVerdict['utc']): string {
  return times.map(([time, count]) => `${count} at ${time}`).join(', ')
}

function meansOf(verdict: DatesVerdict): string {
  const { ok, dates, timezone, count } = verdict
  if (!ok) {
    return `Days are written as midnight ${dates === 'utc' ? 'UTC' : `in ${timezone}`}, so they are read as times of day, or a day off.`
  }
  if (count === 0) return 'Days are read as set; examine again once there are some.'
  return areTimes(verdict)
    ? 'Most are times of day, and are shown as such.'
    : 'Days are read as they are written.'
}

function sayZone(
  { timezone: right, count, local }: DatesVerdict,
  timezone: string,
  advise: Advise,
): Finding {
  return findingOf({
    check: 'timezone',
    level: 'wrong',
    seen: `In ${timezone} ${local.edges} of ${counted(count, 'date')} are midnights, in ${right} nearly all are.`,
    means: `The company works in another zone: shifts are hours off. Of the zones with the same time as ${right} set the one in which it works.`,
    set: advise('timezone', right),
  })
}

/** No leave is compared day by day that is longer. */
const daysMax = 400
const firstOfWeekend = 5

/** How many leaves' `days` fit only if the end is the last day, only if it is the day after, and how many were compared. */
interface EndCounts {
  readonly inclusive: number
  readonly exclusive: number
  readonly compared: number
}

export interface EndDatesVerdict extends EndCounts {
  readonly ok: boolean
  /** What an end that is a bare day is; null where nothing shows it. */
  readonly right: Company['endDates'] | null
}

/** Compares `days` with the span read inclusively and exclusively, working days and all days alike. */
export function judgeEndDates(
  lists: ListFacts,
  { endDates }: Company,
  { dates, timezone }: DatesVerdict,
  zoneClock: ZoneClocks,
): EndDatesVerdict {
  const clock = zoneClock(dates === 'utc' ? 'UTC' : timezone)
  const counts = countEnds(allLeaves(lists), clock)
  const right = likelierEnd(counts)
  return { ok: right === null || right === endDates, right, ...counts }
}

function likelierEnd({ inclusive, exclusive }: EndCounts): Company['endDates'] | null {
  if (inclusive === exclusive) return null
  return exclusive > inclusive ? 'exclusive' : 'inclusive'
}

function countEnds(leaves: readonly Leave[], clock: ZoneClock): EndCounts {
  const fits = leaves.flatMap((leave) => fitsOf(leave, clock) ?? [])
  return {
    inclusive: fits.filter((fit) => fit === 'inclusive').length,
    exclusive: fits.filter((fit) => fit === 'exclusive').length,
    compared: fits.length,
  }
}

type EndFit = Company['endDates'] | 'both'

/** undefined where the leave is not of whole days, or does not say how many. */
function fitsOf({ startDate, endDate, days }: Leave, clock: ZoneClock): EndFit | undefined {
  if (endDate === null) return undefined
  const areDays = isDayStart(startDate, clock) && isDayStart(endDate, clock)
  if (!areDays || startDate > endDate || typeof days !== 'number' || days <= 0) return undefined
  const before = daysBefore(clock.dateAt(startDate), clock.dateAt(endDate))
  const whole = Math.ceil(days)
  const isExclusive = isAsLong(before, whole)
  const isInclusive = isAsLong([...before, clock.dateAt(endDate)], whole)
  if (isInclusive === isExclusive) return 'both'
  return isInclusive ? 'inclusive' : 'exclusive'
}

function isAsLong(span: readonly PlainDate[], days: number): boolean {
  const workingDays = span.filter((date) => weekdayOf(date) < firstOfWeekend).length
  return span.length === days || workingDays === days
}

/** The dates from the first up to, but without, the end. */
function daysBefore(first: PlainDate, end: PlainDate): readonly PlainDate[] {
  const dates: PlainDate[] = []
  for (let date = first; date < end && dates.length < daysMax; date = addDays(date, 1)) {
    dates.push(date)
  }
  return dates
}

/** Says whether an end that is a bare day is the last day or the day after. */
export function sayEndDates(verdict: EndDatesVerdict, advise: Advise): Finding {
  const { ok, right } = verdict
  const set = ok || right === null ? null : advise('endDates', right)
  const known = right === null ? 'note' : 'ok'
  const level = ok ? known : 'wrong'
  const [seen, means] = [seenOfEndDates(verdict), meansOfEndDates(verdict)]
  return findingOf({ check: 'end-dates', level, seen, means, set })
}

function seenOfEndDates({ inclusive, exclusive, compared }: EndDatesVerdict): string {
  if (compared === 0) return 'No leaves of whole days came to compare with their number of days.'
  return `Of ${counted(compared, 'leave')} of whole days the number of days fits ${inclusive} only if the end is the last day, and ${exclusive} only if it is the day after.`
}

function meansOfEndDates({ ok, right }: EndDatesVerdict): string {
  if (right === null)
    return 'Nothing shows whether an end is the last day or the day after; ends are read as set.'
  if (ok) return 'Ends are read as they are written.'
  return right === 'exclusive'
    ? 'Ends are the day after the last: leaves are shown a day too long.'
    : 'Ends are the last day: leaves are shown a day too short, and those of one day not at all.'
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** Whether the instant is the first of a day on that clock. */
function isDayStart(instant: Instant, clock: ZoneClock): boolean {
  return clock.dateAt(instant - 1) < clock.dateAt(instant)
}

/** Whether it is the first of a day or in a day's last minute, as some ends are written. */
function isDayEdge(instant: Instant, clock: ZoneClock): boolean {
  const timeOfDay = modulo(clock.wallClockAt(instant), dayMs)
  return isDayStart(instant, clock) || timeOfDay >= dayMs - minuteMs
}

/** `HH:MM` on that clock. */
function timeOfDayAt(instant: Instant, clock: ZoneClock): string {
  return new Date(clock.wallClockAt(instant)).toISOString().slice(11, 16)
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

/** One zone for each usual rule of offsets: which one of those with the same rule people live in, dates do not tell. */
const usualZones = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Helsinki',
  'Europe/Istanbul',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Halifax',
  'America/Sao_Paulo',
  'America/Mexico_City',
  'America/Bogota',
  'Asia/Jerusalem',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Dhaka',
  'Asia/Bangkok',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Australia/Brisbane',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'Africa/Nairobi',
] as const
