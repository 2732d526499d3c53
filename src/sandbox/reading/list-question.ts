import { hash } from 'node:crypto'

import { z } from 'zod'

import type { Pagination } from '../../domain/connection.ts'
import { AppError } from '../../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../../domain/nearest.ts'
import type { Instant } from '../../domain/world.ts'
import { isIdentifier } from '../../wire/fields.ts'
import type { Behaviour } from '../controls/behaviour.ts'
import type { ListOperation, FilterValue } from '../operations.ts'

export const limitMax = 1000

/** The required value of each column: equal, but a minimum for `period_start` and a maximum for `period_end`. */
export type FilterValues = Readonly<Record<string, string | number>>

export interface AskedList {
  readonly filters: FilterValues
  readonly page: AskedPage
}

export type AskedPage =
  | { readonly is: 'whole' }
  | { readonly is: 'cursor'; readonly cursor: string | undefined; readonly limit: number }
  | { readonly is: 'number'; readonly offset: number; readonly limit: number }

/** Reads the query of a list; `invalid` for an unknown parameter or an invalid value. */
export function readListQuestion(
  parameters: URLSearchParams,
  operation: ListOperation,
  behaviour: Behaviour,
): AskedList {
  requireKnown(parameters, [...queryNames(operation, behaviour), ...credentialNames(behaviour)])
  return {
    filters: readFilters(parameters, operation, behaviour),
    page: readPage(parameters, behaviour.pagination?.[operation.list] ?? null, behaviour),
  }
}

/** Returns the query parameters that the list accepts, except the credential's. */
export function queryNames(operation: ListOperation, behaviour: Behaviour): readonly string[] {
  const style = behaviour.pagination?.[operation.list] ?? null
  return [...filterNames(operation, behaviour).values(), ...pageNames(style)]
}

/** Returns the parameter names by filter key, without filters that the imitated API lacks. */
export function filterNames(
  { list, filters }: ListOperation,
  { parameters }: Behaviour,
): ReadonlyMap<string, string> {
  const names: Readonly<Record<string, Readonly<Record<string, string | null>>>> = { ...parameters }
  return new Map(
    Object.keys(filters).flatMap((key) => {
      const name = names[list]?.[key] ?? null
      return name === null ? [] : [[key, name] as const]
    }),
  )
}

export function credentialNames({ authentication }: Behaviour): readonly string[] {
  return authentication?.scheme === 'query' ? [authentication.name] : []
}

function pageNames(style: Pagination | null): readonly string[] {
  if (style === null) return ['limit', 'cursor']
  if (style.style === 'page') return [style.pageParameter, style.sizeParameter]
  if (style.style === 'offset') return [style.offsetParameter, style.limitParameter]
  return style.style === 'link' ? ['cursor'] : []
}

function readFilters(
  parameters: URLSearchParams,
  operation: ListOperation,
  behaviour: Behaviour,
): FilterValues {
  const { list, filters } = operation
  // The spec's default of the active flag: true if omitted.
  const values: Record<string, string | number> = list === 'schedules' ? { active: 1 } : {}
  for (const [key, name] of filterNames(operation, behaviour)) {
    const filter = filters[key]
    const value = filter && readFilter(parameters, name, filter.value)
    if (filter && value !== undefined) values[filter.column] = value
  }
  return behaviour.ignored.has(list) ? {} : values
}

function readPage(
  parameters: URLSearchParams,
  style: Pagination | null,
  { pageSize }: Behaviour,
): AskedPage {
  const cursor = parameters.get('cursor') ?? undefined
  if (style === null) {
    const limit = readNumber(parameters, 'limit', [1, limitMax])
    if (limit === undefined && cursor === undefined) return { is: 'whole' }
    return { is: 'cursor', cursor, limit: limit ?? limitMax }
  }
  if (style.style === 'link') return { is: 'cursor', cursor, limit: pageSize }
  return style.style === 'none' ? { is: 'whole' } : readNumbered(parameters, style, pageSize)
}

const numberMax = 1_000_000

