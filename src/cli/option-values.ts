import { InvalidArgumentError, Option } from 'commander'

/** Collects an option that may be given several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
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
    throw new InvalidArgumentError('It must be JSON.')
  }
}

/** An option that counts something. */
export function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number.')
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
