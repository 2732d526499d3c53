/* Hands out calendars: who gets one, what it shows, and how it reaches them. */
import { saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { makeFormKey } from '../../domain/secrets.ts'
import { displayName } from '../../domain/user.ts'
import { minuteMs } from '../../domain/world.ts'
import type { PlannedRow } from '../../feeds/bulk/feed-import.ts'
import {
  type HandOut,
  type HandOutCheck,
  type HandOutFault,
  handOutMax,
} from '../../feeds/bulk/hand-out.ts'
import type { DirectoryPerson } from '../../feeds/bulk/people-lookup.ts'
import { readLinkLabel } from '../../feeds/link-label.ts'
import { isolated, isOneLine, isVisible } from '../../text/plain-text.ts'
import { viewCalendar } from '../pages/calendar-view.ts'
import { type PageDeps, previewParts, sendPage } from '../pages/page.ts'
import { fill } from '../pages/words/words.ts'
import { type ConsoleHandler, type Form, readForm, sendConsole, type Visit } from './console.ts'
import { corrected, type Entry, type ReadEntry, readEntry, recordsOf } from './hand-out-entry.ts'
import {
  chosenIn,
  differsFrom,
  optionsOf,
  sayChosen,
  type Standard,
  viewChosen,
} from './hand-out-options.ts'
import { amount, deliveries, type Delivery, deliver, sheetsMax } from './hand-out-result.ts'

type Route = 'GET /console/hand-out' | 'POST /console/hand-out'

/** A thousand rows with all columns filled. */
const formBytesMax = 2 * 1024 * 1024
const nameLengthMax = 100
const listedMax = 100
const linesShown = { min: 6, max: 20 }
/** Within it, looking again at the same calendar is the same look. */
const sameLookMs = 10 * minuteMs
/** As the reasons that staff give for looking at a calendar. */
const lookReason = 'Preview when handing out'

export function handOutHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/hand-out': async (visit) => {
      const asked = [visit.request.query['people'] ?? []].flat().map(String)
      const lines = asked.flatMap((ids) => ids.split(/[,\n]/)).join('\n')
      sendWho(deps, visit, { entry: { lines, table: null } })
    },
    'POST /console/hand-out': (visit) => takeForm(deps, visit),
  }
}

interface Task {
  readonly form: Form
  readonly read: ReadEntry
  readonly standard: Standard
}

async function takeForm(deps: PageDeps, visit: Visit): Promise<void> {
  const form = await readForm(visit, formBytesMax).catch((error: unknown) => {
    if (asAppError(error)?.code !== 'too_large') throw error
    return null
  })
  const { faults } = visit.words.handOut
  if (!form) {
    visit.response.status(413)
    const fault = fill(faults.tooLarge, { most: amount(visit, handOutMax) })
    return sendWho(deps, visit, { entry: { lines: '', table: null }, fault })
  }
  const read = await readEntry(form)
  const act = form.text('act')
  if (act === 'people') return sendWho(deps, visit, { entry: read.entry, form })
  if (act === 'lines') return sendWho(deps, visit, { entry: { ...read.entry, table: null }, form })
  const standard = await handOutOf(deps, visit).defaults(visit.companyId)
  await check(deps, visit, { form, read: await withCorrection(form, read), standard }, act)
}

/** Suggestions are buttons: their value is a row and the person who is meant. */
async function withCorrection(form: Form, read: ReadEntry): Promise<ReadEntry> {
  const [, row, person] = /^(\d{1,6}) (.+)$/.exec(form.text('take')) ?? []
  if (row === undefined || person === undefined) return read
  const entry = corrected(read, Number(row), person)
  return { ...read, entry, records: await recordsOf(entry) }
}

function handOutOf({ administrationBy }: PageDeps, { by }: Visit): HandOut {
  return administrationBy(by).handOut
}

