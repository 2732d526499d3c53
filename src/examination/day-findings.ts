import { type LocalTime, localTime } from '../calendar/local-time.ts'
import type { Company } from '../domain/company.ts'
import type { Finding } from '../domain/examination.ts'
import type { Instant } from '../domain/world.ts'
import { dayClocks, isDayEdge, timeOfDayAt } from './day-clocks.ts'
import { counted, type Examining } from './examining.ts'
import { allLeaves, allTimesheets, type Readings } from './readings.ts'

/** Enough to tell, few enough to try zones with. */
const datesMax = 500
/** A zone is believed to be right if at least so many dates are midnights in it. */
const shareOfMidnights = 0.9
const fewestDates = 4
const timesShown = 3

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

/** At which midnight the days of these records stand. */
export interface DayReading {
  readonly dates: Company['dates']
  readonly timezone: string
  readonly values: readonly Instant[]
  /** How many of the values are edges of days in UTC and in the company's zone. */
  readonly utc: number
  readonly local: number
}

/** Reads from leaves and timesheets how bare days are written; as set, where nothing shows it. */
export function readDayReading({ connection }: Examining, readings: Readings): DayReading {
  const { company } = connection
  const values = datesOf(readings)
  const clocks = dayClocks(company)
  const [utc, local] = [countEdges(values, clocks.utc), countEdges(values, clocks.local)]
  const counts = { values, utc, local }
  const zone = betterZone(company.timezone, counts)
  if (zone !== undefined) return { ...counts, dates: 'local', timezone: zone }
  const dates = utc === local ? company.dates : utc > local ? 'utc' : 'local'
  return { ...counts, dates, timezone: company.timezone }
}

/** What the days' midnights say about `dates` and the zone. */
export function dayFindings(examining: Examining, reading: DayReading): readonly Finding[] {
  const { company } = examining.connection
  const dates = datesFinding(examining, reading)
  if (reading.timezone === company.timezone) return [dates]
  return [dates, zoneFinding(examining, reading)]
}

function datesOf(readings: Readings): readonly Instant[] {
  return [
    ...allLeaves(readings).flatMap(({ startDate, endDate }) => [startDate, endDate]),
    ...allTimesheets(readings).flatMap(({ periodStart, periodEnd }) => [periodStart, periodEnd]),
  ].slice(0, datesMax)
}

function countEdges(values: readonly Instant[], clock: LocalTime): number {
  return values.filter((value) => isDayEdge(value, clock)).length
}

type Counts = Pick<DayReading, 'values' | 'utc' | 'local'>

/** A usual zone in which nearly all dates are midnights, where neither UTC nor the company's is one. */
function betterZone(timezone: string, { values, utc, local }: Counts): string | undefined {
  const enough = values.length * shareOfMidnights
  if (values.length < fewestDates || Math.max(utc, local) >= enough) return undefined
  return usualZones.find(
    (zone) => zone !== timezone && countEdges(values, localTime(zone)) >= enough,
  )
}

function datesFinding(examining: Examining, reading: DayReading): Finding {
  const { company } = examining.connection
  const ok = reading.dates === company.dates
  return {
    check: 'dates',
    ok,
    seen: describe(reading, company),
    means: ok
      ? meansOfRight(reading)
      : `Days are written as midnight ${reading.dates === 'utc' ? 'UTC' : `in ${reading.timezone}`}, so they would be read as times or a day off.`,
    set: ok ? null : examining.advise('dates', reading.dates),
  }
}

function meansOfRight({ values, utc, local }: DayReading): string {
  return Math.max(utc, local) * 2 < values.length
    ? 'Most are times of day, and are shown as such.'
    : 'Days are read as they are written.'
}

function zoneFinding(examining: Examining, { timezone, local, values }: DayReading): Finding {
  const { company } = examining.connection
  return {
    check: 'timezone',
    ok: false,
    seen: `In ${company.timezone} ${local} of ${counted(values.length, 'date')} are midnights, in ${timezone} nearly all are.`,
    means: `The company works in another zone: shifts would be hours off. Of the zones like ${timezone} take the one it works in.`,
    set: examining.advise('timezone', timezone),
  }
}

function describe({ values, utc, local }: DayReading, company: Company): string {
  if (values.length === 0) return 'No dates came from which it could be told how days are written.'
  const clocks = dayClocks(company)
  const { timezone } = company
  return `Of ${counted(values.length, 'date')} of leaves and timesheets ${utc} are midnights in UTC (${histogram(values, clocks.utc)}) and ${local} in ${timezone} (${histogram(values, clocks.local)}).`
}

/** The most frequent times of day, and how often they come. */
function histogram(values: readonly Instant[], clock: LocalTime): string {
  const counts = new Map<string, number>()
  for (const value of values) {
    const time = timeOfDayAt(value, clock)
    counts.set(time, (counts.get(time) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, timesShown)
    .map(([time, count]) => `${count} at ${time}`)
    .join(', ')
}
