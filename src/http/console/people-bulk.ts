/* What staff do with many people's calendars: first a page says whom it is for, then it is done. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

import { type Invitations, NoReminder } from '../../access/mail/invitations.ts'
import { MailQueue } from '../../access/mail/mail-queue.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { graceDaysMax } from '../../domain/link.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import { dayMs } from '../../domain/world.ts'
import type { FeedChangeLine } from '../../feeds/bulk/requested-changes.ts'
import type { PersonOverview } from '../../feeds/people-overview.ts'
import { isolated } from '../../text/plain-text.ts'
import type { PageDeps } from '../pages/page.ts'
import { fill } from '../pages/words/words.ts'
import type { BulkRun, BulkRuns, RunLine } from './bulk-runs.ts'
import { type Form, consoleAddress, RefusedInWords, sendConsole, type Visit } from './console.ts'
import { patchOfMany, viewManyOptions } from './people-options.ts'
import type { ConsoleWords } from './words/words.ts'

export const bulkActs = ['handOut', 'mail', 'remind', 'rotate', 'options', 'revoke'] as const
export type BulkAct = (typeof bulkActs)[number]
/** Hand out goes on with a page of its own. */
type RunAct = Exclude<BulkAct, 'handOut'>

/** More would make a result page too long; the API takes any number. */
export const chosenMax = 500

/** A browser waits for short work; longer work is shown on a page that looks again. */
const patienceMs = 10_000
const usualGraceDays = 7

interface BulkDeps extends PageDeps {
  readonly runs: BulkRuns
}

export function canMail({ access: { mailing } }: PageDeps): boolean {
  return mailing?.reachesPeople === true
}

export function mails(act: BulkAct): boolean {
  return act === 'mail' || act === 'remind'
}

/** `invalid` for anything else. */
export function readAct(deps: PageDeps, { words }: Visit, text: string): BulkAct {
  const act = bulkActs.find((it) => it === text)
  if (!act) throw new RefusedInWords('invalid', words.people.bulk.unknown)
  if (mails(act) && !canMail(deps)) {
    throw new RefusedInWords('conflict', words.people.bulk.noMail)
  }
  return act
}

/** Why an act is not for somebody; null if it is. */
function whyNot(
  act: BulkAct,
  { feeds, hadOne, state, email, isNeverSubscribed, isQuiet }: PersonOverview,
): keyof ConsoleWords['people']['bulk']['whyNot'] | null {
  if (act === 'handOut') {
    if (feeds.length > 0) return 'hasCalendar'
    return state === 'left' || state === 'held' || state === 'misnamed' ? state : null
  }
  if (feeds.length === 0) return hadOne ? 'ended' : 'noCalendar'
  if (!mails(act)) return null
  if (state === 'left' || state === 'held' || state === 'misnamed') return state
  if (email === null && state !== 'unread') return 'noMail'
  return act === 'mail' || isNeverSubscribed || isQuiet ? null : 'subscribed'
}

/** The calendars of that person which an act is for. */
function feedsFor(act: BulkAct, { feeds }: PersonOverview): readonly Feed[] {
  // One mail is enough.
  return mails(act) ? feeds.slice(-1) : feeds
}

interface Confirming {
  readonly act: BulkAct
  readonly people: readonly PersonOverview[]
  /** What was sent, if it cannot be done. */
  readonly form?: Form
  readonly faults?: Readonly<Record<string, string>>
}

/** Says whom it is for, and asks for what it needs. */
export function sendConfirm(deps: BulkDeps, visit: Visit, confirming: Confirming): void {
  const { act, people, form, faults = {} } = confirming
  const { words, locale } = visit
  const { bulk } = words.people
  const judged = people.map((person) => ({ person, why: whyNot(act, person) }))
  const affected = judged.filter(({ why }) => why === null).map(({ person }) => person)
  const feeds = affected.flatMap((person) => feedsFor(act, person))
  const counts = {
    people: bulk.countPeople(affected.length),
    calendars: bulk.countCalendars(feeds.length),
  }
  if (form) visit.response.status(400)
  sendConsole(deps, visit, {
    template: 'people-confirm',
    title: fill(bulk.titles[act], counts),
    place: 'people',
    openable: '/people',
    act,
    button: fill(bulk.buttons[act], counts),
    key: form?.text('key') ?? randomUUID(),
    affected: affected.map((person) => ({
      ...viewName(person),
      count: person.feeds.length > 1 ? bulk.countCalendars(feedsFor(act, person).length) : null,
      calendars: feedsFor(act, person).map(({ id }) => `${id} ${person.userId}`),
    })),
    leftOut: judged.flatMap(({ person, why }) =>
      why === null ? [] : [{ ...viewName(person), why: bulk.whyNot[why] }],
    ),
    graceDays: form?.text('graceDays') ?? String(usualGraceDays),
    graceDaysMax,
    options: act === 'options' ? viewManyOptions(words, locale, form) : [],
    name: form?.text('name') ?? '',
    faults,
  })
}

