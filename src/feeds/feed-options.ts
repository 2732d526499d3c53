import { isDeepStrictEqual } from 'node:util'

import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import {
  type Audience,
  type FeedOptions,
  mapOptions,
  type Option,
  type OptionType,
  type OwnOptions,
  peopleMax,
  reminderMinutesMax,
} from '../domain/feed-options.ts'
import { everyCategory, foldedCategory, openMark } from '../domain/leave.ts'
import { type ChoiceName, choiceNames, type Choices, choiceValues } from '../domain/link.ts'
import { isObject } from '../json/read-json.ts'
import { idField, inputFaults, listField, textField } from './feed-input.ts'

const reminderField = z.int().min(0).max(reminderMinutesMax)
const reminderChoice = z
  .union([reminderField, z.literal('none')])
  .describe('none: no reminder, even if the feed has one')
const daysMax = 3660
const ids = listField(1000, z.array(idField))
const texts = z.array(textField.min(1).max(100))
const categories = texts.check(({ value, issues }) => {
  const named = value.map(foldedCategory)
  for (const [index, category] of named.entries()) {
    const message = categoryFault(category, named)
    if (message !== null) issues.push({ code: 'custom', message, path: [index], input: category })
  }
})
const monday = z.iso
  .date()
  .refine((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1, 'Must be a Monday.')

const schemaOfType: Readonly<Record<OptionType, (values: readonly string[]) => z.ZodType>> = {
  flag: () => z.boolean(),
  days: () => z.int().min(0).max(daysMax),
  minutes: () => reminderField,
  ids: () => ids,
  texts: () => listField(100, texts),
  categories: () => listField(100, categories),
  people: () => z.int().min(1).max(peopleMax),
  choice: (values) => z.enum(values),
  choices: (values) => listField(100, z.array(z.enum(values))),
  rotation: () => z.strictObject({ weeks: listField(520, z.array(ids).min(1)), from: monday }),
}

function categoryFault(category: string, named: readonly string[]): string | null {
  const isOpen = category.startsWith(openMark)
  const name = isOpen ? category.slice(openMark.length) : category
  if (name === '' || (isOpen && name === everyCategory)) return 'Must name a category.'
  if (!isOpen || named.includes(everyCategory)) return null
  return `Needs "${everyCategory}" in the same list, from which it takes a category out.`
}

function schemaOf(option: Option, isNullable = option.isNullable): z.ZodType {
  const schema = schemaOfType[option.type](option.values)
  const { own, others } = defaultsOf(option)
  const otherwise = own === others ? own : `${own} (audience own), ${others} (others)`
  return (isNullable ? schema.nullable() : schema).meta({
    description: `${option.meaning}. Default: ${otherwise}.`,
    examples: [option.example],
  })
}

/** As JSON or in words. */
function defaultsOf({ defaults, otherwise }: Option): Readonly<Record<Audience, string>> {
  const textOf = (value: unknown): string =>
    value === null && otherwise !== undefined ? otherwise : JSON.stringify(value)
  return { own: textOf(defaults.own), others: textOf(defaults.others) }
}

/** The options whole. */
export const feedOptionsSchema = schemaOfAll<FeedOptions>(
  (option) => schemaOf(option),
  z.strictObject,
)
/** Those that are set: any of them. */
export const ownOptionsSchema = schemaOfAll<OwnOptions>(
  (option) => schemaOf(option).optional(),
  (shape) => z.strictObject(shape).optional(),
)
/** A patch of them (RFC 7396). */
export const optionsPatchSchema = schemaOfAll<object>(
  (option) => schemaOf(option, true).optional(),
  (shape) => z.strictObject(shape).nullable().optional(),
).describe('Null restores the default')

/** The types follow from the table, which TypeScript cannot follow through its entries. */
function schemaOfAll<Options>(
  ofOption: (option: Option) => z.ZodType,
  ofGroup: (shape: z.ZodRawShape) => z.ZodType,
): z.ZodType<Options>
function schemaOfAll(
  ofOption: (option: Option) => z.ZodType,
  ofGroup: (shape: z.ZodRawShape) => z.ZodType,
): z.ZodType {
  const members = Object.entries(mapOptions(ofOption)).map(([name, it]) => [
    name,
    it instanceof z.ZodType ? it : ofGroup(Object(it)),
  ])
  return z.strictObject(Object.fromEntries(members))
}

/** What the holder of a link may choose, each with its values. */
export const choiceShape = choiceShapeOf()

function choiceShapeOf(): { readonly [Name in ChoiceName]: z.ZodType<NonNullable<Choices[Name]>> }
function choiceShapeOf(): object {
  return Object.fromEntries(
    choiceNames.map((name) => {
      const values = choiceValues(name)
      return [name, values ? z.enum(values) : reminderChoice]
    }),
  )
}

const depthMax = 8

/** Where an input has its options, for the pointers of faults. */
export interface OptionsPlace {
  readonly pointer?: string
  /** Maximum number of suggestions. */
  readonly hintsMax?: number | undefined
}

/**
 * The options after a merge patch (RFC 7396): null removes a member, so that its default holds again. `invalid` with one
 * fault for each wrong or unknown member.
 */
export function patchOptions(
  own: OwnOptions,
  patch: unknown,
  { pointer = '/options', hintsMax }: OptionsPlace = {},
): OwnOptions {
  const patched = ownOptionsSchema.safeParse(mergePatch(own, patch), { reportInput: true })
  if (patched.success) return withoutGaps(patched.data)
  const faults = inputFaults(patched.error, ownOptionsSchema, { pointer, hintsMax })
  throw new AppError('invalid', 'The options are not valid.', { faults })
}

/** `invalid` for options that only make sense for the other audience. */
export function refuseForAudience(
  audience: Audience,
  { leaves }: OwnOptions,
  { pointer = '/options' }: { readonly pointer?: string } = {},
): void {
  if (audience === 'others' || leaves?.as !== 'day') return
  const detail = 'Must be "person" in a feed of audience own: "day" counts several people.'
  throw new AppError('invalid', 'The options of the feed are not valid.', {
    faults: [{ pointer: `${pointer}/leaves/as`, detail }],
  })
}

/** Like `patchOptions`, for a patch of feeds that are not known yet: any part of any option may be given. */
export function checkOptionsPatch(patch: unknown, place?: OptionsPlace): void {
  patchOptions(ownOptionsSchema.parse(mapOptions(({ example }) => example)), patch, place)
}

/** Deeper values stay unchanged. A removed member stays as undefined, so that unknown ones are found. */
function mergePatch(base: unknown, patch: unknown, depth = depthMax): unknown {
  if (!isObject(patch) || depth === 0) return patch
  const result = new Map(isObject(base) ? Object.entries(base) : [])
  for (const [key, value] of Object.entries(patch)) {
    result.set(key, value === null ? undefined : mergePatch(result.get(key), value, depth - 1))
  }
  return Object.fromEntries(result)
}

/** JSON has no gaps; a group that holds nothing else goes. */
function withoutGaps(options: OwnOptions): OwnOptions {
  const members = Object.entries(options).filter(([, value]) => !isGap(value))
  return JSON.parse(JSON.stringify(Object.fromEntries(members)))
}

function isGap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((member) => member === undefined)
}

