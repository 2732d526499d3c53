/** Calendars of 350 and of 35,000 events, revisions of a new ledger included, beside ical-generator's of the same events. */
import assert from 'node:assert/strict'

import ical from 'ical-generator'

import { createAgenda } from '../../../src/calendar/expand.ts'
import { renderCalendar } from '../../../src/calendar/render.ts'
import type { Ledger } from '../../../src/domain/ledger.ts'
import { Revisions } from '../../../src/publishing/ledger.ts'
import { plainEvent } from '../calendar/calendar-source.ts'
import { revisedLibraryEvent } from '../calendar/library-event.ts'
import type { RevisedEvent } from '../calendar/revised-event.ts'
import { tellRatio } from './measured-row.ts'
import { measureInterleaved, medianRatio } from './ratios.ts'

const changedAt = Date.parse('2026-03-01T00:00:00Z')
const empty: Ledger = { version: 0, entries: new Map() }
const few = eventsOf(350)
const many = eventsOf(35_000)

/** Shifts of half a year, person after person. */
function eventsOf(count: number): readonly RevisedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const start = Date.UTC(2026, 0, 1 + (index % 350), 8)
    const date = new Date(start).toISOString().slice(0, 10).replaceAll('-', '')
    const person = Math.floor(index / 350)
    return {
      ...plainEvent,
      uid: `shift-sch_day-usr_${person}-${date}@main.calendar-feed-bridge`,
      kind: 'shift',
      time: { allDay: false, start, end: start + 30_600_000 },
      title: 'Day shift',
      busy: 'BUSY',
      categories: ['Shift'],
      sequence: 0,
      changedAt,
    }
  })
}

function rendered(events: readonly RevisedEvent[]): Buffer {
  const revisions = new Revisions(empty, changedAt)
  const agenda = createAgenda(events, '2026-03-01')
  const { bytes, events: shown } = renderCalendar(
    {
      name: 'Work',
      description: null,
      locale: 'en',
      agenda,
      revise: (event) => revisions.of(event),
    },
    Infinity,
  )
  revisions.after(shown.length)
  return bytes
}

function byLibrary(events: readonly RevisedEvent[]): string {
  const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge' }
  const calendar = ical({ prodId, name: 'Work', ttl: 3600 })
  for (const event of events) calendar.createEvent(revisedLibraryEvent(event))
  return calendar.toString()
}

function lines(text: string): string[] {
  return text.slice(text.indexOf('BEGIN:VEVENT')).trimEnd().split('\r\n')
}

assert.deepEqual(lines(rendered(few).toString()), lines(byLibrary(few)))
const hundred = (render: () => unknown) => () => {
  for (let time = 0; time < 100; time += 1) render()
}
const times = await measureInterleaved(
  {
    few: hundred(() => rendered(few)),
    many: () => rendered(many),
    fewByLibrary: hundred(() => byLibrary(few)),
    manyByLibrary: () => byLibrary(many),
  },
  { rounds: 9, warmUps: 2 },
)
for (const [events, library, ours] of [
  ['350', 'fewByLibrary', 'few'],
  ['35,000', 'manyByLibrary', 'many'],
] as const) {
  tellRatio({
    measure: `full render of ${events} events: how many times as fast`,
    against: 'ical-generator from JS Dates',
    bound: { least: 0.5 },
    measured: medianRatio(times, library, ours),
  })
}
tellRatio({
  measure: 'full render of 35,000 events: processor time',
  against: `of 350; of ical-generator ${(100 * medianRatio(times, 'manyByLibrary', 'fewByLibrary')).toFixed(0)} times`,
  bound: { most: 140 },
  measured: 100 * medianRatio(times, 'many', 'few'),
})
