/* How single settings are written. No sentence repeats a value: it may be a secret. */
import { z } from 'zod'

import { isTimezone } from '../calendar/local-time.ts'

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
