import { describe, expect, it } from 'vitest'

import { endedNotice, linkEndsNotice } from '../../src/calendar/notices.ts'
import { renderEvents, at, revised } from '../support/calendar/calendar-source.ts'
import { lintCalendar } from '../support/calendar/ics-lint.ts'

const feed = { companyId: 'main', timezone: 'Europe/Berlin', locale: 'en' } as const

describe('notices', () => {
  it('The notice of an ending link is all-day on its end date in the feed’s zone', () => {
    const notice = linkEndsNotice(feed, 'old', at('2026-03-05T23:30:00Z'))
    expect(notice).toMatchObject({
      uid: 'notice-linkends_old@main.calendar-feed-bridge',
      kind: 'notice',
      time: { allDay: true, start: '2026-03-06', end: '2026-03-07' },
      title: 'This link ends on 6 Mar 2026',
      busy: 'FREE',
    })
  })

  it('A notice says that the calendar has ended', () => {
    const notice = endedNotice({ ...feed, locale: 'de' }, at('2026-03-05'))
    expect(notice).toMatchObject({
      uid: 'notice-ended@main.calendar-feed-bridge',
      time: { allDay: true, start: '2026-03-05', end: '2026-03-06' },
      title: 'Dieser Kalender ist beendet',
    })
    const events = [revised(notice)]
    const text = renderEvents({
      name: 'x',
      description: null,
      locale: 'de',
      turn: '2026-03-01',
      events,
    })
    expect(lintCalendar(text)).toEqual([])
  })
})
