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

/** The values of a list's filters, by their keys; `project` is the one whose tasks are listed. */
export type FilterValues = Readonly<Record<string, string | number | boolean | undefined>>

/** What a request asks of a list, the company aside. */
export interface AskedList {
  readonly filters: FilterValues
  readonly page: AskedPage
}

/** All of the list; so many from a cursor on, after which a link leads on; or a page by its number. */
export type AskedPage =
  | { readonly is: 'whole' }
  | { readonly is: 'cursor'; readonly cursor: string | undefined; readonly limit: number }
  | { readonly is: 'number'; readonly offset: number; readonly limit: number }

/** Reads what is asked of the list; `invalid` for a parameter that it does not take, or that cannot be meant. */
export function readListQuestion(
  parameters: QueryParameters,
  operation: ListOperation,
  behaviour: Behaviour,
): AskedList {
  const names = filterNames(operation, behaviour)
  const style = behaviour.pagination?.[operation.list] ?? null
  requireKnown(parameters, [...queryNames(operation, behaviour), ...credentialNames(behaviour)])
  return {
    filters: readFilters(parameters, operation, { names, behaviour }),
    page: readPage(parameters, style, behaviour),
  }
}

/** Which query parameters mean something there, the credential's aside. */
export function queryNames(operation: ListOperation, behaviour: Behaviour): readonly string[] {
  const style = behaviour.pagination?.[operation.list] ?? null
  return [...filterNames(operation, behaviour).values(), ...pageNames(style)]
}

/** The names of the query parameters by the keys of the filters; one that does not exist is not among them. */
export function filterNames(
  { list, filters }: ListOperation,
  { parameters }: Pick<Behaviour, 'parameters'>,
): ReadonlyMap<string, string> {
  const names: Readonly<Record<string, Readonly<Record<string, string | null>>>> = { ...parameters }
  return new Map(
    Object.keys(filters).flatMap((key) => {
      const name = names[list]?.[key] ?? null
      return name === null ? [] : [[key, name] as const]
    }),
  )
}

/** Which query parameter carries the credential, where one does. */
export function credentialNames({ authentication }: Behaviour): readonly string[] {
  return authentication?.scheme === 'query' ? [authentication.name] : []
}

function pageNames(style: Pagination | null): readonly string[] {
  if (style === null) return ['limit', 'cursor']
  if (style.style === 'page') return [style.pageParameter, style.sizeParameter]
  if (style.style === 'offset') return [style.offsetParameter, style.limitParameter]
  return style.style === 'link' ? ['cursor'] : []
}

interface Reading {
  readonly names: ReadonlyMap<string, string>
  readonly behaviour: Behaviour
}

function readFilters(
  parameters: QueryParameters,
  { list, filters }: ListOperation,
  { names, behaviour }: Reading,
): FilterValues {
  const values = [...names].map(([key, name]) => {
    const filter = filters[key]
    return [key, filter && readFilter(parameters, name, filter.value)] as const
  })
  if (behaviour.ignored.has(list)) return {}
  const asked = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  // What the spec says of the active flag: true where it is left out.
  return list === 'schedules' ? { active: true, ...asked } : asked
}

function readPage(
  parameters: QueryParameters,
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
  parameters: QueryParameters,
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

/* The query parameters of a request: each known, there once and readable, or `invalid` with a sentence that names it. */

export type QueryParameters = URLSearchParams

/** What an operation takes: that and nothing else, each once and with a value. */
export function requireKnown(parameters: QueryParameters, known: readonly string[]): void {
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
  parameters: QueryParameters,
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
  parameters: QueryParameters,
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

/** Where a page of a list ends: the last record's place in the list's order. */
export interface Place {
  readonly sort: number
  readonly position: number
}

/** What a cursor goes on with: it means nothing for another company, list or filter, or once the company was loaded again. */
export type CursorSubject = readonly unknown[]

const written = z.tuple([z.string(), z.int(), z.int()])

/** An opaque text for that place. */
export function writeCursor({ sort, position }: Place, subject: CursorSubject): string {
  return Buffer.from(JSON.stringify([nameOf(subject), sort, position])).toString('base64url')
}

/** The place; undefined where the cursor is none, or one of something else. */
export function readCursor(cursor: string, subject: CursorSubject): Place | undefined {
  const { data } = written.safeParse(parsed(cursor))
  if (data === undefined || data[0] !== nameOf(subject)) return undefined
  const place = { sort: data[1], position: data[2] }
  return writeCursor(place, subject) === cursor ? place : undefined
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

function nameOf(subject: CursorSubject): string {
  return hash('sha256', JSON.stringify(subject), 'base64url').slice(0, 22)
}
