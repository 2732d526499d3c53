/* One team: its members, a way to see who is away, and its calendars. */
import { AppError, asAppError } from '../../domain/errors.ts'
import { peopleMax, readOptions } from '../../domain/feed-options.ts'
import { type Feed, type Team, teamDepths } from '../../domain/feed.ts'
import { makeFormKey } from '../../domain/secrets.ts'
import type { TeamPerson } from '../../domain/team.ts'
import { displayName } from '../../domain/user.ts'
import { monthsOf } from '../../feeds/calendar-viewing.ts'
import { idField, linkLabelField, newFeedSchema } from '../../feeds/feed-input.ts'
import { lastPoll } from '../../feeds/people-listing.ts'
import { describeTeam } from '../../people/teams.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { viewSubscription } from '../pages/subscribe.ts'
import { monthName, readerLocale, writtenAs } from '../pages/times.ts'
import { fill, pageLanguages } from '../pages/words/words.ts'
import {
  type Form,
  readForm,
  RefusedInWords,
  redirectDone,
  sendConsole,
  timezoneOf,
  type Visit,
} from './console.ts'
import { personPath } from './person-view.ts'

const membersShown = 100
const calendarsMax = 20
/** Of how many per cent of the team a day is thin. */
export const thresholds = [50, 66, 80] as const

export interface FoundTeam extends Team {
  /** What the manager is called. */
  readonly who: string
  readonly state: 'here' | 'left' | 'unknown'
  /** Undefined if they are more than a calendar can show. */
  readonly members: readonly TeamPerson[] | undefined
}

export function teamPath(managerId: string): string {
  return `/teams/${encodeURIComponent(managerId)}`
}

export async function findTeam(deps: PageDeps, visit: Visit, depth: unknown): Promise<FoundTeam> {
  const { request, companyId, words } = visit
  const managerId = String(request.params['managerId'])
  const team = { managerId, depth: teamDepths.find((it) => it === depth) ?? 'direct' }
  const isFit = idField.safeParse(managerId).success
  const members = isFit ? await describeTeam(deps, companyId, team, peopleMax) : []
  const state = isFit ? await deps.teams.findManagerState(companyId, managerId) : 'unknown'
  if (state === 'unknown' && members?.length === 0) {
    throw new RefusedInWords('not_found', words.teams.team.unknown)
  }
  const name = displayName(await deps.people.findPerson(companyId, managerId))
  return { ...team, members, state, who: isolated(isVisible(name) ? name : managerId) }
}

/** `GET /console/teams/{managerId}`. */
export async function showTeam(deps: PageDeps, visit: Visit): Promise<void> {
  const { depth } = visit.request.query
  await sendTeam(deps, visit, await findTeam(deps, visit, depth))
}

/** A form that was refused: beside which field, and why in words. */
export interface RefusedTeamForm {
  readonly form: Form
  readonly of: 'month' | 'make' | 'link'
  readonly field: string
  readonly text: string
}

export async function sendTeam(
  deps: PageDeps,
  visit: Visit,
  found: FoundTeam,
  refused?: RefusedTeamForm,
): Promise<void> {
  const { words, locale, request } = visit
  const { managerId, depth, who, members, state } = found
  const calendars = await viewCalendars(deps, visit, managerId)
  const typed = (name: string): string => refused?.form.text(name) ?? ''
  if (refused) visit.response.status(400)
  sendConsole(deps, visit, {
    template: 'team',
    title: fill(words.teams.team.title, { who }),
    place: 'teams',
    ...(refused && { openable: teamPath(managerId) }),
    path: teamPath(managerId),
    personPath: state === 'unknown' ? null : personPath(managerId),
    called: who,
    depth,
    depths: teamDepths,
    state,
    most: String(peopleMax),
    count: members?.length.toLocaleString(locale),
    members: members?.slice(0, membersShown).map(viewMember),
    rest: members?.slice(membersShown).map(viewMember) ?? [],
    ...(await viewMonths(deps, visit)),
    typed,
    faultOf: (of: string, field: string): string | null =>
      refused?.of === of && refused.field === field ? refused.text : null,
    calendars,
    reopenable: await findRevoked(deps, visit, managerId),
    isMaking: refused?.of === 'make' || request.query['make'] === 'on',
    key: makeFormKey(),
  })
}

