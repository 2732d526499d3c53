import { hash } from 'node:crypto'

/* How single settings are written. No sentence repeats a value: it may be a secret. */
import { z } from 'zod'

import { isTimezone } from '../calendar/local-time.ts'
import {
  type Authentication,
  defaultParameters,
  type ParameterNames,
  everyList,
  type ListPagination,
  type Pagination,
} from '../domain/connection.ts'
import { faultsToldMax } from '../domain/errors.ts'
import { likelyMeant, nearest } from '../domain/nearest.ts'

export const text = z.string().min(1, 'must not be empty')

/** A name or an address, an IPv6 one also in the brackets that it has in URLs. */
export const host = text.transform((given) => given.replace(/^\[(.+)\]$/, '$1'))

/** What `parse` makes of it; `rule` says what is right where it gives undefined. */
export function parsed<Given, Value>(
  given: z.ZodType<Given, Given>,
  parse: (given: Given) => Value | undefined,
  rule: string,
): z.ZodType<Value, Given> {
  return given.transform((value, context) => {
    const result = parse(value)
    if (result !== undefined) return result
    context.addIssue(rule)
    return z.NEVER
  })
}

/** So many seconds as milliseconds; hours and days alike. */
export function seconds(least: number, most: number): z.ZodType<number, number | string> {
  return wholeNumber(least, most).transform((count) => count * 1000)
}

export function hours(least: number, most: number): z.ZodType<number, number | string> {
  return wholeNumber(least, most).transform((count) => count * 3_600_000)
}

export function days(least: number, most: number): z.ZodType<number, number | string> {
  return wholeNumber(least, most).transform((count) => count * 86_400_000)
}

/** A whole number from `least` to `most`, in digits; in a file it may stand as a text, as it does in the environment. */
export function wholeNumber(least: number, most: number): z.ZodType<number, number | string> {
  const rule = `must be a whole number from ${least} to ${most}`
  return parsed(
    z.union([z.number(), z.string()], rule),
    (given) => {
      const number = typeof given === 'number' || /^\d+$/.test(given) ? Number(given) : Number.NaN
      return Number.isInteger(number) && number >= least && number <= most ? number : undefined
    },
    rule,
  )
}

/** One of the values, all of which the sentence names. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
): z.ZodType<Value, Value> {
  return z.enum(values, `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
}

/** true for on. */
export const onOrOff = oneOf(['on', 'off']).transform((value) => value === 'on')

/** true for true. */
export const trueOrFalse = oneOf(['true', 'false']).transform((value) => value === 'true')

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

function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value)
  if (!url || !/^https?:\/\/[^\s?#]+$/i.test(value)) return false
  const isBare = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return isBare && /^https?:$/.test(url.protocol)
}

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

export const recordUrl = z
  .string()
  .refine(
    (value) => /^https?:\/\//.test(value) && value.includes('{id}'),
    'must be an http or https address with {id}, and {kind} where kinds differ',
  )

const fewMax = 8
const plainName = /^[a-z][a-z_-]{0,39}$/i

/** An object of these members and no others; each that it holds besides is a line of what is wrong. */
export function members<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  known: readonly string[] = Object.keys(shape),
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: ({ code, ...issue }) =>
      code === 'unrecognized_keys' ? sayUnknown(issue['keys'], known) : undefined,
  })
}

/** What was meant by a name that does not exist, as the end of a sentence. */
export function sayNearest(given: string, known: readonly string[]): string {
  const likely = likelyMeant(given, known)
  return likely === undefined
    ? `; the nearest that exists is ${nearest(given, known)}`
    : `: did you mean ${likely}?`
}

function sayUnknown(keys: unknown, known: readonly string[]): string {
  const unknown: readonly unknown[] = Array.isArray(keys) ? keys : []
  const told = unknown.slice(0, faultsToldMax).map((key) => sayUnknownKey(String(key), known))
  return told.join('\n')
}

/** Of few keys all are told: who writes `userId` for `employee` is not helped by the key that is spelled most like it. */
function sayMeant(key: string, known: readonly string[]): string {
  const isOneOfFew = known.length <= fewMax && likelyMeant(key, known) === undefined
  return isOneOfFew ? `; it may hold ${known.join(', ')}` : sayNearest(key, known)
}

/** A key is repeated only where it cannot be a secret that stands in the place of its name. */
function sayUnknownKey(key: string, known: readonly string[]): string {
  const isHarmless = plainName.test(key) || likelyMeant(key, known) !== undefined
  return isHarmless
    ? `must not hold "${key}"${sayMeant(key, known)}`
    : `must not hold other keys than ${known.join(', ')}`
}

/** How requests to the Read API prove who asks, as a word and what belongs to it. */
export const authentication = parsed(
  z.string(),
  parseAuthentication,
  'must be none, bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE',
)

