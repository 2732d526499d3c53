import type { Company } from '../../domain/company.ts'
import { type Finding, findingOf, type ZoneClock } from '../../domain/examination.ts'
import type { Leave } from '../../domain/leave.ts'
import { addDays, type PlainDate, weekdayOf } from '../../domain/plain-date.ts'
import { dayMs, minuteMs, type Instant } from '../../domain/world.ts'
import { counted, type Inquiry } from '../inquiry.ts'
import { allLeaves, allTimesheets, type ListFacts } from './lists.ts'

/** How days and end dates are written, as far as records show it. */
export type RightDays = Pick<Company, 'dates' | 'timezone' | 'endDates'>

export interface CheckedDays {
  readonly findings: readonly Finding[]
  readonly rightDays: RightDays
}

/** Checks in which zone bare days are written as midnight, and whether an end is the last day or the day after. */
export function checkDays(inquiry: Inquiry, lists: ListFacts): CheckedDays {
  const { findings, dates, timezone } = checkDates(inquiry, lists)
  // End dates can be judged only once it is known when days begin.
  const clock = inquiry.zoneClock(dates === 'utc' ? 'UTC' : timezone)
  const { finding, right } = checkEndDates(inquiry, allLeaves(lists), clock)
  return {
    findings: [...findings, finding],
    // Without evidence, an end may be the last day.
    rightDays: { dates, timezone, endDates: right ?? 'inclusive' },
  }
}

/** Enough to decide, few enough to try many zones. */
const datesMax = 500
const timesToldMax = 3
/** A zone is right if nine in ten of at least four dates are midnights in it. */
const midnights = { least: 4, share: 0.9 }

type CheckedDates = Pick<CheckedDays, 'findings'> & Pick<RightDays, 'dates' | 'timezone'>

/** Returns the configured values if there is no evidence. */
function checkDates(
  { connection: { company }, zoneClock, advise }: Inquiry,
  lists: ListFacts,
): CheckedDates {
  const instants = [
    ...allLeaves(lists).flatMap(({ startDate, endDate }) => [startDate, endDate ?? []].flat()),
    ...allTimesheets(lists).flatMap(({ periodStart, periodEnd }) => [periodStart, periodEnd]),
  ].slice(0, datesMax)
  const count = instants.length
  const [utc, local] = [zoneClock('UTC'), zoneClock(company.timezone)]
  const [utcEdges, localEdges] = [countEdges(instants, utc), countEdges(instants, local)]
  const most = Math.max(utcEdges, localEdges)
  const isNearlyAll = (edges: number): boolean => edges >= count * midnights.share
  const rightZone =
    isNearlyAll(most) || count < midnights.least
      ? undefined
      : usualZones.find(
          (zone) => zone !== company.timezone && isNearlyAll(countEdges(instants, zoneClock(zone))),
        )
  const likelier = utcEdges > localEdges ? 'utc' : 'local'
  const ofCompany = utcEdges === localEdges ? company.dates : likelier
  const dates = rightZone === undefined ? ofCompany : 'local'
  const timezone = rightZone ?? company.timezone
  const seen =
    count === 0
      ? 'No dates came from which it could be told how days are written.'
      : `Of ${counted(count, 'date')} of leaves and timesheets ${utcEdges} are midnights in UTC (${timesOf(instants, utc)}) and ${localEdges} in ${company.timezone} (${timesOf(instants, local)}).`
  const wrong = {
    level: 'wrong',
    means: `Days are written as midnight ${dates === 'utc' ? 'UTC' : `in ${timezone}`}, so they are read as times of day, or a day off.`,
    set: advise('dates', dates),
  } as const
  const verdict = dates === company.dates ? verdictAsSet(count, most) : wrong
  const finding = findingOf({ check: 'dates', seen, ...verdict })
  if (rightZone === undefined) return { findings: [finding], dates, timezone }
  const ofZone = findingOf({
    check: 'timezone',
    level: 'wrong',
    seen: `In ${company.timezone} ${localEdges} of ${counted(count, 'date')} are midnights, in ${rightZone} nearly all are.`,
    means: `The company works in another zone: shifts are hours off. Of the zones with the same time as ${rightZone} set the one in which it works.`,
    set: advise('timezone', rightZone),
  })
  return { findings: [finding, ofZone], dates, timezone }
}

