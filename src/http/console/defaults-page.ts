/* The company's defaults: what calendars show unless they set it themselves. */
import { asAppError } from '../../domain/errors.ts'
import { type Audience, audiences } from '../../domain/feed-options.ts'
import { type CompanyDefaults, localeNames, locales, programLocale } from '../../domain/feed.ts'
import {
  type ChangedCompanyView,
  type CompanyView,
  companyPatchSchema,
} from '../../feeds/company-defaults.ts'
import { changedOptions } from '../../feeds/feed-options.ts'
import { isObject, jsonOf } from '../../json/read-json.ts'
import type { PageDeps } from '../pages/page.ts'
import { fill } from '../pages/words/words.ts'
import {
  type ConsoleHandler,
  type Form,
  incomplete,
  readForm,
  redirectDone,
  sendConsole,
  type Visit,
} from './console.ts'
import {
  fieldAt,
  labelOf,
  optionOf,
  patchOf,
  sayHeld,
  type Typed,
  typedIn,
  typedOf,
  viewOptions,
} from './option-form.ts'

type Route = 'GET /console/defaults' | 'POST /console/defaults'

type Defaults = CompanyView['defaults']

export function defaultsHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/defaults': async (visit) => {
      const kept = await companiesOf(deps, visit).kept(visit.companyId)
      sendDefaults(deps, visit, {
        kept,
        typed: typedAll(kept),
        name: kept.name,
        locale: kept.locale,
      })
    },
    'POST /console/defaults': async (visit) => {
      const form = await readForm(visit)
      if (form.text('act') === 'save') await save(deps, visit, form)
      else await check(deps, visit, form)
    },
  }
}

function companiesOf({ administrationBy }: PageDeps, { by }: Visit) {
  return administrationBy(by).companies
}

/** Saves what was checked, unless somebody else has changed the defaults since. */
async function save(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const patch = jsonOf(form.text('patch'))
  if (!isObject(patch)) throw incomplete(visit)
  const revision = Number(form.text('revision'))
  try {
    await companiesOf(deps, visit).change(visit.companyId, { defaults: patch }, { revision })
  } catch (error) {
    if (asAppError(error)?.code !== 'conflict') throw error
    return showChecked(deps, visit, patch, { isConflict: true })
  }
  redirectDone(deps, visit, '/defaults', 'defaultsSaved')
}

/** Shows what the change would do; nothing is saved. The form's own change is what differs from the form as it was sent. */
async function check(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const kept = await companiesOf(deps, visit).kept(visit.companyId)
  const made = defaultsIn(form.text('made')) ?? kept
  const [name, locale] = [form.text('name'), form.text('locale')]
  const typed = new Map(audiences.flatMap((audience) => [...typedIn(form, audience)]))
  const patch: { readonly name?: string | null } = {
    ...(name !== (made.name ?? '') && { name: name || null }),
    ...(locale !== (made.locale ?? '') && { locale: locale || null }),
    ...Object.fromEntries(
      audiences.flatMap((audience) => {
        const change = patchOf(typedOf(made[audience], audience), typed, audience)
        return Object.keys(change).length > 0 ? [[audience, change]] : []
      }),
    ),
  }
  const isConflict = Number(form.text('revision')) !== kept.revision
  try {
    await showChecked(deps, visit, patch, { isConflict })
  } catch (error) {
    const known = asAppError(error)
    if (known?.code !== 'invalid') throw error
    const faults = await faultsOf(deps, visit, patch)
    visit.response.status(400)
    sendDefaults(deps, visit, {
      kept: { ...made, revision: Number(form.text('revision')) },
      typed,
      name,
      locale,
      faults,
    })
  }
}

async function showChecked(
  deps: PageDeps,
  visit: Visit,
  patch: unknown,
  { isConflict }: { readonly isConflict: boolean },
): Promise<void> {
  const companies = companiesOf(deps, visit)
  const kept = await companies.kept(visit.companyId)
  const order = { isDry: true, revision: kept.revision }
  const after = await companies.change(visit.companyId, { defaults: patch }, order)
  const { defaults } = after
  if (isConflict) visit.response.status(409)
  sendDefaults(deps, visit, {
    kept,
    typed: typedAll(defaults),
    name: defaults.name,
    locale: defaults.locale,
    isConflict,
    checked: viewChecked(visit, kept, after, patch),
  })
}

