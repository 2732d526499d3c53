import type { Company } from '../../domain/company.ts'
import type { ZoneClock, ZoneClocks } from '../../domain/examination.ts'
import type { Instant } from '../../domain/world.ts'
import { isDayEdge, timeOfDayAt } from './day-clock.ts'
import { allLeaves, allTimesheets, type ListFacts } from './list-facts.ts'
import { usualZones } from './usual-zones.ts'

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
