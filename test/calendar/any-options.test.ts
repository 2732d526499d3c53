/* What a choice or an option does to the events of any company, and what it leaves as it is. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { CalendarSource } from '../../src/calendar/expansion.ts'
import type { CalendarEvent } from '../../src/domain/calendar-event.ts'
import { eventKinds, feedKinds } from '../../src/domain/kinds.ts'
import {
  isPrivate,
  type Leave,
  leaveDetails,
  leaveForms,
  leaveShownAs,
  type LeaveType,
} from '../../src/domain/leave.ts'
import { type Choices, shownFeed } from '../../src/domain/link.ts'
import { shiftForms, shiftsShownAs } from '../../src/domain/schedule.ts'
import { timesheetForms } from '../../src/domain/timesheet.ts'
import {
  eventsOf as agendaEvents,
  expandAtOnce,
  renderSource,
} from '../support/calendar/calendar-source.ts'
import { randomSource } from '../support/company/random-company.ts'

const leaveOptions = fc.record({
  detail: fc.constantFrom(...leaveDetails),
  privateCategories: fc.constantFrom([], ['SICK'], ['*'], ['*', '!ANNUAL'], ['*', '! sick ']),
  as: fc.constantFrom(...leaveForms),
  minimumPresent: fc.constantFrom(null, 1, 2),
})

/** Ada's own calendar, or one about two people for others. */
const sources = fc
  .tuple(randomSource, fc.boolean(), fc.boolean(), leaveOptions)
  .map(([source, isOwn, colors, changed]): CalendarSource => {
    const own = isOwn ? ({ audience: 'own', userIds: ['usr_ada'] } as const) : {}
    const as = isOwn ? 'person' : changed.as
    const leaves = { ...source.feed.options.leaves, ...changed, as }
    const options = { ...source.feed.options, colors, leaves }
    return { ...source, feed: { ...source.feed, ...own, options } }
  })

const choices: fc.Arbitrary<Choices> = fc.record(
  {
    hide: fc.subarray([...feedKinds]),
    detail: fc.constantFrom(...leaveDetails),
    leavesAs: fc.constantFrom(...leaveForms),
    leavesShowAs: fc.constantFrom(...leaveShownAs),
    shiftsAs: fc.constantFrom(...shiftForms),
    shiftsShowAs: fc.constantFrom(...shiftsShownAs),
    timesheetsAs: fc.constantFrom(...timesheetForms),
    reminderMinutes: fc.constantFrom<number | 'none'>('none', 15),
  },
  { requiredKeys: [] },
)

type Events = ReadonlyMap<string, CalendarEvent>

function eventsOf(source: CalendarSource): Events {
  return new Map(agendaEvents(expandAtOnce(source).agenda).map((event) => [event.uid, event]))
}

function chosen(source: CalendarSource, of: Choices): CalendarSource {
  return { ...source, feed: shownFeed(source.feed, { choices: of }) }
}

/** The record that an event shows: of a timesheet one, whichever of its two events it is; none for a day of absence. */
function recordOf(uid: string): string {
  return uid.replace(/^timesheetdue-/, 'timesheet-').replace(/^absence-.*/, 'leave-')
}

const busyLevels = ['FREE', 'TENTATIVE', 'BUSY', 'OOF']

/** A line on a day may lie in the window, and the hours of the same shift outside, and the other way round. */
function isNearEdge({ window }: CalendarSource, { time }: CalendarEvent): boolean {
  const day = new Date(time.start).toISOString().slice(0, 10)
  const near = (edge: string): boolean => Math.abs(Date.parse(day) - Date.parse(edge)) < 3 * 864e5
  return near(window.start) || near(window.end)
}

describe('a choice', () => {
  it('adds nothing, and what it hides does not appear', () => {
    fc.assert(
      fc.property(sources, choices, (source, of) => {
        const before = eventsOf(source)
        const records = new Set([...before.keys()].map(recordOf))
        const shown = chosen(source, of)
        // Of the same leaves, one form has days and the other leaves.
        const isOther = shown.feed.options.leaves.as !== source.feed.options.leaves.as
        if (isOther) records.add('leave-')
        const { options } = shown.feed
        for (const [uid, event] of eventsOf(shown)) {
          if (!isNearEdge(source, event)) expect(records).toContain(recordOf(uid))
          const set = before.get(uid)
          if (set)
            expect(busyLevels.indexOf(event.busy)).toBeLessThanOrEqual(busyLevels.indexOf(set.busy))
          const kind = feedKinds.find((name) => eventKinds[name] === recordOf(uid).split('-')[0])
          expect(kind && options[kind].show).toBe(true)
          const [prefix] = uid.split('-')
          if (kind === 'leaves') expect(prefix === 'absence').toBe(options.leaves.as === 'day')
          if (options.leaves.show) continue
          expect(event.title + (event.description ?? '')).not.toMatch(/day off|Off:/)
        }
      }),
    )
  })

  it('of only "Away" leaves no byte by which kinds of leave can be told apart', () => {
    fc.assert(
      fc.property(sources, choices, leaveTypes, (source, of, leaveType) => {
        const as = (type: Leave['leaveType'], reason: string | null): string =>
          renderSource(
            chosen(withLeaves(source, { leaveType: type, reason }), { ...of, detail: 'absent' }),
          )
        expect(as(leaveType, 'flu')).toBe(as({ name: 'Annual leave', category: 'ANNUAL' }, null))
      }),
    )
  })
})