function viewName({ userId, displayName, email }: PersonOverview) {
  return { userId, name: isolated(displayName || userId), email: email && isolated(email) }
}

/** Does what was confirmed; the calendars are those that the page named, as far as they are still open. */
export async function confirm(deps: BulkDeps, visit: Visit, form: Form): Promise<void> {
  const { words, companyId, by, locale } = visit
  const act = readAct(deps, visit, form.text('kind'))
  if (act === 'handOut') throw new RefusedInWords('invalid', words.people.bulk.unknown)
  const key = form.text('key')
  if (!/^[\w-]{16,64}$/.test(key)) throw new RefusedInWords('invalid', words.people.bulk.unknown)
  const runKey = JSON.stringify([by.actor, companyId, key])
  const known = deps.runs.find(runKey)
  if (known) return answer(deps, visit, { act, key, runKey, run: known })
  const named = new Map(form.texts('calendar').map((it) => splitAt(it, ' ')))
  const userIds = [...new Set(named.values())].slice(0, chosenMax)
  const people = await deps.peopleOverview.listThese(companyId, userIds)
  const { faults, ...change } = readChange(act, form, visit)
  if (faults) return sendConfirm(deps, visit, { act, people, form, faults })
  const targets = people
    .filter((person) => whyNot(act, person) === null)
    .flatMap((person) => person.feeds.map((feed) => ({ person, feed })))
    .filter(({ feed }) => named.has(feed.id))
  const order = { targets, key, words, locale }
  const run = deps.runs.begin(runKey, targets.length, (add) =>
    'change' in change
      ? changeAll(deps, visit, { ...order, change: change.change }, add)
      : mailAll(deps, visit, { ...order, act }, add),
  )
  return answer(deps, visit, { act, key, runKey, run })
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const place = text.indexOf(mark)
  return [text.slice(0, Math.max(0, place)), text.slice(place + 1)]
}

type Change =
  | { readonly rotate: { readonly graceDays: number } }
  | { readonly revoke: object }
  | { readonly patch: object }

function readChange(
  act: RunAct,
  form: Form,
  { words }: Visit,
): { readonly change?: Change; readonly faults?: Readonly<Record<string, string>> } {
  if (act === 'revoke') return { change: { revoke: {} } }
  if (act === 'options') {
    const { patch, faults } = patchOfMany(form, words)
    return faults ? { faults } : { change: { patch } }
  }
  if (act !== 'rotate') return {}
  const days = form.text('graceDays')
  const graceDays = /^\d{1,3}$/.test(days) ? Number(days) : Number.NaN
  if (graceDays <= graceDaysMax) return { change: { rotate: { graceDays } } }
  return { faults: { graceDays: words.people.bulk.wrongDays } }
}

interface Target {
  readonly person: PersonOverview
  readonly feed: Feed
}

interface Order {
  readonly targets: readonly Target[]
  readonly key: string
  readonly words: ConsoleWords
}

type Add = (line: RunLine) => void

async function changeAll(
  deps: PageDeps,
  { by }: Visit,
  { targets, key, words, change }: Order & { readonly change: Change },
  add: Add,
): Promise<void> {
  const { requestedChanges, listing } = deps.administrationBy(by)
  // Others may have ended all of them meanwhile.
  if (targets.length === 0) return
  const byFeed = new Map(targets.map((target) => [target.feed.id, target]))
  const feeds = targets.map(({ feed }) => feed)
  const groups =
    'rotate' in change
      ? Map.groupBy(await listing.views(feeds), (view) => mainLabel(view.links, deps.clock.now()))
      : new Map([['', feeds]])
  for (const [label, some] of groups) {
    const ids = some.map(({ id }) => id)
    const one = 'rotate' in change ? { rotate: { ...change.rotate, label } } : change
    for await (const line of await requestedChanges.begin(
      { ids, change: one },
      `${key} ${label}`,
    )) {
      const target = byFeed.get(line.feedId)
      if (target) add(lineOfChange(target, line, words))
      // SQLite answers at once: without a pause, other requests would wait.
      await turn()
    }
  }
}

/** The link that a person uses: the usual one, or the newest that has not ended. */
function mainLabel(
  links: readonly { readonly label: string; readonly endsAt: string | null }[],
  now: number,
): string {
  const open = links.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > now)
  return (open.find(({ label }) => label === 'default') ?? open.at(-1))?.label ?? 'default'
}

