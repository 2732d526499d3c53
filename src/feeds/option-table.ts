import { z } from 'zod'

import { type FeedOptions, type Audience, readOptions } from '../domain/feed-options.ts'
import { isObject } from './feed-input.ts'
import { feedOptionsSchema } from './feed-options.ts'

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
      meaning: 'The schedules to show shifts of; filled in when the feed is created',
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
      meaning: 'The projects to show tasks of',
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
