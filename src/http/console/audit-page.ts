import { z } from 'zod'

import { readEntries } from '../../access/audit-log.ts'
import {
  auditActions,
  type AuditEntry,
  type AuditFilter,
  saveAuditEvent,
} from '../../domain/access/audit-entry.ts'
import { mailedLabel } from '../../domain/link.ts'
import { displayName } from '../../domain/user.ts'
import { idField } from '../../feeds/feed-input.ts'
import { toIso } from '../../feeds/feed-view.ts'
import { listPeople } from '../../feeds/people-listing.ts'
import { dayEnd, dayStart, wallClockText } from '../../feeds/zone-days.ts'
import { cutText, isolated } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { fill, pageLanguages } from '../pages/words/words.ts'
import {
  consoleAddress,
  type ConsoleHandler,
  RefusedInWords,
  sendConsole,
  type Visit,
  timezoneOf,
} from './console.ts'
import { sendTable } from './send-table.ts'
import type { ConsoleWords } from './words/words.ts'

type Route = 'GET /console/audit' | 'GET /console/audit.csv'

const entriesPerPage = 50
const entriesPerPart = 500
/** An entry may name five hundred. */
const namedMax = 3
const suggestedMax = 5

export function auditHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/audit': (visit) => showAudit(deps, visit),
    'GET /console/audit.csv': (visit) => exportAudit(deps, visit),
  }
}

const optional = <T>(field: z.ZodType<T>) =>
  z.preprocess((given) => (given === '' ? undefined : given), field.optional())

const queryFields = z.object({
  userId: optional(idField),
  actor: optional(idField),
  feedId: optional(idField),
  action: optional(z.enum(auditActions)),
  since: optional(z.iso.date()),
  until: optional(z.iso.date()),
  scope: optional(z.literal('all')),
  cursor: optional(z.string()),
})
type Asked = z.output<typeof queryFields>

/** What the address asks for, and the names of what cannot be read. */
function readAsked({ request: { query } }: Visit) {
  const read = queryFields.safeParse(query)
  if (read.success) return { asked: read.data, wrong: [] }
  const wrong = read.error.issues.map(({ path: [name] }) => String(name))
  const rest = Object.entries(query).filter(([name]) => !wrong.includes(name))
  return { asked: queryFields.parse(Object.fromEntries(rest)), wrong }
}

async function showAudit(deps: PageDeps, visit: Visit): Promise<void> {
  const { words, request, response } = visit
  const { asked, wrong } = readAsked(visit)
  const filter = filterOf(deps, visit, asked)
  const { entries, nextCursor } =
    wrong.length > 0
      ? { entries: [], nextCursor: null }
      : await readEntries(deps.access.audit, filter, entriesPerPage, asked.cursor)
  const { cursor, ...filters } = asked
  const meant = entries.length > 0 ? [] : await peopleMeant(deps, visit, asked.userId)
  const [only, ...more] = meant
  if (only && more.length === 0 && wrong.length === 0 && only.userId !== asked.userId) {
    return response.redirect(
      303,
      consoleAddress(deps, visit, '/audit', { ...filters, userId: only.userId }),
    )
  }
  if (wrong.length > 0) response.status(400)
  sendConsole(deps, visit, {
    template: 'audit',
    title: words.audit.title,
    place: 'audit',
    timezone: timezoneOf(deps, visit),
    typed: request.query,
    wrong,
    filters,
    actions: actionsByName(visit),
    companyName: visit.companies.find(({ id }) => id === visit.companyId)?.name,
    isFiltered: Object.values(filters).some((value) => value !== undefined),
    isLater: cursor !== undefined,
    canWiden: visit.by.companyId === null && visit.companies.length > 1,
    ofAll: filter.companyId === null && visit.companies.length > 1,
    rows: await viewEntries(deps, visit, entries),
    meant,
    nextCursor,
  })
}

/** In the order of their names. */
function actionsByName({ words, locale }: Visit): readonly (readonly [string, string])[] {
  return Object.entries(words.audit.actions).toSorted(([, a], [, b]) => a.localeCompare(b, locale))
}

function filterOf(
  deps: PageDeps,
  visit: Visit,
  asked: Asked,
): Omit<AuditFilter, 'after' | 'limit'> {
  const { by, companies, companyId } = visit
  const ofAll = by.companyId === null && (companies.length === 1 || asked.scope === 'all')
  const timezone = timezoneOf(deps, visit)
  return {
    companyId: ofAll ? null : companyId,
    feedId: asked.feedId,
    userId: asked.userId,
    actors: asked.actor === undefined ? undefined : actorsCalled(asked.actor, visit),
    actions: asked.action && [asked.action],
    since: asked.since === undefined ? undefined : dayStart(asked.since, timezone),
    until: asked.until === undefined ? undefined : dayEnd(asked.until, timezone),
  }
}

/** Every name that the audit log may have for a person whom the page names. */
function actorsCalled(called: string, { words, companyId }: Visit): readonly string[] {
  const named = Object.entries(words.audit.actors)
    .filter(([, text]) => text.toLowerCase() === called.toLowerCase())
    .map(([actor]) => actor)
  const kinds = ['staff:', 'person:', 'token:', `token:${companyId}/`]
  return [called, ...kinds.map((kind) => kind + called), ...named]
}

