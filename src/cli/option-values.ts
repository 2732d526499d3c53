import { InvalidArgumentError, Option } from 'commander'

import { reminderMinutesMax } from '../domain/feed-options.ts'
import { graceDaysMax } from '../domain/links/changes.ts'
import { readLinkLabel } from '../feeds/link-label.ts'

/** Collects an option that may be given several times, never empty. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, nonEmpty(value)]
}

/** An option that must not be empty. */
export function nonEmpty(value: string): string {
  if (value !== '') return value
  throw new InvalidArgumentError('It must not be empty.')
}

/** An option written as a JSON object. */
export function jsonObject(value: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(value)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return { ...parsed }
  }
  throw new InvalidArgumentError('It must be a JSON object.')
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new InvalidArgumentError(
      'It must be JSON with straight quotes, such as {"leaves": {"detail": "absent"}}.',
    )
  }
}

/** An option that counts something. */
export function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number.')
}

/** Minutes, or `none`. */
export function minutesOrNone(value: string): number | 'none' {
  if (value === 'none') return value
  const minutes = wholeNumber(value)
  if (minutes <= reminderMinutesMax) return minutes
  throw new InvalidArgumentError(`It must be 0 to ${reminderMinutesMax}, or none.`)
}

/** For how many days an old address goes on. */
export function graceDays(value: string): number {
  const days = wholeNumber(value)
  if (days <= graceDaysMax) return days
  throw new InvalidArgumentError(`It must be 0 to ${graceDaysMax}.`)
}

/** What a link is called. */
export function linkLabel(value: string): string {
  const label = readLinkLabel(value)
  if (label !== undefined) return label
  throw new InvalidArgumentError(
    'It must be one line of 1 to 100 characters, of which one can be seen, and not "." or "..".',
  )
}

/** A TCP port. */
export function portNumber(value: string): number {
  const port = wholeNumber(value)
  if (port <= 65_535) return port
  throw new InvalidArgumentError('It must be 0 to 65535.')
}

/** How a table is printed: for Excel and its like, or as programs read it. */
export function excelOption(): Option {
  return new Option(
    '--excel',
    'print the table for a double click in Excel: with a byte order mark, separated by semicolons',
  ).conflicts('json')
}