async function check(deps: PageDeps, visit: Visit, task: Task, act: string): Promise<void> {
  const { form, standard } = task
  const { entry, records, tableFault } = task.read
  const { faults } = visit.words.handOut
  const most = amount(visit, handOutMax)
  const refuse = (fault: string): void => {
    visit.response.status(400)
    sendWho(deps, visit, { entry, form, fault })
  }
  if (tableFault !== null) return refuse(sayTable(visit, tableFault))
  if (records.length === 0) return refuse(faults.nobody)
  if (records.length > handOutMax) {
    return refuse(fill(faults.tooMany, { count: amount(visit, records.length), most }))
  }
  const isLive = act === 'preview' && form.text('only') === 'preview'
  const chosen = chosenIn(form, standard)
  const name = form.text('name')
  const isNamed = name !== '' && isName(name)
  const checked = await handOutOf(deps, visit).check({
    companyId: visit.companyId,
    records: isLive ? records.slice(0, 1) : records,
    forAll: { ...optionsOf(chosen, standard), ...(isNamed && { name }) },
  })
  if (checked.tableFault !== null) return refuse(sayTable(visit, checked.tableFault))
  if (checked.faults.length > 0) {
    visit.response.status(400)
    return sendWho(deps, visit, {
      entry,
      form,
      lineFaults: checked.faults,
      moreFaults: checked.moreFaults,
    })
  }
  const { rows, warnings } = checked
  if (isLive) return sendPreview(deps, visit, task, rows)
  const wrong = act === 'make' ? wrongIn(deps, visit, form, rows) : {}
  const delivery = deliveryIn(form)
  if (act !== 'make' || Object.keys(wrong).length > 0 || !delivery) {
    if (Object.keys(wrong).length > 0) visit.response.status(400)
    return sendOptions(deps, visit, { task, rows, warnings, wrong })
  }
  await deliver(deps, visit, {
    delivery,
    rows,
    key: form.text('key'),
    label: readLinkLabel(form.text('label')) ?? 'default',
    renews: form.text('existing') === 'renew',
    graceDays: graceDaysIn(form),
    entry,
  })
}

/** What the reader should change, in English only where only English is known. */
function sayTable({ words, locale }: Visit, message: string): string {
  const { table, tableHow } = words.handOut.faults
  return locale === 'en' ? `${message} ${tableHow}` : `${table} ${tableHow}`
}

type Wrong = Readonly<Partial<Record<'name' | 'label' | 'show' | 'delivery', string>>>

function wrongIn(deps: PageDeps, visit: Visit, form: Form, rows: readonly PlannedRow[]): Wrong {
  const { faults, delivery: words } = visit.words.handOut
  const [name, label, delivery] = [form.text('name'), form.text('label'), deliveryIn(form)]
  const isMailed = delivery !== 'mail' || mailIn(deps) === 'ready'
  const tooMany = delivery === 'sheets' && rows.length > sheetsMax
  const deliveryFault = tooMany
    ? fill(words.tooManySheets, { most: amount(visit, sheetsMax) })
    : faults.delivery
  return {
    ...(name !== '' && !isName(name) && { name: faults.name }),
    ...(label !== '' && readLinkLabel(label) === undefined && { label: faults.label }),
    ...(form.texts('show').length === 0 && { show: faults.nothingShown }),
    ...((!delivery || !isMailed || tooMany) && { delivery: deliveryFault }),
  }
}

function isName(name: string): boolean {
  return name.length <= nameLengthMax && isOneLine(name) && isVisible(name)
}

function deliveryIn(form: Form): Delivery | undefined {
  return deliveries.find((it) => it === form.text('delivery'))
}

function graceDaysIn(form: Form): number {
  const given = Number(form.text('graceDays'))
  return [0, 1, 7, 30].find((it) => it === given) ?? 0
}

function mailIn({ access: { mailing } }: PageDeps): 'ready' | 'noMail' | 'unreachable' {
  if (!mailing) return 'noMail'
  return mailing.reachesPeople ? 'ready' : 'unreachable'
}

