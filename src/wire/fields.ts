import { z } from 'zod'

import type { PersonReference } from '../domain/user.ts'
import { cutText, plainLine, plainText, plainWord } from '../text/plain-text.ts'

/** One schema for each field of a domain record: none missing, none more. */
export type Fields<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> }

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: what four digits of a year can write. */
const earliest = -62_167_219_200_000
const latest = 253_402_300_799_999

export const timestampExpected = 'Invalid input: expected ISO 8601 timestamp'

/** ISO 8601 timestamp with `Z` or an offset, finer than milliseconds cut off ↔ Instant; written back in UTC with milliseconds. */
export const instant = z.codec(
  z.iso.datetime({ offset: true, error: timestampExpected }),
  z.int(timestampExpected).min(earliest, timestampExpected).max(latest, timestampExpected),
  { decode: (text) => Date.parse(text), encode: (value) => new Date(value).toISOString() },
)

/** What decoders make of bytes that are no UTF-8, and of halves of surrogate pairs: of two ids one. */
const replacement = '\uFFFD'

// Ids become keys in databases, and PostgreSQL stores neither U+0000 nor half a surrogate pair.
const idPattern = /^[^\p{Cc}\p{Cs}\uFFFD]{1,256}$/u

export const identifierExpected = 'Invalid input: expected identifier'
// RFC 8259 section 8.1: what systems exchange is UTF-8.
const decodedExpected = `${identifierExpected} in UTF-8`

/** An opaque identifier of 1 to 256 characters, none of them a control character or one that could not be decoded. */
export const id = z.string({ error: identifierExpected }).regex(idPattern, {
  error: ({ input }) => (isReplaced(input) ? decodedExpected : identifierExpected),
})

/** Whether it is a text of which something could not be decoded. */
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

/** A number, also as the decimal text by which some APIs spare it rounding; written back as a number. */
const number = z.union([z.number(), decimal], { error: 'Invalid input: expected number' })

export const optionalText = z.string().nullish()
export const optionalNumber = number.nullish()
export const optionalFlag = z.boolean().nullish()
export const optionalInstant = instant.nullish()

/** No calendar shows more of a name, and none shows more of any other text. */
const nameLengthMax = 500
const textLengthMax = 8_000
const wordLengthMax = 100
/** So much of a text is looked at for what is shown of it. */
const surplus = 4

/** A word of a list of words, as a status is. */
export const word = shown(plainWord, wordLengthMax)

/** What is shown of a name or title, on one line; of another text, on several; of a word of a list of words. */
export const optionalName = shown((text) => plainLine(text), nameLengthMax).nullish()
export const optionalShownText = shown((text) => plainText(text, '\n'), textLengthMax).nullish()
export const optionalWord = word.nullish()

/** An address as RFC 5321 section 4.5.3.1 bounds it: what is cut or cleaned is another's. */
export const optionalAddress = z
  .string()
  .max(254, { error: 'Invalid input: expected mail address' })
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Invalid input: expected mail address' })
  .nullish()

/** An id, or an empty text, which some write for none. */
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
      // A copy: a part of a text holds all of it in memory.
      return cleaned.length <= lengthMax
        ? cleaned
        : Buffer.from(cutText(cleaned, lengthMax)).toString()
    },
    encode: (kept) => kept,
  })
}

/** One thing that does not fit: its path within the record, and zod's sentence of what would be right. */
export type Unfit = Pick<z.core.$ZodIssue, 'path' | 'message'>

const none: readonly never[] = []

/** One record of an answer, as far as it can be read. */
export interface Reading<T> {
  /** What can be read of it; undefined where what it must have does not fit. */
  readonly record: T | undefined
  /** What counts as missing or, where there is no record, why there is none. */
  readonly unfit: readonly Unfit[]
  /** The decisive fields of which something counts as missing. */
  readonly inDoubt: readonly string[]
}

export type ReadRecord<T> = (json: unknown) => Reading<T>

/**
 * A reader that takes an optional field that does not fit for missing, within objects, too, and leaves out of a list what
 * does not fit; fields that the schema does not name are not looked at. On the decisive ones it depends whether a record
 * is shown at all.
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

/** What is wrong with a value that is `at` steps within the record. */
interface Wrong {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly at: number
}

/** JSON without what does not fit, undefined where it has to go as a whole, and all that was taken out. */
interface Pruned {
  readonly fitting: unknown
  readonly unfit: readonly Unfit[]
}

/** Each value is judged once, by the issues of the record as a whole: a record with thousands of them must not take long. */
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

/** What must be there has to fit, else the object goes as a whole. */
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

/** Whether an object fits without it. */
function isOptional(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && z.core.safeParse(schema, undefined).success
}

/** Whether the field, or something of a list that it is, was left out. */
function lacks(json: unknown, fitting: unknown, name: string): boolean {
  const came = isObject(json) ? json[name] : undefined
  const left = isObject(fitting) ? fitting[name] : undefined
  if (Array.isArray(came) && Array.isArray(left)) return left.length < came.length
  return came !== undefined && came !== null && left === undefined
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** A person as named inside another record: JSON ↔ PersonReference. */
export const personReferenceCodec = z.looseObject({
  id,
  firstName: optionalText,
  lastName: optionalText,
} satisfies Fields<PersonReference>)

/** What is shown of such a person. */
export const shownPerson = z.object({
  id,
  firstName: optionalName,
  lastName: optionalName,
} satisfies Fields<PersonReference>)
