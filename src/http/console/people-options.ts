/* The options that staff change in many calendars at once; an empty field leaves them as they are. */
import { type Locale, localeNames, locales } from '../../domain/feed.ts'
import { feedPatchSchema } from '../../feeds/feed-input.ts'
import { pageLanguages } from '../pages/words/words.ts'
import type { Form } from './console.ts'
import { labelOf, optionOf } from './option-form.ts'
import type { ConsoleWords } from './words/words.ts'

const paths = [
  ['leaves', 'show'],
  ['leaves', 'detail'],
  ['shifts', 'show'],
  ['timesheets', 'show'],
  ['tasks', 'show'],
  ['reminderMinutes'],
  ['selfService'],
] as const
const reminders = ['5', '10', '15', '30', '60', '120', '1440']
/** As the company has it. */
const usual = 'usual'

interface ManyField {
  readonly name: string
  readonly label: string
  readonly values: readonly { readonly value: string; readonly text: string }[]
  readonly value: string
}

export function viewManyOptions(
  words: ConsoleWords,
  locale: Locale,
  form: Form | undefined,
): readonly ManyField[] {
  const { bulk } = words.people
  const language = {
    name: 'locale',
    label: words.people.language,
    values: locales.map((it) => ({ value: it, text: localeNames[it] })),
  }
  const options = paths.map((path) => ({
    name: path.join('.'),
    label: nameOf(words, path),
    values: valuesOf(path).map((value) => ({ value, text: sayValue(words, locale, path, value) })),
  }))
  return [language, ...options].map((field) => ({
    ...field,
    values: [
      { value: '', text: bulk.unchanged },
      ...field.values,
      { value: usual, text: bulk.asCompany },
    ],
    value: form?.text(field.name) ?? '',
  }))
}

/** That a kind is shown names the kind already. */
function nameOf({ defaults }: ConsoleWords, path: readonly string[]): string {
  const shown = path[1] === 'show' ? defaults.options[path.join('.')] : undefined
  return shown?.label ?? labelOf(defaults, path)
}

function valuesOf(path: readonly string[]): readonly string[] {
  const option = optionOf(`own.${path.join('.')}`)
  if (option?.type === 'flag') return ['true', 'false']
  return option?.type === 'choice' ? option.values : reminders
}

function sayValue(
  { defaults }: ConsoleWords,
  locale: Locale,
  path: readonly string[],
  value: string,
): string {
  if (value === 'true') return defaults.yes
  if (value === 'false') return defaults.no
  if (path[0] === 'reminderMinutes') {
    return pageLanguages[locale].selfService.choices.reminderMinutes.text(Number(value))
  }
  const options: Readonly<Record<string, { readonly values?: Readonly<Record<string, string>> }>> =
    defaults.options
  return options[path.join('.')]?.values?.[value] ?? value
}

/** The change that a form asks for, or what is wrong with its fields. */
export function patchOfMany(
  form: Form,
  { people: { bulk } }: ConsoleWords,
): { readonly patch: object; readonly faults?: Readonly<Record<string, string>> } {
  const options: Record<string, unknown> = {}
  for (const path of paths) {
    const value = valueIn(path, form.text(path.join('.')))
    if (value === undefined) continue
    const [group, member] = path
    options[group] = member === undefined ? value : { ...Object(options[group]), [member]: value }
  }
  const [name, locale] = [form.text('name'), form.text('locale')]
  const patch = {
    ...(form.has('usualName') ? { name: null } : name !== '' && { name }),
    ...(locale !== '' && { locale: locales.find((it) => it === locale) ?? null }),
    ...(Object.keys(options).length > 0 && { options }),
  }
  if (!feedPatchSchema.safeParse(patch).success) return { patch, faults: { name: bulk.wrongName } }
  if (Object.keys(patch).length === 0) return { patch, faults: { options: bulk.nothingChosen } }
  return { patch }
}

/** undefined: it stays as it is. */
function valueIn(path: readonly string[], text: string): unknown {
  if (text === usual) return null
  if (!valuesOf(path).includes(text)) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  return path[0] === 'reminderMinutes' ? Number(text) : text
}
