import { z } from 'zod'

import { isTimezone } from '../calendar/local-time.ts'
import { faultsToldMax, type InputFault, AppError } from '../domain/errors.ts'
import { audiences } from '../domain/feed-options.ts'
import { feedStates, locales } from '../domain/feed.ts'
import { graceDaysMax } from '../domain/link.ts'
import { likelyMeant, meantOrAll } from '../domain/nearest.ts'
import { isOneLine, isVisible } from '../text/plain-text.ts'
import { isDots, linkLabelLengthMax } from './link-label.ts'

/** What every database takes as text. */
export const textField = z.string().refine(isOneLine, {
  abort: true,
  error: ({ input }) =>
    /[\r\n]/.test(String(input)) ? 'Must be one line.' : 'Must not hold control characters.',
})

/** What something is called by people, who must see it. */
function nameField(lengthMax: number): z.ZodString {
  return textField
    .trim()
    .min(1)
    .max(lengthMax)
    .refine((it) => it === '' || isVisible(it), 'Must hold a character that can be seen.')
}

/** An identifier of the Read API or of the bridge. */
export const idField = textField
  .min(1)
  .max(256)
  .refine((it) => !it.includes('\uFFFD'), {
    error: 'Must not hold U+FFFD, which stands for what could not be decoded.',
  })

/** A JSON object, every own member of it, whatever it is called. */
const objectField = z.unknown().refine(isObject, 'Must be an object.').meta({ type: 'object' })

/** The list that the schema says, of which nothing is looked at where it is too long. */
export function listField<T extends z.ZodType>(
  lengthMax: number,
  list: T,
): z.ZodPipe<z.ZodTransform, T> {
  const whole = z.transform<unknown, unknown>((input, { issues }) => {
    if (!Array.isArray(input) || input.length <= lengthMax) return input
    issues.push({ code: 'too_big', origin: 'array', maximum: lengthMax, inclusive: true, input })
    return z.NEVER
  })
  return whole.pipe(list.meta({ maxItems: lengthMax }))
}

/** A truth as addresses say it; the bare name says true. */
const flagField = z
  .string()
  .refine((it) => flags.has(it), 'Must be true or false.')
  .meta({ enum: ['', 'true', 'false', '1', '0'] })
  .transform((it) => flags.get(it))

const flags: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Issue = z.core.$ZodIssue
type SizeIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig

/** How the faults of an input are told. */
interface FaultWords {
  /** Where the input stands. */
  readonly pointer?: string
  /** What the input is made of. */
  readonly part?: 'member' | 'parameter'
  /** Members that exist and are not taken. */
  readonly fixed?: readonly string[]
  /** Of so many it is said what was meant: looking for that takes its time. */
  readonly hintsMax?: number | undefined
}

/**
 * The faults of a parse that failed with `reportInput`, each with an RFC 6901 pointer; a member that is not known with the
 * one that was meant.
 */
export function inputFaults(
  error: z.ZodError,
  schema: z.ZodType,
  { pointer = '', part = 'member', fixed = [], hintsMax = faultsToldMax }: FaultWords = {},
): readonly InputFault[] {
  let hints = 0
  const mayHint = (): boolean => (hints += 1) <= hintsMax
  return error.issues.flatMap((issue): InputFault[] => {
    const at = pointer + toPointer(issue.path)
    if (issue.code !== 'unrecognized_keys') return [{ pointer: at, detail: sentenceOf(issue) }]
    const known = membersOf(schemaAt(schema, issue.path))
    return issue.keys.map((key) => ({
      pointer: at + toPointer([key]),
      detail: fixed.includes(key)
        ? 'Cannot be changed.'
        : `There is no such ${part}${mayHint() ? hintAt(key, known) : '.'}`,
    }))
  })
}

/** The end of a sentence about a word that is not known: how it is written, what was meant, or all that there are. */
function hintAt(word: string, known: readonly string[]): string {
  const nested = likelyMeant(word, known) === undefined ? nestedForm(word, known) : undefined
  return nested === undefined ? meantOrAll(word, known) : `; write ${nested}.`
}

/** How a member of a member is written that is named with a dot; undefined for other words. */
function nestedForm(word: string, known: readonly string[]): string | undefined {
  const steps = word.split('.')
  if (steps.length < 2 || !known.includes(steps[0] ?? '')) return undefined
  return steps.reduceRight((value, step) => `{${JSON.stringify(step)}: ${value}}`, '…')
}

/** The schema of what stands at that place; undefined where none is known. */
function schemaAt(
  schema: z.core.$ZodType | undefined,
  [step, ...rest]: readonly PropertyKey[],
): z.core.$ZodType | undefined {
  const bare = unwrapped(schema)
  if (step === undefined) return bare
  if (bare instanceof z.ZodArray) return schemaAt(bare.element, rest)
  return bare instanceof z.ZodObject ? schemaAt(bare.shape[String(step)], rest) : undefined
}

function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
  return isWrapper ? unwrapped(schema.unwrap()) : schema
}

