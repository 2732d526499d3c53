import type { Request } from 'express'

import { AppError } from '../domain/errors.ts'
import type { Instant } from '../domain/world.ts'
import { isIdentifier } from '../wire/fields.ts'

/** The query parameters of a request. Whatever reads one fails with `invalid` for a value that cannot be meant. */
export type Parameters = Request['query']

/** A date alone is its midnight in UTC, as the spec's timestamps are. */
const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** An identifier; undefined, as with all of these, where the parameter is not there. */
export function readIdentifier(parameters: Parameters, name: string): string | undefined {
  const value = readText(parameters, name)
  if (value === undefined || isIdentifier(value)) return value
  throw new AppError('invalid', `The filter ${name} is an identifier of at most 256 characters.`)
}

/** One of the values. */
export function readChoice<Value extends string>(
  parameters: Parameters,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = readText(parameters, name)
  if (text === undefined) return undefined
  const value = values.find((it) => it === text)
  if (value !== undefined) return value
  throw new AppError('invalid', `The filter ${name} is one of ${values.join(', ')}.`)
}

/** An ISO 8601 date, or one with a time. */
export function readDate(parameters: Parameters, name: string): Instant | undefined {
  const text = readText(parameters, name)
  if (text === undefined) return undefined
  const instant = isoDate.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(instant)) return instant
  throw new AppError(
    'invalid',
    `The filter ${name} is an ISO 8601 date, such as 2026-01-05 or 2026-01-05T00:00:00.000Z.`,
  )
}

function readText(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name]
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new AppError('invalid', `The filter ${name} takes one value.`)
}
