import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AppError } from '../../src/domain/errors.ts'
import {
  audiences,
  type OwnOptions,
  readOptions,
  optionTable,
} from '../../src/domain/feed-options.ts'
import {
  leaveDetails,
  leaveForms,
  leaveShownAs,
  shownLeaveStatuses,
} from '../../src/domain/leave.ts'
import { shiftForms, shiftsShownAs } from '../../src/domain/schedule.ts'
import { timesheetForms, timesheetStatuses } from '../../src/domain/timesheet.ts'
import { patchOptions } from '../../src/feeds/feed-options.ts'

const weekly = { weeks: [['sch_a'], ['sch_b']], from: '2026-01-05' }

/** The pointers of what is wrong with the patch. */
function faultsOf(patch: unknown, own: OwnOptions = {}): readonly string[] {
  try {
    patchOptions(own, patch)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('invalid')
    return error.faults.map(({ pointer }) => pointer)
  }
}

/** What is said of the first thing wrong with the patch. */
function detailOf(patch: unknown): string | undefined {
  try {
    patchOptions({}, patch)
    return undefined
  } catch (error) {
    return error instanceof AppError ? error.faults[0]?.detail : undefined
  }
}

function nested(depth: number, innermost: string): unknown {
  return JSON.parse('{"shifts":'.repeat(depth) + innermost + '}'.repeat(depth))
}

