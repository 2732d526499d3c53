import { noCompany } from '../domain/company.ts'
import { AppError } from '../domain/errors.ts'

/** `invalid`, as wrong usage: what `--company` names is none of the known ones. */
export function wrongCompany(given: string, known: Iterable<string>): AppError {
  const faults = [{ pointer: '/companyId', detail: noCompany(given, known) }]
  return new AppError('invalid', 'There is no such company.', { faults })
}
