/* Writes multistatus bodies (RFC 4918 section 13). */
import { STATUS_CODES } from 'node:http'

import { AppError } from '../domain/errors.ts'
import {
  type CalendarObject,
  type CalendarObjects,
  changesSince,
  type PublicationName,
  type RemovedObject,
  type SyncPoint,
} from '../publishing/calendar-objects.ts'
import type { Place } from './places.ts'
import { tooMuch, unknownReport, unknownSyncToken } from './preconditions.ts'
import { type Account, finderOf, type Found, namesLength, type Resource } from './properties.ts'
import type { Question } from './questions.ts'
import { syncToken } from './sync-token.ts'
import { davTag, documentOf, type Markup } from './xml.ts'

/** What an answer needs: nothing of the calendar, the name of the publication that it serves, or its events. */
export type Need = 'account' | 'served' | 'objects'

/** `served` is undefined before it has been read. */
export function needOf(
  question: Question,
  place: Place,
  served: PublicationName | undefined,
): Need {
  if (question.kind === 'sync') {
    const { since } = question
    const isCurrent = since && since.link === served?.link && since.at === served.at && !since.upTo
    return isCurrent ? 'served' : 'objects'
  }
  if (question.kind !== 'propfind' || place.kind === 'event') return 'objects'
  if (place.kind === 'calendar') return question.depth === 0 ? 'served' : 'objects'
  return place.kind === 'home' && question.depth === 1 ? 'served' : 'account'
}

export interface Known {
  readonly account: Account
  readonly place: Place
  /** `served` and `objects` as `needOf` says. */
  readonly served?: PublicationName | undefined
  readonly objects?: CalendarObjects | undefined
  /** As in `PollAnswer`. */
  readonly isConfirmed?: boolean
}

/** Returns the body of a 207; `not_found` if there is no such event. */
export function multistatus(question: Question, known: Known): string {
  return documentOf(
    question.kind === 'propfind'
      ? davTag('multistatus', answerPropfind(question, known))
      : davTag('multistatus', answerReport(question, known)),
  )
}

function answerPropfind(
  question: Extract<Question, { kind: 'propfind' }>,
  { account, place, served, objects }: Known,
): readonly Markup[] {
  if (place.kind === 'event') {
    const object = findObject(objects, place)
    if (!object) throw nothingAt()
    return describeAll(question, [eventOf(account, object)])
  }
  const isDeep = question.depth === 1
  const resources: Resource[] = [{ account, place, served }]
  if (isDeep && place.kind === 'principal') resources.push({ account, place: { kind: 'home' } })
  if (isDeep && place.kind === 'home') {
    const calendar = { kind: 'calendar', feedId: account.feedId } as const
    resources.push({ account, place: calendar, served })
  }
  if (isDeep && place.kind === 'calendar') {
    for (const object of needed(objects).objects) resources.push(eventOf(account, object))
  }
  return describeAll(question, resources)
}

function answerReport(
  question: Exclude<Question, { kind: 'propfind' }>,
  known: Known,
): readonly Markup[] {
  if (known.place.kind !== 'calendar') throw unknownReport()
  if (question.kind === 'multiget') return answerMultiget(question, known)
  if (question.kind === 'sync') return answerSync(question, known)
  const { account, objects } = known
  return describeEvents(question, account, needed(objects).objects.filter(question.matches))
}

function answerMultiget(
  question: Extract<Question, { kind: 'multiget' }>,
  { account, objects }: Known,
): readonly Markup[] {
  const byName = new Map(needed(objects).objects.map((object) => [object.name, object]))
  const describe = describerOf(question, question.hrefs.length)
  return question.hrefs.map((href) => {
    const place = account.hrefs.placeAt(href)
    const isOwn = place?.kind === 'event' && place.feedId === account.feedId
    const object = isOwn ? byName.get(place.name) : undefined
    return object ? describe(eventOf(account, object), href) : statusOf(href, 404)
  })
}

function answerSync(
  question: Extract<Question, { kind: 'sync' }>,
  { account, place, served, objects, isConfirmed = true }: Known,
): readonly Markup[] {
  if (!served) throw new Error('A sync-collection is answered for a publication.')
  if (needOf(question, place, served) === 'served') return [davTag('sync-token', syncToken(served))]
  const changes = changesSince(needed(objects), question.since, served, question.limit)
  if (!changes)
    throw !isConfirmed && isLater(question.since, served) ? notYet() : unknownSyncToken()
  const { changed, removed, next } = changes
  const hrefOf = ({ name }: RemovedObject): string =>
    account.hrefs.of({ kind: 'event', feedId: account.feedId, name })
  const truncated = davTag('error', davTag('number-of-matches-within-limits'))
  return [
    ...describeEvents(question, account, changed),
    ...removed.map((object) => statusOf(hrefOf(object), 404)),
    ...(next ? [statusOf(account.hrefs.of(place), 507, truncated)] : []),
    davTag('sync-token', syncToken(next ?? served)),
  ]
}

function isLater(point: SyncPoint | undefined, served: PublicationName): boolean {
  return point !== undefined && point.link === served.link && point.at > served.at
}

function notYet(): AppError {
  return new AppError('unavailable', 'The calendar is older than the sync token. Try again.')
}

/** An answer that lacks its events would make a client delete its own. */
function needed(objects: CalendarObjects | undefined): CalendarObjects {
  if (!objects) throw new Error('The events must be read first.')
  return objects
}

function eventOf(account: Account, object: CalendarObject): Resource {
  const { feedId } = account
  return { account, place: { kind: 'event', feedId, name: object.name }, object }
}

export function findObject(
  objects: CalendarObjects | undefined,
  { name }: Extract<Place, { kind: 'event' }>,
): CalendarObject | undefined {
  return needed(objects).objects.find((object) => object.name === name)
}

export function nothingAt(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}

function describeEvents(
  question: Question,
  account: Account,
  objects: readonly CalendarObject[],
): readonly Markup[] {
  const resources = objects.map((object) => eventOf(account, object))
  return describeAll(question, resources)
}

function describeAll(question: Question, resources: readonly Resource[]): readonly Markup[] {
  const describe = describerOf(question, resources.length)
  return resources.map((resource) => describe(resource))
}

/** What property names may take of an answer, since a request of 256 KiB could ask for gigabytes of them. */
const namesLengthMax = 1024 * 1024

function describerOf(
  { wanted, isMinimal }: Question,
  resources: number,
): (resource: Resource, href?: string) => Markup {
  const lengthMax = namesLengthMax / resources
  if (namesLength(wanted, lengthMax) >= lengthMax) throw tooMuch()
  const find = finderOf(wanted)
  return (resource, href = resource.account.hrefs.of(resource.place)) => {
    const { found, missing } = find(resource)
    const stats = [
      ...(found.length > 0 || isMinimal || missing.length === 0 ? [propstat(200, found)] : []),
      ...(missing.length > 0 && !isMinimal ? [propstat(404, missing)] : []),
    ]
    return davTag('response', [davTag('href', href), ...stats])
  }
}

function propstat(status: number, properties: Found['found']): Markup {
  return davTag('propstat', [davTag('prop', properties), statusLine(status)])
}

function statusOf(href: string, status: number, ...error: readonly Markup[]): Markup {
  return davTag('response', [davTag('href', href), statusLine(status), ...error])
}

function statusLine(status: number): Markup {
  return davTag('status', `HTTP/1.1 ${status} ${STATUS_CODES[status]}`)
}
