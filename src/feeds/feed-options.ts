import { z } from 'zod'

import { AppError, faultsToldMax, type InputFault } from '../domain/errors.ts'
import {
  duringLeaves,
  type FeedOptions,
  reminderMinutesMax,
  timesheetForms,
  type Audience,
  readOptions,
  type OwnOptions,
} from '../domain/feed-options.ts'
import type { Locale } from '../domain/feed.ts'
import type { FeedKind } from '../domain/kinds.ts'
import { leaveDetails, shownLeaveStatuses } from '../domain/leave.ts'
import { nearest } from '../domain/nearest.ts'
import { timesheetStatuses } from '../domain/timesheet.ts'
import type { User } from '../domain/user.ts'
import type { CompanyLookup } from './company-lookup.ts'
import { idField, listField, textField, isObject, inputFaults } from './feed-input.ts'

const windowDaysMax = 3660

/** Minutes before the start. */
export const reminderField = z.int().min(0).max(reminderMinutesMax)

const showField = z.boolean()
const idsField = listField(1000, z.array(idField))
const statusNames = listField(100, z.array(textField.min(1).max(100)))
const days = z.int().min(0).max(windowDaysMax)

const monday = z.iso
  .date()
  .refine((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1, 'Must be a Monday.')

const rotationField = z.strictObject({
  weeks: listField(520, z.array(idsField).min(1)),
  from: monday,
})

/** What can be set of each kind. */
const kinds = {
  leaves: z.strictObject({
    show: showField,
    statuses: listField(100, z.array(z.enum(shownLeaveStatuses))),
    detail: z.enum(leaveDetails),
  }),
  shifts: z.strictObject({
    show: showField,
    scheduleIds: idsField.nullable(),
    rotation: rotationField.nullable(),
    duringLeave: z.enum(duringLeaves),
  }),
  timesheets: z.strictObject({
    show: showField,
    statuses: listField(100, z.array(z.enum(timesheetStatuses))),
    as: z.enum(timesheetForms),
  }),
  tasks: z.strictObject({
    show: showField,
    projectIds: idsField.nullable(),
    hideStatuses: statusNames,
  }),
  invoices: z.strictObject({ show: showField, invoiceIds: idsField, hideStatuses: statusNames }),
} satisfies { readonly [K in FeedKind]: GroupOf<FeedOptions[K]> }

type GroupOf<Options> = z.ZodObject<{ readonly [M in keyof Options]: z.ZodType<Options[M]> }>

const window = z.strictObject({ pastDays: days, futureDays: days })

const ungrouped = {
  reminderMinutes: reminderField.nullable(),
  selfService: z.boolean(),
}

/** The options whole. */
export const feedOptionsSchema = z.strictObject({ window, ...kinds, ...ungrouped })

/** Those that are set: any of them. */
export const ownOptionsSchema = z
  .strictObject({ window: window.partial(), ...partly(kinds), ...ungrouped })
  .partial()

type Groups = Readonly<Record<string, z.ZodObject>>

type Partly<G extends Groups> = {
  readonly [K in keyof G]: G[K] extends z.ZodObject<infer Shape, infer Config>
    ? z.ZodObject<{ -readonly [M in keyof Shape]: z.ZodOptional<Shape[M]> }, Config>
    : never
}

/** Each group with none of its members needed; what TypeScript cannot follow stands in the first line. */
function partly<G extends Groups>(groups: G): Partly<G>
function partly(groups: Groups): object {
  return Object.fromEntries(Object.entries(groups).map(([name, it]) => [name, it.partial()]))
}

/* Every option with its meaning, its default, its values and an example: whatever tells people of options takes it from here. */

/** One option, as people are told of it. */
export interface OptionRow {
  /** Its place: `leaves.detail`. */
  readonly name: string
  readonly meaning: string
  /** What may be set, in words. */
  readonly values: string
  /** By audience what holds where nothing is set, as JSON or in words. */
  readonly defaults: Readonly<Record<Audience, string>>
  /** Options that set it, as JSON. */
  readonly example: string
}

/** All of them, in the order in which people are told of them. */
export function listOptions(): readonly OptionRow[] {
  const schema = z.toJSONSchema(feedOptionsSchema)
  return listWords(optionWords, []).map(([path, words]) => ({
    name: path.join('.'),
    meaning: words.meaning,
    values: valuesOf(path.reduce(propertyOf, schema)),
    defaults: {
      own: defaultOf(readOptions('own'), path, words),
      others: defaultOf(readOptions('others'), path, words),
    },
    example: JSON.stringify(
      path.reduceRight<unknown>((value, step) => ({ [step]: value }), words.example),
    ),
  }))
}

/** The option's meaning and default in sentences. */
export function describeOption({ meaning, defaults: { own, others } }: OptionRow): string {
  const otherwise = own === others ? own : `${own} (audience own), ${others} (others)`
  return `${meaning}. Default: ${otherwise}.`
}

type Path = readonly string[]

function listWords(words: object, path: Path): readonly (readonly [Path, OptionWords])[] {
  return Object.entries(words).flatMap(([name, it]: [string, object]) => {
    const place = [...path, name]
    return isWords(it) ? [[place, it] as const] : listWords(it, place)
  })
}

function isWords(it: object): it is OptionWords {
  return 'meaning' in it
}

function defaultOf(options: object, path: Path, { otherwise }: OptionWords): string {
  const value = path.reduce<unknown>((it, step) => Object(it)[step], options)
  return value === null && otherwise !== undefined ? otherwise : JSON.stringify(value)
}

type JsonSchema = z.core.JSONSchema.BaseSchema

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  const found = schema.properties?.[name]
  if (isObject(found)) return found
  throw new Error(`There is no option ${name}.`)
}