describe('a patch of options', () => {
  it.each([
    ['sets what it names', {}, { shifts: { show: false } }, { shifts: { show: false } }],
    [
      'leaves alone what it does not name',
      { shifts: { show: false }, selfService: true },
      { shifts: { duringLeave: 'show' } },
      { shifts: { show: false, duringLeave: 'show' }, selfService: true },
    ],
    [
      'takes out by null, a group that is empty then as well',
      { shifts: { show: false }, window: { pastDays: 1, futureDays: 2 } },
      { shifts: { show: null }, window: { pastDays: null } },
      { window: { futureDays: 2 } },
    ],
    ['takes out a whole group', { shifts: { show: false } }, { shifts: null }, {}],
    ['takes out what is not there', {}, { shifts: null, tasks: { show: null } }, {}],
    ['sets nothing by an empty group', {}, { shifts: {} }, {}],
    [
      'replaces a list',
      { tasks: { projectIds: ['a'] } },
      { tasks: { projectIds: [] } },
      { tasks: { projectIds: [] } },
    ],
    ['sets a rotation', {}, { shifts: { rotation: weekly } }, { shifts: { rotation: weekly } }],
    [
      'changes one member of a rotation',
      { shifts: { rotation: weekly } },
      { shifts: { rotation: { from: '2026-01-12' } } },
      { shifts: { rotation: { ...weekly, from: '2026-01-12' } } },
    ],
    ['ends a rotation', { shifts: { rotation: weekly } }, { shifts: { rotation: null } }, {}],
  ] as readonly [string, OwnOptions, unknown, OwnOptions][])('%s', (_, own, patch, expected) => {
    expect(patchOptions(own, patch)).toEqual(expected)
  })

  it.each([
    ['an unknown member', '{"nope": 1}', ['/options/nope']],
    ['an unknown member, even one that is taken out', '{"nope": null}', ['/options/nope']],
    ['an unknown member of a group', '{"tasks": {"nope": null}}', ['/options/tasks/nope']],
    [
      'an unknown member of a rotation',
      `{"shifts": {"rotation": {"weeks": [[]], "from": "2026-01-05", "to": null}}}`,
      ['/options/shifts/rotation/to'],
    ],
    [
      'a list in the place of a group',
      '{"shifts": [], "window": 7}',
      ['/options/window', '/options/shifts'],
    ],
    ['a list in the place of all', '[]', ['/options']],
    [
      'an object in the place of a value',
      '{"reminderMinutes": {"a": 1}}',
      ['/options/reminderMinutes'],
    ],
    [
      'null within a list',
      '{"shifts": {"scheduleIds": [null]}}',
      ['/options/shifts/scheduleIds/0'],
    ],
    [
      'half a rotation',
      '{"shifts": {"rotation": {"weeks": [[]]}}}',
      ['/options/shifts/rotation/from'],
    ],
    [
      'a rotation from a Tuesday',
      '{"shifts": {"rotation": {"weeks": [[]], "from": "2026-01-06"}}}',
      ['/options/shifts/rotation/from'],
    ],
    [
      'a member that JavaScript has for itself',
      '{"__proto__": {"selfService": false}}',
      ['/options/__proto__'],
    ],
    ['such a member of a group', '{"tasks": {"__proto__": null}}', ['/options/tasks/__proto__']],
    [
      'a member that every object has',
      '{"constructor": null, "toString": {"show": true}}',
      ['/options/constructor', '/options/toString'],
    ],
  ])('a patch with %s is rejected at that place', (_, patch, pointers) => {
    expect(faultsOf(JSON.parse(patch))).toEqual(pointers)
  })

  it.each([
    ['{"privateCategories": ["*", " ! "]}', 'privateCategories/1', 'Must name a category.'],
    ['{"privateCategories": [" "]}', 'privateCategories/0', 'Must name a category.'],
    ['{"privateCategories": ["*", "!*"]}', 'privateCategories/1', 'Must name a category.'],
    [
      '{"privateCategories": ["SICK", "!ANNUAL"]}',
      'privateCategories/1',
      'Needs "*" in the same list, from which it takes a category out.',
    ],
    ['{"privateCategories": "*"}', 'privateCategories', 'Must be a list.'],
    ['{"minimumPresent": 0}', 'minimumPresent', 'Must be at least 1.'],
    ['{"minimumPresent": 501}', 'minimumPresent', 'Must be at most 500.'],
    ['{"minimumPresent": 1.5}', 'minimumPresent', 'Must be a whole number.'],
  ])('of leaves %s is rejected with a sentence', (leaves, member, detail) => {
    const patch: unknown = JSON.parse(`{"leaves": ${leaves}}`)
    expect(faultsOf(patch)).toEqual([`/options/leaves/${member}`])
    expect(detailOf(patch)).toBe(detail)
  })

  it('a patch that would leave half a rotation is rejected', () => {
    const patch = { shifts: { rotation: { weeks: null } } }
    expect(faultsOf(patch, { shifts: { rotation: weekly } })).toEqual([
      '/options/shifts/rotation/weeks',
    ])
  })

  it.each([1, 7, 8, 9, 100, 100_000])(
    'a patch nested %i deep is rejected at its first fault',
    (depth) => {
      expect(faultsOf(nested(depth + 1, '1'))).toEqual(['/options/shifts/shifts'])
    },
  )

  it('a patch does not change its arguments', () => {
    const own = Object.freeze({ shifts: Object.freeze({ rotation: Object.freeze(weekly) }) })
    const patch = { shifts: { rotation: { from: '2026-02-02' }, show: null } }
    const before = structuredClone(patch)
    patchOptions(own, patch)
    expect(patch).toEqual(before)
  })
})

const ids = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
const statusNames = fc.array(fc.constantFrom('DONE', 'PAID', 'DRAFT'), { maxLength: 2 })
const days = fc.integer({ min: 0, max: 3660 })
const rotation = fc.record({
  weeks: fc.array(ids, { minLength: 1, maxLength: 3 }),
  from: fc.constantFrom('2026-01-05', '2026-01-12'),
})

type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** What each member of each group may be. */
const groups: Readonly<Record<string, Members>> = {
  window: { pastDays: days, futureDays: days },
  leaves: {
    show: fc.boolean(),
    statuses: fc.subarray([...shownLeaveStatuses]),
    detail: fc.constantFrom(...leaveDetails),
    privateCategories: fc.constantFrom([], ['SICK'], ['*', '!ANNUAL']),
    showAs: fc.constantFrom(...leaveShownAs),
    as: fc.constantFrom(...leaveForms),
    minimumPresent: fc.integer({ min: 1, max: 500 }),
  },
  shifts: {
    show: fc.boolean(),
    scheduleIds: ids,
    rotation,
    duringLeave: fc.constantFrom('hide', 'show'),
    onHolidays: fc.constantFrom('hide', 'show'),
    as: fc.constantFrom(...shiftForms),
    showAs: fc.constantFrom(...shiftsShownAs),
  },
  timesheets: {
    show: fc.boolean(),
    statuses: fc.subarray([...timesheetStatuses]),
    as: fc.constantFrom(...timesheetForms),
  },
  tasks: { show: fc.boolean(), projectIds: ids, hideStatuses: statusNames },
  invoices: { show: fc.boolean(), invoiceIds: ids, hideStatuses: statusNames },
}

