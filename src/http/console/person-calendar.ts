/* A person's calendar as they and others see it, and why something is missing: for a reason that is noted. */
import { z } from 'zod'

import { asOthersSee } from '../../domain/company-defaults.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import {
  entriesOfMonth,
  monthsOf,
  noteViewing,
  reasonField,
  type ViewedEntry,
} from '../../feeds/calendar-viewing.ts'
import { activeLinks } from '../../feeds/link-replacement.ts'
import { isolated } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import { answerMissing } from '../pages/missing-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { dayHeading, entryTime, monthName, readerLocale, writtenAs } from '../pages/times.ts'
import { pageLanguages } from '../pages/words/words.ts'
import { type Form, readForm, RefusedInWords, sendConsole, type Visit } from './console.ts'
import { FormFault, sendPerson } from './person-form.ts'
import { findPerson, type FoundPerson, isOpen, personPath, sayLabel } from './person-view.ts'

const entriesMax = 400
const daySchema = z.iso.date().refine((day) => '1900-01-01' <= day && day <= '2999-12-31')

interface Viewing {
  readonly feed: Feed
  readonly reason: string
  readonly isOthers: boolean
  /** The first day of the month. */
  readonly month: string
  readonly day: string | undefined
}

/** `POST /console/people/{userId}/calendar`: notes the viewing, then shows a month, and why something is missing on a day. */
export async function openCalendar(deps: PageDeps, visit: Visit): Promise<void> {
  const person = await findPerson(deps, visit)
  const form = await readForm(visit)
  try {
    const viewing = readViewing(deps, person, form, visit)
    const { access, clock, log } = deps
    const { feed, reason } = viewing
    const viewed = { userId: person.userId, reason }
    await noteViewing({ audit: access.audit, clock, log }, feed, viewed, visit.by)
    await sendCalendar(deps, visit, person, viewing)
  } catch (error) {
    if (!(error instanceof FormFault)) throw error
    visit.response.status(error.status)
    const { field, about } = error
    const refused = { act: 'look', feed: form.text('feed'), link: '', field, about, form }
    await sendPerson(deps, visit, person, refused)
  }
}

function readViewing(deps: PageDeps, person: FoundPerson, form: Form, visit: Visit): Viewing {
  const feed = person.own.find((it) => it.id === form.text('feed') && isOpen(it))
  if (!feed) throw new RefusedInWords('not_found', visit.words.person.unknownFeed)
  const given = form.text('reason')
  if (given.length < 3) throw new FormFault('reason', 'reason_short')
  const reason = reasonField.safeParse(given).data
  if (reason === undefined) throw new FormFault('reason', 'reason_unfit')
  const isAsked = form.text('act') === 'explain'
  const day = isAsked ? daySchema.safeParse(form.text('day')).data : undefined
  if (isAsked && day === undefined) throw new FormFault('day', 'day_wrong')
  const { months, present } = monthsOf(feed, deps.clock.now())
  const wanted = day === undefined ? form.text('month') : `${day.slice(0, 7)}-01`
  const month = months.find((it) => it === wanted) ?? present
  return { feed, reason, isOthers: form.text('as') === 'others', month, day }
}

async function sendCalendar(
  deps: PageDeps,
  visit: Visit,
  person: FoundPerson,
  viewing: Viewing,
): Promise<void> {
  const { request, locale } = visit
  const { feed, isOthers, reason, month, day } = viewing
  const language = writtenAs(readerLocale(request, pageLanguages[locale].language).tag)
  const shown = isOthers ? { ...asOthersSee(feed), locale: feed.locale } : feed
  const { months } = monthsOf(feed, deps.clock.now())
  const entries = await readMonth(deps, shown, month)
  const times = timesOf(deps, request, feed.timezone, locale)
  sendConsole(deps, visit, {
    template: 'person-calendar',
    title: visit.words.person.calendar.title.replace('{who}', () => person.who),
    place: 'people',
    styles: ['calendar.css'],
    openable: personPath(person.userId),
    path: personPath(person.userId),
    called: person.who,
    feedId: feed.id,
    feedName: isolated(feed.name),
    calendarLocale: feed.locale,
    timezone: feed.timezone,
    reason,
    isOthers,
    month,
    months: months.map((it) => ({ value: it, text: monthName(language, it) })),
    days: entries && viewDays(visit, entries.slice(0, entriesMax), language, times.today),
    cutTo: entries && entries.length > entriesMax ? String(entriesMax) : null,
    day: day ?? times.today,
    answer: day === undefined ? null : await explain(deps, visit, feed, day),
  })
}

/** null while the calendar cannot be made. */
async function readMonth(
  { previewJson }: PageDeps,
  feed: Feed,
  month: string,
): Promise<readonly ViewedEntry[] | null> {
  try {
    return entriesOfMonth(await previewJson(feed), { timezone: feed.timezone, month })
  } catch (error) {
    if (asAppError(error)?.code !== 'unavailable') throw error
    return null
  }
}

function viewDays(
  { words }: Visit,
  entries: readonly ViewedEntry[],
  language: string,
  today: string,
): readonly object[] {
  const { allDay, today: todayWord } = words.person.calendar
  return [...Map.groupBy(entries, ({ day }) => day)].map(([day, ofDay]) => ({
    heading: dayHeading(language, day, Date.parse(today), todayWord),
    entries: ofDay.map((entry) => ({
      kind: entry.event.kind,
      title: entry.event.title,
      description: entry.event.description,
      time: entryTime(language, entry, day, allDay),
    })),
  }))
}

async function explain(deps: PageDeps, visit: Visit, feed: Feed, day: string): Promise<object> {
  const { request, locale } = visit
  const all = await deps.explaining.links.listLinks([feed.id])
  const links = activeLinks(all, deps.clock.now())
  const activity = await deps.activity.listActivity([feed.id])
  return answerMissing(deps, request, day, {
    feed,
    locale,
    people: null,
    links: links.slice(0, 30),
    activity,
    nameOf: (link) => sayLabel(visit, link),
    choices: null,
    switchedOff: [],
    explain: (scope) => deps.explaining.explainer.explainOwn(feed, links, scope),
  })
}