/** Rows of a table, by time in the company's zone. */
export async function viewEntries(
  deps: PageDeps,
  visit: Visit,
  entries: readonly AuditEntry[],
): Promise<readonly object[]> {
  const { request, locale, words, companies } = visit
  const times = timesOf(deps, request, timezoneOf(deps, visit), locale)
  const today = times.date(deps.clock.now())
  const names = await namesOf(deps, entries)
  const { first, mailed } = pageLanguages[locale].me.links
  const called = new Map([
    ['default', first],
    [mailedLabel, mailed],
  ])
  return entries.map((entry) => {
    const { at, actor, action, companyId, feedId, userIds, label } = entry
    return {
      at: toIso(at),
      time:
        times.date(at) === today ? fill(words.audit.today, { time: times.at(at) }) : times.at(at),
      actor,
      who: isolated(sayActor(entry, words, names)),
      action: words.audit.actions[action],
      companyId,
      company: companies.find(({ id }) => id === companyId)?.name ?? companyId,
      feedId,
      people: userIds
        .slice(0, namedMax)
        .map((id) => ({ id, name: isolated(names(companyId, id)) })),
      more: Math.max(0, userIds.length - namedMax),
      label:
        label === null ? null : isolated(feedId === null ? label : (called.get(label) ?? label)),
    }
  })
}

function personKey(companyId: string | null, userId: string): string {
  return JSON.stringify([companyId, userId])
}

type NameOf = (companyId: string | null, userId: string) => string

/** The names of the people whom a page shows; the id of those who have none. */
async function namesOf({ people }: PageDeps, entries: readonly AuditEntry[]): Promise<NameOf> {
  const names = new Map<string, string>()
  const shown = entries.flatMap(({ actor, companyId, userIds }) =>
    companyId === null
      ? []
      : [personIn(actor) ?? [], userIds.slice(0, namedMax)]
          .flat()
          .map((userId) => ({ companyId, userId })),
  )
  const distinct = new Map(shown.map((it) => [personKey(it.companyId, it.userId), it]))
  await Promise.all(
    [...distinct].map(async ([key, { companyId, userId }]) => {
      const found = await people.findPerson(companyId, userId)
      names.set(key, displayName(found) || userId)
    }),
  )
  return (companyId, userId) => names.get(personKey(companyId, userId)) ?? userId
}

function personIn(actor: string): string | undefined {
  return actor.startsWith('person:') ? actor.slice('person:'.length) : undefined
}

function sayActor(
  { actor, companyId }: AuditEntry,
  { audit }: ConsoleWords,
  nameOf: NameOf,
): string {
  const known = new Map(Object.entries(audit.actors)).get(actor)
  if (known !== undefined) return known
  const userId = personIn(actor)
  if (userId !== undefined) return nameOf(companyId, userId)
  const name = actor.replace(/^(?:token|staff):/, '')
  return actor.startsWith('token:') ? fill(audit.token, { name: isolated(name) }) : name
}

/** People whom somebody may mean who typed a name in place of an id. */
async function peopleMeant(
  deps: PageDeps,
  { companyId }: Visit,
  typed: string | undefined,
): Promise<readonly { readonly userId: string; readonly name: string }[]> {
  if (typed === undefined) return []
  // For a few only, PostgreSQL would go through everybody by name.
  const query = { search: cutText(typed, 200), limit: String(entriesPerPage) }
  const { data } = await listPeople(deps.peopleListing, companyId, query)
  return data
    .slice(0, suggestedMax)
    .map(({ userId, displayName: name }) => ({ userId, name: isolated(name || userId) }))
}

async function exportAudit(deps: PageDeps, visit: Visit): Promise<void> {
  const { words, by } = visit
  const { asked, wrong } = readAsked(visit)
  if (wrong.length > 0) throw new RefusedInWords('invalid', words.audit.wrongFilters)
  const { access, clock, log } = deps
  const isOfOne = by.companyId !== null || asked.scope === undefined
  await saveAuditEvent(
    { audit: access.audit, clock, log },
    { actor: by.actor, action: 'audit_exported' },
    // Only with its company is an id taken out of the audit log when its person is erased.
    isOfOne
      ? { companyId: visit.companyId, userIds: asked.userId === undefined ? [] : [asked.userId] }
      : {},
  )
  const filter = filterOf(deps, visit, asked)
  const zone = timezoneOf(deps, visit)
  const { when, who, what, company, whom, calendar, label } = words.audit
  const header = [`${when} (${zone})`, who, what, company, whom, calendar, label]
  await sendTable(visit.response, 'audit.csv', header, readRows(deps, visit, filter))
}

/** All entries, in parts. */
async function* readRows(
  deps: PageDeps,
  visit: Visit,
  filter: ReturnType<typeof filterOf>,
): AsyncGenerator<readonly (readonly string[])[]> {
  const timezone = timezoneOf(deps, visit)
  const { audit } = visit.words
  let cursor: string | undefined
  do {
    const part = await readEntries(deps.access.audit, filter, entriesPerPart, cursor)
    const names = await namesOf(deps, part.entries)
    yield part.entries.map((entry) => [
      wallClockText(entry.at, timezone),
      sayActor(entry, visit.words, names),
      audit.actions[entry.action],
      entry.companyId ?? '',
      entry.userIds.join(', '),
      entry.feedId ?? '',
      entry.label ?? '',
    ])
    cursor = part.nextCursor ?? undefined
  } while (cursor !== undefined)
}
