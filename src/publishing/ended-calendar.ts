import { endedNotice } from '../calendar/notices.ts'
import { renderCalendar } from '../calendar/render.ts'
import type { RevisedEvent } from '../domain/calendar-event.ts'
import type { Instant } from '../domain/world.ts'
import type { EndedLink } from './open-link.ts'
import { EncodedBody, type PublishedCalendar, weakTag } from './publication.ts'

/** All that is left of the calendar: one event that says that it has ended. */
export function endedEvents({ feed, endedAt }: EndedLink): readonly RevisedEvent[] {
  return [{ ...endedNotice({ feed, endedAt }), sequence: 0, changedAt: wholeSecond(endedAt) }]
}

/** That event as a calendar, the same bytes at every poll, modified after all that the link served before. */
export async function endedCalendar(ended: EndedLink): Promise<PublishedCalendar> {
  const { feed, link, endedAt } = ended
  const { name, locale } = feed
  const events = endedEvents(ended)
  const turn = new Date(endedAt).toISOString().slice(0, 10)
  const text = renderCalendar({ name, description: null, locale, turn, events })
  const before = link.publication?.lastModified ?? 0
  const lastModified = Math.max(wholeSecond(endedAt), before + 1000)
  const publication = { fingerprint: 'ended', etag: weakTag(text), lastModified }
  return { publication, body: await EncodedBody.of(text) }
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000
}
