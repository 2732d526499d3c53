/* Options as the fields of a form, and the merge patch (RFC 7396) that a filled form asks for. */
import { isDeepStrictEqual } from 'node:util'

import {
  type Audience,
  mapOptions,
  type Option,
  type OwnOptions,
  readOptions,
} from '../../domain/feed-options.ts'
import { valueAt } from '../../feeds/feed-options.ts'
import { isObject } from '../../json/read-json.ts'
import { fill } from '../pages/words/words.ts'
import type { Form } from './console.ts'
import type { ConsoleWords } from './words/words.ts'

/** What is in the fields of a form, by their names. */
export type Typed = ReadonlyMap<string, readonly string[]>

/** An option of an audience, to be shown as a field or, to readers, as text. */
export interface OptionField {
  readonly name: string
  readonly type: Option['type']
  readonly label: string
  readonly hint: string | null
  readonly values: readonly { readonly value: string; readonly text: string }[]
  readonly typed: readonly string[]
  /** Whether an empty list is set, which the field for its items cannot say; null where that makes no difference. */
  readonly isNone: boolean | null
  /** Of a rotation. */
  readonly from: string
  /** What holds where nothing is set. */
  readonly otherwise: string
  /** What is set, in words. */
  readonly said: string | null
  readonly fault: string | null
}

type DefaultsWords = ConsoleWords['defaults']

/** Whether feeds for that audience use the option: only calendars for others count who is away. */
function isForAudience(audience: Audience, path: readonly string[]): boolean {
  const name = path.join('.')
  return audience === 'others' || (name !== 'leaves.as' && name !== 'leaves.minimumPresent')
}

/** Calls `visit` for each option of the audience, in order. */
function eachOption(
  audience: Audience,
  visit: (option: Option, path: readonly string[]) => void,
): void {
  mapOptions((option, path) => {
    if (isForAudience(audience, path)) visit(option, path)
  })
}

/** Reads what is typed in the fields of the options. */
export function typedIn(form: Form, audience: Audience): Typed {
  const typed = new Map<string, readonly string[]>()
  eachOption(audience, (_, path) => {
    const name = nameOf(audience, path)
    for (const field of [name, noneOf(name), fromOf(name)]) {
      const texts = form.texts(field).map((it) => it.replaceAll('\r\n', '\n').trim())
      typed.set(
        field,
        texts.filter((it) => it !== ''),
      )
    }
  })
  return typed
}

/** What the fields contain where these options are set. */
export function typedOf(options: OwnOptions, audience: Audience): Typed {
  const typed = new Map<string, readonly string[]>()
  eachOption(audience, (option, path) => {
    const name = nameOf(audience, path)
    const value = valueAt(options, path)
    typed.set(name, textsOf(option, value))
    typed.set(noneOf(name), hasNone(option) && isEmptyList(value) ? ['on'] : [])
    typed.set(fromOf(name), isObject(value) ? [String(value['from'])] : [])
  })
  return typed
}

/** The options with fields that differ, as a merge patch. */
export function patchOf(before: Typed, after: Typed, audience: Audience): object {
  const patch: Record<string, unknown> = {}
  eachOption(audience, (option, path) => {
    const name = nameOf(audience, path)
    const fields = [name, noneOf(name), fromOf(name)]
    if (fields.every((it) => isDeepStrictEqual(before.get(it), after.get(it)))) return
    const [group = '', member] = path
    const value = valueIn(option, name, after)
    if (member === undefined) patch[group] = value
    else patch[group] = { ...Object(patch[group]), [member]: value }
  })
  return patch
}

/** Groups of options, each with the field of either audience. */
export function viewOptions(
  words: DefaultsWords,
  typed: Typed,
  faults: ReadonlyMap<string, string>,
): readonly { readonly title: string; readonly rows: readonly object[] }[] {
  const groups = new Map<string, object[]>()
  mapOptions((option, path) => {
    const [group] = path.length > 1 ? path : ['other']
    const key = path.join('.')
    const { label = key, hint = null } = words.options[key] ?? {}
    const fieldFor = (audience: Audience): OptionField | null =>
      isForAudience(audience, path)
        ? viewField(words, { option, path, audience, typed, faults })
        : null
    const row = { key, label, hint, own: fieldFor('own'), others: fieldFor('others') }
    const rows = groups.get(group ?? '') ?? []
    groups.set(group ?? '', [...rows, row])
  })
  const titles = new Map(Object.entries(words.groups))
  return [...groups].map(([group, rows]) => ({ title: titles.get(group) ?? group, rows }))
}

interface FieldOf {
  readonly option: Option
  readonly path: readonly string[]
  readonly audience: Audience
  readonly typed: Typed
  readonly faults: ReadonlyMap<string, string>
}