function membersOf(schema: z.core.$ZodType | undefined): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** What would be right; a field that says it itself is left its words. JSON knows no undefined: that is what is not there. */
function sentenceOf(issue: Issue): string {
  if ('input' in issue && issue.input === undefined) return 'Is missing.'
  if (issue.code === 'invalid_type')
    return `Must be ${typeNames[issue.expected] ?? issue.expected}.`
  if (issue.code === 'invalid_value') return `Must be ${issue.values.map(String).join(' or ')}.`
  if (issue.code === 'too_small') return sizeSentence(issue, 'at least', Number(issue.minimum))
  if (issue.code === 'too_big') return sizeSentence(issue, 'at most', Number(issue.maximum))
  const isDate = issue.code === 'invalid_format' && issue.format === 'date'
  return isDate ? 'Must be a date such as 2026-01-05.' : issue.message
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function sizeSentence({ origin }: SizeIssue, bound: string, count: number): string {
  if (origin === 'string' && count === 1) return 'Must not be empty.'
  if (origin === 'string') return `Must have ${bound} ${count} characters.`
  if (origin === 'array') return `Must have ${bound} ${count} ${count === 1 ? 'entry' : 'entries'}.`
  return `Must be ${bound} ${count}.`
}

/** Of a list that is read page by page. */
export const pageFields = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe('Of one page at most; one of 4 MiB ends earlier'),
  cursor: z.string().max(1000).optional().describe('The nextCursor of the page before'),
}

const timezone = z
  .string()
  // What is longer is none, and looking for it would take long and be remembered.
  .max(100, { abort: true })
  .refine(isTimezone, {
    error: 'Must be an IANA time zone such as Europe/Berlin.',
  })
const name = nameField(255)
const userIds = listField(
  500,
  z
    .array(idField)
    .min(1)
    .transform((ids) => [...new Set(ids)]),
)
/** What a link is called. */
export const linkLabelField = nameField(linkLabelLengthMax).refine(
  (it) => !isDots(it),
  'Must not be "." or "..".',
)
const locale = z.enum(locales)
const graceDays = z.int().min(0).max(graceDaysMax)

/** What a new feed may be given; what is left out takes its default. */
export const newFeedSchema = z.strictObject({
  companyId: idField.optional(),
  userIds,
  audience: z.enum(audiences).optional(),
  name: name.optional(),
  timezone: timezone.optional(),
  locale: locale.optional(),
  options: objectField.optional(),
})

/** What may be changed of a feed, as an RFC 7396 merge patch: null takes the default again. */
export const feedPatchSchema = z.strictObject({
  userIds: userIds.optional(),
  name: name.nullable().optional(),
  timezone: timezone.nullable().optional(),
  locale: locale.nullable().optional(),
  options: objectField.nullable().optional(),
})

/** What a new link may be given. */
export const newLinkSchema = z.strictObject({ label: linkLabelField })

/** What a rotation may be given: whose label, and for how many days the old link goes on. */
export const rotationSchema = z.strictObject({
  label: linkLabelField.default('default'),
  graceDays: graceDays.default(0),
})

/** Which feeds a list holds. */
export const feedListSchema = z.strictObject({
  companyId: idField.optional().describe('Only of this company'),
  userId: idField.optional().describe('Only those with this person in them'),
  state: z
    .enum(feedStates)
    .optional()
    .describe('open: served; revoked: ended by hand; closed: by the bridge, since its person left'),
  neverPolled: flagField
    .optional()
    .describe('Only those that no calendar program has asked for; a browser is none'),
  search: textField
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Only those with this text in their name, in the id or the known name of a person in them, or this id',
    ),
  ...pageFields,
})

/** How a feed or a link is ended. */
export const endSchema = z.strictObject({
  purge: flagField
    .optional()
    .describe('First 30 days of a calendar of one event that says that it has ended'),
})

/** What is said of a table in its address. */
export const tableSchema = z.strictObject({ companyId: idField.optional().describe('Of a table') })

/** Where an address says nothing but its path. */
export const bareSchema = z.strictObject({})

export type NewFeed = z.output<typeof newFeedSchema>
export type FeedPatch = z.output<typeof feedPatchSchema>

/**
 * The input as `schema` reads it; `invalid` with one fault per wrong or unknown member otherwise. Members that exist and are
 * `fixed` are told apart from unknown ones.
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  { what, fixed = [] }: { readonly what: string; readonly fixed?: readonly string[] },
): T {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new AppError('invalid', `${what} is not valid.`, {
    faults: inputFaults(parsed.error, schema, { fixed }),
  })
}

/** The query of an address as `schema` reads it; `invalid` with one fault per wrong or unknown parameter otherwise. */
export function parseQuery<T>(schema: z.ZodType<T>, query: object): T {
  const parsed = schema.safeParse(query, { reportInput: true })
  if (parsed.success) return parsed.data
  const faults = inputFaults(parsed.error, schema, { part: 'parameter' }).map((it) =>
    Array.isArray(Object(query)[it.pointer.slice(1)]) ? { ...it, detail: 'Must stand once.' } : it,
  )
  throw new AppError('invalid', `The query is not valid: ${sayFaults(faults)}`, { faults })
}

/** Of so many parameters it is said in the sentence, too. */
const saidMax = 10

/** Who calls an address by hand often sees nothing else. */
function sayFaults(faults: readonly InputFault[]): string {
  return faults
    .slice(0, saidMax)
    .map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`)
    .join(' ')
}
