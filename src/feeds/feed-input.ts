import { z } from 'zod'

import { isTimezone } from '../calendar/local-time.ts'
import { faultsToldMax, type InputFault, AppError, pointerTo } from '../domain/errors.ts'
import { firstNamePlace } from '../domain/feed-name.ts'
import { audiences, peopleMax } from '../domain/feed-options.ts'
import { feedStates, locales, teamDepths } from '../domain/feed.ts'
import { graceDaysMax } from '../domain/link.ts'
import { likelyMeant, meantOrAll } from '../domain/nearest.ts'
import { isObject } from '../json/read-json.ts'
import { isOneLine, isVisible } from '../text/plain-text.ts'
import { isDots, linkLabelLengthMax } from './link-label.ts'

/** Text that every database can store. */
export const textField = z.string().refine(isOneLine, {
  abort: true,
  error: ({ input }) =>
    /[\r\n]/.test(String(input)) ? 'Must be one line.' : 'Must not hold control characters.',
})

function nameField(lengthMax: number): z.ZodString {
  return textField
    .trim()
    .min(1)
    .max(lengthMax)
    .refine((it) => it === '' || isVisible(it), 'Must hold a character that can be seen.')
}

export const idField = textField
  .min(1)
  .max(256)
  .refine((it) => !it.includes('\uFFFD'), {
    error: 'Must not hold U+FFFD, which stands for what could not be decoded.',
  })

export const objectField = z
  .unknown()
  .refine(isObject, 'Must be an object.')
  .meta({ type: 'object' })

/** If the list is too long, its elements are not checked. */
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

/** A boolean in a query; the bare name means true. */
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

type Issue = z.core.$ZodIssue
type SizeIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig

/** Pointers of the members that no patch changes. */
export function fixedIn(shown: z.ZodObject, patch: z.ZodObject): readonly string[] {
  const names = Object.keys(shown.shape).filter((it) => !(it in patch.shape))
  return names.map((it) => `/${it}`)
}

interface FaultWords {
  readonly pointer?: string
  readonly part?: 'member' | 'parameter'
  /** Pointers of members that exist but cannot be changed. */
  readonly fixed?: readonly string[]
  /** Maximum number of suggestions, which take time to find. */
  readonly hintsMax?: number | undefined
}

/** The faults of a parse with `reportInput`, each with a pointer (RFC 6901); unknown members come with a suggestion. */
export function inputFaults(
  error: z.ZodError,
  schema: z.ZodType,
  { pointer = '', part = 'member', fixed = [], hintsMax = faultsToldMax }: FaultWords = {},
): readonly InputFault[] {
  let hints = 0
  const mayHint = (): boolean => (hints += 1) <= hintsMax
  return error.issues.flatMap((issue): InputFault[] => {
    const at = pointer + pointerTo(issue.path)
    if (issue.code !== 'unrecognized_keys') return [{ pointer: at, detail: sentenceOf(issue) }]
    const known = membersOf(schemaAt(schema, issue.path))
    return issue.keys.map((key) => {
      const ofKey = at + pointerTo([key])
      const hint = (): string => (mayHint() ? hintAt(key, known) : '.')
      const isFixed = fixed.includes(ofKey)
      const detail = isFixed ? 'Cannot be changed.' : `There is no such ${part}${hint()}`
      return { pointer: ofKey, detail }
    })
  })
}

function hintAt(word: string, known: readonly string[]): string {
  const nested = likelyMeant(word, known) === undefined ? nestedForm(word, known) : undefined
  return nested === undefined ? meantOrAll(word, known) : `; write ${nested}.`
}

/** `{"leaves": {"detail": …}}` for `leaves.detail`. */
function nestedForm(word: string, known: readonly string[]): string | undefined {
  const steps = word.split('.')
  if (steps.length < 2 || !known.includes(steps[0] ?? '')) return undefined
  return steps.reduceRight((value, step) => `{${JSON.stringify(step)}: ${value}}`, '…')
}

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

/** What would be right; fields with a sentence of their own keep it. */
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

export const pageFields = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe('Maximum entries of one page; a page of 4 MiB ends earlier'),
  cursor: z.string().max(1000).optional().describe('nextCursor of the previous page'),
}

