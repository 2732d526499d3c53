/* A month of a team: who is away on each day, and the days on which few are there. For a reason that is noted. */
import type { Absences } from '../../calendar/absences.ts'
import { calendarWindow } from '../../calendar/local-time.ts'
import { saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { shownLeaveStatuses } from '../../domain/leave.ts'
import {
  addDays,
  firstOfMonth,
  firstOfNextMonth,
  type PlainDate,
  weekdayOf,
} from '../../domain/plain-date.ts'
import { reasonField } from '../../feeds/calendar-viewing.ts'
import { readAbsences } from '../../publishing/written-once.ts'
import { isolated } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import {
  dateWithYear,
  dayHeading,
  monthName,
  readerLocale,
  weekdayName,
  writtenAs,
} from '../pages/times.ts'
import { fill, pageLanguages } from '../pages/words/words.ts'
import { readForm, sendConsole, timezoneOf, type Visit } from './console.ts'
import { personPath } from './person-view.ts'
import { findTeam, type FoundTeam, sendTeam, teamPath, thresholds } from './team-page.ts'

type Read = Awaited<ReturnType<typeof readAbsences>>

interface Asked {
  readonly reason: string
  /** Its first day. */
  readonly month: PlainDate
  readonly threshold: (typeof thresholds)[number]
}

/** `POST /console/teams/{managerId}/month`: notes the viewing, then shows the month. */
export async function showTeamMonth(deps: PageDeps, visit: Visit): Promise<void> {
  const form = await readForm(visit)
  const found = await findTeam(deps, visit, form.text('depth'))
  const { faults } = visit.words.person
  const given = form.text('reason')
  const reason = reasonField.safeParse(given).data
  if (reason === undefined || !found.members) {
    const text = given.length < 3 ? faults.reason_short : faults.reason_unfit
    return sendTeam(deps, visit, found, { form, of: 'month', field: 'reason', text })
  }
  const today = timesOf(deps, visit.request, timezoneOf(deps, visit), visit.locale).today
  const named = form.text('month')
  const asked = {
    reason,
    month: isMonth(named) ? named : firstOfMonth(today),
    threshold: thresholds.find((it) => String(it) === form.text('threshold')) ?? 50,
  }
  const { is, read = null, edges = {} } = await readTeam(deps, visit, found, asked)
  const { teams } = visit.words
  const language = writtenAs(readerLocale(visit.request, pageLanguages[visit.locale].language).tag)
  const nameOf = (month: PlainDate): string => monthName(language, month)
  const values = { who: found.who, month: nameOf(asked.month), ...edges }
  const [earlier, later] = [firstOfMonth(addDays(asked.month, -1)), firstOfNextMonth(asked.month)]
  sendConsole(deps, visit, {
    template: 'team-month',
    title: fill(teams.month.title, values),
    place: 'teams',
    openable: teamPath(found.managerId),
    path: teamPath(found.managerId),
    depth: found.depth,
    values,
    is,
    isNoted: is !== 'outside' && is !== 'managerUnread',
    ...asked,
    thresholds,
    steps: [
      { month: earlier, text: fill(teams.month.earlier, { month: nameOf(earlier) }) },
      { month: later, text: fill(teams.month.later, { month: nameOf(later) }) },
    ],
    ...(read && viewMonth(visit, read, { ...asked, today, language })),
  })
}

interface ReadTeam {
  readonly is: 'shown' | 'outside' | 'unavailable' | 'leavesMissing' | 'managerUnread'
  readonly read?: Read
  /** Between which dates the company's calendars reach. */
  readonly edges?: Readonly<Record<'first' | 'last', string>>
}

async function readTeam(
  deps: PageDeps,
  visit: Visit,
  found: FoundTeam,
  { month, reason }: Asked,
): Promise<ReadTeam> {
  const feed = await draftOf(deps, visit, found)
  if (!feed) return { is: 'managerUnread' }
  const { start, end } = calendarWindow(deps.clock.now(), feed.timezone, feed.options.window)
  if (month < start || month >= end) {
    const language = writtenAs(
      readerLocale(visit.request, pageLanguages[visit.locale].language).tag,
    )
    const last = addDays(end, -1)
    const edges = { first: dateWithYear(language, start), last: dateWithYear(language, last) }
    return { is: 'outside', edges }
  }
  await noteViewing(deps, visit, feed, reason)
  const read = await readMonth(deps, feed)
  if (!read) return { is: 'unavailable' }
  return read.leavesMissing === null ? { is: 'shown', read } : { is: 'leavesMissing' }
}

function isMonth(text: string): boolean {
  return /^(?:19|2\d)\d\d-(?:0[1-9]|1[0-2])-01$/.test(text)
}

/** The calendar that the team would get, with leave only, pending leave too; null if its manager cannot be read. */
async function draftOf(
  deps: PageDeps,
  { by, companyId, locale }: Visit,
  { managerId, depth }: FoundTeam,
): Promise<Feed | null> {
  const nothing = { show: false }
  const options = {
    leaves: { show: true, as: 'day', statuses: shownLeaveStatuses },
    shifts: nothing,
    timesheets: nothing,
    tasks: nothing,
    invoices: nothing,
  }
  const input = { companyId, team: { managerId, depth }, locale, options }
  try {
    return (await deps.administrationBy(by).creation.drafts().draft(input)).feed
  } catch (error) {
    if (asAppError(error)?.code !== 'invalid') throw error
    return null
  }
}

/** Before anything is read: the calendar of each of the team is looked at. */
async function noteViewing(
  { access: { audit }, clock, log }: PageDeps,
  { by: { actor }, companyId }: Visit,
  { userIds }: Feed,
  reason: string,
): Promise<void> {
  const about = { companyId, feedId: null, userIds, label: reason }
  await saveAuditEvent({ audit, clock, log }, { actor, action: 'calendar_viewed' }, about)
}

/** null while the leave cannot be read. */
async function readMonth({ exporting }: PageDeps, feed: Feed): Promise<Read | null> {
  try {
    return await exporting((scratch) => readAbsences(scratch, feed))
  } catch (error) {
    if (asAppError(error)?.code !== 'unavailable') throw error
    return null
  }
}

interface MonthToView extends Pick<Asked, 'month' | 'threshold'> {
  readonly today: PlainDate
  readonly language: string
}

function viewMonth({ words, locale, request }: Visit, read: Absences, toView: MonthToView): object {
  const { month, today, language } = toView
  const { firstDay } = readerLocale(request, pageLanguages[locale].language)
  // Sunday is 0 for the reader, and 6 by date.
  const before = (weekdayOf(month) + 1 - firstDay + 7) % 7
  const next = firstOfNextMonth(month)
  const weeks: (object | null)[][] = []
  const thin: object[] = []
  for (let monday = addDays(month, -before); monday < next; monday = addDays(monday, 7)) {
    const week = Array.from({ length: 7 }, (_, index) => addDays(monday, index))
    weeks.push(
      week.map((date) => {
        if (date < month || date >= next) return null
        const day = viewDay(words, read, { ...toView, date, locale })
        if (day.isThin) thin.push(day)
        return { ...day, isToday: date === today }
      }),
    )
  }
  const first = addDays(month, -before)
  return {
    weekdays: Array.from({ length: 7 }, (_, index) => weekdayName(language, addDays(first, index))),
    weeks,
    thin,
    isQuiet: ![...read.days.keys()].some((date) => date >= month && date < next),
    notKnown: read.unknown.map(({ name }) => isolated(name)).join(', '),
  }
}

interface DayToView extends MonthToView {
  readonly date: PlainDate
  readonly locale: string
}

function viewDay(
  { teams, person }: Visit['words'],
  { members, days }: Absences,
  { date, threshold, language, locale, today }: DayToView,
) {
  const away = days.get(date) ?? []
  const here = members.length - away.reduce((sum, { part }) => sum + part, 0)
  const isThin = away.length > 0 && here * 100 < threshold * members.length
  return {
    date,
    number: String(Number(date.slice(-2))),
    heading: dayHeading(language, Date.parse(date), Date.parse(today), person.calendar.today),
    isThin,
    present: fill(teams.month.present, {
      here: (Math.round(here * 10) / 10).toLocaleString(locale),
      members: members.length.toLocaleString(locale),
    }),
    away: away.map(({ userId, name, part, isPending }) => ({
      path: personPath(userId),
      text: sayAway(teams.month, isolated(name), part < 1, isPending),
    })),
  }
}

function sayAway(
  words: Visit['words']['teams']['month'],
  name: string,
  isPart: boolean,
  isPending: boolean,
): string {
  if (isPart) return fill(isPending ? words.partPending : words.part, { name })
  return isPending ? fill(words.pending, { name }) : name
}