function lineOfChange(
  { person }: Target,
  { status, error, page, warnings = [] }: FeedChangeLine,
  { people: { bulk } }: ConsoleWords,
): RunLine {
  const { name, userId } = viewName(person)
  if (status === 'failed') {
    return { name, userId, outcome: 'failed', note: { text: error ?? '', isEnglish: true } }
  }
  const goesOn = page !== undefined && warnings.length > 0
  const note = goesOn ? { text: bulk.othersGoOn, isEnglish: false } : null
  return { name, userId, outcome: 'done', note, page }
}

async function mailAll(
  { access: { mailing }, administrationBy, clock }: PageDeps,
  { by }: Visit,
  { targets, words, act }: Order & { readonly act: RunAct },
  add: Add,
): Promise<void> {
  if (!mailing) return
  const invitations = mailing.invitationsBy(by, administrationBy(by).names())
  const queue = new MailQueue(new AbortController().signal)
  const yesterday = clock.now() - dayMs
  for (const { person, feed } of targets) {
    if (act === 'remind' && (await invitations.wasMailed(feed.id, yesterday))) {
      add(skipped(person, words.people.bulk.noReminder.mailed))
      continue
    }
    const kind = act === 'mail' ? 'invitation' : person.isQuiet ? 'quiet' : 'reminder'
    await queue.add(async () => {
      add(await mailOne(queue, invitations, { person, feed, kind, words }))
    })
  }
  await queue.end()
}

function skipped(person: PersonOverview, text: string): RunLine {
  const { name, userId } = viewName(person)
  return { name, userId, outcome: 'skipped', note: { text, isEnglish: false } }
}

interface OneMail extends Target {
  readonly kind: 'invitation' | 'quiet' | 'reminder'
  readonly words: ConsoleWords
}

async function mailOne(
  queue: MailQueue,
  invitations: Invitations,
  { person, feed, kind, words }: OneMail,
): Promise<RunLine> {
  const { name, userId } = viewName(person)
  const { bulk } = words.people
  if (queue.refusal('')) {
    return skipped(person, bulk.notTried)
  }
  const failed = await queue.send(() => invitations.remind(feed.id, kind))
  if (!failed) return { name, userId, outcome: 'done', note: null }
  if (failed instanceof NoReminder) {
    return skipped(person, bulk.noReminder[failed.reason])
  }
  if (!asAppError(failed)) throw failed
  const text = withoutSecrets(failed.message)
  return { name, userId, outcome: 'failed', note: { text, isEnglish: true } }
}

interface Answered {
  readonly act: RunAct
  readonly key: string
  readonly runKey: string
  readonly run: BulkRun
}

/** Shows the result once there is one. New addresses are shown by this reply alone, so that waits as long as it takes. */
async function answer(
  deps: BulkDeps,
  visit: Visit,
  { act, key, runKey, run }: Answered,
): Promise<void> {
  if (act === 'rotate') await run.ended
  else await Promise.race([run.ended, pause(patienceMs, undefined, { ref: false })])
  if (run.state === 'running') {
    const address = consoleAddress(deps, visit, '/people', { run: key, of: act })
    return visit.response.redirect(303, address)
  }
  if (act === 'rotate') visit.response.once('finish', () => deps.runs.forget(runKey))
  sendRun(deps, visit, act, run)
}

/** `GET /console/people?run=`: how far a run is, or what became of it. */
export function showRun(deps: BulkDeps, visit: Visit, key: string, of: unknown): void {
  const { by, companyId, words } = visit
  const run = deps.runs.find(JSON.stringify([by.actor, companyId, key]))
  const act = bulkActs.find((it) => it === of)
  if (!run || !act || act === 'rotate' || act === 'handOut') {
    throw new RefusedInWords('not_found', words.people.bulk.forgotten)
  }
  sendRun(deps, visit, act, run)
}

const order = { failed: 0, skipped: 1, done: 2 } as const

function sendRun(deps: BulkDeps, visit: Visit, act: RunAct, run: BulkRun): void {
  const { bulk } = visit.words.people
  const { lines, total, state } = run
  const counts = { done: 0, skipped: 0, failed: 0 }
  for (const { outcome } of lines) counts[outcome] += 1
  sendConsole(deps, visit, {
    template: 'people-run',
    title: state === 'ended' && counts.done === 0 ? bulk.noResult : bulk.results[act],
    place: 'people',
    openable: '/people',
    act,
    state,
    total,
    count: lines.length,
    counts,
    lines: lines.toSorted(
      (a, b) => order[a.outcome] - order[b.outcome] || a.name.localeCompare(b.name, visit.locale),
    ),
    hasPages: lines.some(({ page }) => page !== undefined),
  })
}
