import { z } from 'zod'

import type { Schedule } from '../domain/schedule.ts'
import {
  type Fields,
  id,
  optionalFlag,
  optionalName,
  optionalText,
  optionalWord,
  word,
  forgiving,
  type ReadRecord,
} from './fields.ts'

/** JSON ↔ Schedule; the days of the pattern pass unchecked, since each is read on its own. */
export const scheduleCodec = z.looseObject({
  id,
  name: optionalText,
  type: optionalText,
  isActive: optionalFlag,
  pattern: z.record(z.string(), z.unknown()).nullish(),
} satisfies Fields<Schedule>)

/** Seven, plus room for names that no calendar knows. */
const daysMax = 50

/** Reduces each day to its start and end as received; unreadable values stay unreadable. */
const shownDays = z.codec(z.record(z.string(), z.unknown()), z.record(z.string(), z.unknown()), {
  decode: (days) =>
    Object.fromEntries(
      Object.entries(days).map(([day, hours]) => [word.decode(day), shownHours(hours)]),
    ),
  encode: (days) => days,
})

const shown = scheduleCodec
  .extend({
    name: optionalName,
    type: optionalWord,
    pattern: z
      .custom((days) => typeof days !== 'object' || days === null || isShort(days), {
        error: `Invalid input: expected at most ${daysMax} days`,
      })
      .pipe(shownDays)
      .nullish(),
  })
  .strip()

/** Reads what a calendar can show of a schedule. */
export const readSchedule: ReadRecord<Schedule> = forgiving(shown, ['isActive', 'type', 'pattern'])

function isShort(days: object): boolean {
  return Object.keys(days).length <= daysMax
}

function shownHours(hours: unknown): unknown {
  if (Array.isArray(hours)) return []
  if (typeof hours !== 'object' || hours === null) return shownTime(hours)
  const times = Object.entries(hours).filter(([name]) => name === 'start' || name === 'end')
  return Object.fromEntries(times.map(([name, time]) => [name, shownTime(time)]))
}

function shownTime(time: unknown): unknown {
  if (typeof time === 'string') return word.decode(time)
  return typeof time === 'object' ? null : time
}
