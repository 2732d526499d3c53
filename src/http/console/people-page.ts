/* The people of a company, with what their calendar programs do and what is wrong. */
import { saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { localeNames } from '../../domain/feed.ts'
import { type PeopleGroup, peopleGroups } from '../../domain/people-list.ts'
import { toIso } from '../../feeds/feed-view.ts'
import type { PersonOverview } from '../../feeds/people-overview.ts'
import { wallClockText } from '../../feeds/zone-days.ts'
import { isolated } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { fill, pageLanguages } from '../pages/words/words.ts'
import { BulkRuns } from './bulk-runs.ts'
import {
  type ConsoleHandler,
  type Form,
  readForm,
  RefusedInWords,
  searchIn,
  sendConsole,
  timezoneOf,
  type Visit,
} from './console.ts'
import {
  bulkActs,
  canMail,
  chosenMax,
  confirm,
  mails,
  readAct,
  sendConfirm,
  showRun,
} from './people-bulk.ts'
import { sendTable } from './send-table.ts'
import type { ConsoleWords } from './words/words.ts'

type Route = 'GET /console/people' | 'GET /console/people.csv' | 'POST /console/people'

const peoplePerPage = 50
/** So few that other requests are served meanwhile; finding the members of a group takes longer than reading more of them. */
const peoplePerPart = { all: 250, ofGroup: 1000 } as const

/** A form names the calendars of many people. */
const formBytesMax = 512 * 1024

export function peopleHandlers(all: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  const deps = { ...all, runs: new BulkRuns(all) }
  return {
    'GET /console/people': async (visit) => {
      const { run, of } = visit.request.query
      if (typeof run === 'string') showRun(deps, visit, run, of)
      else await showPeople(deps, visit)
    },
    'GET /console/people.csv': (visit) => exportPeople(deps, visit),
    'POST /console/people': async (visit) => {
      const form = await readForm(visit, formBytesMax)
      if (form.text('act') === 'confirm') return confirm(deps, visit, form)
      const act = readAct(deps, visit, form.text('act'))
      const people = await chosenBy(deps, visit, form)
      if (typeof people === 'string') await showPeople(deps, visit, people)
      else sendConfirm(deps, visit, { act, people })
    },
  }
}

/** The people who are ticked, or everybody that the list shows; a sentence if these are too few or too many. */
async function chosenBy(
  { peopleOverview }: PageDeps,
  visit: Visit,
  form: Form,
): Promise<readonly PersonOverview[] | string> {
  const { companyId, words } = visit
  const { noneTicked, tooMany } = words.people.bulk
  const ticked = form.texts('user')
  if (!form.has('all')) {
    if (ticked.length > chosenMax) return tooMany
    const people = await peopleOverview.listThese(companyId, ticked)
    return people.length === 0 ? noneTicked : people
  }
  const query = { ...readAsked(visit), limit: chosenMax }
  const { people, nextCursor } = await peopleOverview.list(companyId, query)
  return nextCursor === null ? people : tooMany
}

interface Asked {
  readonly search: string
  readonly group: PeopleGroup | undefined
}

function readAsked(visit: Visit): Asked {
  const { request, words } = visit
  const { query } = request
  const { group = '' } = query
  const known = peopleGroups.find((it) => it === group)
  if (!known && group !== '') throw new RefusedInWords('invalid', words.people.wrongGroup)
  return { search: searchIn(visit), group: known }
}

async function showPeople(
  deps: PageDeps,
  visit: Visit,
  fault: string | null = null,
): Promise<void> {
  const { words, request, companyId } = visit
  const asked = readAsked(visit)
  const { cursor } = request.query
  const query = { ...asked, cursor: cursor === '' ? undefined : cursor, limit: peoplePerPage }
  const { people, nextCursor } = await deps.peopleOverview.list(companyId, query)
  if (fault !== null) visit.response.status(400)
  sendConsole(deps, visit, {
    template: 'people',
    title: words.people.title,
    place: 'people',
    fault,
    acts: bulkActs.filter((act) => canMail(deps) || !mails(act)),
    asked,
    groups: peopleGroups.map((value) => ({ value, text: words.people.groups[value].name })),
    isFiltered: asked.search !== '' || asked.group !== undefined,
    isLater: query.cursor !== undefined,
    rows: viewPeople(deps, visit, people),
    nextCursor,
  })
}

function viewPeople(
  deps: PageDeps,
  visit: Visit,
  people: readonly PersonOverview[],
): readonly object[] {
  const { locale, words, request } = visit
  const times = timesOf(deps, request, timezoneOf(deps, visit), locale)
  return people.map((person) => {
    const { userId, displayName, email, lastPolledAt } = person
    return {
      userId,
      name: isolated(displayName || userId),
      email: email === null ? null : isolated(email),
      calendar: sayCalendar(person, words),
      hasCalendar: person.feeds.length > 0,
      language: languagesOf(person),
      asked: lastPolledAt !== null && {
        at: toIso(lastPolledAt),
        full: times.at(lastPolledAt),
        ago: times.isNow(lastPolledAt) ? words.people.justNow : times.ago(lastPolledAt),
      },
      program: programOf(person, visit),
      troubles: troublesOf(person).map(({ trouble, tone }) => ({
        text: words.people.troubles[trouble],
        tone,
      })),
    }
  })
}

function sayCalendar({ feeds, hadOne }: PersonOverview, { people }: ConsoleWords): string {
  const [feed, ...others] = feeds
  if (!feed) return hadOne ? people.ended : people.none
  if (others.length > 0) return fill(people.several, { count: String(feeds.length) })
  return isolated(feed.name)
}

function languagesOf({ feeds }: PersonOverview): string {
  return [...new Set(feeds.map(({ locale }) => localeNames[locale]))].join(', ')
}

function programOf({ client }: PersonOverview, { locale }: Visit): string {
  return client === null ? '' : pageLanguages[locale].activity.clients[client]
}

interface ShownTrouble {
  readonly trouble: keyof ConsoleWords['people']['troubles']
  readonly tone: 'bad' | 'note' | 'plain'
}

function troublesOf({
  troubles,
  state,
  isNeverSubscribed,
  isQuiet,
}: PersonOverview): readonly ShownTrouble[] {
  return [
    ...(state === 'left' || state === 'unread' ? [{ trouble: state, tone: 'plain' } as const] : []),
    ...troubles.map((trouble) => ({ trouble, tone: 'bad' }) as const),
    ...(isNeverSubscribed ? [{ trouble: 'neverSubscribed', tone: 'note' } as const] : []),
    ...(isQuiet ? [{ trouble: 'quiet', tone: 'note' } as const] : []),
  ]
}

async function exportPeople(deps: PageDeps, visit: Visit): Promise<void> {
  const { words, by, companyId, response } = visit
  const asked = readAsked(visit)
  const { access, clock, log } = deps
  await saveAuditEvent(
    { audit: access.audit, clock, log },
    { actor: by.actor, action: 'people_exported' },
    { companyId },
  )
  const { name, mail, id, calendar, language, askedIn, program, trouble } = words.people
  const asksAt = fill(askedIn, { timezone: timezoneOf(deps, visit) })
  const header = [name, mail, id, calendar, language, asksAt, program, trouble]
  await sendTable(response, 'people.csv', header, readRows(deps, visit, asked))
}

/** Everybody that the list shows, in parts. */
async function* readRows(
  deps: PageDeps,
  visit: Visit,
  asked: Asked,
): AsyncGenerator<readonly (readonly string[])[]> {
  const zone = timezoneOf(deps, visit)
  const { people: words } = visit.words
  const limit = asked.group ? peoplePerPart.ofGroup : peoplePerPart.all
  let cursor: string | undefined
  do {
    const query = { ...asked, cursor, limit }
    const part = await deps.peopleOverview.list(visit.companyId, query)
    yield part.people.map((person) => [
      person.displayName,
      person.email ?? '',
      person.userId,
      person.feeds.map(({ name }) => name).join(', '),
      languagesOf(person),
      person.lastPolledAt === null ? '' : wallClockText(person.lastPolledAt, zone),
      programOf(person, visit),
      troublesOf(person)
        .map(({ trouble }) => words.troubles[trouble])
        .join(', '),
    ])
    cursor = part.nextCursor ?? undefined
  } while (cursor !== undefined)
}
