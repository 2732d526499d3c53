/** One leave of one of 50 people moves: their calendar made again with what is kept of it, revisions included, beside all of its events made anew. */
import assert from 'node:assert/strict'

import ical from 'ical-generator'

import { type CalendarSource, Kept } from '../../../src/calendar/expansion.ts'
import { type RenderedCalendar, renderCalendar } from '../../../src/calendar/render.ts'
import type { Leave } from '../../../src/domain/leave.ts'
import type { Ledger } from '../../../src/domain/ledger.ts'
import { type RevisedLedger, Revisions } from '../../../src/publishing/ledger.ts'
import { expandAtOnce, calendarSource } from '../calendar/calendar-source.ts'
import { revisedLibraryEvent } from '../calendar/library-event.ts'
import { tellRatio } from './measured-row.ts'
import { measureInterleaved, medianRatio } from './ratios.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-03-10T12:00:00Z')
const people = Array.from({ length: 50 }, (_, index) => `usr_${index}`)
const hours = { start: '09:00', end: '17:30' }
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const pattern = Object.fromEntries(weekdays.map((name) => [name, hours]))

const usual = calendarSource({
  now,
  feed: { userIds: people, audience: 'others' },
  options: { window: { pastDays: 60, futureDays: 60 }, shifts: { scheduleIds: ['sch_day'] } },
  records: { schedules: [{ id: 'sch_day', name: 'Day shift', pattern }] },
  leavesOf: Object.fromEntries(people.map((id) => [id, leavesOf(id, 0)])),
})

type Made = RenderedCalendar & RevisedLedger

/** Fifteen days of leave each; one of the first one's lies so many days later. */
function sourceOf(movedBy: number): CalendarSource {
  return { ...usual, records: { ...usual.records, leaves: leavesBeside(movedBy) } }
}

function leavesBeside(movedBy: number): CalendarSource['records']['leaves'] {
  const [first = ''] = people
  return new Map([...usual.records.leaves, [first, leavesOf(first, movedBy)]])
}

function leavesOf(userId: string, movedBy: number): readonly Leave[] {
  return Array.from({ length: 15 }, (_, index) => {
    const date = now - (now % dayMs) + (index * 25 - 60 + (index === 3 ? movedBy : 0)) * dayMs
    return { id: `lv_${userId}_${index}`, startDate: date, endDate: date, status: 'APPROVED' }
  })
}

function make(source: CalendarSource, ledger: Ledger, kept?: Kept): Made {
  const { agenda } = expandAtOnce(source, [], kept)
  const revisions = new Revisions(ledger, now)
  const revise: Revisions['of'] = (event) => revisions.of(event)
  const contents = { name: 'Team', description: null, locale: 'en', agenda, revise, kept } as const
  const rendered = renderCalendar(contents)
  return { ...rendered, ...revisions.after(rendered.events.length) }
}

function byLibrary({ events }: Made): string {
  const calendar = ical({ name: 'Team', ttl: 3600 })
  for (const { event, revision } of events) {
    calendar.createEvent(revisedLibraryEvent({ ...event, ...revision }))
  }
  return calendar.toString()
}

const first = make(sourceOf(0), { version: 0, entries: new Map() })
const ledger = { ...first.ledger, entries: new Map(first.ledger.entries) }
const kept = new Kept()
for (const source of [sourceOf(0), sourceOf(1), sourceOf(2)]) {
  const { bytes } = make(source, ledger, kept)
  assert.ok(bytes.equals(make(source, ledger).bytes))
}
let changes = 0
const ten = (act: (changed: CalendarSource) => unknown) => () => {
  for (let time = 0; time < 10; time += 1) act(sourceOf((changes += 1) % 2))
}
const acts = {
  again: ten((changed) => make(changed, ledger, kept)),
  anew: ten((changed) => make(changed, ledger)),
  library: ten(() => byLibrary(first)),
}
const times = await measureInterleaved(acts, { rounds: 15, warmUps: 3 })
for (const [act, against] of [
  ['library', 'rendering all of them with ical-generator'],
  ['anew', 'making them again with nothing cached'],
] as const) {
  tellRatio({
    measure: `one leave of 50 people changed, ${first.events.length} events: processor time`,
    against,
    bound: { most: 0.25 },
    measured: medianRatio(times, 'again', act),
  })
}
