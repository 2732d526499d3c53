import { z } from 'zod'

import { cutText, plainLine, plainText, plainWord } from '../text/plain-text.ts'

/** One schema for each field of a domain record: none missing, none more. */
export type Fields<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> }

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: what four digits of a year can write. */
const earliest = -62_167_219_200_000
const latest = 253_402_300_799_999

/** What is said of what is no timestamp. */
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

/** What is said of what is no identifier. */
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

/** Whether the text can be an identifier at all. */
export function isIdentifier(text: string): boolean {
  return idPattern.test(text)
}

const decimalPattern = /^[+-]?\d+(?:\.\d+)?$/

const decimal = z.codec(z.string().regex(decimalPattern), z.number(), {
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

const name = shown((text) => plainLine(text), nameLengthMax)
const text = shown((given) => plainText(given, '\n'), textLengthMax)

/** A word of a list of words, as a status is. */
export const word = shown(plainWord, wordLengthMax)

/** What is shown of a name or title, on one line; of another text, on several; of a word of a list of words. */
export const optionalName = name.nullish()
export const optionalShownText = text.nullish()
export const optionalWord = word.nullish()

/** An address as RFC 5321 section 4.5.3.1 bounds it: what is cut or cleaned is another's. */
export const optionalAddress = z
  .string()
  .max(254, { error: 'Invalid input: expected mail address' })
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Invalid input: expected mail address' })
  .nullish()

/** Whose id it is, where it is one; some write an empty text for nobody. */
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
      return cleaned.length <= lengthMax ? cleaned : copied(cutText(cleaned, lengthMax))
    },
    encode: (kept) => kept,
  })
}

/** A part of a text holds all of it in memory. */
function copied(part: string): string {
  return Buffer.from(part).toString()
}
