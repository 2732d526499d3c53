import type { Company } from './company.ts'
import type { Maybe } from './world.ts'

/** A weekly work schedule. Nothing in the Read API ties it to a user: a feed's `scheduleIds` do. */
export interface Schedule {
  readonly id: string
  readonly name?: Maybe<string>
  /** FIXED, FLEXIBLE, ROTATING; a value outside that list is kept as it came. */
  readonly type?: Maybe<string>
  /** Only an explicit `false` means inactive. */
  readonly isActive?: Maybe<boolean>
  /**
   * Weekday name to `{ start, end }` in 24-hour `HH:MM`. Each day is read on its own by the shift
   * expander, so that one malformed day leaves its siblings standing; so it is unknown here.
   */
  readonly pattern?: Maybe<Readonly<Record<string, unknown>>>
}

/** What a schedule can be, by the spec. */
export const scheduleTypes = ['FIXED', 'FLEXIBLE', 'ROTATING'] as const
export type ScheduleType = (typeof scheduleTypes)[number]

/** Whether it is one of those; a schedule without a type is read as FIXED. */
export function isKnownType(type: Schedule['type']): boolean {
  return scheduleTypes.some((it) => it === (type ?? 'FIXED'))
}

/** The schedules of a feed that names none: those that are set for its company, else the only active one, else none. */
export function defaultSchedules(
  { schedules: set }: Pick<Company, 'schedules'>,
  schedules: readonly Schedule[],
): readonly string[] {
  if (set.length > 0) return set
  const active = schedules.filter(({ isActive }) => isActive !== false)
  return active.length === 1 ? active.map(({ id }) => id) : []
}

/** One day's work in minutes since the midnight with which that day begins; the end may lie on the next date. */
export interface ShiftHours {
  readonly start: number
  readonly end: number
}

/** The hours of a day; null where they cannot be read. An end at or before the start is on the next date, an equal one 24 hours later. */
export function readHours(hours: unknown): ShiftHours | null {
  if (typeof hours !== 'object' || hours === null) return null
  const start = 'start' in hours ? minutesOf(hours.start) : null
  const end = 'end' in hours ? minutesOf(hours.end) : null
  if (start === null || end === null || start === 1440) return null
  return { start, end: end > start ? end : end + 1440 }
}

/** Minutes of 24-hour `HH:MM`; `24:00` is the end of the day. */
function minutesOf(time: unknown): number | null {
  if (typeof time !== 'string' || !/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(time)) return null
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
