/* What the page of one person shows of them and of their calendars. */
import type { AuditEntry } from '../../domain/access/audit-entry.ts'
import { clientStates, linkStatus, nextPoll, type ClientActivity } from '../../domain/activity.ts'
import { anotherPerson, type Feed, isOfOnePerson, localeNames } from '../../domain/feed.ts'
import { feedKinds } from '../../domain/kinds.ts'
import { type FeedLink, mailedLabel } from '../../domain/link.ts'
import type { ListedState } from '../../domain/people-list.ts'
import type { Person } from '../../domain/person.ts'
import { displayName } from '../../domain/user.ts'
import type { Instant } from '../../domain/world.ts'
import { activeLinks, labelBefore } from '../../feeds/link-replacement.ts'
import { isHeld } from '../../feeds/self-service/held-link.ts'
import { kindName } from '../../publishing/feed-condition.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import type { PageTimes } from '../pages/times.ts'
import { fill, pageLanguages } from '../pages/words/words.ts'
import { viewEntries } from './audit-page.ts'
import { consoleAddress, RefusedInWords, type Visit } from './console.ts'
import { viewChoices } from './person-choices.ts'

/** A person of the directory or of a calendar. */
export interface FoundPerson {
  readonly userId: string
  /** Undefined for somebody who is only in calendars. */
  readonly known: Person | undefined
  /** The name, or the id of somebody without one; for sentences. */
  readonly who: string
  /** Calendars of this person alone, the newest first. */
  readonly own: readonly Feed[]
  readonly shared: readonly Feed[]
}

const feedsMax = 200
/** A person may have hundreds of links. */
const linksAtOnce = 30
const entriesShown = 20
/** Entries are looked up by calendar. */
const feedsInAudit = 10

export function personPath(userId: string): string {
  return `/people/${encodeURIComponent(userId)}`
}

function isOwn(feed: Feed): boolean {
  return feed.audience === 'own' && isOfOnePerson(feed)
}

/** `not_found` if the company knows nothing of that person. */
export async function findPerson(
  { people, peopleListing }: PageDeps,
  { request, companyId, words }: Visit,
): Promise<FoundPerson> {
  const userId = String(request.params['userId'])
  const known = await people.findPerson(companyId, userId)
  const filter = { companyId, userIds: [userId], limit: feedsMax }
  const feeds = await peopleListing.feeds.listFeeds(filter)
  if (!known && feeds.length === 0) throw new RefusedInWords('not_found', words.person.unknown)
  const name = displayName(known)
  return {
    userId,
    known,
    who: isolated(isVisible(name) ? name : userId),
    own: feeds.filter(isOwn).toReversed(),
    shared: feeds.filter((feed) => !isOwn(feed)),
  }
}

/** Whether mail is set up, with addresses that people can open. */
function mayMail({ access: { mailing } }: PageDeps): boolean {
  return mailing?.reachesPeople === true
}

export function isOpen({ revokedAt, closedAt }: Feed): boolean {
  return revokedAt === null && closedAt === null
}

export async function viewPerson(
  deps: PageDeps,
  visit: Visit,
  found: FoundPerson,
): Promise<object> {
  const { locale, request, companyId } = visit
  const { userId, known, own, shared } = found
  const departure = await deps.exportingPerson.departed.findDeparture(companyId, userId)
  const newcomer = await deps.exportingPerson.newcomers.findNewcomer(companyId, userId)
  const timezone = own[0]?.timezone ?? deps.connections.get(companyId)?.company.timezone ?? 'UTC'
  const times = timesOf(deps, request, timezone, locale)
  const name = displayName(known)
  const hasLeft = departure !== undefined && departure.leftAt !== null
  const entries = await listEntries(deps, [...own, ...shared])
  return {
    userId,
    called: found.who,
    name: isVisible(name) ? isolated(name) : null,
    mail: known?.email ?? null,
    mailTo: mayMail(deps) ? (known?.email ?? null) : null,
    manager: await viewManager(deps, visit, known),
    state: known ? stateOf(known, hasLeft, newcomer !== undefined) : null,
    isHeldBack: departure?.isHeldBack === true && !hasLeft,
    left: hasLeft ? viewTime(times, 'date', departure.leftAt) : null,
    seen: known ? viewTime(times, 'ago', known.seenAt) : null,
    read: viewTime(times, 'ago', known?.readAt ?? null),
    hasOpen: own.some(isOpen),
    shared: shared.map((feed) => ({
      name: isolated(feed.name),
      isOpen: isOpen(feed),
      isTeam: feed.team !== null,
      address:
        feed.team &&
        consoleAddress(deps, visit, `/teams/${encodeURIComponent(feed.team.managerId)}`),
    })),
    feeds: await Promise.all(shownFeeds(own).map((feed) => viewFeed(deps, visit, feed))),
    endedBefore: own.length - shownFeeds(own).length,
    entries: await viewEntries(deps, visit, entries),
  }
}

/** Those that are open, and the last one of those that have ended. */
function shownFeeds(own: readonly Feed[]): readonly Feed[] {
  const [last] = own
  return own.filter((feed) => isOpen(feed) || feed === last)
}

function stateOf({ state }: Person, hasLeft: boolean, isDoubtful: boolean): ListedState {
  if (isDoubtful) return 'held'
  if (state === 'misnamed') return state
  return hasLeft || state === 'user_inactive' || state === 'user_missing' ? 'left' : state
}

/** An instant for `<time>`, and in words. */
function viewTime(
  times: PageTimes,
  how: 'date' | 'ago',
  instant: Instant | null,
): { readonly iso: string; readonly text: string } | null {
  if (instant === null) return null
  return { iso: new Date(instant).toISOString(), text: times[how](instant) }
}

