import type { Company } from './company.ts'
import type { Maybe } from './world.ts'

/** A weekly work schedule. Only a feed's `scheduleIds` tie it to a user. */
export interface Schedule {
  readonly id: string
  readonly name?: Maybe<string>
  /** A type outside the spec is kept as it came. */
  readonly type?: Maybe<string>
  /** Only an explicit `false` means inactive. */
  readonly isActive?: Maybe<boolean>
  /** Weekday name to `{ start, end }` in `HH:MM`: unknown here, because each day is read by itself. */
  readonly pattern?: Maybe<Readonly<Record<string, unknown>>>
}

export const scheduleTypes = ['FIXED', 'FLEXIBLE', 'ROTATING'] as const

/** How a shift is shown, the least first: one line on its day, or an event with its hours. */
export const shiftForms = ['day', 'hours'] as const
export type ShiftForm = (typeof shiftForms)[number]
/** What shifts do to the reader's time, the least first. */
export const shiftsShownAs = ['free', 'busy'] as const
export type ShiftsShownAs = (typeof shiftsShownAs)[number]

/** What is set, else busy; but a line would mark the whole day, so it is free. */
export function shiftsShowAs({
  as,
  showAs,
}: {
  readonly as: ShiftForm
  readonly showAs: ShiftsShownAs | null
}): ShiftsShownAs {
  return showAs ?? (as === 'day' ? 'free' : 'busy')
}

/** A schedule without a type is FIXED. */
export function isKnownType(type: Schedule['type']): boolean {
  return scheduleTypes.some((it) => it === (type ?? 'FIXED'))
}

/** The schedules of a feed that names none: the company's setting, else the only active one. */
export function defaultSchedules(
  { schedules: set }: Pick<Company, 'schedules'>,
  schedules: readonly Schedule[],
): readonly string[] {
  if (set.length > 0) return set
  const active = schedules.filter(({ isActive }) => isActive !== false)
  return active.length === 1 ? active.map(({ id }) => id) : []
}

/** What is set, else: rotations go on over public holidays, other shifts are hidden on them. */
export function onHolidays(
  {
    onHolidays: set,
    rotation,
  }: { readonly onHolidays: 'hide' | 'show' | null; readonly rotation: object | null },
  { holidays, scheduleHolidays }: Pick<Company, 'holidays' | 'scheduleHolidays'>,
): 'hide' | 'show' {
  const isSet = [holidays, ...Object.values(scheduleHolidays)].some((it) => it.length > 0)
  return set ?? (isSet && !rotation ? 'hide' : 'show')
}

/** In minutes since midnight; the end may be on the next date. */
export interface ShiftHours {
  readonly start: number
  readonly end: number
}

/** Null if they cannot be read. An end at or before the start is on the next date. */
export function readHours(hours: unknown): ShiftHours | null {
  if (typeof hours !== 'object' || hours === null) return null
  const start = 'start' in hours ? minutesOf(hours.start) : null
  const end = 'end' in hours ? minutesOf(hours.end) : null
  if (start === null || end === null || start === 1440) return null
  return { start, end: end > start ? end : end + 1440 }
}

function minutesOf(time: unknown): number | null {
  if (typeof time !== 'string' || !/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(time)) return null
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