function viewField(
  words: DefaultsWords,
  { option, path, audience, typed, faults }: FieldOf,
): OptionField {
  const name = nameOf(audience, path)
  const { label = '', hint = null, values = {} } = words.options[path.join('.')] ?? {}
  const listed = option.type === 'flag' ? ['true', 'false'] : option.values
  const texts: Readonly<Record<string, string>> =
    option.type === 'flag' ? { true: words.yes, false: words.no } : values
  return {
    name,
    type: option.type,
    label,
    hint,
    values: listed.map((value) => ({ value, text: texts[value] ?? value })),
    typed: typed.get(name) ?? [],
    isNone: hasNone(option) ? typed.get(noneOf(name))?.length === 1 : null,
    from: typed.get(fromOf(name))?.[0] ?? '',
    otherwise: sayOption(words, path, valueAt(readOptions(audience), path)),
    said: saidIn(words, { option, path, name, typed }),
    fault: faults.get(name) ?? null,
  }
}

interface TypedOption extends Pick<FieldOf, 'option' | 'path' | 'typed'> {
  readonly name: string
}

function saidIn(words: DefaultsWords, { option, path, name, typed }: TypedOption): string | null {
  const value = valueIn(option, name, typed)
  return value === null ? null : sayOption(words, path, value)
}

/** The name of an option with that of its group. */
export function labelOf(words: DefaultsWords, path: readonly string[]): string {
  const group = new Map(Object.entries(words.groups)).get(path[0] ?? '')
  const { label = path.join('.') } = words.options[path.join('.')] ?? {}
  return group === undefined ? label : `${group}: ${label}`
}

interface Held {
  readonly audience: Audience
  readonly path: readonly string[]
  readonly options: OwnOptions
}

/** What holds by these options in words: their own value, or the program's. */
export function sayHeld(words: DefaultsWords, { audience, path, options }: Held): string {
  const value = valueAt(options, path)
  if (value !== undefined) return sayOption(words, path, value)
  const usual = valueAt(readOptions(audience), path)
  return fill(words.otherwise, { value: sayOption(words, path, usual) })
}

function sayOption(words: DefaultsWords, path: readonly string[], value: unknown): string {
  const key = path.join('.')
  const { values = {}, otherwise = words.none } = words.options[key] ?? {}
  if (value === null || value === undefined) return otherwise
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return sayNumber(words, key, value)
  if (Array.isArray(value)) {
    const texts = value.map((it) => values[String(it)] ?? String(it))
    return texts.length > 0 ? texts.join(', ') : words.none
  }
  if (isObject(value))
    return weeksText(value).replaceAll('\n', ' → ') + ` (${String(value['from'])})`
  const text = textOf(value)
  return values[text] ?? text
}

function sayNumber(words: DefaultsWords, key: string, value: number): string {
  if (key === 'reminderMinutes') return words.minutes(String(value))
  return key.startsWith('window.') ? words.days(String(value)) : String(value)
}

/** The name of the field with that place in the defaults, or of the first in its group. */
export function fieldAt([audience = '', group, member]: readonly string[]): string | undefined {
  if (group === undefined) return audience
  let found: string | undefined
  mapOptions((_, path) => {
    const isThere = path[0] === group && (member === undefined || path[1] === member)
    if (isThere) found ??= `${audience}.${path.join('.')}`
  })
  return found
}

export function optionOf(name: string): Option | undefined {
  let found: Option | undefined
  mapOptions((option, path) => {
    if (name.slice(name.indexOf('.') + 1) === path.join('.')) found = option
  })
  return found
}

function nameOf(audience: Audience, path: readonly string[]): string {
  return [audience, ...path].join('.')
}

function noneOf(name: string): string {
  return `${name}.none`
}

function fromOf(name: string): string {
  return `${name}.from`
}

const listTypes: ReadonlySet<Option['type']> = new Set(['ids', 'texts', 'categories'])

function hasNone({ type, defaults }: Option): boolean {
  return listTypes.has(type) && !(isEmptyList(defaults.own) && isEmptyList(defaults.others))
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function textsOf({ type }: Option, value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  if (type === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (Array.isArray(value)) return value.length > 0 ? [value.join(', ')] : []
  return [isObject(value) ? weeksText(value) : textOf(value)]
}

function weeksText({ weeks }: { readonly [member: string]: unknown }): string {
  return Array.isArray(weeks)
    ? weeks.map((week: unknown) => [week].flat().join(', ')).join('\n')
    : ''
}

/** The value as it is written, right or wrong; null where nothing is. */
function valueIn(option: Option, name: string, typed: Typed): unknown {
  const texts = typed.get(name) ?? []
  const [text] = texts
  if (typed.get(noneOf(name))?.length === 1) return []
  if (text === undefined) return null
  if (option.type === 'flag') return text === 'true' || (text === 'false' ? false : text)
  if (option.type === 'choices') return texts
  if (listTypes.has(option.type)) return itemsOf(text)
  if (option.type === 'rotation') {
    const [from = ''] = typed.get(fromOf(name)) ?? []
    return { weeks: text.split('\n').map(itemsOf), from }
  }
  const isNumber = ['days', 'minutes', 'people'].includes(option.type)
  return isNumber && /^\d{1,9}$/.test(text) ? Number(text) : text
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((it) => it.trim())
    .filter((it) => it !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