/** What the form for another change was made from; undefined if it is not ours. */
function defaultsIn(text: string): CompanyDefaults | undefined {
  const made = companyPatchSchema.safeParse({ defaults: jsonOf(text) })
  const defaults = made.data?.defaults
  if (!defaults) return undefined
  const { locale = null, name = null, own, others } = defaults
  return { locale, name, own: own ?? {}, others: others ?? {} }
}

function typedAll(defaults: Readonly<Record<Audience, CompanyDefaults['own']>>): Typed {
  return new Map(audiences.flatMap((audience) => [...typedOf(defaults[audience], audience)]))
}

interface Shown {
  readonly kept: CompanyDefaults & { readonly revision: number }
  readonly typed: Typed
  readonly name: string | null
  readonly locale: string | null
  readonly checked?: object | null
  readonly faults?: ReadonlyMap<string, string> | null
  readonly isConflict?: boolean
}

function sendDefaults(
  deps: PageDeps,
  visit: Visit,
  { kept, typed, name, locale, checked = null, faults = null, isConflict = false }: Shown,
): void {
  const words = visit.words.defaults
  const { revision, locale: keptLocale, name: keptName, own, others } = kept
  sendConsole(deps, visit, {
    template: 'defaults',
    title: words.title,
    place: 'defaults',
    openable: '/defaults',
    revision,
    made: JSON.stringify({ locale: keptLocale, name: keptName, own, others }),
    name: name ?? '',
    language: locale ?? '',
    languages: locales.map((it) => ({ value: it, text: localeNames[it] })),
    usualLanguage: localeNames[programLocale],
    groups: viewOptions(words, typed, faults ?? new Map()),
    nameFault: faults?.get('name') ?? null,
    isInvalid: faults !== null,
    isConflict,
    checked,
  })
}

function viewChecked(
  { words: { defaults: words } }: Visit,
  before: Defaults,
  { defaults: after, reachedFeeds, openFeeds, warnings = [] }: ChangedCompanyView,
  patch: unknown,
): object {
  const general = [
    { label: words.name, before: before.name ?? words.noName, after: after.name ?? words.noName },
    { label: words.locale, before: languageOf(before), after: languageOf(after) },
  ]
  const changes = [
    ...general.filter((it) => it.before !== it.after),
    ...audiences.flatMap((audience) =>
      changedOptions(before[audience], after[audience]).map((path) => ({
        label: labelOf(words, path),
        audience: words.audiences[audience],
        before: sayHeld(words, { audience, path, options: before[audience] }),
        after: sayHeld(words, { audience, path, options: after[audience] }),
      })),
    ),
  ]
  return { changes, reached: reachedFeeds, open: openFeeds, warnings, patch: JSON.stringify(patch) }
}

function languageOf({ locale }: Pick<Defaults, 'locale'>): string {
  return localeNames[locale ?? programLocale]
}

/** Of the change, by the names of fields: the name's, and those of the options, which are told one after the other. */
async function faultsOf(
  deps: PageDeps,
  visit: Visit,
  { name, ...options }: { readonly name?: string | null },
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const part of [{ ...(name !== undefined && { name }) }, options]) {
    for (const steps of await wrongPlaces(deps, visit, part)) {
      const field = fieldAt(steps)
      if (field === undefined || found.has(field)) continue
      found.set(field, sayFault(visit, field, { steps, wrong: itemAt(options, steps) }))
    }
  }
  return found
}

async function wrongPlaces(
  deps: PageDeps,
  visit: Visit,
  defaults: object,
): Promise<readonly (readonly string[])[]> {
  try {
    await companiesOf(deps, visit).change(visit.companyId, { defaults }, { isDry: true })
    return []
  } catch (error) {
    const known = asAppError(error)
    if (known?.code !== 'invalid') throw error
    return known.faults.map(({ pointer }) => pointer.split('/').slice(2))
  }
}

function sayFault(
  { words: { defaults: words } }: Visit,
  field: string,
  { steps, wrong }: { readonly steps: readonly string[]; readonly wrong: unknown },
): string {
  const isSchedule = steps.includes('scheduleIds') || steps.includes('weeks')
  if (isSchedule && typeof wrong === 'string') return fill(words.unknownSchedule, { id: wrong })
  const type = optionOf(field)?.type
  return type === undefined ? words.wrongName : words.faults[type]
}

/** Also of lists. */
function itemAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((it, step) => new Map(Object.entries(Object(it))).get(step), value)
}