async function viewManager(
  deps: PageDeps,
  visit: Visit,
  known: Person | undefined,
): Promise<object | null> {
  const id = known?.managerId ?? null
  if (id === null) return null
  const name = displayName(await deps.people.findPerson(visit.companyId, id))
  const text = isolated(isVisible(name) ? name : id)
  return { text, address: consoleAddress(deps, visit, personPath(id)) }
}

async function viewFeed(deps: PageDeps, visit: Visit, feed: Feed): Promise<object> {
  const { locale, request, by, words } = visit
  const times = timesOf(deps, request, feed.timezone, locale)
  const all = await deps.explaining.links.listLinks([feed.id])
  const now = deps.clock.now()
  const open = activeLinks(all, now)
  const { reopening } = deps.administrationBy(by)
  const reopenable = await reopening.listReopenable(feed, all)
  const activity = await deps.activity.listActivity([feed.id])
  const from = partFrom(request.query['links'], open.length)
  const part = open.slice(from, from + linksAtOnce)
  const { closedBecause } = feed
  const ends = { revoked: words.person.feed.revokedAt, closed: words.person.feed.closedAt }
  const state = feed.revokedAt !== null ? 'revoked' : feed.closedAt !== null ? 'closed' : 'open'
  const endedAt = feed.revokedAt ?? feed.closedAt
  const sentence =
    state === 'closed' && closedBecause === anotherPerson
      ? words.person.feed.closedForGood
      : ends[state === 'open' ? 'revoked' : state]
  return {
    id: feed.id,
    name: isolated(feed.name),
    state,
    ended: endedAt === null ? null : fill(sentence, { date: times.date(endedAt) }),
    made: viewTime(times, 'date', feed.createdAt),
    language: localeNames[feed.locale],
    locale: feed.locale,
    timezone: feed.timezone,
    today: times.today,
    shows: feedKinds
      .filter((kind) => feed.options[kind].show)
      .map((kind) => kindName(kind, locale))
      .join(', '),
    count: open.length,
    links: part.map((link) => viewLink(visit, link, { times, activity, now })),
    part: open.length > linksAtOnce ? { from: from + 1, to: from + part.length } : null,
    more: from + linksAtOnce < open.length ? String(from + linksAtOnce) : null,
    isFirst: from === 0,
    endedCount: all.length - open.length,
    reopenable: all.flatMap((link) => {
      const until = reopenable.links.get(link.label)
      if (until === undefined) return []
      return [{ label: link.label, shown: sayLabel(visit, link), until: times.at(until) }]
    }),
    reopenableUntil: reopenable.feed === null ? null : times.at(reopenable.feed),
    choices: isOpen(feed) ? viewChoices(feed, locale) : null,
  }
}

function partFrom(asked: unknown, count: number): number {
  const from = typeof asked === 'string' && /^\d{1,4}$/.test(asked) ? Number(asked) : 0
  return from < count ? from : 0
}

interface LinkContext {
  readonly times: PageTimes
  readonly activity: readonly ClientActivity[]
  readonly now: Instant
}

function viewLink(visit: Visit, link: FeedLink, { times, activity, now }: LinkContext): object {
  const { links } = visit.words.person
  const { clients } = pageLanguages[visit.locale].activity
  const status = linkStatus(link, activity, now)
  const [last] = clientStates(link, activity)
  return {
    label: link.label,
    shown: sayLabel(visit, link),
    isOnlyAway: link.choices.onlyAway === true,
    made: viewTime(times, 'date', link.createdAt),
    /** By which a form knows that it is still the same link. */
    version: String(link.createdAt),
    ends: sayEnd(visit, link, times),
    isHeld: isHeld(link),
    asked: status && {
      program: clients[status.client],
      ago: times.ago(status.askedAt),
      iso: new Date(status.askedAt).toISOString(),
      state: status.state,
      text: links.states[status.state],
      verdict: last && last.state === 'behind' ? links.behind : null,
    },
    next: sayNext(visit, link, { times, activity, now }),
  }
}

function sayEnd({ words }: Visit, link: FeedLink, times: PageTimes): string | null {
  if (link.endsAt === null) return null
  const { ends, unused } = words.person.links
  return fill(isHeld(link) ? unused : ends, { date: times.date(link.endsAt) })
}

function sayNext(
  { words }: Visit,
  link: FeedLink,
  { times, activity, now }: LinkContext,
): string | null {
  const { links } = words.person
  const { client, expectedAt } = nextPoll(link, activity, now)
  if (client === null) return null
  if (linkStatus(link, activity, now)?.state === 'stopped') return links.stopped
  if (expectedAt === null) return links.notKnown
  return expectedAt <= now ? links.due : times.at(expectedAt)
}

/** As the person sees it; a replaced link keeps its former label. */
export function sayLabel({ locale }: Visit, { label }: Pick<FeedLink, 'label'>): string {
  const before = labelBefore(label)
  const { links } = pageLanguages[locale].me
  if (before === 'default') return links.first
  return before === mailedLabel ? links.mailed : isolated(before)
}

/** By calendar: an index covers those, and none covers people. */
async function listEntries(
  { access: { audit } }: PageDeps,
  feeds: readonly Feed[],
): Promise<readonly AuditEntry[]> {
  const found = await Promise.all(
    feeds
      .slice(0, feedsInAudit)
      .map(({ id }) => audit.listEntries({ feedId: id, limit: entriesShown })),
  )
  return found
    .flat()
    .toSorted((one, other) => other.at - one.at)
    .slice(0, entriesShown)
}
