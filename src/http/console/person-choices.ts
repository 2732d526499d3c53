/* Name, language and the main options of one calendar, as a form. */
import { type FeedOptions, readOptions } from '../../domain/feed-options.ts'
import { type Feed, type Locale, localeNames, locales, programLocale } from '../../domain/feed.ts'
import { feedKinds } from '../../domain/kinds.ts'
import { leaveDetails } from '../../domain/leave.ts'
import { kindName } from '../../publishing/feed-condition.ts'
import { pageLanguages } from '../pages/words/words.ts'
import type { Form } from './console.ts'

const usualReminders = [5, 10, 15, 30, 60, 120, 1440]

/** What the form of a calendar's choices offers, and what is chosen. */
export function viewChoices(feed: Feed, locale: Locale): object {
  const { options, audience, defaults } = feed
  const { detail, reminderMinutes } = pageLanguages[locale].selfService.choices
  const usual: FeedOptions = readOptions(audience, defaults[audience])
  const reminders = new Set([...usualReminders, options.reminderMinutes ?? 5])
  // Without a reminder of the company, none can be set.
  const isNoneOffered = usual.reminderMinutes === null || options.reminderMinutes === null
  return {
    name: feed.namedAfter === null ? feed.name : '',
    usualName: feed.namedAfter === null ? '' : feed.name,
    languages: locales.map((it) => ({ value: it, text: localeNames[it] })),
    language: feed.isLocaleSet ? feed.locale : '',
    usualLanguage: localeNames[defaults.locale ?? programLocale],
    kinds: feedKinds
      .filter((kind) => kind !== 'invoices' || options.invoices.invoiceIds.length > 0)
      .map((kind) => ({
        value: kind,
        text: kindName(kind, locale),
        isShown: options[kind].show,
      })),
    details: leaveDetails.map((it) => ({ value: it, text: detail.text(it) })),
    detail: options.leaves.detail,
    reminders: [
      ...(isNoneOffered ? [{ value: 'none', text: reminderMinutes.text('none') }] : []),
      ...[...reminders]
        .toSorted((one, other) => one - other)
        .map((it) => ({ value: String(it), text: reminderMinutes.text(it) })),
    ],
    reminder: String(options.reminderMinutes ?? 'none'),
    selfService: options.selfService,
  }
}

/** A merge patch (RFC 7396) with what differs; a value that is the company's default is not set. */
export function patchOf(feed: Feed, form: Form): object {
  const { options, audience, defaults } = feed
  const usual = readOptions(audience, defaults[audience])
  const [name, locale] = [form.text('name'), form.text('locale')]
  const before = feed.namedAfter === null ? feed.name : ''
  const shown = new Set(form.texts('show'))
  const detail = leaveDetails.find((it) => it === form.text('detail')) ?? options.leaves.detail
  const minutes = form.text('reminder')
  const reminder = /^\d{1,5}$/.test(minutes) ? Number(minutes) : null
  const isOffered = new Set(form.texts('offered'))
  const shows = feedKinds
    .filter((kind) => isOffered.has(kind))
    .map((kind) => [kind, changed(shown.has(kind), options[kind].show, usual[kind].show)] as const)
    .flatMap(([kind, it]) => (it ? [[kind, { show: it.value }] as const] : []))
  const ofLeaves = changed(detail, options.leaves.detail, usual.leaves.detail)
  const ofReminder = changed(reminder, options.reminderMinutes, usual.reminderMinutes)
  const self = changed(form.has('selfService'), options.selfService, usual.selfService)
  const patch: Record<string, unknown> = Object.fromEntries(shows)
  if (ofLeaves) patch['leaves'] = { ...Object(patch['leaves']), detail: ofLeaves.value }
  if (ofReminder) patch['reminderMinutes'] = ofReminder.value
  if (self) patch['selfService'] = self.value
  return {
    ...(name !== before && { name: name || null }),
    ...(locale !== (feed.isLocaleSet ? feed.locale : '') && {
      locale: locales.find((it) => it === locale) ?? null,
    }),
    ...(Object.keys(patch).length > 0 && { options: patch }),
  }
}

/** null if it is as before. */
function changed<T>(value: T, now: T, byDefault: T): { readonly value: T | null } | null {
  return value === now ? null : { value: value === byDefault ? null : value }
}
