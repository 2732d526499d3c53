/* Every option with its meaning, its default, its values and an example: whatever tells people of options takes it from here. */
import { z } from 'zod'

import { type Audience, readOptions } from '../../domain/feed-options.ts'
import { feedOptionsSchema } from '../feed-options.ts'
import { isObject } from '../input-fields.ts'
import { type OptionWords, optionWords } from './option-words.ts'

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
