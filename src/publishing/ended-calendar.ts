import { createAgenda } from '../calendar/expand.ts'
import { endedNotice } from '../calendar/notices.ts'
import { renderCalendar } from '../calendar/render.ts'
import type { Instant } from '../domain/world.ts'
import { inSteps } from '../json/rest.ts'
import type { EndedLink } from './open-link.ts'
import { type CalendarForm, type PublishedCalendar, published, weakTag } from './publication.ts'

/**
 * All that is left of the calendar: one event that says that it has ended, the same bytes at every poll, modified after
 * all that the link served before.
 */
export async function endedCalendar(
  { feed, link, endedAt }: EndedLink,
  form: CalendarForm,
): Promise<PublishedCalendar> {
  const { name, locale } = feed
  const turn = new Date(endedAt).toISOString().slice(0, 10)
  const agenda = createAgenda([endedNotice({ feed, endedAt })], turn)
  const revise = () => ({ sequence: 0, changedAt: wholeSecond(endedAt) })
  const rendered = await inSteps(
    renderCalendar({ name, description: null, locale, agenda, revise }),
  )
  const before = link.publication?.lastModified ?? 0
  const lastModified = Math.max(wholeSecond(endedAt), before + 1000)
  const publication = { fingerprint: 'ended', etag: weakTag(rendered.bytes), lastModified }
  return published({ feed, publication, ...rendered }, form)
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000
}
