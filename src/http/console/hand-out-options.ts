/* The options that a hand-out offers: those that the people themselves can choose, and what HR adds. */
import type { FeedOptions, OwnOptions } from '../../domain/feed-options.ts'
import { type Locale, localeNames, locales } from '../../domain/feed.ts'
import type { FeedKind } from '../../domain/kinds.ts'
import { type ChoiceName, choiceValues, valueIn } from '../../domain/link.ts'
import { usualReminders } from '../../feeds/self-service/held-link.ts'
import { kindName } from '../../publishing/feed-condition.ts'
import type { Form } from './console.ts'

/** What calendars show where nothing is chosen. */
export interface Standard {
  readonly locale: Locale
  readonly options: FeedOptions
}

/** What a form says about all calendars. */
export interface Chosen {
  readonly show: readonly FeedKind[]
  readonly choices: ReadonlyMap<ChoiceName, string>
  readonly selfService: boolean
}

/** By kind; invoices are chosen one by one, so never for many people. */
const choicesOfKind = {
  leaves: ['detail', 'leavesShowAs'],
  shifts: ['shiftsAs'],
  timesheets: ['timesheetsAs'],
  tasks: [],
} as const satisfies Partial<Record<FeedKind, readonly ChoiceName[]>>

const kinds = ['leaves', 'shifts', 'timesheets', 'tasks'] as const
const general = ['locale', 'reminderMinutes'] as const

const optionOf: { readonly [Name in ChoiceName]?: readonly [FeedKind, string] } = {
  detail: ['leaves', 'detail'],
  leavesShowAs: ['leaves', 'showAs'],
  shiftsAs: ['shifts', 'as'],
  timesheetsAs: ['timesheets', 'as'],
}

/** The choices of the form; those of the standard where it has none, or one that does not exist. */
export function chosenIn(form: Form, standard: Standard): Chosen {
  const isFilled = form.has('options')
  const { options } = standard
  const names = [...kinds.flatMap((kind) => choicesOfKind[kind]), ...general]
  return {
    show: kinds.filter((kind) =>
      isFilled ? form.texts('show').includes(kind) : options[kind].show,
    ),
    choices: new Map(
      names.map((name) => {
        const usual = usualOf(standard, name)
        return [name, valuesOf(name, usual).find((it) => it === form.text(name)) ?? usual]
      }),
    ),
    selfService: isFilled ? form.has('selfService') : options.selfService,
  }
}

/** What differs from the standard: all else follows it, now and later. */
export function optionsOf(
  { show, choices, selfService }: Chosen,
  standard: Standard,
): { readonly locale?: string; readonly options: OwnOptions } {
  const options = new Map<string, object>()
  const set = (kind: FeedKind, member: string, value: unknown): void => {
    options.set(kind, { ...options.get(kind), [member]: value })
  }
  for (const kind of kinds) {
    const isShown = show.includes(kind)
    if (isShown !== standard.options[kind].show) set(kind, 'show', isShown)
  }
  for (const [name, value] of choices) {
    const [kind, member] = optionOf[name] ?? []
    if (kind && member && value !== usualOf(standard, name)) set(kind, member, value)
  }
  const { reminderMinutes: usualReminder, selfService: usualSelfService } = standard.options
  const reminder = choices.get('reminderMinutes')
  const reminderMinutes = reminder === 'none' ? null : Number(reminder)
  const locale = choices.get('locale')
  return {
    ...(locale !== undefined && locale !== standard.locale && { locale }),
    options: {
      ...Object.fromEntries(options),
      ...(reminderMinutes !== usualReminder && { reminderMinutes }),
      ...(selfService !== usualSelfService && { selfService }),
    },
  }
}

export function differsFrom(chosen: Chosen, standard: Standard): boolean {
  const { locale, options } = optionsOf(chosen, standard)
  return locale !== undefined || Object.keys(options).length > 0
}

/** "Leave, shifts", empty if nothing is shown; and the language. */
export function sayChosen(
  { show, choices }: Chosen,
  locale: Locale,
): { readonly kinds: string; readonly language: string } {
  const names = show.map((kind) => kindName(kind, locale))
  const [first = '', ...others] = names
  const inSentence = locale === 'en' ? others.map((it) => it.toLowerCase()) : others
  const language = locales.find((it) => it === choices.get('locale')) ?? locale
  return { kinds: [first, ...inSentence].join(', '), language: localeNames[language] }
}

/** As `choice-fields.eta` shows choices. */
export function viewChosen(
  { show, choices, selfService }: Chosen,
  standard: Standard,
  locale: Locale,
): object {
  const viewed = (names: readonly ChoiceName[]): readonly object[] =>
    names.map((name) => {
      const isNumber = (it: string): boolean => name === 'reminderMinutes' && it !== 'none'
      const asGiven = (it: string): string | number => (isNumber(it) ? Number(it) : it)
      return {
        name,
        values: valuesOf(name, usualOf(standard, name)).map(asGiven),
        value: asGiven(choices.get(name) ?? ''),
      }
    })
  return {
    kinds: kinds.map((kind) => ({
      kind,
      name: kindName(kind, locale),
      shown: show.includes(kind),
      choices: viewed(choicesOfKind[kind]),
    })),
    general: viewed(general),
    selfService,
  }
}

function usualOf({ locale, options }: Standard, name: ChoiceName): string {
  return String(valueIn({ audience: 'own', locale, options }, name))
}

function valuesOf(name: ChoiceName, usual: string): readonly string[] {
  if (name === 'locale') return locales
  const values = choiceValues(name)
  if (values) return values
  const minutes = [...usualReminders.map(String), ...(usual === 'none' ? [] : [usual])]
  return ['none', ...[...new Set(minutes)].toSorted((a, b) => Number(a) - Number(b))]
}