/** Times of day are no fault, but do not show whether days are read correctly. */
function verdictAsSet(count: number, edges: number): Pick<Finding, 'level' | 'means'> {
  if (count === 0) {
    return { level: 'note', means: 'Days are read as set; examine again once there are some.' }
  }
  return edges * 2 < count
    ? { level: 'note', means: 'Most are times of day, and are shown as such.' }
    : { level: 'ok', means: 'Days are read as they are written.' }
}

function countEdges(instants: readonly Instant[], clock: ZoneClock): number {
  return instants.filter((instant) => isDayEdge(instant, clock)).length
}

/** The most frequent times of day on that clock, with their counts. */
function timesOf(instants: readonly Instant[], clock: ZoneClock): string {
  const timeOf = (instant: Instant): string =>
    new Date(clock.wallClockAt(instant)).toISOString().slice(11, 16)
  return [...Map.groupBy(instants, timeOf)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, timesToldMax)
    .map(([time, { length }]) => `${length} at ${time}`)
    .join(', ')
}

/** Limits the days to compare per leave. */
const daysMax = 400
const firstOfWeekend = 5

/**
 * Compares `days` with the inclusive and the exclusive span, in working days and in all days; `right` is null without
 * evidence.
 */
function checkEndDates(
  { connection: { company }, advise }: Inquiry,
  leaves: readonly Leave[],
  clock: ZoneClock,
): { readonly finding: Finding; readonly right: Company['endDates'] | null } {
  const fits = leaves.flatMap((leave) => fitOf(leave, clock) ?? [])
  const inclusive = fits.filter((fit) => fit === 'inclusive').length
  const exclusive = fits.filter((fit) => fit === 'exclusive').length
  const seen =
    fits.length === 0
      ? 'No leaves of whole days came to compare with their number of days.'
      : `Of ${counted(fits.length, 'leave')} of whole days the number of days fits ${inclusive} only if the end is the last day, and ${exclusive} only if it is the day after.`
  const found = { check: 'end-dates', seen }
  if (inclusive === exclusive) {
    const means =
      'Nothing shows whether an end is the last day or the day after; ends are read as set.'
    return { finding: findingOf({ ...found, level: 'note', means }), right: null }
  }
  const right = exclusive > inclusive ? 'exclusive' : 'inclusive'
  if (right === company.endDates) {
    const means = 'Ends are read as they are written.'
    return { finding: findingOf({ ...found, level: 'ok', means }), right }
  }
  const means =
    right === 'exclusive'
      ? 'Ends are the day after the last: leaves are shown a day too long.'
      : 'Ends are the last day: leaves are shown a day too short, and those of one day not at all.'
  const set = advise('endDates', right)
  return { finding: findingOf({ ...found, level: 'wrong', means, set }), right }
}

/** Returns how to read a leave's end to fit its days; undefined without whole days or a number of days. */
function fitOf(
  { startDate, endDate, days }: Leave,
  clock: ZoneClock,
): Company['endDates'] | 'both' | undefined {
  if (endDate === null || startDate > endDate || typeof days !== 'number' || days <= 0) {
    return undefined
  }
  if (!isDayStart(startDate, clock) || !isDayStart(endDate, clock)) return undefined
  const end = clock.dateAt(endDate)
  const before: PlainDate[] = []
  for (let date = clock.dateAt(startDate); date < end && before.length < daysMax;) {
    before.push(date)
    date = addDays(date, 1)
  }
  const isAsLong = (span: readonly PlainDate[]): boolean => {
    const workingDays = span.filter((date) => weekdayOf(date) < firstOfWeekend).length
    return [span.length, workingDays].includes(Math.ceil(days))
  }
  const isInclusive = isAsLong([...before, end])
  if (isInclusive === isAsLong(before)) return 'both'
  return isInclusive ? 'inclusive' : 'exclusive'
}

function isDayStart(instant: Instant, clock: ZoneClock): boolean {
  return clock.dateAt(instant - 1) < clock.dateAt(instant)
}

/** Accepts the first instant of a day, and its last minute, since some ends are written like that. */
function isDayEdge(instant: Instant, clock: ZoneClock): boolean {
  const timeOfDay = ((clock.wallClockAt(instant) % dayMs) + dayMs) % dayMs
  return isDayStart(instant, clock) || timeOfDay >= dayMs - minuteMs
}

/** One zone per usual rule of offsets: dates do not show where people live within a rule. */
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
