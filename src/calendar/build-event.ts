import type { CalendarEvent, EventTime } from '../domain/calendar-event.ts'
import type { EventKind } from '../domain/kinds.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { Maybe } from '../domain/world.ts'
import { isTimeFault, type TimeFault } from './event-time.ts'
import { personName, type Expanding, type Outcome } from './expansion.ts'
import { recordUrl } from './record-url.ts'
import {
  cutText,
  descriptionLengthMax,
  isVisible,
  multiLine,
  singleLine,
  titleLengthMax,
} from './text.ts'
import { eventUid } from './uid.ts'

/** Of a title's name and each of its remarks: they leave room for the title itself. */
const partLengthMax = 80

/** What an expander says of one event; what it leaves out takes the usual value. */
export interface EventDraft {
  readonly kind: EventKind
  /** The record's id. */
  readonly id: string
  readonly shiftDate?: PlainDate
  /** Whose it is, where it is a person's: named first in calendars for others. */
  readonly userId?: string
  readonly time: EventTime | TimeFault
  readonly title: Maybe<string>
  /** Said after the title in parentheses. */
  readonly remarks?: readonly string[]
  /** Parts of the description, each on lines of its own; nulls are left out. */
  readonly details?: readonly Maybe<string>[]
  readonly status?: CalendarEvent['status']
  readonly busy?: CalendarEvent['busy']
  readonly priority?: number | null
}

/** The event of a draft, with texts cleaned and cut; set aside if its time is none. */
export function buildEvent(draft: EventDraft, expanding: Expanding): Outcome {
  const { kind, id, time, shiftDate, userId } = draft
  if (isTimeFault(time)) return { kind, id, reason: time }
  const { feed, company, words } = expanding
  const shift =
    shiftDate !== undefined && userId !== undefined ? { shift: { userId, date: shiftDate } } : {}
  return {
    uid: eventUid({ companyId: feed.companyId, kind, id, ...shift }),
    kind,
    time,
    title: titleOf(draft, expanding),
    description: descriptionOf(draft.details ?? []),
    status: draft.status ?? 'CONFIRMED',
    // What a colleague does must not block the reader's own day.
    busy: feed.audience === 'others' ? 'FREE' : (draft.busy ?? 'FREE'),
    categories: [words.kinds[kind]],
    priority: draft.priority ?? null,
    url: recordUrl(company.recordUrl, kind, id),
    reminderMinutes: time.allDay ? null : feed.options.reminderMinutes,
  }
}

/** Names and remarks stay, however long the title is. */
function titleOf({ kind, title, userId, remarks = [] }: EventDraft, expanding: Expanding): string {
  const { feed, words } = expanding
  const isNamed = feed.audience === 'others' && userId !== undefined
  const name = isNamed ? shortLine(personName(expanding, userId)) : null
  const head = name === null ? '' : `${name}: `
  const tail = remarks.flatMap((remark) => shortLine(remark) ?? []).map((remark) => ` (${remark})`)
  const room = titleLengthMax - head.length - tail.join('').length
  const text = cutText(singleLine(title ?? ''), room)
  return [head, isVisible(text) ? text : words.kinds[kind], ...tail].join('')
}

function shortLine(text: string): string | null {
  const line = cutText(singleLine(text), partLengthMax)
  return isVisible(line) ? line : null
}

function descriptionOf(details: readonly Maybe<string>[]): string | null {
  const lines = details.map((detail) => multiLine(detail ?? '')).filter(isVisible)
  return lines.length > 0 ? cutText(lines.join('\n'), descriptionLengthMax) : null
}
