/* The query parameters of a request: each known, there once and readable, or `invalid` with a sentence that names it. */
import { AppError } from '../../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../../domain/nearest.ts'
import type { Instant } from '../../domain/world.ts'
import { isIdentifier } from '../../wire/fields.ts'
import type { FilterValue } from '../operations.ts'

export type Parameters = URLSearchParams

/** What an operation takes: that and nothing else, each once and with a value. */
export function requireKnown(parameters: Parameters, known: readonly string[]): void {
  for (const [name, value] of parameters) {
    if (!known.includes(name)) throw unknown(name, known)
    if (parameters.getAll(name).length > 1)
      throw wrong(name, 'stands there more than once: it takes one value')
    if (value === '') throw wrong(name, 'takes one value, and has none')
  }
}

function unknown(name: string, known: readonly string[]): AppError {
  if (known.length > 0) {
    return new AppError(
      'invalid',
      `There is no parameter ${shown(name)} here${meantOrAll(name, known)}`,
    )
  }
  const message = `The parameter ${shown(name)} means nothing here: this operation takes none.`
  return new AppError('invalid', message)
}

/** The value of a filter; undefined where it is not asked for. */
export function readFilter(
  parameters: Parameters,
  name: string,
  value: FilterValue,
): string | Instant | boolean | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  if (value.is === 'identifier') return readIdentifier(name, text)
  if (value.is === 'date') return readDate(name, text)
  if (value.is === 'choice') return readChoice(name, text, value.values)
  return readChoice(name, text, ['true', 'false']) === 'true'
}

/** A whole number between those two; undefined where it is not asked for. */
export function readNumber(
  parameters: Parameters,
  name: string,
  [least, most]: readonly [least: number, most: number],
): number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const isBeyond =
    number > most ? `; the nearest is ${most}` : number < least ? `; the nearest is ${least}` : ''
  throw wrong(name, `is a whole number from ${least} to ${most}${isBeyond}`)
}

function readIdentifier(name: string, text: string): string {
  if (isIdentifier(text)) return text
  throw wrong(name, 'is an identifier of at most 256 characters')
}

function readChoice(name: string, text: string, values: readonly string[]): string {
  if (values.includes(text)) return text
  const meant = likelyMeant(text, values)
  const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`
  throw wrong(name, `is one of ${values.join(', ')}${hint}`)
}

const isoDate = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** A date alone is its midnight in UTC, as the spec's timestamps are. */
function readDate(name: string, text: string): Instant {
  const day = isoDate.exec(text)?.[1] ?? ''
  const instant = isDay(day) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(instant)) return instant
  const plus = text.includes(' ') ? ' (a plus sign is written %2B in an address)' : ''
  throw wrong(
    name,
    `is an ISO 8601 date or timestamp, such as 2026-01-05 or 2026-01-05T00:00:00.000Z${plus}`,
  )
}

/** `Date.parse` takes the 30th of February for the second of March. */
function isDay(day: string): boolean {
  const midnight = Date.parse(day)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

/** `invalid`, of the parameter of that name. */
export function wrong(name: string, what: string): AppError {
  return new AppError(
    'invalid',
    `The parameter ${shown(name)} ${what}${what.endsWith('?') ? '' : '.'}`,
  )
}

const shownLengthMax = 64

function shown(name: string): string {
  return name.length > shownLengthMax ? `${name.slice(0, shownLengthMax)}…` : name
}
