import { z } from 'zod'

import type { PersonReference } from '../domain/user.ts'
import { isObject } from '../json/read-json.ts'
import { cutText, plainLine, plainText, plainWord } from '../text/plain-text.ts'

/** Exactly one schema for each field of a domain record. */
export type Fields<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> }

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: the range of four-digit years. */
const earliest = -62_167_219_200_000
const latest = 253_402_300_799_999

export const timestampExpected = 'Invalid input: expected ISO 8601 timestamp'

/**
 * ISO 8601 timestamp with `Z` or an offset ↔ Instant. Digits beyond milliseconds are cut off; written in UTC with
 * milliseconds.
 */
export const instant = z.codec(
  z.iso.datetime({ offset: true, error: timestampExpected }),
  z.int(timestampExpected).min(earliest, timestampExpected).max(latest, timestampExpected),
  { decode: (text) => Date.parse(text), encode: (value) => new Date(value).toISOString() },
)

/** Replaces invalid UTF-8 and lone surrogates when decoded, which can make two ids the same. */
const replacement = '\uFFFD'

// Ids become database keys, and PostgreSQL stores neither U+0000 nor lone surrogates.
const idPattern = /^[^\p{Cc}\p{Cs}\uFFFD]{1,256}$/u

export const identifierExpected = 'Invalid input: expected identifier'
// RFC 8259 section 8.1: JSON exchanged between systems must be UTF-8.
const decodedExpected = `${identifierExpected} in UTF-8`

/** An opaque identifier: 1 to 256 characters, without control characters and characters that could not be decoded. */
export const id = z.string({ error: identifierExpected }).regex(idPattern, {
  error: ({ input }) => (isReplaced(input) ? decodedExpected : identifierExpected),
})

/** Returns whether part of the text could not be decoded. */
export function isReplaced(input: unknown): boolean {
  return typeof input === 'string' && input.includes(replacement)
}

export function isIdentifier(text: string): boolean {
  return idPattern.test(text)
}

const decimal = z.codec(z.string().regex(/^[+-]?\d+(?:\.\d+)?$/), z.number(), {
  decode: Number,
  encode: String,
})

/** A number, or decimal text, which some APIs send to avoid rounding; written as a number. */
const number = z.union([z.number(), decimal], { error: 'Invalid input: expected number' })

export const optionalText = z.string().nullish()
export const optionalNumber = number.nullish()
export const optionalFlag = z.boolean().nullish()
export const optionalInstant = instant.nullish()

/** No calendar shows longer names or other texts. */
const nameLengthMax = 500
const textLengthMax = 8_000
const wordLengthMax = 100
/** Text is cut to this multiple of its maximum length before cleaning, to limit the work. */
const surplus = 4

export const word = shown(plainWord, wordLengthMax)

/** As shown: a name or title on one line, other text on several lines, a word from a list. */
export const optionalName = shown((text) => plainLine(text), nameLengthMax).nullish()
export const optionalShownText = shown((text) => plainText(text, '\n'), textLengthMax).nullish()
export const optionalWord = word.nullish()

/** A mail address, limited by RFC 5321 section 4.5.3.1. Never cut or cleaned: the result would be another person's address. */
export const optionalAddress = z
  .string()
  .max(254, { error: 'Invalid input: expected mail address' })
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Invalid input: expected mail address' })
  .nullish()

/** An id, or an empty text, which some APIs send for none. */
export const optionalReference = z
  .union([z.literal(''), id], { error: 'Invalid input: expected identifier' })
  .nullish()

/** Text as it is shown: cleaned, and cut between two graphemes. */
function shown(
  clean: (text: string) => string,
  lengthMax: number,
): z.ZodCodec<z.ZodString, z.ZodString> {
  return z.codec(z.string(), z.string(), {
    decode: (given) => {
      const cleaned = clean(given.slice(0, surplus * lengthMax))
      // A copy: a slice would keep the whole string in memory.
      return cleaned.length <= lengthMax
        ? cleaned
        : Buffer.from(cutText(cleaned, lengthMax)).toString()
    },
    encode: (kept) => kept,
  })
}

/** A value that does not fit: its path within the record, and zod's message. */
export type Unfit = Pick<z.core.$ZodIssue, 'path' | 'message'>

const none: readonly never[] = []

