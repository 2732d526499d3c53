import type { Connection } from '../../domain/connection.ts'
import { asAppError } from '../../domain/errors.ts'
import type { ExaminationProbe, ProbeQuestion } from '../../domain/examination.ts'
import type { Instant } from '../../domain/world.ts'
import type { Outcome, ProbeOutcome } from '../verdicts/outcomes.ts'

/** One examination under way: who is asked, as of when, and until when. */
export interface Inquiry {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  readonly now: Instant
  readonly signal: AbortSignal
  /** Whether a person wants to know: only then it is asked otherwise than feeds ask, to find settings that would do better. */
  readonly guesses: boolean
}

/** The probe's answer, or why there is none. */
export function ask({ probe, signal }: Inquiry, question: ProbeQuestion): Promise<ProbeOutcome> {
  return orFault(probe.ask(question, signal))
}

/** What is promised, or the operating error that it failed with. */
export async function orFault<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return await promise
  } catch (error) {
    const known = asAppError(error)
    if (known) return known
    throw error
  }
}