function viewMember({ userId, email, ...name }: TeamPerson): object {
  const called = displayName(name)
  return {
    name: isolated(isVisible(called) ? called : userId),
    path: personPath(userId),
    email: email === null ? null : isolated(email),
  }
}

/** Open calendars of the team, with when a program last asked for them. */
async function viewCalendars(
  deps: PageDeps,
  visit: Visit,
  managerId: string,
): Promise<readonly object[]> {
  const { companyId, request, locale, words } = visit
  const ids = await deps.teams.listTeamFeeds(companyId, managerId)
  const { listing } = deps.administrationBy(visit.by)
  const some = ids.slice(0, calendarsMax)
  const feeds = await Promise.all(some.map((id) => listing.findById(id)))
  const activity = await deps.activity.listActivity(some)
  const times = timesOf(deps, request, timezoneOf(deps, visit), locale)
  return feeds.map(({ id, name, team, userIds }) => {
    const last = lastPoll(activity.filter(({ feedId }) => feedId === id))
    return {
      id,
      name: isolated(name),
      depth: team && words.teams.team.depths[team.depth],
      people: userIds.length.toLocaleString(locale),
      asked: last ? times.ago(last.lastPolledAt) : null,
    }
  })
}

/** The calendar that the address names because it was just revoked, as long as it can be reopened. */
async function findRevoked(
  deps: PageDeps,
  visit: Visit,
  managerId: string,
): Promise<object | null> {
  const { data: revoked } = idField.safeParse(visit.request.query['revoked'])
  if (revoked === undefined) return null
  const { listing, reopening } = deps.administrationBy(visit.by)
  const feed = await listing.findById(revoked)
  if (!isOfTeam(feed, visit, managerId)) return null
  const { feed: until } = await reopening.listReopenable(feed, [])
  if (until === null) return null
  const times = timesOf(deps, visit.request, timezoneOf(deps, visit), visit.locale)
  return { id: feed.id, name: isolated(feed.name), until: times.at(until) }
}

/** The months of calendars for others, by the company's defaults. */
async function viewMonths(deps: PageDeps, visit: Visit): Promise<object> {
  const { companyId, locale, request } = visit
  const { others } = await deps.administrationBy(visit.by).companies.kept(companyId)
  const calendar = { timezone: timezoneOf(deps, visit), options: readOptions('others', others) }
  const { months, present } = monthsOf(calendar, deps.clock.now())
  const language = writtenAs(readerLocale(request, pageLanguages[locale].language).tag)
  return {
    months: months.map((value) => ({ value, text: monthName(language, value) })),
    present,
    thresholds,
  }
}

/** `POST /console/teams/{managerId}`: makes a calendar of the team, gives one a further address, revokes or reopens it. */
export async function changeTeam(deps: PageDeps, visit: Visit): Promise<void> {
  const form = await readForm(visit)
  const found = await findTeam(deps, visit, form.text('depth'))
  const act = form.text('act')
  if (act === 'make') return makeCalendar(deps, visit, found, form)
  const { listing, reopening } = deps.administrationBy(visit.by)
  const feed = await listing.findById(form.text('feed'))
  const path = teamPath(found.managerId)
  if (!isOfTeam(feed, visit, found.managerId)) {
    throw new RefusedInWords('not_found', visit.words.person.unknownFeed)
  }
  if (act === 'link') return addAddress(deps, visit, { found, feed, form })
  if (act === 'revoke') {
    await reopening.revoke(feed, form.has('leaked'))
    return redirectDone(deps, visit, path, 'calendarRevoked', { revoked: feed.id })
  }
  if (act !== 'reopen') throw new AppError('invalid', 'Unknown act of a form.')
  await reopening.reopenFeed(feed.id)
  redirectDone(deps, visit, path, 'calendarReopened')
}