function valuesOf({ anyOf, ...schema }: JsonSchema): string {
  if (anyOf) return anyOf.map(valuesOf).join(' or ')
  if (schema.enum) return schema.enum.join(', ')
  if (schema.type === 'integer') return `${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'boolean') return 'true, false'
  if (schema.type === 'object') return `{${Object.keys(schema.properties ?? {}).join(', ')}}`
  return schema.type === 'array' ? listOf(schema) : String(schema.type)
}

function listOf({ items }: JsonSchema): string {
  const words = isObject(items) && Array.isArray(items['enum']) ? items['enum'] : null
  return words ? `a list of ${words.join(', ')}` : 'a list of texts'
}

/** What is said of one option; its default and its values follow from the program. */
export interface OptionWords<Value = unknown> {
  /** A sentence without its end. */
  readonly meaning: string
  readonly example: Value
  /** What holds where nothing is set, if null says too little. */
  readonly otherwise?: string
}

type Words<Group> = { readonly [M in keyof Group]: OptionWords<Group[M]> }

type AllWords = {
  readonly [K in keyof FeedOptions]: FeedOptions[K] extends object
    ? Words<FeedOptions[K]>
    : OptionWords<FeedOptions[K]>
}

/** Every option in the order in which people are told of them: the API's document, its page, the help and the README. */
const optionWords: AllWords = {
  window: {
    pastDays: {
      meaning: 'How many days the calendar reaches back, to the begin of that month',
      example: 30,
    },
    futureDays: {
      meaning: 'How many days it reaches ahead, to the end of that month',
      example: 180,
    },
  },
  leaves: {
    show: { meaning: 'Whether leaves are shown', example: false },
    statuses: { meaning: 'The statuses of leaves that are shown', example: ['APPROVED'] },
    detail: {
      meaning:
        'How much is said of a leave: absent only "Away", type what kind of leave it is, full its reason as well',
      example: 'full',
    },
  },
  shifts: {
    show: { meaning: 'Whether shifts are shown', example: false },
    scheduleIds: {
      meaning: 'The schedules whose shifts are shown; filled in when the feed is made',
      example: ['sch_day'],
      otherwise: 'the company’s',
    },
    rotation: {
      meaning:
        'Instead of scheduleIds: schedules that follow each other week by week, again and again from the Monday that from names',
      example: { weeks: [['sch_day'], ['sch_night']], from: '2026-01-05' },
    },
    duringLeave: { meaning: 'What becomes of shifts on days of leave', example: 'show' },
  },
  timesheets: {
    show: { meaning: 'Whether timesheets are shown', example: false },
    statuses: { meaning: 'The statuses of timesheets that are shown', example: ['DRAFT'] },
    as: {
      meaning: 'Where a timesheet stands: over its period, on its last day (deadline) or both',
      example: 'deadline',
    },
  },
  tasks: {
    show: { meaning: 'Whether tasks are shown', example: false },
    projectIds: {
      meaning: 'The projects whose tasks are shown',
      example: ['prj_web'],
      otherwise: 'the company’s',
    },
    hideStatuses: { meaning: 'The statuses of tasks that are not shown', example: ['DONE'] },
  },
  invoices: {
    show: { meaning: 'Whether invoices are shown', example: true },
    invoiceIds: { meaning: 'The invoices that are shown', example: ['inv_1'] },
    hideStatuses: { meaning: 'The statuses of invoices that are not shown', example: ['PAID'] },
  },
  reminderMinutes: {
    meaning: 'How many minutes before it begins an event with a time reminds',
    example: 15,
    otherwise: 'none',
  },
  selfService: {
    meaning: 'Whether the holder of a link may hide kinds and lower the detail on its page',
    example: false,
  },
}

/** Of objects in each other; options have fewer. */
const depthMax = 8

/**
 * What is set once `patch` is merged over it (RFC 7396): null takes a member out, so that its default holds again.
 * Throws `invalid` with one fault per wrong or unknown member, its pointer starting with `/options`.
 */
export function patchOptions(own: OwnOptions, patch: unknown, hintsMax?: number): OwnOptions {
  const patched = ownOptionsSchema.safeParse(mergePatch(own, patch), { reportInput: true })
  if (patched.success) return withoutGaps(patched.data)
  throw new AppError('invalid', 'The options of the feed are not valid.', {
    faults: inputFaults(patched.error, ownOptionsSchema, { pointer: '/options', hintsMax }),
  })
}

/** What is nested deeper is left as it is: no option is. A member that is taken out stays as a gap, so that unknown ones are found. */
function mergePatch(base: unknown, patch: unknown, depth = depthMax): unknown {
  if (!isObject(patch) || depth === 0) return patch
  const result = new Map(isObject(base) ? Object.entries(base) : [])
  for (const [key, value] of Object.entries(patch)) {
    result.set(key, value === null ? undefined : mergePatch(result.get(key), value, depth - 1))
  }
  return Object.fromEntries(result)
}

/** JSON has no gaps; a group that has nothing else is none. */
function withoutGaps(options: z.output<typeof ownOptionsSchema>): OwnOptions {
  const members = Object.entries(options).filter(([, value]) => !isGap(value))
  return JSON.parse(JSON.stringify(Object.fromEntries(members)))
}

function isGap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((member) => member === undefined)
}

/** Of those that there are, as many are named to whoever names another. */
const namedMax = 5

const notRead =
  'The company’s schedules could not be read now; the calendar is served as soon as they can be, and takes the usual ones.'

const idList = z.array(z.string())

/** What of a change of options is about schedules; the rest of it is checked elsewhere. */
const scheduleChange = z
  .object({
    shifts: z
      .object({
        scheduleIds: idList.nullable(),
        rotation: z
          .object({ weeks: z.array(idList) })
          .partial()
          .nullable(),
      })
      .partial()
      .nullable(),
  })
  .partial()

/** Options with their schedules, and what could not be checked, in sentences. */
export interface SettledOptions {
  readonly ownOptions: OwnOptions
  readonly warnings: readonly string[]
}

/** The options with the company's schedules, where they name none; where these cannot be read they stay unknown. */
export async function settleSchedules(
  own: OwnOptions,
  audience: Audience,
  lookup: CompanyLookup,
): Promise<SettledOptions> {
  const { ownOptions, failure } = await fillSchedules(own, lookup)
  const { show, rotation } = readOptions(audience, ownOptions).shifts
  const isAwaited = failure !== undefined && show && rotation === null
  return { ownOptions, warnings: isAwaited ? [notRead] : [] }
}

/** Whether the change takes away what schedules are named, so that the company's hold again. */
export function takesSchedules(change: unknown): boolean {
  const { shifts } = scheduleChange.parse(change)
  return shifts === null || shifts?.scheduleIds === null
}

/**
 * Refuses ids in a change of options that no schedule of the company has: `invalid` with a fault for each. Taken with a
 * warning, in a sentence: those that are not active or whose record cannot be read, and all where the schedules cannot be
 * read.
 */
export async function checkSchedules(
  change: unknown,
  lookup: CompanyLookup,
  hintsMax = faultsToldMax,
): Promise<readonly string[]> {
  const named = namedSchedules(change)
  if (named.length === 0) return []
  const answer = await lookup.findSchedules()
  if (answer instanceof AppError) return [unchecked(answer)]
  const listed = new Set(answer.ids)
  const unlisted = named.filter(({ id }) => !listed.has(id))
  const inactive = unlisted.length > 0 ? await lookup.findInactiveSchedules() : []
  if (inactive instanceof AppError) return [unchecked(inactive)]
  const others = new Set(inactive)
  const unknown = unlisted.filter(({ id }) => !others.has(id))
  if (unknown.length === 0) return warningsOf(named, answer)
  const faults = unknown.slice(0, hintsMax).map(faultOf(answer.ids))
  const moreFaults = unknown.length - faults.length
  throw new AppError('invalid', 'The options of the feed are not valid.', { faults, moreFaults })
}

type Listed = Exclude<Awaited<ReturnType<CompanyLookup['findSchedules']>>, AppError>

/** Of those named, all of which there are, the ones that give no shifts as they stand. */
function warningsOf(
  named: readonly NamedSchedule[],
  { records, ids, inDoubt }: Listed,
): readonly string[] {
  const readable = new Map(records.map((record) => [record.id, record]))
  const listed = new Set(ids)
  const states = Map.groupBy(new Set(named.map(({ id }) => id)), (id) => {
    if (!listed.has(id) || readable.get(id)?.isActive === false) return 'inactive'
    return readable.has(id) && !inDoubt.has(id) ? 'usable' : 'unreadable'
  })
  const [inactive, unreadable] = [states.get('inactive'), states.get('unreadable')]
  return [
    ...(inactive
      ? [`These schedules are not active and show no shifts until they are: ${firstOf(inactive)}.`]
      : []),
    ...(unreadable
      ? [
          `The records of these schedules cannot be read; what cannot be read is shown once it can be: ${firstOf(unreadable)}.`,
        ]
      : []),
  ]
}

interface NamedSchedule {
  readonly pointer: string
  readonly id: string
}

function namedSchedules(change: unknown): readonly NamedSchedule[] {
  const { shifts } = scheduleChange.parse(change)
  const weeks = shifts?.rotation?.weeks ?? []
  return [
    ...namedIn('/options/shifts/scheduleIds', shifts?.scheduleIds ?? []),
    ...weeks.flatMap((week, index) => namedIn(`/options/shifts/rotation/weeks/${index}`, week)),
  ]
}

function namedIn(pointer: string, named: readonly string[]): readonly NamedSchedule[] {
  return named.map((id, index) => ({ pointer: `${pointer}/${index}`, id }))
}

function faultOf(known: readonly string[]): (named: NamedSchedule) => InputFault {
  return ({ pointer, id }) => {
    const others = known.length > 0 ? `only ${someOf(known, id)}` : 'nor any other'
    return { pointer, detail: `There is no schedule "${id}", ${others}.` }
  }
}

/** The likeliest first, since it may be what was meant. */
function someOf(known: readonly string[], id: string): string {
  const first = nearest(id, known)
  return firstOf(known.toSorted((one, other) => Number(other === first) - Number(one === first)))
}

function firstOf(ids: readonly string[]): string {
  const more = ids.length - namedMax
  return ids.slice(0, namedMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function unchecked({ message }: AppError): string {
  return `The schedules could not be checked, the feed was made or changed all the same: ${message}`
}

/** The language of a feed where none is named. */
export const defaultLocale: Locale = 'en'

/** "{first name}'s work calendar" of an own feed, in the language of the feed. */
export function defaultName(users: readonly User[], audience: Audience, locale: Locale): string {
  const firstName = audience === 'own' ? users[0]?.firstName?.trim() : undefined
  const { named, unnamed } = names[locale]
  return firstName ? named(firstName) : unnamed
}

interface NameWords {
  readonly named: (firstName: string) => string
  readonly unnamed: string
}

const names: Readonly<Record<Locale, NameWords>> = {
  en: { named: (firstName) => `${firstName}'s work calendar`, unnamed: 'Work calendar' },
  de: { named: (firstName) => `Arbeitskalender von ${firstName}`, unnamed: 'Arbeitskalender' },
}

/** The options with the company's schedules, where they name none; unchanged, with the failure, where those cannot be read. */
async function fillSchedules(
  ownOptions: OwnOptions,
  lookup: CompanyLookup,
): Promise<{ readonly ownOptions: OwnOptions; readonly failure?: AppError }> {
  if (ownOptions.shifts?.scheduleIds) return { ownOptions }
  const scheduleIds = await lookup.defaultSchedules()
  if (scheduleIds instanceof AppError) return { ownOptions, failure: scheduleIds }
  return { ownOptions: { ...ownOptions, shifts: { ...ownOptions.shifts, scheduleIds } } }
}
