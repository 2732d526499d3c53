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
   * expander, so that one malformed day leaves its siblings standing; hence unknown here.
   */
  readonly pattern?: Maybe<Readonly<Record<string, unknown>>>
}

/** What a schedule can be, by the spec. */
export const scheduleTypes = ['FIXED', 'FLEXIBLE', 'ROTATING'] as const
export type ScheduleType = (typeof scheduleTypes)[number]
