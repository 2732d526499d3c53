/* Whatever changes: a calendar that is made with what is kept of it is byte for byte the one that is made anew. */
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { type CalendarSource, Kept } from '../../src/calendar/expansion.ts'
import { renderCalendar } from '../../src/calendar/render.ts'
import type { RecordsBySubject } from '../../src/domain/kinds.ts'
import { type Leave, leaveForms } from '../../src/domain/leave.ts'
import type { Ledger } from '../../src/domain/ledger.ts'
import { Revisions } from '../../src/publishing/ledger.ts'
import { expandAtOnce, at, calendarSource } from '../support/calendar/calendar-source.ts'

const now = at('2026-03-10T12:00:00Z')
const dayMs = 86_400_000
const people = ['usr_ada', 'usr_bob', 'usr_cleo']
const empty: Ledger = { version: 0, entries: new Map() }

const person = fc.constantFrom(...people)
const leave = fc
  .record({
    id: fc.constantFrom('lv_1', 'lv_2', 'lv_3'),
    day: fc.integer({ min: -45, max: 45 }),
    length: fc.integer({ min: -1, max: 3 }),
    status: fc.constantFrom('APPROVED', 'APPROVED', 'PENDING', 'REJECTED', 'ODD'),
    // A name that is a number cannot be read.
    name: fc.constantFrom<unknown>('Holiday', 'Away', 'Away', 7),
    days: fc.constantFrom(0.5, 1, null),
  })
  .map(({ id, day, length, status, name, days }) => {
    const startDate = at('2026-03-15') + day * dayMs
    const endDate = startDate + length * dayMs
    return { id, startDate, endDate, status, days, leaveType: { name } } as Leave
  })
const hours = fc.constantFrom({ start: '09:00', end: '17:00' }, { start: '22:00', end: '06:00' })
const schedule = fc.record({
  id: fc.constantFrom('sch_1', 'sch_2'),
  name: fc.constantFrom('Early', 'Late'),
  type: fc.constantFrom('FIXED', 'FLEXIBLE'),
  pattern: fc.record({ monday: hours, thursday: hours }, { requiredKeys: [] }),
})

/** Other lists in place of those that were there; all others stay the very same. */
type Change = Partial<RecordsBySubject>

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(person, fc.array(leave, { maxLength: 4 })).map(([id, leaves]) => ({
    leaves: new Map([[id, leaves.map((own) => ({ ...own, id: `${own.id}_${id}` }))]]),
  })),
  fc
    .tuple(person, fc.constantFrom('Ada', 'Bo', ''))
    .map(([id, firstName]) => ({ user: new Map([[id, [{ id, firstName }]]]) })),
  fc
    .array(schedule, { maxLength: 2 })
    .map((schedules) => ({ schedules: new Map([['', schedules]]) })),
  fc.constant({}),
)

const shape = fc.record({
  duringLeave: fc.constantFrom('hide' as const, 'show' as const),
  as: fc.constantFrom(...leaveForms),
  reminderMinutes: fc.constantFrom(null, 15),
  bytesMax: fc.constantFrom(900_000, 9000, 4000),
})

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

function usualSource({ duringLeave, as, reminderMinutes }: Shape): CalendarSource {
  return calendarSource({
    now,
    feed: { userIds: people, audience: 'others' },
    options: {
      window: { pastDays: 20, futureDays: 20 },
      leaves: { as, minimumPresent: 2 },
      shifts: { scheduleIds: ['sch_1', 'sch_2'], duringLeave },
      reminderMinutes,
    },
  })
}

function changed(source: CalendarSource, to: Change): CalendarSource {
  const { leaves, user, schedules } = source.records
  return {
    ...source,
    records: {
      ...source.records,
      leaves: new Map([...leaves, ...(to.leaves ?? [])]),
      user: new Map([...user, ...(to.user ?? [])]),
      schedules: to.schedules ?? schedules,
    },
  }
}

interface Ways {
  readonly bytesMax: number
  readonly kept?: Kept
}

/** All that is said of the calendar, and the ledger after it; what it failed with where it cannot be made. */
function made(source: CalendarSource, ledger: Ledger, second: number, { bytesMax, kept }: Ways) {
  try {
    const { agenda, setAside } = expandAtOnce(source, [], kept)
    const revisions = new Revisions(ledger, now + second * 1000)
    const contents = { name: 'Team', description: null, locale: 'en', agenda, kept } as const
    const calendar = { ...contents, revise: (event: Revised) => revisions.of(event) }
    const { bytes, events } = renderCalendar(calendar, bytesMax)
    const { ledger: next, changed: isOther } = revisions.after(events.length)
    const after = { ...next, entries: new Map(next.entries) }
    return {
      text: bytes.toString(),
      events: events.map(({ event }) => event),
      setAside,
      after,
      isOther,
    }
  } catch (error) {
    return { error: String(error) }
  }
}

type Revised = Parameters<Revisions['of']>[0]

it('Kept parts change nothing in the calendar, after any changes and for links with any ledgers', () => {
  let reused = 0
  fc.assert(
    fc.property(
      shape,
      fc.array(fc.tuple(change, fc.nat({ max: 1 })), { minLength: 2, maxLength: 12 }),
      (usual, changes) => {
        const kept = new Kept()
        const ledgers = [empty, empty]
        const sources = [usualSource(usual)]
        for (const [second, [to, link]] of changes.entries()) {
          const source = changed(sources.at(-1)!, to)
          sources.push(source)
          const ledger = ledgers[link]!
          const anew = made(source, ledger, second, usual)
          const again = made(source, ledger, second, { ...usual, kept })
          expect(again).toEqual(anew)
          if (again.after) ledgers[link] = again.after
          reused += again.events?.filter((event) => kept.findWritten(event)).length ?? 0
        }
      },
    ),
  )
  expect(reused).toBeGreaterThan(0)
})

it.each([
  ['person', ['leave-lv_usr_bob']],
  ['day', ['absence-feed_1-20260312', 'absence-feed_1-20260313']],
] as const)('Only the parts with changed records are made again: %s', (as, expected) => {
  const usual = {
    duringLeave: 'hide',
    as,
    reminderMinutes: null,
    bytesMax: 900_000,
  } as const
  const kept = new Kept()
  const leavesOf = (id: string, day: string): readonly Leave[] => [
    { id: `lv_${id}`, startDate: at(day), endDate: at(day), status: 'APPROVED' },
  ]
  const before = changed(usualSource(usual), {
    leaves: new Map(people.map((id) => [id, leavesOf(id, '2026-03-12')])),
    schedules: new Map([
      ['', [{ id: 'sch_1', name: 'Early', pattern: { monday: { start: '09:00', end: '17:00' } } }]],
    ]),
  })
  const after = changed(before, {
    leaves: new Map([['usr_bob', leavesOf('usr_bob', '2026-03-13')]]),
  })
  const first = new Set(made(before, empty, 0, { ...usual, kept }).events)
  const fresh = made(after, empty, 0, { ...usual, kept }).events?.filter(
    (event) => !first.has(event),
  )
  expect(fresh?.map(({ uid }) => uid.split('@')[0])).toEqual(expected)
})
