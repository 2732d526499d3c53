/* The format of single settings. Messages never quote a value: it may be a secret. */
import { hash } from 'node:crypto'

import { z } from 'zod'

import { holidayPlaces, isHolidayPlace, placeAround } from '../calendar/holidays.ts'
import { isTimezone } from '../calendar/local-time.ts'
import {
  type Authentication,
  byList,
  everyList,
  type ListPagination,
  type Pagination,
} from '../domain/connection.ts'
import { faultsToldMax } from '../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../domain/nearest.ts'
import { defaultParameters, listKinds, type ParameterNames } from '../domain/read-api.ts'
import { jsonOf } from '../json/read-json.ts'

export const text = z.string().min(1, 'must not be empty')
const trimmed = z.string().trim()

/** Applies `parse`; `rule` is the message if that returns undefined. */
function parsed<Given, Value>(
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

/** A host name or an IP address; IPv6 may have brackets, as in URLs. */
export const host = text.transform((given) => given.replace(/^\[(.+)\]$/, '$1'))

/** Accepts digits, as a number or as text in a file. Multiplies by `unit`, such as the milliseconds of a second. */
export function wholeNumber(
  least: number,
  most: number,
  unit = 1,
): z.ZodType<number, number | string> {
  const rule = `must be a whole number from ${least} to ${most}`
  return parsed(
    z.union([z.number(), z.string()], rule),
    (given) => {
      const number = typeof given === 'number' || /^\d+$/.test(given) ? Number(given) : Number.NaN
      return Number.isInteger(number) && number >= least && number <= most
        ? number * unit
        : undefined
    },
    rule,
  )
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
): z.ZodType<Value, Value> {
  return z.enum(values, `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
}

export const onOrOff = oneOf(['on', 'off']).transform((value) => value === 'on')
export const trueOrFalse = oneOf(['true', 'false']).transform((value) => value === 'true')

export const timezone = z
  .string()
  .refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin')

/** A country, state or region with public holidays, in capitals. */
export const holidayPlace = trimmed.toUpperCase().transform((place, context) => {
  if (isHolidayPlace(place)) return place
  context.addIssue(`must be a place with public holidays${placesInstead(place)}`)
  return z.NEVER
})

/** The known place around an unknown one, and all within; without such a place, the country that was probably meant. */
function placesInstead(place: string): string {
  const around = placeAround(place)
  if (around === '') return meantOrAll(place, holidayPlaces(''))
  if (!isHolidayPlace(around)) return placesInstead(around)
  return `: use ${[around, ...holidayPlaces(around)].join(', ')}`
}

const brandName = trimmed.regex(
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,60}$/u,
  'must be one line of 1 to 60 characters',
)
const color = trimmed
  .regex(/^#[\da-f]{6}$/i, 'must be a colour as #rrggbb, such as #0a6ebd')
  .toLowerCase()

/** Name, colour, and the path of a logo. */
export const brandShape = {
  name: brandName.optional(),
  logo: text.optional(),
  color: color.optional(),
}

/** Drops trailing slashes. */
export const httpAddress = parsed<string, string>(
  z.string(),
  (value) => {
    const url = /^https?:\/\/[^\s?#]+$/i.test(value) ? URL.parse(value) : null
    return url?.username === '' && url.password === '' ? url.href.replace(/\/+$/, '') : undefined
  },
  'must be an absolute http or https address without credentials, query and fragment',
)

/** May contain a credential of its own. */
export const proxyAddress = z
  .string()
  .refine(
    (value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
    'must be an absolute http or https address',
  )

export const databaseUrl = z
  .string()
  .regex(
    /^(?:file:(?:(?!\/\/)|\/\/\/).|postgres(?:ql)?:\/\/.)/,
    'must be file:PATH for SQLite or postgres://… for PostgreSQL',
  )

export const recordUrl = z
  .string()
  .regex(
    /^https?:\/\/.*\{id\}/s,
    'must be an http or https address with {id}, and {kind} where kinds differ',
  )

export const adminToken = z
  .string()
  .min(16, 'must have 16 characters or more')
  .regex(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces')

/** An object with only these members; the message has one line per unknown key. */
export function members<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  known: readonly string[] = Object.keys(shape),
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' && Array.isArray(issue['keys'])
        ? issue['keys']
            .slice(0, faultsToldMax)
            .map((key) => sayUnknownKey(key, known))
            .join('\n')
        : undefined,
  })
}

/** Quotes a key only if it looks like a name: it may be a misplaced secret. */
function sayUnknownKey(key: string, known: readonly string[]): string {
  const isName = /^[a-z][a-z_-]{0,39}$/i.test(key) || likelyMeant(key, known) !== undefined
  return `must not hold ${isName ? `"${key}"` : 'such a key'}${meantOrAll(key, known)}`
}

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

/** Names of query parameters, merged key by key over the defaults. */
export const parameterNames = parameterNamesOf()

function parameterNamesOf(): z.ZodType<ParameterNames, object>
function parameterNamesOf(): z.ZodType {
  const ofList = (names: object): z.ZodType => {
    const fields = Object.entries(names).map(([filter, name]) => [filter, parameterName(name)])
    return members(Object.fromEntries(fields)).prefault({})
  }
  const lists = Object.entries(defaultParameters).map(([list, names]) => [list, ofList(names)])
  return members(Object.fromEntries(lists))
}

function parameterName(defaultValue: string | null): z.ZodDefault<z.ZodNullable<z.ZodString>> {
  return text.nullable().default(defaultValue)
}

const styles =
  'none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names)'
const pagingRule = `must be ${styles}, or JSON that gives one of these to ${listKinds.join(', ')} or * (all others)`
const styleOfList = parsed(z.string(), parseStyle, pagingRule).optional()
const styleByList = z.strictObject({ ...byList(() => styleOfList), '*': styleOfList })

/** How the Read API splits its lists into pages: one style for all, or one per list, with `*` for all others. */
export const pagination = parsed<string | object, ListPagination>(
  z.union([z.string(), z.looseObject({})], pagingRule),
  (given) => {
    const style = typeof given === 'string' ? parseStyle(given) : undefined
    if (style) return everyList(style)
    const lists = styleByList.safeParse(typeof given === 'string' ? jsonOf(given) : given).data
    if (!lists) return undefined
    const { '*': others = { style: 'none' } as const, ...named } = lists
    return byList((list) => named[list] ?? others)
  },
  pagingRule,
)

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

/** Maps the SHA-256 of a sandbox key, in base64url, to its company. */
export type SandboxKeys = ReadonlyMap<string, string>

export function hashOfKey(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** A key may contain `=`: the company follows the last one. */
export const sandboxKeys = parsed<string, SandboxKeys>(
  z.string(),
  (given) => {
    const pairs = given === '' ? [] : given.split(',').map((pair) => pair.trim())
    const keys = new Map<string, string>()
    for (const pair of pairs) {
      const [, key, company] = /^([\x21-\x7e]+)=((?!\.{1,2}$)[\w.-]{1,64})$/.exec(pair) ?? []
      if (key !== undefined && company !== undefined) keys.set(hashOfKey(key), company)
    }
    return keys.size === pairs.length ? keys : undefined
  },
  'must be KEY=COMPANY, several separated by commas, no key twice; a key is of printable ASCII characters other than comma and space, a company of 1 to 64 letters, digits, _, . and -',
)

/** Keeps a trailing slash: the address must match the provider's own spelling. */
export const issuer = trimmed
  .regex(
    /^https?:\/\/[^\s?#@]+$/i,
    'must be the absolute http or https address of the identity provider, without credentials, query and fragment',
  )
  .refine((value) => URL.canParse(value), 'must be an address')

export const clientId = trimmed.min(1, 'must not be empty')

/** Refuses outer spaces instead of trimming them: they could be part of the secret. */
export const clientSecret = text.regex(
  /^\S(?:.*\S)?$/,
  'must not begin or end with a space, nor hold more than one line',
)

/** Identifies people by their mail address, or by a claim with their user id. */
export const personClaim = parsed<
  string,
  { readonly by: 'email' } | { readonly by: 'claim'; readonly name: string }
>(
  trimmed,
  (given) => {
    if (given === 'email') return { by: 'email' }
    const name = /^claim:(\S+)$/.exec(given)?.[1]
    return name === undefined ? undefined : { by: 'claim', name }
  },
  'must be email or claim:NAME, the claim that holds the user id',
)

/** People are staff if this claim equals or contains the value. */
export const staffClaim = parsed<string, { readonly claim: string; readonly value: string }>(
  trimmed,
  (given) => {
    const [, claim, value] = /^([^\s=#"']+) *= *([^\s"'](?:(?!\s#).)*)$/.exec(given) ?? []
    return claim === undefined || value === undefined ? undefined : { claim, value }
  },
  'must be CLAIM=VALUE, such as groups=hr-admins, with neither quotation marks around it nor a comment behind it',
)

const defaultPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

export const smtpUrl = parsed(
  z.string(),
  (given) => {
    const url = URL.parse(given)
    const defaultPort = url && defaultPorts[url.protocol]
    if (!defaultPort || !/^\/?$/.test(url.pathname + url.search + url.hash)) return undefined
    try {
      const user = decodeURIComponent(url.username)
      const password = decodeURIComponent(url.password)
      const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
      if (hostname === '') return undefined
      return {
        host: hostname,
        port: Number(url.port || defaultPort),
        /** Starts with TLS; otherwise STARTTLS secures the connection. */
        startsSecure: url.protocol === 'smtps:',
        user: user === '' ? null : user,
        password: password === '' ? null : password,
      }
    } catch {
      return undefined
    }
  },
  'must be smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT, with nothing behind it; in USER and PASSWORD, characters other than letters and digits as %XX',
)

/** An address, with or without a name. */
export const mailAddress = parsed<string, { readonly name: string; readonly address: string }>(
  z.string(),
  (given) => {
    if (/[\p{Cc}\p{Cs}]/u.test(given)) return undefined
    const [, name = '', angled] = /^(.*?)\s*<([^<>]*)>$/.exec(given.trim()) ?? []
    const address = angled ?? given.trim()
    const isAddress = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(address)
    return isAddress ? { name: name.replace(/^"(.*)"$/, '$1'), address } : undefined
  },
  'must be a mail address, or a name and one: Work calendars <calendars@example.com>',
)