const timezone = z
  .string()
  // No zone is longer; looking up a longer name would take time.
  .max(100, { abort: true })
  .refine(isTimezone, {
    error: 'Must be an IANA time zone such as Europe/Berlin.',
  })
const name = nameField(255)
/** A name that may contain the person's first name. */
export const nameTemplateField = name.refine(
  (text) => !/[{}]/.test(text.replace(firstNamePlace, '')),
  `Must not contain braces, except in one ${firstNamePlace}.`,
)
const userIds = listField(
  peopleMax,
  z
    .array(idField)
    .min(1)
    .transform((ids) => [...new Set(ids)]),
)
export const linkLabelField = nameField(linkLabelLengthMax).refine(
  (it) => !isDots(it),
  'Must not be "." or "..".',
)
const locale = z.enum(locales)
const depth = z.enum(teamDepths)
const graceDays = z.int().min(0).max(graceDaysMax)

export const newFeedSchema = z
  .strictObject({
    companyId: idField.optional(),
    userIds: userIds.optional().describe('Required without team'),
    team: z
      .strictObject({ managerId: idField, depth: depth.default('direct') })
      .nullable()
      .optional()
      .describe(
        'Instead of userIds: everybody who reports to the manager, directly or at any depth',
      ),
    audience: z.enum(audiences).optional(),
    name: name.optional(),
    timezone: timezone.optional(),
    locale: locale.optional(),
    options: objectField.optional(),
  })
  .meta({ anyOf: [{ required: ['userIds'] }, { required: ['team'] }] })

/** A merge patch (RFC 7396): null restores the default. */
export const feedPatchSchema = z.strictObject({
  userIds: userIds.optional(),
  team: z
    .strictObject({ managerId: idField.optional(), depth: depth.nullable().optional() })
    .nullable()
    .optional()
    .describe('Only for audience others; null keeps today’s members and stops following'),
  name: name.nullable().optional(),
  timezone: timezone.nullable().optional(),
  locale: locale.nullable().optional(),
  options: objectField.nullable().optional(),
})

export const newLinkSchema = z.strictObject({ label: linkLabelField })

export const rotationSchema = z.strictObject({
  label: linkLabelField.default('default'),
  graceDays: graceDays.default(0),
})

export const feedListSchema = z.strictObject({
  companyId: idField.optional().describe('Only this company'),
  userId: idField.optional().describe('Only feeds that show this person'),
  state: z
    .enum(feedStates)
    .optional()
    .describe(
      'open: served; revoked: ended by staff; closed: ended by the bridge because its person left',
    ),
  neverPolled: flagField
    .optional()
    .describe('Only feeds that no calendar program has asked for; browsers do not count'),
  search: textField
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Only feeds with this id, or with this text in their name or in the id or name of one of their people',
    ),
  ...pageFields,
})

export const endSchema = z.strictObject({
  purge: flagField
    .optional()
    .describe('For 30 days, serve a calendar with one event that says it has ended'),
})

export const previewSchema = z.strictObject({
  as: z
    .enum(['others'])
    .optional()
    .describe('others: as a colleague’s calendar shows it, with the company’s defaults for others'),
})

export const tableSchema = z.strictObject({
  companyId: idField.optional().describe('Company of a table'),
})

/** For addresses without parameters. */
export const bareSchema = z.strictObject({})

export type NewFeed = z.output<typeof newFeedSchema>
export type FeedPatch = z.output<typeof feedPatchSchema>

/** `invalid` with one fault for each wrong or unknown member; `fixed` members exist but cannot be changed. */
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

/** `invalid` with one fault for each wrong or unknown parameter. */
export function parseQuery<T>(schema: z.ZodType<T>, query: object): T {
  const parsed = schema.safeParse(query, { reportInput: true })
  if (parsed.success) return parsed.data
  const faults = inputFaults(parsed.error, schema, { part: 'parameter' }).map((it) =>
    Array.isArray(Object(query)[it.pointer.slice(1)]) ? { ...it, detail: 'Must stand once.' } : it,
  )
  throw new AppError('invalid', `The query is not valid: ${sayFaults(faults)}`, { faults })
}

const saidMax = 10

/** In a browser only the sentence is visible. */
function sayFaults(faults: readonly InputFault[]): string {
  return faults
    .slice(0, saidMax)
    .map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`)
    .join(' ')
}