function readNumbered(
  parameters: URLSearchParams,
  style: Extract<Pagination, { readonly style: 'page' | 'offset' }>,
  pageSize: number,
): AskedPage {
  if (style.style === 'offset') {
    const asked = readNumber(parameters, style.limitParameter, [1, numberMax]) ?? style.limit
    const offset = readNumber(parameters, style.offsetParameter, [0, numberMax]) ?? 0
    return { is: 'number', offset, limit: Math.min(asked, style.limit, pageSize) }
  }
  const asked = readNumber(parameters, style.sizeParameter, [1, numberMax]) ?? style.size
  const page = readNumber(parameters, style.pageParameter, [style.first, numberMax]) ?? style.first
  const limit = Math.min(asked, style.size, pageSize)
  return { is: 'number', offset: (page - style.first) * limit, limit }
}

/* Query parameters must be known, unique and valid; otherwise `invalid`, with a message that names the parameter. */

/** Fails with `invalid` unless every parameter is known, given once and not empty. */
export function requireKnown(parameters: URLSearchParams, known: readonly string[]): void {
  for (const [name, value] of parameters) {
    if (!known.includes(name)) throw unknown(name, known)
    if (parameters.getAll(name).length > 1)
      throw wrong(name, 'stands there more than once: it takes one value')
    if (value === '') throw wrong(name, 'takes one value, and has none')
  }
}

function unknown(name: string, known: readonly string[]): AppError {
  const says =
    known.length > 0
      ? `There is no parameter ${shown(name)} here${meantOrAll(name, known)}`
      : `The parameter ${shown(name)} means nothing here: this operation takes none.`
  return new AppError('invalid', says)
}

/** Returns the filter's value as its column stores it; undefined if it is not given. */
export function readFilter(
  parameters: URLSearchParams,
  name: string,
  value: FilterValue,
): string | number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  if (value === 'identifier') {
    if (isIdentifier(text)) return text
    throw wrong(name, 'is an identifier of at most 256 characters')
  }
  if (value === 'date') return readDate(name, text)
  if (value === 'flag') return Number(readChoice(name, text, ['true', 'false']) === 'true')
  return readChoice(name, text, value)
}

/** Returns a whole number within the range; undefined if it is not given. */
export function readNumber(
  parameters: URLSearchParams,
  name: string,
  [least, most]: readonly [least: number, most: number],
): number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const nearest = Number.isNaN(number) ? '' : `; the nearest is ${number > most ? most : least}`
  throw wrong(name, `is a whole number from ${least} to ${most}${nearest}`)
}

function readChoice(name: string, text: string, values: readonly string[]): string {
  if (values.includes(text)) return text
  const meant = likelyMeant(text, values)
  const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`
  throw wrong(name, `is one of ${values.join(', ')}${hint}`)
}

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** A bare date means its midnight in UTC, like the timestamps of the spec. */
function readDate(name: string, text: string): Instant {
  if (date.safeParse(text).success) return Date.parse(text)
  const plus = text.includes(' ') ? ' (a plus sign is written %2B in an address)' : ''
  throw wrong(
    name,
    `is an ISO 8601 date or timestamp, such as 2026-01-05 or 2026-01-05T00:00:00.000Z${plus}`,
  )
}

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

/** Where a page of a list ends: the last record's place in the sort order. */
export interface Place {
  readonly sort: number
  readonly position: number
}

/** Returns an opaque cursor for the place; it is valid only for `subject`: the company, list and filters. */
export function writeCursor({ sort, position }: Place, subject: string): string {
  return Buffer.from(JSON.stringify([nameOf(subject), sort, position])).toString('base64url')
}

/** Returns the place; undefined if the cursor is invalid or belongs to another list. */
export function readCursor(cursor: string, subject: string): Place | undefined {
  const [, name, sort, position] =
    /^\["([\w-]{22})",(-?\d+),(\d+)\]$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const place = { sort: Number(sort), position: Number(position) }
  return name === nameOf(subject) && writeCursor(place, subject) === cursor ? place : undefined
}

function nameOf(subject: string): string {
  return hash('sha256', subject, 'base64url').slice(0, 22)
}