function isOfTeam(feed: Feed, { companyId }: Visit, managerId: string): boolean {
  return feed.companyId === companyId && feed.team?.managerId === managerId
}

interface OfCalendar {
  readonly found: FoundTeam
  readonly feed: Feed
  readonly form: Form
}

async function addAddress(
  deps: PageDeps,
  visit: Visit,
  { found, feed, form }: OfCalendar,
): Promise<void> {
  const { faults } = visit.words.person
  const refuse = (text: string): Promise<void> =>
    sendTeam(deps, visit, found, { form, of: 'link', field: feed.id, text })
  const given = form.text('label')
  if (given === '') return refuse(faults.label_missing)
  const label = linkLabelField.safeParse(given).data
  if (label === undefined) return refuse(faults.label_unfit)
  const { feedLinks } = deps.administrationBy(visit.by)
  try {
    const { page = '' } = await feedLinks.create(feed.id, { label })
    await sendMade(deps, visit, found, { ...visit.words.teams.added, name: feed.name, page })
  } catch (error) {
    if (asAppError(error)?.code !== 'conflict') throw error
    return refuse(faults.label_in_use)
  }
}

async function makeCalendar(
  deps: PageDeps,
  visit: Visit,
  found: FoundTeam,
  form: Form,
): Promise<void> {
  const { managerId, depth } = found
  const { make, made } = visit.words.teams
  const { faults } = make
  const given = form.text('name')
  const name = given === '' ? undefined : newFeedSchema.shape.name.safeParse(given).data
  const refuse = (field: string, text: string): Promise<void> =>
    sendTeam(deps, visit, found, { form, of: 'make', field, text })
  if (given !== '' && name === undefined) return refuse('name', faults.name)
  const team = { managerId, depth }
  const input = { companyId: visit.companyId, team, ...(name !== undefined && { name }) }
  const { idempotentCreation } = deps.administrationBy(visit.by)
  try {
    const { replayed, feeds, warnings } = await idempotentCreation.create(input, form.text('key'))
    if (replayed) return redirectDone(deps, visit, teamPath(managerId), 'teamMade')
    const [feed] = feeds
    await sendMade(deps, visit, found, {
      done: made.done,
      notes: warnings.length > 0 ? [made.unchecked] : [],
      name: feed?.name ?? '',
      page: feed?.links[0]?.page ?? '',
    })
  } catch (error) {
    const pointers = asAppError(error)?.faults.map(({ pointer }) => pointer) ?? []
    if (pointers.includes('/team')) {
      return refuse('depth', fill(faults.tooMany, { most: String(peopleMax) }))
    }
    if (pointers.includes('/team/managerId')) return refuse('depth', faults.manager)
    throw error
  }
}

interface MadeAddress {
  readonly done: string
  readonly notes?: readonly string[]
  /** Of the calendar. */
  readonly name: string
  readonly page: string
}

/** The one reply that shows a new address. */
async function sendMade(
  deps: PageDeps,
  visit: Visit,
  { managerId, who }: FoundTeam,
  { done, notes = [], name, page }: MadeAddress,
): Promise<void> {
  const token = page.slice(page.lastIndexOf('/') + 1)
  const { made } = visit.words.teams
  sendConsole(deps, visit, {
    template: 'person-made',
    title: fill(visit.words.person.made.title, { name: isolated(name) }),
    place: 'teams',
    openable: teamPath(managerId),
    made: { ...visit.words.person.made, ...made },
    text: done,
    notes,
    values: { who, name: isolated(name) },
    back: teamPath(managerId),
    feedName: isolated(name),
    ...(await viewSubscription(visit.request, deps.publicUrl, { name, token })),
  })
}