function parseAuthentication(value: string): Authentication | undefined {
  const [, scheme, rest = ''] = /^([a-z]+)(?::(.*))?$/s.exec(value) ?? []
  if (scheme === 'none') return rest === '' ? { scheme } : undefined
  if (scheme === 'bearer') return /^[\x21-\x7e]+$/.test(rest) ? { scheme, token: rest } : undefined
  const colon = rest.indexOf(':')
  if (colon < 1) return undefined
  const [name, secret] = [rest.slice(0, colon), rest.slice(colon + 1)]
  // The password may be empty (RFC 7617 section 2).
  if (scheme === 'basic') return { scheme, user: name, password: secret }
  if (scheme === 'query') return secret === '' ? undefined : { scheme, name, value: secret }
  const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]+$/.test(secret)
  return scheme === 'header' && isHeader ? { scheme, name, value: secret } : undefined
}

const usual = defaultParameters

/** Query parameter names merged key by key over the defaults, which are those of the embedded Read API. */
export const parameterNames: z.ZodType<ParameterNames, object> = members({
  timesheets: members({
    employee: parameterName(usual.timesheets.employee),
    status: parameterName(usual.timesheets.status),
    from: parameterName(usual.timesheets.from),
    to: parameterName(usual.timesheets.to),
  }).prefault({}),
  leaves: members({
    employee: parameterName(usual.leaves.employee),
    status: parameterName(usual.leaves.status),
  }).prefault({}),
  schedules: members({
    type: parameterName(usual.schedules.type),
    active: parameterName(usual.schedules.active),
  }).prefault({}),
})

function parameterName(preset: string | null): z.ZodDefault<z.ZodNullable<z.ZodString>> {
  return text.nullable().default(preset)
}

const styles =
  'none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names)'

const pagingRule = `must be ${styles}, or JSON that gives one of these to leaves, timesheets, tasks, schedules or * (all others)`

const styleOfList = parsed(z.string(), parseStyle, `must be ${styles}`).optional()

const byList = members({
  leaves: styleOfList,
  timesheets: styleOfList,
  tasks: styleOfList,
  schedules: styleOfList,
  '*': styleOfList,
})

/** How the Read API parts its lists into pages: all alike, or each as an object says, in which `*` stands for those that it does not name. */
export const pagination: z.ZodType<ListPagination, string | object> = z
  .union([z.string(), z.looseObject({})], pagingRule)
  .transform((given, context) => {
    const lists = parseLists(given)
    if (typeof lists !== 'string') return lists
    context.addIssue(lists)
    return z.NEVER
  })

/** What tells connections apart by their paging: the one style of all lists, or those of each. */
export function pagingIdentity(lists: ListPagination): Pagination | ListPagination {
  const all = Object.values(lists).map((it) => JSON.stringify(it))
  return new Set(all).size === 1 ? lists.tasks : lists
}

/** The paging, or the lines of what is wrong with it. */
function parseLists(given: string | object): ListPagination | string {
  if (typeof given === 'object') return eachList(given)
  if (given.startsWith('{')) return eachList(objectIn(given))
  const every = parseStyle(given)
  return every ? everyList(every) : pagingRule
}

function objectIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function eachList(given: unknown): ListPagination | string {
  const { data: named, error } = byList.safeParse(given)
  if (!named) return linesOf(error)
  const { '*': others = { style: 'none' } as const, ...lists } = named
  const { leaves = others, timesheets = others, tasks = others, schedules = others } = lists
  return { leaves, timesheets, tasks, schedules }
}

function linesOf({ issues }: z.ZodError): string {
  const lines = issues.map(({ code, message }) =>
    code === 'unrecognized_keys' ? message : pagingRule,
  )
  return [...new Set(lines)].join('\n')
}

function parseStyle(value: string): Pagination | undefined {
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

/** The company of each key, by the SHA-256 of the key in base64url: no key itself is kept. */
export type SandboxKeys = ReadonlyMap<string, string>

/** Under which a key is kept. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'base64url')
}

const keysRule =
  'must be KEY=COMPANY, several separated by commas; a key is of printable ASCII characters other than comma and space, a company of 1 to 64 letters, digits, _, . and -'
const doubled = 'must not hold a key twice'

/** The keys of the sandbox: what comes after the last `=` of each is its company. */
export const sandboxKeys: z.ZodType<SandboxKeys, string> = z
  .string()
  .transform((given, context) => {
    const pairs = given.split(',').map((pair) => parsePair(pair.trim()))
    const found = pairs.flatMap((pair) => (pair ? [pair] : []))
    const keys = new Map(found.map(([key, company]) => [hashOfKey(key), company]))
    if (given === '') return keys
    if (found.length < pairs.length) context.addIssue(keysRule)
    else if (keys.size < found.length) context.addIssue(doubled)
    return keys
  })

function parsePair(pair: string): readonly [key: string, company: string] | undefined {
  const [, key, company] = /^([\x21-\x7e]+)=((?!\.{1,2}$)[\w.-]{1,64})$/.exec(pair) ?? []
  return key !== undefined && company !== undefined ? [key, company] : undefined
}
