import { Temporal } from 'temporal-polyfill'

import { type LocalTime, localTime } from '../../../src/calendar/local-time.ts'
import { dayNumber } from '../../../src/domain/plain-date.ts'

const reachMinutes = 180
const stepMinutes = 15

/** Wall times around every change of clocks of these years in every zone, resolved by us and by Temporal. */
export function probeZones(years: readonly number[]): { probes: number; mismatches: string[] } {
  let probes = 0
  const mismatches: string[] = []
  for (const timezone of Intl.supportedValuesOf('timeZone')) {
    const local = localTime(timezone)
    for (const wall of changesOf(timezone, years).flatMap(wallTimesAround)) {
      probes += 1
      if (!agrees(wall, timezone, local)) mismatches.push(`${wall.toString()} ${timezone}`)
    }
  }
  return { probes, mismatches }
}

function agrees(wall: Temporal.PlainDateTime, timezone: string, local: LocalTime): boolean {
  const ours = local.instantOn(
    dayNumber(wall.toPlainDate().toString()),
    wall.hour * 60 + wall.minute,
  )
  const theirs = wall.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  const date = theirs.toPlainDate().toString()
  return ours === theirs.epochMilliseconds && local.dateAt(ours) === date
}

function changesOf(timezone: string, years: readonly number[]): Temporal.ZonedDateTime[] {
  const end = Temporal.Instant.from(`${Math.max(...years) + 1}-01-01T00:00:00Z`)
  const changes: Temporal.ZonedDateTime[] = []
  let change = Temporal.Instant.from(`${Math.min(...years)}-01-01T00:00:00Z`)
    .toZonedDateTimeISO(timezone)
    .getTimeZoneTransition('next')
  while (change && Temporal.Instant.compare(change.toInstant(), end) < 0) {
    changes.push(change)
    change = change.getTimeZoneTransition('next')
  }
  return changes
}

/** By the clock before the change and by the one after it. */
function wallTimesAround(change: Temporal.ZonedDateTime): Temporal.PlainDateTime[] {
  const before = change.subtract({ nanoseconds: 1 }).toPlainDateTime().round('minute')
  const walls = new Map<string, Temporal.PlainDateTime>()
  for (const center of [before, change.toPlainDateTime()]) {
    for (let minutes = -reachMinutes; minutes <= reachMinutes; minutes += stepMinutes) {
      const wall = center.add({ minutes })
      walls.set(wall.toString(), wall)
    }
  }
  return [...walls.values()]
}