/** The options that differ, by their paths. */
export function changedOptions(
  before: OwnOptions,
  after: OwnOptions,
): readonly (readonly string[])[] {
  const changed: (readonly string[])[] = []
  mapOptions((_, path) => {
    if (!isDeepStrictEqual(valueAt(before, path), valueAt(after, path))) changed.push(path)
  })
  return changed
}

/** Undefined if it is not set. */
export function valueAt(options: OwnOptions, path: readonly string[]): unknown {
  return path.reduce<unknown>((it, step) => (isObject(it) ? it[step] : undefined), options)
}

export interface OptionRow {
  /** `leaves.detail`. */
  readonly name: string
  readonly meaning: string
  /** In words. */
  readonly values: string
  /** As JSON or in words. */
  readonly defaults: Readonly<Record<Audience, string>>
  /** Options that set it, as JSON. */
  readonly example: string
}

export function listOptions(): readonly OptionRow[] {
  const rows: OptionRow[] = []
  mapOptions((option, path) => {
    const { type, meaning, example } = option
    const values = wordsOfType[type](option.values.join(', '))
    rows.push({
      name: path.join('.'),
      meaning,
      values: option.isNullable ? `${values} or null` : values,
      defaults: defaultsOf(option),
      example: JSON.stringify(
        path.reduceRight<unknown>((value, step) => ({ [step]: value }), example),
      ),
    })
  })
  return rows
}

const wordsOfType: Readonly<Record<OptionType, (values: string) => string>> = {
  flag: () => 'true, false',
  days: () => `0 to ${daysMax}`,
  minutes: () => `0 to ${reminderMinutesMax}`,
  ids: () => 'a list of texts',
  texts: () => 'a list of texts',
  categories: () => 'a list of texts',
  people: () => `1 to ${peopleMax}`,
  choice: (values) => values,
  choices: (values) => `a list of ${values}`,
  rotation: () => '{weeks, from}',
}
