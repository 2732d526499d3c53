import { AppError, StoreUnavailable } from '../domain/errors.ts'

/** What a driver's error means, and the driver's word for it; undefined for a bug. */
export interface DatabaseFault {
  readonly code: 'conflict' | 'unavailable'
  readonly reason: string
  /** In words, where whatever else is written is refused, too. */
  readonly refusal?: string | undefined
}

const sentences: Record<DatabaseFault['code'], string> = {
  conflict: 'What the database holds stands against this',
  unavailable: 'The database is not available',
}

/** The operating error that a driver's is, the driver's as its cause; a bug is given back as it is. */
export function translateError(
  error: unknown,
  faultOf: (error: unknown) => DatabaseFault | undefined,
): unknown {
  const fault = faultOf(error)
  if (!fault) return error
  const { reason, refusal } = fault
  const sentence = `${sentences[fault.code]}${refusal === undefined ? ` (${reason})` : `: ${refusal}`}.`
  if (fault.code === 'unavailable') {
    return new StoreUnavailable(sentence, error, refusal !== undefined)
  }
  return new AppError(fault.code, sentence, { cause: error })
}
