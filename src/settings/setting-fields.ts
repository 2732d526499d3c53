/* How single settings are written. No message repeats a value: it may be a secret. */
import { z } from 'zod'

import { isTimezone } from '../calendar/local-time.ts'
import type { Authentication, Pagination, ParameterNames } from '../domain/connection.ts'

export const text = z.string().min(1)

/** A whole number from `least` to `most`, in digits. */
export function wholeNumber(least: number, most: number): z.ZodType<number> {
  return z.union([z.number(), z.string()]).transform((value, context) => {
    const number = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Number.NaN
    if (Number.isInteger(number) && number >= least && number <= most) return number
    context.addIssue(`must be a whole number from ${least} to ${most}`)
    return z.NEVER
  })
}

export const timezone = z
  .string()
  .refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin')

/** An absolute http(s) address without credentials, query and fragment; slashes at its end are dropped. */
export const httpAddress = z
  .string()
  .refine(
    isPlainHttpUrl,
    'must be an absolute http or https address without credentials, query and fragment',
  )
  .transform((value) => new URL(value).href.replace(/\/+$/, ''))

/** An absolute http(s) address, which may hold a credential of its own. */
export const proxyAddress = z
  .string()
  .refine(
    (value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
    'must be an absolute http or https address',
  )

export const databaseUrl = z
  .string()
  .refine(
    (value) => /^file:(?:(?!\/\/)|\/\/\/)./.test(value) || /^postgres(ql)?:\/\/./.test(value),
    'must be file:PATH for SQLite or postgres://… for PostgreSQL',
  )

export const authentication = z.string().transform((value, context): Authentication => {
  const parsed = parseAuthentication(value)
  if (parsed) return parsed
  context.addIssue(
    'must be none, bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE',
  )
  return z.NEVER
})

export const pagination = z.string().transform((value, context): Pagination => {
  const parsed = parsePagination(value)
  if (parsed) return parsed
  context.addIssue(
    'must be none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names)',
  )
  return z.NEVER
})

function parameter(name: string): z.ZodDefault<z.ZodNullable<z.ZodString>> {
  return z.string().min(1).nullable().default(name)
}

/** Query parameter names merged key by key over the defaults, which are those of the embedded Read API. */
export const parameters: z.ZodType<ParameterNames> = z.strictObject({
  timesheets: z
    .strictObject({
      employee: parameter('userId'),
      status: parameter('status'),
      from: parameter('startDate'),
      to: parameter('endDate'),
    })
    .prefault({}),
  leaves: z
    .strictObject({ employee: parameter('userId'), status: parameter('status') })
    .prefault({}),
  schedules: z
    .strictObject({ type: parameter('type'), active: parameter('isActive') })
    .prefault({}),
})

/** JSON in a setting, read by `schema`. */
export function json<T>(schema: z.ZodType<T>): z.ZodType<T, string> {
  return z
    .string()
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value)
      } catch {
        context.addIssue('must be JSON')
        return z.NEVER
      }
    })
    .pipe(schema)
}

/** Ids separated by commas; spaces round them are dropped. */
export const idList = z.string().transform((value) =>
  value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== ''),
)

export const onOrOff = z.enum(['on', 'off'], 'must be on or off')

export const recordUrl = z
  .string()
  .refine(
    (value) => /^https?:\/\//.test(value) && value.includes('{id}'),
    'must be an http or https address with {id}, and {kind} where kinds differ',
  )

function parseAuthentication(value: string): Authentication | undefined {
  const [, scheme, rest = ''] = /^([a-z]+)(?::(.*))?$/s.exec(value) ?? []
  if (scheme === 'none') return rest === '' ? { scheme } : undefined
  if (scheme === 'bearer') return bearer(rest)
  const colon = rest.indexOf(':')
  if (colon < 1) return undefined
  return named(scheme, rest.slice(0, colon), rest.slice(colon + 1))
}

function bearer(token: string): Authentication | undefined {
  return /^[\x21-\x7e]+$/.test(token) ? { scheme: 'bearer', token } : undefined
}

function named(
  scheme: string | undefined,
  name: string,
  secret: string,
): Authentication | undefined {
  if (scheme === 'basic') return { scheme, user: name, password: secret }
  if (scheme === 'header') return header(name, secret)
  return scheme === 'query' && secret !== '' ? { scheme, name, value: secret } : undefined
}

function header(name: string, value: string): Authentication | undefined {
  const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value)
  return isHeader ? { scheme: 'header', name, value } : undefined
}

function parsePagination(value: string): Pagination | undefined {
  if (value === 'none' || value === 'link') return { style: value }
  const [, style, one, two, count, first] =
    /^(page|offset):([^,]+),([^,]+),([1-9]\d{0,5})(?:,(\d{1,6}))?$/.exec(value) ?? []
  if (one === undefined || two === undefined) return undefined
  const size = Number(count)
  if (style === 'page') {
    return { style, pageParameter: one, sizeParameter: two, size, first: Number(first ?? 1) }
  }
  if (first !== undefined) return undefined
  return { style: 'offset', offsetParameter: one, limitParameter: two, limit: size }
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value)
  if (!url || !/^https?:\/\/[^\s?#]+$/i.test(value)) return false
  const isBare = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return isBare && /^https?:$/.test(url.protocol)
}