interface Who {
  readonly entry: Entry
  /** What was chosen before is kept. */
  readonly form?: Form
  readonly fault?: string
  readonly lineFaults?: readonly HandOutFault[]
  readonly moreFaults?: number
}

const keptFields = [
  'options',
  'show',
  'detail',
  'leavesShowAs',
  'shiftsAs',
  'timesheetsAs',
  'locale',
  'reminderMinutes',
  'selfService',
  'name',
  'label',
  'existing',
  'graceDays',
  'delivery',
]

/** The first step; with faults beside their lines, if there are any. */
function sendWho(
  deps: PageDeps,
  visit: Visit,
  { entry, form, fault, lineFaults = [], moreFaults = 0 }: Who,
): void {
  const { handOut } = visit.words
  const lines = (entry.table ?? entry.lines).split('\n').length
  sendConsole(deps, visit, {
    template: 'hand-out',
    title: handOut.title,
    place: 'handOut',
    styles: ['hand-out.css'],
    modules: ['hand-out.js'],
    openable: '/hand-out',
    entry,
    rowsShown: Math.min(linesShown.max, Math.max(linesShown.min, lines + 1)),
    kept: keptFields.flatMap((name) => (form?.texts(name) ?? []).map((value) => [name, value])),
    most: amount(visit, handOutMax),
    fault: fault ?? null,
    lineFaults: lineFaults.map((it) => viewFault(visit, it)),
    faultCount: lineFaults.length + moreFaults,
    moreFaults,
  })
}

function viewFault(
  { words, locale }: Visit,
  { row, given, about, people, column, detail }: HandOutFault,
): object {
  const { about: sentences } = words.handOut.faults
  const isTold = about === 'cell' && locale === 'en'
  return {
    row,
    given: isolated(given),
    text: fill(sentences[about], { column }),
    detail: isTold ? detail : null,
    isChoice: about === 'several',
    people: about === 'left' ? [] : people.map((it) => viewMeant(it, about === 'several')),
  }
}

/** Namesakes are told apart by id. */
function viewMeant(
  { userId, displayName: name, email }: DirectoryPerson,
  isOneOf: boolean,
): object {
  const who = name === '' ? userId : name
  return {
    who: isolated(isOneOf ? `${who} (${email === '' ? userId : `${userId}, ${email}`})` : who),
    person: isOneOf ? userId : who,
  }
}

interface OptionsPage {
  readonly task: Task
  readonly rows: readonly PlannedRow[]
  readonly warnings: HandOutCheck['warnings']
  readonly wrong: Wrong
}

/** The second step, with the calendar of the first person. */
async function sendOptions(
  deps: PageDeps,
  visit: Visit,
  { task, rows, warnings, wrong }: OptionsPage,
): Promise<void> {
  const { words, locale } = visit
  const { form, read, standard } = task
  const [first] = rows
  const chosen = chosenIn(form, standard)
  const delivery = deliveryIn(form)
  const mail = mailIn(deps)
  sendConsole(deps, visit, {
    template: 'hand-out-options',
    title: words.handOut.title,
    place: 'handOut',
    openable: '/hand-out',
    ...viewParts(visit),
    entry: read.entry,
    key: makeFormKey(),
    people: rows.slice(0, listedMax).map((row) => viewPerson(visit, row)),
    count: rows.length,
    countText: amount(visit, rows.length),
    more: rows.length > listedMax ? amount(visit, rows.length - listedMax) : null,
    warnings: warnings.map((it) => sayWarning(visit, it)),
    existing: rows.filter(({ kept }) => kept !== null).length,
    others: rows.filter(({ kept, other }) => kept === null && other !== null).length,
    renews: form.text('existing') === 'renew',
    graceDays: graceDaysIn(form),
    chosen: viewChosen(chosen, standard, locale),
    says: sayChoice(visit, task),
    isUnfolded: isChanged(task) || [wrong.show, wrong.name, wrong.label].some(Boolean),
    usualName: first ? isolated(first.draft.feed.name) : '',
    name: form.text('name'),
    label: form.text('label'),
    wrong,
    mail,
    delivery: delivery ?? (mail === 'ready' ? 'mail' : 'csv'),
    sheetsMax: amount(visit, sheetsMax),
    preview: await viewPreview(deps, visit, rows),
  })
}

