import type { LeaveCause, LeaveType } from '../leave-types.ts'

/** A kind of work, and what those are called who do it. */
export interface Field {
  readonly name: string
  readonly positions: readonly string[]
}

/** What is said in the sample company, and how its people are called, in one language. */
export interface SampleWords {
  readonly firstNames: readonly string[]
  readonly lastNames: readonly string[]
  /** In which people work. */
  readonly fields: readonly Field[]
  /** What those are called who lead a team, several teams, and so on. */
  readonly leads: readonly string[]
  readonly leaveTypes: Readonly<Record<LeaveType, string>>
  readonly reasons: Readonly<Record<LeaveCause, readonly string[]>>
  readonly notes: readonly string[]
  readonly schedules: Readonly<Record<string, string>>
  /** A project is one of these for a customer. */
  readonly undertakings: readonly string[]
  readonly customers: readonly string[]
  readonly tasks: readonly string[]
  readonly services: readonly string[]
}

/** What stands between the commas. */
export function list(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}