const leaveTypes = fc.oneof(
  fc.record({
    name: fc.constantFrom('Annual leave', 'Sick leave', 'Parental leave', '', null),
    category: fc.constantFrom('ANNUAL', ' annual', 'SICK', 'sick ', 'PARENTAL', 'NEW', '', null),
  }),
  fc.constant(null),
)

function withLeaves(source: CalendarSource, of: Partial<Leave>): CalendarSource {
  const leaves = new Map(
    [...source.records.leaves].map(([user, list]) => [
      user,
      list.map((leave) => ({ ...leave, ...of })),
    ]),
  )
  return { ...source, records: { ...source.records, leaves } }
}

/** Everything made of a calendar, in both its forms, and everything a page says about it. */
function allMade(source: CalendarSource): string {
  const expansion = expandAtOnce(source)
  return JSON.stringify([renderSource(source), expansion.setAside, agendaEvents(expansion.agenda)])
}

describe('a private leave', () => {
  it('gives no byte by which its category, its name or its reason can be told', () => {
    const reasons = fc.constantFrom('flu', 'sea', null)
    fc.assert(
      fc.property(
        sources,
        choices,
        fc.tuple(leaveTypes, leaveTypes),
        fc.tuple(reasons, reasons),
        (source, of, [one, other], [why, whyElse]) => {
          const { privateCategories } = source.feed.options.leaves
          const arePrivate = [one, other].every((leaveType) =>
            isPrivate({ leaveType }, privateCategories),
          )
          fc.pre(arePrivate || source.feed.options.leaves.as === 'day')
          const as = (leaveType: LeaveType | null, reason: string | null): string =>
            allMade(chosen(withLeaves(source, { leaveType, reason }), of))
          const shown = chosen(source, of).feed.options.leaves
          fc.pre(arePrivate || shown.as === 'day')
          expect(as(one, why)).toBe(as(other, whyElse))
        },
      ),
    )
  })

  it('reads as with the detail absent, whatever the detail says', () => {
    fc.assert(
      fc.property(sources, leaveTypes, (source, leaveType) => {
        const { leaves } = source.feed.options
        fc.pre(isPrivate({ leaveType }, leaves.privateCategories))
        const given = withLeaves(source, { leaveType, reason: 'flu' })
        const options = { ...source.feed.options, leaves: { ...leaves, detail: 'absent' as const } }
        expect(allMade(given)).toBe(allMade({ ...given, feed: { ...given.feed, options } }))
      }),
    )
  })

  it.each([
    [['*'], null, true],
    [['*'], 'ANNUAL', true],
    [['*', '!ANNUAL'], ' Annual ', false],
    [['*', '!ANNUAL'], 'ANNUAL_2', true],
    [['*', '!ANNUAL'], '', true],
    [['* ', ' ! annual'], 'ANNUAL', false],
    [['*', '!ANNUAL', 'annual'], 'ANNUAL', true],
    [['SICK'], 'sick', true],
    [['SICK'], 'SICK_CHILD', false],
    [['SICK'], null, false],
    [['*', '!ANNUAL'], '!ANNUAL', true],
    [[], 'SICK', false],
  ])('with %j is one of the category %j: %s', (privateCategories, category, expected) => {
    expect(isPrivate({ leaveType: { name: 'x', category } }, privateCategories)).toBe(expected)
  })
})

describe('an option', () => {
  it.each([
    ['leaves', 'leave', { leavesShowAs: 'free' }],
    ['leaves', 'leave', { leavesShowAs: 'busy' }],
    ['shifts', 'shift', { shiftsAs: 'day' }],
    ['shifts', 'shift', { shiftsShowAs: 'free' }],
    ['timesheets', 'timesheet', { timesheetsAs: 'todo' }],
  ] as const)('of %s touches no event but a %s, and no UID changes: %j', (_, prefix, of) => {
    fc.assert(
      fc.property(sources, (source) => {
        const [before, after] = [eventsOf(source), eventsOf(chosen(source, of))]
        for (const [uid, event] of before) {
          if (!uid.startsWith(prefix)) expect(after.get(uid)).toEqual(event)
          else if (prefix !== 'timesheet' && !isNearEdge(source, event)) {
            expect([...after.keys()]).toContain(uid)
          }
        }
      }),
    )
  })

  it('colors changes nothing but colours, and the category of rejected timesheets', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const as = (colors: boolean): Events =>
          eventsOf({
            ...source,
            feed: { ...source.feed, options: { ...source.feed.options, colors } },
          })
        const plain = as(false)
        for (const [uid, event] of as(true)) {
          const { color, categories, ...rest } = event
          const { color: none, categories: few, ...same } = plain.get(uid)!
          expect([rest, none, categories[0]]).toEqual([same, null, few[0]])
          expect(color).toMatch(/^[a-z]+$/)
          expect(categories.length > 1).toBe(color === 'crimson')
        }
      }),
    )
  })
})
