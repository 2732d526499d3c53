/* A calendar in the form that CalDAV serves: each event as a resource, and what has changed since an earlier publication. */
import { hash } from 'node:crypto'

import { localTime, type LocalTime } from '../calendar/local-time.ts'
import { vcalendarOf } from '../calendar/render.ts'
import type { WrittenEvent } from '../calendar/vevent.ts'
import type { EventTime } from '../domain/calendar-event.ts'
import type { Feed } from '../domain/feed.ts'
import type { NextLedger, Publication, SyncHistory } from '../domain/ledger.ts'
import { dayNumber } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'

/** A calendar object resource (RFC 4791 section 4.1). */
export interface CalendarObject {
  /** The hash of the UID: 14 hexadecimal digits. */
  readonly name: string
  /** Strong, with quotes (RFC 9110 section 8.8.3). */
  readonly etag: string
  readonly start: Instant
  /** Exclusive. */
  readonly end: Instant
  /** As in the ledger: Last-Modified of the publication that last changed or showed it, or a later one. */
  readonly publishedAt: Instant
  /** Its VEVENT, as in the `.ics`. */
  readonly vevent: string
}

/** An event that is no longer in the calendar, and Last-Modified of the publication that removed it. */
export type RemovedObject = Pick<CalendarObject, 'name' | 'publishedAt'>

export interface CalendarObjects {
  readonly objects: readonly CalendarObject[]
  readonly removed: readonly RemovedObject[]
  readonly history?: SyncHistory | undefined
}

/** What a sync token (RFC 6578) names. */
export interface PublicationName {
  /** By `syncName`. */
  readonly link: string
  /** Its Last-Modified. */
  readonly at: Instant
}

/** How far a client has synchronised. */
export interface SyncPoint extends PublicationName {
  /** After a truncated answer, its last change: the client has all changes up to it, and all removals up to `at`. */
  readonly upTo?: RemovedObject | undefined
}

export interface Changes {
  readonly changed: readonly CalendarObject[]
  readonly removed: readonly RemovedObject[]
  /** Where the next answer continues; undefined unless this one is truncated. */
  readonly next: SyncPoint | undefined
}

/** Returns JSON for `readObjects`; it is kept in memory only, so nobody else writes it. */
export function writeObjects(
  { timezone }: Pick<Feed, 'timezone'>,
  events: readonly WrittenEvent[],
  { entries, history }: Pick<NextLedger, 'entries' | 'history'>,
  { lastModified }: Pick<Publication, 'lastModified'>,
): string {
  const local = localTime(timezone)
  const known = new Map(entries)
  const objects = events.map(({ event, uidHash, text }): CalendarObject => {
    const name = objectName(uidHash)
    const etag = `"${hash('sha256', vcalendarOf(text), 'base64url').slice(0, 27)}"`
    const { publishedAt = lastModified } = known.get(uidHash) ?? {}
    return { name, etag, ...spanOf(event.time, local), publishedAt, vevent: text }
  })
  const removed = [...known].flatMap(
    ([uidHash, { goneAt, publishedAt = lastModified }]): RemovedObject[] =>
      goneAt === null ? [] : [{ name: objectName(uidHash), publishedAt }],
  )
  return JSON.stringify({ objects, removed, history } satisfies CalendarObjects)
}

export function readObjects(json: Uint8Array): CalendarObjects {
  const objects: CalendarObjects = JSON.parse(Buffer.from(json).toString())
  return objects
}

function objectName(uidHash: string): string {
  return Buffer.from(uidHash, 'base64url').toString('hex')
}

/** All-day events begin and end at midnight in the calendar's time zone. */
function spanOf(time: EventTime, local: LocalTime): Pick<CalendarObject, 'start' | 'end'> {
  if (!time.allDay) return { start: time.start, end: time.end }
  const [start, end] = [time.start, time.end].map((date) => local.instantOn(dayNumber(date), 0))
  return { start: start ?? 0, end: end ?? 0 }
}

/**
 * Returns at most `limit` changes since `point`, oldest first, or all events without it. `current` is what the link serves.
 * Undefined if the ledger may not know all removals since, or has nothing in common with that of the link that `point` names.
 */
export function changesSince(
  all: CalendarObjects,
  point: SyncPoint | undefined,
  current: PublicationName,
  limit: number,
): Changes | undefined {
  if (point && !isKnown(point, all.history, current)) return undefined
  // An initial synchronisation reports no removals (RFC 6578 section 3.4).
  const base = point?.at ?? Infinity
  const isAhead = (change: RemovedObject): boolean => {
    if (point?.upTo) return inOrder(change, point.upTo) > 0
    return !point || change.publishedAt > point.at
  }
  const changes: readonly (CalendarObject | RemovedObject)[] = [
    ...all.objects.filter(isAhead),
    ...all.removed.filter((it) => it.publishedAt > base && isAhead(it)),
  ].toSorted(inOrder)
  const taken = changes.slice(0, limit)
  const upTo = taken.length < changes.length ? taken.at(-1) : undefined
  return {
    changed: taken.filter((change): change is CalendarObject => 'vevent' in change),
    removed: taken.filter((change) => !('vevent' in change)),
    next: upTo && { link: current.link, at: (point ?? current).at, upTo },
  }
}

function isKnown(
  { link, at, upTo }: SyncPoint,
  history: SyncHistory | undefined,
  current: PublicationName,
): boolean {
  const { since = Infinity, ranges = [] } = history ?? {}
  const common = ranges.slice(0, ranges.findLastIndex(([name]) => name === link) + 1)
  // A node of the release before that changed no event left the ledger as it was.
  const isLatest = common.length === ranges.length && link === current.link
  const isCommon = (instant: Instant): boolean =>
    common.some(([, first, last], index) => {
      const end = isLatest && index === common.length - 1 ? current.at : last
      return first <= instant && instant <= end
    })
  if (upTo && upTo.publishedAt > at && !isCommon(upTo.publishedAt)) return false
  const isCurrent = link === current.link && at === current.at
  return isCurrent || (at >= since && isCommon(at))
}

function inOrder(a: RemovedObject, b: RemovedObject): number {
  return a.publishedAt - b.publishedAt || Number(a.name > b.name) - Number(a.name < b.name)
}