const single: Members = {
  reminderMinutes: fc.integer({ min: 0, max: 40_320 }),
  colors: fc.boolean(),
  selfService: fc.boolean(),
}

type Patch = Readonly<Record<string, unknown>>

/** Some of the members, each set or taken out. */
function someOf(members: Members): fc.Arbitrary<Patch> {
  const changes = Object.entries(members).map(([name, value]) => [name, fc.option(value)])
  return fc.record(Object.fromEntries(changes), { requiredKeys: [] })
}

const patches = someOf({
  ...Object.fromEntries(Object.entries(groups).map(([name, members]) => [name, someOf(members)])),
  ...single,
})

/** The members that a patch changes, by "group.member" or "member"; null takes out. */
function changesOf(patch: Patch): readonly (readonly [string, unknown])[] {
  return Object.entries(patch).flatMap(([name, change]) => {
    const members = Object.keys(groups[name] ?? {})
    if (members.length === 0) return [[name, change] as const]
    if (change === null) return members.map((member) => [`${name}.${member}`, null] as const)
    return Object.entries(Object(change)).map(
      ([member, value]) => [`${name}.${member}`, value] as const,
    )
  })
}

/** The options with these members over them. */
function overlaid(options: object, members: ReadonlyMap<string, unknown>): Patch {
  const result: Record<string, unknown> = structuredClone({ ...options })
  for (const [path, value] of members) {
    const [name = '', member] = path.split('.')
    result[name] = member === undefined ? value : { ...Object(result[name]), [member]: value }
  }
  return result
}

describe('a series of patches', () => {
  it('covers every existing option', () => {
    expect(Object.keys({ ...groups, ...single }).toSorted()).toEqual(
      Object.keys(optionTable).toSorted(),
    )
  })

  it('results in the defaults overlaid with the set values, without null', () => {
    const histories = fc.array(patches, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.constantFrom(...audiences), histories, (audience, history) => {
        let own: OwnOptions = {}
        const set = new Map<string, unknown>()
        for (const patch of history) {
          own = patchOptions(own, patch)
          for (const [path, value] of changesOf(patch)) set.set(path, value)
          for (const [path, value] of set) if (value === null) set.delete(path)
          expect(own).toEqual(overlaid({}, set))
          const read = new Map(set)
          // A person's own calendar counts nobody.
          if (audience === 'own') read.set('leaves.as', 'person')
          expect(readOptions(audience, own)).toEqual(overlaid(readOptions(audience), read))
          expect(JSON.stringify(own)).not.toContain('null')
        }
      }),
    )
  })

  it('does not change when its result is sent again', () => {
    fc.assert(
      fc.property(patches, patches, (one, other) => {
        const own = patchOptions(patchOptions({}, one), other)
        expect(patchOptions({}, own)).toEqual(own)
        expect(patchOptions(own, own)).toEqual(own)
      }),
    )
  })
})

describe('an unknown member', () => {
  it.each([
    [{ leave: {} }, 'There is no such member; did you mean `leaves`?'],
    [{ leaves: { details: 'full' } }, 'There is no such member; did you mean `detail`?'],
    [
      { shifts: { rotation: { weeks: [[]], from: '2026-01-05', form: 1 } } },
      'There is no such member; did you mean `from`?',
    ],
    [{ window: { xyzzy: 1 } }, 'There is no such member; there are pastDays, futureDays.'],
  ])('%j gets a hint at what was meant', (patch, says) => {
    expect(detailOf(patch)).toMatch(says)
  })
})
