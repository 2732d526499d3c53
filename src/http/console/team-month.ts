/* A month of a team: who is away on each day, and the days on which few are there. For a reason that is noted. */
import {
  addDays,
  firstOfMonth,
  firstOfNextMonth,
  type PlainDate,
  weekdayOf,
} from '../../domain/plain-date.ts'
import { displayName } from '../../domain/user.ts'
import { reasonField } from '../../feeds/calendar-viewing.ts'
import { readTeamMonth, type TeamMonth } from '../../feeds/team-month.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
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

type Absences = Extract<TeamMonth, { readonly is: 'shown' }>['absences']

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
  const { access, clock } = deps
  const { companyId, locale, by } = visit
  const { managerId, depth } = found
  const query = { companyId, locale, team: { managerId, depth }, month: asked.month, reason }
  const team = await readTeamMonth({ ...deps, clock, audit: access.audit }, query, by)
  const { teams } = visit.words
  const language = writtenAs(readerLocale(visit.request, pageLanguages[locale].language).tag)
  const called = (month: PlainDate): string => monthName(language, month)
  const edges =
    team.is === 'outside'
      ? { first: dateWithYear(language, team.first), last: dateWithYear(language, team.last) }
      : {}
  const values = { who: found.who, month: called(asked.month), ...edges }
  const [earlier, later] = [firstOfMonth(addDays(asked.month, -1)), firstOfNextMonth(asked.month)]
  sendConsole(deps, visit, {
    template: 'team-month',
    title: fill(teams.month.title, values),
    place: 'teams',
    openable: teamPath(found.managerId),
    path: teamPath(found.managerId),
    depth: found.depth,
    values,
    is: team.is,
    isNoted: team.is !== 'outside' && team.is !== 'managerUnread',
    ...asked,
    thresholds,
    steps: [
      { month: earlier, text: fill(teams.month.earlier, { month: called(earlier) }) },
      { month: later, text: fill(teams.month.later, { month: called(later) }) },
    ],
    ...(team.is === 'shown' &&
      viewMonth(visit, team.absences, { ...asked, today, language, nameOf: namesOf(found) })),
  })
}

function isMonth(text: string): boolean {
  return /^(?:19|2\d)\d\d-(?:0[1-9]|1[0-2])-01$/.test(text)
}

type NameOf = (member: { readonly userId: string; readonly name: string }) => string

/** By the directory, which knows more people than the records that were read. */
function namesOf({ members = [] }: FoundTeam): NameOf {
  const named = members.filter((member) => isVisible(displayName(member)))
  const known = new Map(named.map((member) => [member.userId, displayName(member)]))
  return ({ userId, name }) => isolated(known.get(userId) ?? name)
}

interface MonthToView extends Pick<Asked, 'month' | 'threshold'> {
  readonly nameOf: NameOf
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
    notKnown: read.unknown.map(toView.nameOf).join(', '),
  }
}

interface DayToView extends MonthToView {
  readonly date: PlainDate
  readonly locale: string
}

function viewDay(
  { teams, person }: Visit['words'],
  { members, days, unknown }: Absences,
  { date, threshold, language, locale, today, nameOf }: DayToView,
) {
  const away = days.get(date) ?? []
  const here = members.length - away.reduce((sum, { part }) => sum + part, 0)
  const isThin = away.length > 0 && here * 100 < threshold * members.length
  return {
    date,
    number: String(Number(date.slice(-2))),
    heading: dayHeading(language, Date.parse(date), Date.parse(today), person.calendar.today),
    isThin,
    present: fill(unknown.length > 0 ? teams.month.presentAtMost : teams.month.present, {
      here: (Math.round(here * 10) / 10).toLocaleString(locale),
      members: members.length.toLocaleString(locale),
    }),
    away: away.map(({ part, isPending, ...member }) => ({
      path: personPath(member.userId),
      text: sayAway(teams.month, nameOf(member), part < 1, isPending),
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