export interface Reading<T> {
  /** The readable part; undefined if a required field does not fit. */
  readonly record: T | undefined
  /** What is treated as missing or, if there is no record, the reason. */
  readonly unfit: readonly Unfit[]
  /** Decisive fields of which something is treated as missing. */
  readonly inDoubt: readonly string[]
}

export type ReadRecord<T> = (json: unknown) => Reading<T>

/**
 * Returns a reader that treats invalid optional fields as missing, also within objects, and drops invalid list elements.
 * Ignores fields outside the schema. The decisive fields determine whether a record is shown at all.
 */
export function forgiving<T>(
  schema: z.ZodType<T>,
  decisive: readonly (keyof T & string)[] = [],
): ReadRecord<T> {
  return (json) => {
    const whole = schema.safeParse(json)
    if (whole.success) return { record: whole.data, unfit: none, inDoubt: none }
    const { fitting, unfit } = prune(schema, json, { issues: whole.error.issues, at: 0 })
    if (fitting === undefined) return { record: undefined, unfit, inDoubt: none }
    const { data: record, error } = schema.safeParse(fitting)
    if (error) return { record: undefined, unfit: error.issues, inDoubt: none }
    return { record, unfit, inDoubt: decisive.filter((name) => lacks(json, fitting, name)) }
  }
}

/** The issues of a value that is `at` steps within the record. */
interface Wrong {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly at: number
}

/** JSON without what does not fit (undefined if it must go as a whole), and all issues removed. */
interface Pruned {
  readonly fitting: unknown
  readonly unfit: readonly Unfit[]
}

/** Checks each value once, by the issues of the whole record: a record with thousands of values must not take long. */
function prune(schema: z.core.$ZodType, json: unknown, wrong: Wrong): Pruned {
  const { issues, at } = wrong
  if (issues.length === 0) return { fitting: json, unfit: none }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return prune(schema.unwrap(), json, wrong)
  }
  if (issues.some(({ path }) => path.length === at)) return { fitting: undefined, unfit: issues }
  if (schema instanceof z.ZodObject && isObject(json)) return pruneObject(schema.shape, json, wrong)
  if (schema instanceof z.ZodArray && Array.isArray(json)) {
    return pruneList(schema.element, json, wrong)
  }
  return { fitting: undefined, unfit: issues }
}

/** If a required field does not fit, the whole object is dropped. */
function pruneObject(
  shape: z.core.$ZodShape,
  json: Readonly<Record<string, unknown>>,
  { issues, at }: Wrong,
): Pruned {
  const wrong = Map.groupBy(issues, ({ path }) => path[at])
  const needful = [...wrong].flatMap(([name, some]) =>
    isOptional(shape[String(name)]) ? [] : some,
  )
  if (needful.length > 0) return { fitting: undefined, unfit: needful }
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    ...prune(schema, json[name], { issues: wrong.get(name) ?? none, at: at + 1 }),
  }))
  const fitting = Object.fromEntries(fields.map((field) => [field.name, field.fitting]))
  return { fitting, unfit: fields.flatMap(({ unfit }) => unfit) }
}

function pruneList(
  schema: z.core.$ZodType,
  json: readonly unknown[],
  { issues, at }: Wrong,
): Pruned {
  const wrong = Map.groupBy(issues, ({ path }) => path[at])
  const elements = json.map((element, index) =>
    prune(schema, element, { issues: wrong.get(index) ?? none, at: at + 1 }),
  )
  const fitting = elements.map((element) => element.fitting).filter((it) => it !== undefined)
  return { fitting, unfit: elements.flatMap(({ unfit }) => unfit) }
}

function isOptional(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && z.core.safeParse(schema, undefined).success
}

/** Returns whether the field, or an element of its list, was dropped. */
function lacks(json: unknown, fitting: unknown, name: string): boolean {
  const came = isObject(json) ? json[name] : undefined
  const left = isObject(fitting) ? fitting[name] : undefined
  if (Array.isArray(came) && Array.isArray(left)) return left.length < came.length
  return came !== undefined && came !== null && left === undefined
}

/** A person as named inside another record: JSON ↔ PersonReference. */
export const personReferenceCodec = z.looseObject({
  id,
  firstName: optionalText,
  lastName: optionalText,
} satisfies Fields<PersonReference>)

export const shownPerson = z.object({
  id,
  firstName: optionalName,
  lastName: optionalName,
} satisfies Fields<PersonReference>)
