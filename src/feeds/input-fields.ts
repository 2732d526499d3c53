import { z } from 'zod'

import { faultsToldMax, type InputFault } from '../domain/errors.ts'
import { likelyMeant, meantOrAll } from '../domain/nearest.ts'
import { isOneLine, isVisible } from '../text/plain-text.ts'

/** What every database takes as text. */
export const textField = z.string().refine(isOneLine, {
  abort: true,
  error: ({ input }) =>
    /[\r\n]/.test(String(input)) ? 'Must be one line.' : 'Must not hold control characters.',
})

/** What something is called by people, who must see it. */
export function nameField(lengthMax: number): z.ZodString {
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
export const objectField = z
  .unknown()
  .refine(isObject, 'Must be an object.')
  .meta({ type: 'object' })

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
export const flagField = z
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
    if (issue.code !== 'unrecognized_keys')
      return [{ pointer: at, detail: sentenceOf(issue) + hintOf(issue, mayHint) }]
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

/** What a field has as `hint` among the `params` of its rule: it follows its words only where there is time to look for it. */
type Hint = (given: string) => string

function hintOf(issue: Issue, mayHint: () => boolean): string {
  const hint: unknown = issue.code === 'custom' ? issue.params?.['hint'] : undefined
  return isHint(hint) && mayHint() ? hint(String(issue.input)) : ''
}

function isHint(hint: unknown): hint is Hint {
  return typeof hint === 'function'
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
