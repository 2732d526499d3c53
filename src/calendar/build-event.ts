import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import type { EventKind } from '../domain/kinds.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { Maybe } from '../domain/world.ts'
import {
  cutText,
  descriptionLengthMax,
  isVisible,
  plainText,
  titleLengthMax,
} from '../text/plain-text.ts'
import { isTimeFault, type TimeFault } from './event-time.ts'
import { type ExpansionContext, knownName, type SetAside } from './expansion.ts'

/** Limit for the name and for each remark in a title, to leave room for the title itself. */
const partLengthMax = 80
/** Clients and servers reject longer addresses. */
const uriLengthMax = 2048

export interface EventDraft {
  readonly kind: EventKind
  readonly id: string
  /** The person to name first in calendars for others. */
  readonly userId?: string
  readonly time: EventTime | TimeFault
  /** In front of the title: a shift's hours. */
  readonly lead?: string
  readonly title: Maybe<string>
  readonly remarks?: readonly string[]
  /** Parts of the description, each on separate lines. */
  readonly details?: readonly Maybe<string>[]
  readonly status?: CalendarEvent['status']
  /** Default FREE, since due items block no day. */
  readonly busy?: CalendarEvent['busy']
  readonly priority?: number | null
  readonly isRejected?: boolean
  /** Whether too few people are there. */
  readonly isThin?: boolean
}

/**
 * CSS colour names (RFC 7986 section 5.9) on which white text can be read. By kind alone, so that no kind of leave can be
 * told from another.
 */
const colors: Readonly<Record<EventKind, string | null>> = {
  leave: 'green',
  absence: 'darkolivegreen',
  shift: 'royalblue',
  timesheet: 'dimgray',
  timesheetdue: 'sienna',
  task: 'darkorchid',
  invoice: 'teal',
  notice: null,
}
const rejectedColor = 'crimson'
const thinColor = 'firebrick'

export function buildEvent(draft: EventDraft, context: ExpansionContext): CalendarEvent | SetAside {
  const { kind, id, time } = draft
  return isTimeFault(time) ? { kind, id, reason: time } : writeEvent({ ...draft, time }, context)
}

export function writeEvent(
  draft: EventDraft & { readonly time: EventTime },
  context: ExpansionContext,
): CalendarEvent {
  const { kind, id, time } = draft
  const { feed, company, words } = context
  const isMarked = draft.isRejected === true && feed.options.colors
  return {
    uid: eventUid(feed.companyId, kind, id),
    kind,
    time,
    title: titleOf(draft, context),
    description: descriptionOf(draft.details ?? []),
    status: draft.status ?? 'CONFIRMED',
    // A colleague's event must not block the reader's own day.
    busy: feed.audience === 'others' ? 'FREE' : (draft.busy ?? 'FREE'),
    categories: [words.kinds[kind], ...(isMarked ? [words.rejected] : [])],
    color: feed.options.colors ? colorOf(draft) : null,
    priority: draft.priority ?? null,
    url: recordUrl(company.recordUrl, kind, id),
    reminderMinutes: time.allDay ? null : feed.options.reminderMinutes,
  }
}

function colorOf({ kind, isRejected = false, isThin = false }: EventDraft): string | null {
  if (isRejected) return rejectedColor
  return isThin ? thinColor : colors[kind]
}

/**
 * Returns `{kind}-{id}[-{user}][-{date}]@{company}.calendar-feed-bridge`; only shifts have a user, and only they and days
 * of absence a date. The UID contains no time, so that it stays when the event moves (RFC 7986 section 5.3). Ids are
 * encoded, so that UIDs are unique.
 */
export function eventUid(companyId: string, kind: EventKind, id: string): string {
  return `${kind}-${encodeId(id)}${uidEnd(companyId)}`
}

/** Returns the UIDs of events that come once a day, such as a person's shifts by a schedule. */
export function datedUids(
  companyId: string,
  kind: EventKind,
  ...ids: readonly string[]
): (date: PlainDate) => string {
  const [begin, end] = [`${[kind, ...ids.map(encodeId)].join('-')}-`, uidEnd(companyId)]
  return (date) => `${begin}${date.slice(0, 4)}${date.slice(5, 7)}${date.slice(8)}${end}`
}

function uidEnd(companyId: string): string {
  return `@${encodeId(companyId)}.calendar-feed-bridge`
}

/** Encodes bytes outside `[A-Za-z0-9_]` as `=HH`, so that "a-b" with "c" differs from "a" with "b-c". */
function encodeId(id: string): string {
  if (!/[^A-Za-z0-9_]/.test(id)) return id
  return id.replaceAll(/[^A-Za-z0-9_]+/g, (other) =>
    [...new TextEncoder().encode(other)]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}

/** Never empty; contains the name and remarks, however long the title is. */
function titleOf(
  { kind, lead, title, userId, remarks = [] }: EventDraft,
  context: ExpansionContext,
): string {
  const { feed, words } = context
  const isNamed = feed.audience === 'others' && userId !== undefined
  const name = isNamed ? shortLine(knownName(context, userId) ?? feed.name) : null
  const head = `${name === null ? '' : `${name}: `}${lead === undefined ? '' : `${lead} `}`
  const tail = remarks.flatMap((remark) => shortLine(remark) ?? []).map((remark) => ` (${remark})`)
  const room = titleLengthMax - head.length - tail.join('').length
  const text = cutText(plainText(title ?? '', ' '), room)
  return [head, isVisible(text) ? text : words.kinds[kind], ...tail].join('')
}

/** Null if nothing visible is left. */
export function shortLine(text: string): string | null {
  const line = cutText(plainText(text, ' '), partLengthMax)
  return isVisible(line) ? line : null
}

function descriptionOf(details: readonly Maybe<string>[]): string | null {
  const lines = details.map((detail) => plainText(detail ?? '', '\n')).filter(isVisible)
  return lines.length > 0 ? cutText(lines.join('\n'), descriptionLengthMax) : null
}

/**
 * Null without an http address, and for a day of absence, which is no record. Percent-encodes what TEXT escaping would
 * alter, since a URI is no TEXT (RFC 5545 section 3.3.13).
 */
function recordUrl(template: string | null, kind: EventKind, id: string): string | null {
  if (template === null || kind === 'absence') return null
  const address = template
    .replaceAll('{kind}', kind === 'timesheetdue' ? 'timesheet' : kind)
    .replaceAll('{id}', () => encodeURIComponent(id.toWellFormed()))
  if (!URL.canParse(address)) return null
  const { href, protocol } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const uri = href.replaceAll(/[,;\\]/g, encodeURIComponent)
  return uri.length <= uriLengthMax ? uri : null
}
