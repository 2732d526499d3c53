/**
 * One leave of one of many people moves: their calendar made again with what is kept of it, revisions included, beside all
 * of its events made without a cache; of 50 people with their shifts, and the days of absence of 200.
 */
import assert from 'node:assert/strict'

import ical from 'ical-generator'

import { type CalendarSource, Kept } from '../../../src/calendar/expansion.ts'
import { type RenderedCalendar, renderCalendar } from '../../../src/calendar/render.ts'
import type { Leave } from '../../../src/domain/leave.ts'
import type { Ledger } from '../../../src/domain/ledger.ts'
import { type RevisedLedger, Revisions } from '../../../src/publishing/ledger.ts'
import { expandAtOnce, calendarSource, type SourceChanges } from '../calendar/calendar-source.ts'
import { revisedLibraryEvent } from '../calendar/library-event.ts'
import { tellRatio } from './measured-row.ts'
import { measureInterleaved, medianRatio } from './ratios.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-03-10T12:00:00Z')
const hours = { start: '09:00', end: '17:30' }
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const pattern = Object.fromEntries(weekdays.map((name) => [name, hours]))

type Made = RenderedCalendar & RevisedLedger

interface Team {
  /** One leave of the first person lies so many days later. */
  readonly movedBy: (days: number) => CalendarSource
}

interface Leaves {
  readonly count: number
  /** Days from one to the next of the same person. */
  readonly apart: number
  /** Days from the first of one person to that of the next. */
  readonly spread: number
  readonly longest: number
}

function teamOf(
  size: number,
  { count, apart, spread, longest }: Leaves,
  { options, records }: Pick<SourceChanges, 'options' | 'records'>,
): Team {
  const people = Array.from({ length: size }, (_, index) => `usr_${index}`)
  const leavesOf = (userId: string, movedBy: number): readonly Leave[] =>
    Array.from({ length: count }, (_, index) => {
      const later = (people.indexOf(userId) * spread) % apart
      const begin = index * apart - 60 + later + (index === 3 ? movedBy : 0)
      const startDate = now - (now % dayMs) + begin * dayMs
      const endDate = startDate + (index % longest) * dayMs
      return { id: `lv_${userId}_${index}`, startDate, endDate, status: 'APPROVED' }
    })
  const usual = calendarSource({
    now,
    feed: { userIds: people, audience: 'others' },
    options: options ?? {},
    records: { schedules: [{ id: 'sch_day', name: 'Day shift', pattern }], ...records },
    leavesOf: Object.fromEntries(people.map((id) => [id, leavesOf(id, 0)])),
  })
  const [first = ''] = people
  return {
    movedBy: (days) => {
      const leaves = new Map([...usual.records.leaves, [first, leavesOf(first, days)]])
      return { ...usual, records: { ...usual.records, leaves } }
    },
  }
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

interface Acts {
  readonly first: Made
  readonly again: () => void
  readonly uncached: () => void
}

function actsOf({ movedBy }: Team): Acts {
  const first = make(movedBy(0), { version: 0, entries: new Map() })
  const ledger = { ...first.ledger, entries: new Map(first.ledger.entries) }
  const kept = new Kept()
  for (const source of [movedBy(0), movedBy(1), movedBy(2)]) {
    const { bytes } = make(source, ledger, kept)
    assert.ok(bytes.equals(make(source, ledger).bytes))
  }
  let changes = 0
  const ten = (act: (changed: CalendarSource) => unknown) => () => {
    for (let time = 0; time < 10; time += 1) act(movedBy((changes += 1) % 2))
  }
  return {
    first,
    again: ten((changed) => make(changed, ledger, kept)),
    uncached: ten((changed) => make(changed, ledger)),
  }
}

const scheduleIds = ['sch_day']
const fifty = actsOf(
  teamOf(
    50,
    { count: 15, apart: 25, spread: 0, longest: 1 },
    { options: { window: { pastDays: 60, futureDays: 60 }, shifts: { scheduleIds } } },
  ),
)
const rounds = { rounds: 15, warmUps: 3 }
const library = (): void => {
  for (let time = 0; time < 10; time += 1) byLibrary(fifty.first)
}
// Before the days of absence are made: what else is in memory counts.
const shiftTimes = await measureInterleaved(
  { again: fifty.again, uncached: fifty.uncached, library },
  rounds,
)
const users = Array.from({ length: 200 }, (_, index) => {
  return { id: `usr_${index}`, firstName: `First${index}`, lastName: `Last${index}` }
})
const days = actsOf(
  teamOf(
    users.length,
    { count: 30, apart: 14, spread: 1, longest: 5 },
    {
      options: { leaves: { as: 'day', minimumPresent: 150 }, shifts: { show: false, scheduleIds } },
      records: { users },
    },
  ),
)
const acts = { again: fifty.again, days: days.again, daysUncached: days.uncached }
const dayTimes = await measureInterleaved(acts, rounds)
const tell = (measure: string, against: string, most: number, measured: number): void =>
  tellRatio({ measure, against, bound: { most }, measured })
const ofFifty = `one leave of 50 people changed, ${fifty.first.events.length} events: processor time`
const ofDays = `one leave of 200 people changed, ${days.first.events.length} days of absence: processor time`
const toLibrary = medianRatio(shiftTimes, 'again', 'library')
tell(ofFifty, 'rendering all of them with ical-generator', 0.25, toLibrary)
const toUncached = medianRatio(shiftTimes, 'again', 'uncached')
tell(ofFifty, 'making them again with nothing cached', 0.25, toUncached)
const toFifty = medianRatio(dayTimes, 'days', 'again')
tell(ofDays, 'one leave of 50 people changed, with their shifts', 4, toFifty)
const toDays = medianRatio(dayTimes, 'days', 'daysUncached')
tell(ofDays, 'making them again with nothing cached', 0.35, toDays)
