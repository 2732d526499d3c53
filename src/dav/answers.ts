/* Writes multistatus answers (RFC 4918 section 13). */
import { STATUS_CODES } from 'node:http'

import { AppError } from '../domain/errors.ts'
import {
  type CalendarObject,
  type CalendarObjects,
  changesSince,
  type PublicationName,
} from '../publishing/calendar-objects.ts'
import type { Place } from './places.ts'
import { tooMuch, unknownReport, unknownSyncToken } from './preconditions.ts'
import { type Account, finderOf, type Found, lengthOf, type Resource } from './properties.ts'
import type { Question } from './questions.ts'
import { syncToken } from './sync-token.ts'
import { davTag, documentOf, type Markup } from './xml.ts'

/** What must be known to answer: nothing of the calendar, what it serves, or its events. */
export type Need = 'account' | 'served' | 'objects'

/** `served` is undefined while it is not known yet. */
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
  /** Both as `needOf` says. */
  readonly served?: PublicationName | undefined
  readonly objects?: CalendarObjects | undefined
}

/** The body of a 207; `not_found` if there is no such event. */
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
  const { feedId } = account
  const isDeep = question.depth === 1
  const places: Place[] = [place]
  if (isDeep && place.kind === 'principal') places.push({ kind: 'home' })
  if (isDeep && place.kind === 'home') places.push({ kind: 'calendar', feedId })
  const resources: Resource[] = places.map((it) => ({ account, place: it, served }))
  const events = place.kind === 'calendar' && isDeep ? (objects?.objects ?? []) : []
  if (place.kind === 'event') {
    const object = findObject(objects, place)
    if (!object) throw nothingAt()
    return describeAll(question, [{ account, place, object }])
  }
  return describeAll(question, [...resources, ...events.map((object) => eventOf(account, object))])
}

function answerReport(
  question: Exclude<Question, { kind: 'propfind' }>,
  { account, place, served, objects }: Known,
): readonly Markup[] {
  if (place.kind !== 'calendar') throw unknownReport()
  const all = objects ?? { objects: [], removed: [] }
  const describeEvents = (found: readonly CalendarObject[]): readonly Markup[] =>
    describeAll(
      question,
      found.map((object) => eventOf(account, object)),
    )
  if (question.kind === 'query') return describeEvents(all.objects.filter(question.matches))
  if (question.kind === 'multiget') {
    const byName = new Map(all.objects.map((object) => [object.name, object]))
    const describe = describerOf(question, question.hrefs.length)
    return question.hrefs.map((href) => {
      const named = account.hrefs.find(href)
      const isHere = named?.kind === 'event' && named.feedId === account.feedId
      const object = isHere ? byName.get(named.name) : undefined
      return object ? describe(eventOf(account, object), href) : statusOf(href, 404)
    })
  }
  if (!served) throw new Error('A sync-collection is answered for a publication.')
  if (!objects) return [davTag('sync-token', syncToken(served))]
  const changes = changesSince(objects, question.since, served, question.limit)
  if (!changes) throw unknownSyncToken()
  const { changed, removed, next } = changes
  const hrefOf = ({ name }: Pick<CalendarObject, 'name'>): string =>
    account.hrefs.of({ kind: 'event', feedId: account.feedId, name })
  const cutOff = davTag('error', davTag('number-of-matches-within-limits'))
  return [
    ...describeEvents(changed),
    ...removed.map((object) => statusOf(hrefOf(object), 404)),
    ...(next ? [statusOf(account.hrefs.of(place), 507, cutOff)] : []),
    davTag('sync-token', syncToken(next ?? served)),
  ]
}

function eventOf(account: Account, object: CalendarObject): Resource {
  const { feedId } = account
  return { account, place: { kind: 'event', feedId, name: object.name }, object }
}

export function findObject(
  objects: CalendarObjects | undefined,
  { name }: Extract<Place, { kind: 'event' }>,
): CalendarObject | undefined {
  return objects?.objects.find((object) => object.name === name)
}

export function nothingAt(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}

function describeAll(question: Question, resources: readonly Resource[]): readonly Markup[] {
  const describe = describerOf(question, resources.length)
  return resources.map((resource) => describe(resource))
}

/** Of an answer, as much as names of properties may take in it: a request of 256 KiB could ask for gigabytes. */
const namesLengthMax = 1024 * 1024

function describerOf(
  { wanted, isMinimal }: Question,
  resources: number,
): (resource: Resource, href?: string) => Markup {
  const lengthMax = namesLengthMax / resources
  if (lengthOf(wanted, lengthMax) >= lengthMax) throw tooMuch()
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
