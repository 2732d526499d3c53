/* Parsers of option values; commander prints the sentences of InvalidArgumentError. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'

import { noCompany } from '../domain/company.ts'
import { AppError } from '../domain/errors.ts'
import { reminderMinutesMax } from '../domain/feed-options.ts'
import { graceDaysMax } from '../domain/link.ts'
import { readLinkLabel } from '../feeds/link-label.ts'
import { isObject, jsonOf } from '../json/read-json.ts'

/** Collects the values of an option that may be repeated; each must not be empty. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, nonEmpty(value)]
}

export function nonEmpty(value: string): string {
  if (value !== '') return value
  throw new InvalidArgumentError('It must not be empty.')
}

export function jsonObject(value: string): Readonly<Record<string, unknown>> {
  const parsed = jsonOf(value)
  if (parsed === undefined) {
    throw new InvalidArgumentError(
      'It must be JSON with straight quotes, such as {"leaves": {"detail": "absent"}}.',
    )
  }
  if (isObject(parsed)) return parsed
  throw new InvalidArgumentError('It must be a JSON object.')
}

export function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number.')
}

/** Returns a parser of whole numbers from 0 to `max`. */
export function upTo(max: number, otherwise = ''): (value: string) => number {
  return (value) => {
    const number = wholeNumber(value)
    if (number <= max) return number
    throw new InvalidArgumentError(`It must be 0 to ${max}${otherwise}.`)
  }
}

export const graceDays = upTo(graceDaysMax)

const minutes = upTo(reminderMinutesMax, ', or none')

export function minutesOrNone(value: string): number | 'none' {
  return value === 'none' ? value : minutes(value)
}

export function linkLabel(value: string): string {
  const label = readLinkLabel(value)
  if (label !== undefined) return label
  throw new InvalidArgumentError(
    'It must be one line of 1 to 100 characters, at least one of them visible, and not "." or "..".',
  )
}

export const excelOption = new Option(
  '--excel',
  'print the table so that Excel opens it with a double click (byte order mark, semicolons)',
).conflicts('json')

/** Returns an `invalid` error, shown as wrong usage, for an unknown company in `--company`. */
export function wrongCompany(given: string, known: Iterable<string>): AppError {
  const faults = [{ pointer: '/companyId', detail: noCompany(given, known) }]
  return new AppError('invalid', 'Unknown company.', { faults })
}
