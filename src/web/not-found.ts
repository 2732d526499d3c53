import { AppError } from '../domain/errors.ts'

/** What an address that leads nowhere answers. */
export function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}
