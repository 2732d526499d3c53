/** What can go wrong with a database in operation; anything else that a driver throws is a bug. */
export type DatabaseErrorCode = 'conflict' | 'unavailable' | 'invalid'

/** Makes the error that the program throws: this folder knows no other layer, the program's errors included. */
export type MakeError = (code: DatabaseErrorCode, message: string, cause?: unknown) => Error

/** What a driver's error means, and the driver's word for it; undefined for a bug. */
export interface DatabaseFault {
  readonly code: 'conflict' | 'unavailable'
  readonly reason: string
}

const sentences: Record<DatabaseFault['code'], string> = {
  conflict: 'What the database holds stands against this',
  unavailable: 'The database is not available',
}

/** The program's error for a driver's, the driver's as its cause; a bug is given back as it is. */
export function translateError(
  error: unknown,
  faultOf: (error: unknown) => DatabaseFault | undefined,
  makeError: MakeError,
): unknown {
  const fault = faultOf(error)
  return fault ? makeError(fault.code, `${sentences[fault.code]} (${fault.reason}).`, error) : error
}