function viewParts({ locale }: Visit): Pick<ReturnType<typeof previewParts>, 'styles' | 'wide'> & {
  readonly modules: readonly ['preview.js', 'hand-out.js']
} {
  const { styles = [], wide = [] } = previewParts(locale)
  return { styles: [...styles, 'hand-out.css'], wide, modules: ['preview.js', 'hand-out.js'] }
}

function viewPerson({ words }: Visit, { draft: { users, feed }, kept, other }: PlannedRow): object {
  const [user] = users
  const { chosen } = words.handOut
  const name = displayName(user)
  return {
    name: isolated(name === '' ? (feed.userIds[0] ?? '') : name),
    email: user?.email ?? '',
    note: kept ? chosen.has : other ? fill(chosen.other, { name: isolated(other.name) }) : '',
  }
}

function isChanged({ form, standard }: Task): boolean {
  const isNamed = form.text('name') !== '' || form.text('label') !== ''
  return isNamed || differsFrom(chosenIn(form, standard), standard)
}

/** "Leave, shifts · English · company defaults". */
function sayChoice({ words, locale }: Visit, task: Task): string {
  const { nothing, usual, changed } = words.handOut.options
  const { kinds, language } = sayChosen(chosenIn(task.form, task.standard), locale)
  return [kinds || nothing, language, isChanged(task) ? changed : usual].join(' · ')
}

/** In English only where only English is known. */
function sayWarning({ words }: Visit, { about, text }: HandOutCheck['warnings'][number]): object {
  const isEnglish = about === 'other'
  return {
    text: isEnglish ? text : fill(words.handOut.warnings[about], { columns: text }),
    isEnglish,
  }
}

/** Only the part of the page that changes with the options. */
async function sendPreview(
  deps: PageDeps,
  visit: Visit,
  task: Task,
  rows: readonly PlannedRow[],
): Promise<void> {
  const { locale, words, response } = visit
  sendPage(deps, response, {
    template: 'console/hand-out-preview',
    locale,
    c: words,
    says: sayChoice(visit, task),
    preview: await viewPreview(deps, visit, rows),
  })
}

async function viewPreview(
  deps: PageDeps,
  visit: Visit,
  [first]: readonly PlannedRow[],
): Promise<object | null> {
  if (!first) return null
  const { feed, users } = first.draft
  const { words, request, locale } = visit
  await noteLook(deps, visit, feed)
  const { text, conditions, firstDays } = await deps.previewDraft(feed)
  const name = displayName(users[0]) || (feed.userIds[0] ?? '')
  const { preview } = words.handOut
  const values = { name: isolated(name), timezone: feed.timezone }
  return {
    calendar: text,
    hint: fill(preview.hint, values),
    here: fill(preview.here, values),
    ...viewCalendar(deps, request, { feed, locale, conditions, firstDays }),
  }
}

/** Looking at somebody's calendar is noted, once for a look with several options. */
async function noteLook(
  { access: { audit }, clock, log }: PageDeps,
  { by: { actor } }: Visit,
  { companyId, userIds }: Feed,
): Promise<void> {
  const [userId] = userIds
  const actions = ['calendar_viewed'] as const
  const since = clock.now() - sameLookMs
  const before = await audit.listEntries({ companyId, userId, actions, since, limit: 100 })
  if (before.some((it) => it.actor === actor && it.label === lookReason)) return
  const about = { companyId, userIds, label: lookReason }
  await saveAuditEvent({ audit, clock, log }, { actor, action: actions[0] }, about)
}
