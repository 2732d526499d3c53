import { AppError } from '../domain/errors.ts'

/** What the address of a calendar that never existed answers. */
export function unknownCalendar(): AppError {
  return new AppError('not_found', 'There is no such calendar.')
}
