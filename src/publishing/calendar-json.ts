import type { WrittenEvent } from '../calendar/render.ts'
import type { Feed } from '../domain/feed.ts'

/** Rises with every change of what the same events look like in JSON. */
const version = 1

/** Another text whenever the JSON is another: it says what the calendar of that entity tag says, the feed's zone and whole name. */
export function jsonContent({ name, timezone }: Feed, etag: string): string {
  return JSON.stringify([version, etag, name, timezone])
}

/**
 * The calendar for programs: `{name, timezone, events}`. `start` and `end` are RFC 3339 instants in UTC, or dates of
 * all-day events; the end is exclusive.
 */
export function calendarJson(feed: Feed, events: readonly WrittenEvent[]): string {
  return JSON.stringify({ name: feed.name, timezone: feed.timezone, events: events.map(viewEvent) })
}

function viewEvent({ event, revision }: WrittenEvent): object {
  const { uid, kind, title, description, time, status, busy } = event
  const { sequence, changedAt } = revision
  return {
    uid,
    kind,
    title,
    description,
    start: time.allDay ? time.start : iso(time.start),
    end: time.allDay ? time.end : iso(time.end),
    allDay: time.allDay,
    status,
    busy,
    sequence,
    lastModified: iso(changedAt),
  }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
