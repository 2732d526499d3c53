import { AppError, asAppError } from '../domain/errors.ts'

/** `invalid` with one fault of a new or changed feed. */
export function invalidFeed(pointer: string, detail: string): AppError {
  return new AppError('invalid', 'The feed is not valid.', { faults: [{ pointer, detail }] })
}

/** `not_found`, by the feed's id. */
export function noFeed(id: string): AppError {
  return new AppError('not_found', `There is no feed ${id}.`)
}

/** The operating error that was caught; what is none is a bug and goes on. */
export function asFailure(error: unknown): AppError {
  const known = asAppError(error)
  if (!known) throw error
  return known
}
