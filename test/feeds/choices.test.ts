import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { asAppError } from '../../src/domain/errors.ts'
import { type Audience, audiences, readOptions } from '../../src/domain/feed-options.ts'
import { type Feed, locales } from '../../src/domain/feed.ts'
import { feedKinds } from '../../src/domain/kinds.ts'
import { leaveDetails, leaveForms, leaveShownAs } from '../../src/domain/leave.ts'
import {
  boundedFeed,
  type Choices,
  choicesOf,
  choicesText,
  shownFeed,
} from '../../src/domain/link.ts'
import { shiftForms, shiftsShowAs, shiftsShownAs } from '../../src/domain/schedule.ts'
import { timesheetForms } from '../../src/domain/timesheet.ts'
import {
  formAsMade,
  isSameChoice,
  readChoices,
  showsNothing,
  offerChoices,
} from '../../src/feeds/self-service/held-link.ts'
import { choicesColumn } from '../../src/store/rows.ts'
import { adasFeed } from '../store/fixtures.ts'

/** Values that a choice lowers, the least first. */
const lists = {
  detail: leaveDetails,
  leavesAs: leaveForms,
  leavesShowAs: leaveShownAs,
  shiftsAs: shiftForms,
  shiftsShowAs: shiftsShownAs,
  timesheetsAs: timesheetForms,
}
const levels = {
  detail: fc.constantFrom(...leaveDetails),
  leavesAs: fc.constantFrom(...leaveForms),
  leavesShowAs: fc.constantFrom(...leaveShownAs),
  shiftsAs: fc.constantFrom(...shiftForms),
  shiftsShowAs: fc.constantFrom(...shiftsShownAs),
  timesheetsAs: fc.constantFrom(...timesheetForms),
}
const reminders = fc.option(fc.integer({ min: 0, max: 40_320 }))

/** A feed as HR may set it. */
const feeds = fc
  .record({
    audience: fc.constantFrom<Audience>(...audiences),
    selfService: fc.boolean(),
    shown: fc.subarray([...feedKinds]),
    set: fc.record(levels),
    isShownAsSet: fc.boolean(),
    locale: fc.constantFrom(...locales),
    reminderMinutes: reminders,
  })
  .map(({ audience, selfService, shown, set, isShownAsSet, locale, reminderMinutes }): Feed => {
    const show = Object.fromEntries(feedKinds.map((kind) => [kind, { show: shown.includes(kind) }]))
    const ownOptions = {
      ...show,
      leaves: {
        ...show['leaves'],
        detail: set.detail,
        as: set.leavesAs,
        showAs: set.leavesShowAs,
      },
      shifts: {
        ...show['shifts'],
        as: set.shiftsAs,
        ...(isShownAsSet && { showAs: set.shiftsShowAs }),
      },
      timesheets: { ...show['timesheets'], as: set.timesheetsAs },
      selfService,
      reminderMinutes,
    }
    const options = readOptions(audience, ownOptions)
    return adasFeed({ audience, locale, ownOptions, options })
  })

const text = fc.oneof(
  fc.constantFrom(
    ...[feedKinds, locales, ...Object.values(lists)].flat(),
    'none',
    '0',
    '15',
    '40321',
    '',
    '-1',
  ),
  fc.string(),
)

/** The fields of a form, or of what pretends to be one. */
const forms = fc.oneof(
  fc.record(
    {
      show: fc.subarray([...feedKinds]),
      ...levels,
      locale: fc.constantFrom(...locales),
      reminderMinutes: fc.oneof(fc.constant('none'), fc.nat(40_400).map(String)),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(
    fc.oneof(
      fc.constantFrom('show', 'locale', 'reminderMinutes', ...Object.keys(lists)),
      fc.string(),
    ),
    fc.oneof(text, fc.array(text)),
  ),
)

/** The choices after these forms, those that are refused changing nothing. */
function after(feed: Feed, sent: readonly unknown[], first: Choices = {}): Choices {
  let choices = first
  for (const form of sent) {
    try {
      const wanted = readChoices(feed, choices, form)
      if (!showsNothing(feed, wanted)) choices = wanted
    } catch (error) {
      expect(['invalid', 'forbidden']).toContain(asAppError(error)?.code)
    }
  }
  return choices
}

/** What can be lowered in a feed, each as its place in its list. */
function levelsOf({ options: { leaves, shifts, timesheets } }: Feed): readonly number[] {
  return [
    leaveDetails.indexOf(leaves.detail),
    leaveForms.indexOf(leaves.as),
    leaveShownAs.indexOf(leaves.showAs),
    shiftForms.indexOf(shifts.as),
    shiftsShownAs.indexOf(shiftsShowAs(shifts)),
    timesheetForms.indexOf(timesheets.as),
  ]
}

/** Whether that feed shows nothing that the other does not. */
function showsAtMost(one: Feed, other: Feed): boolean {
  const most = levelsOf(other)
  const isLower = levelsOf(one).every((level, index) => level <= (most[index] ?? -1))
  return isLower && feedKinds.every((kind) => other.options[kind].show || !one.options[kind].show)
}

describe('choices of the holder of a link', () => {
  it('show nothing that the options hide, neither now nor after a later change by HR', () => {
    const sent = fc.array(forms, { maxLength: 4 })
    fc.assert(
      fc.property(feeds, feeds, sent, (feed, later, all) => {
        const choices = after(feed, all)
        for (const now of [feed, later]) {
          const shown = shownFeed(now, { choices })
          expect(showsAtMost(shown, now)).toBe(true)
          const { leaves, shifts, timesheets, tasks, invoices } = shown.options
          const rest = { ...shown.options, reminderMinutes: now.options.reminderMinutes }
          const { locale, name } = now
          expect({ ...shown, locale, name, options: rest }).toEqual({
            ...now,
            options: {
              ...now.options,
              leaves: {
                ...now.options.leaves,
                show: leaves.show,
                detail: leaves.detail,
                as: leaves.as,
                showAs: leaves.showAs,
              },
              shifts: {
                ...now.options.shifts,
                show: shifts.show,
                as: shifts.as,
                showAs: shifts.showAs,
              },
              timesheets: {
                ...now.options.timesheets,
                show: timesheets.show,
                as: timesheets.as,
              },
              tasks: { ...now.options.tasks, show: tasks.show },
              invoices: { ...now.options.invoices, show: invoices.show },
            },
          })
        }
      }),
    )
  })

  it('leave something to show in a calendar that shows something', () => {
    fc.assert(
      fc.property(feeds, fc.array(forms, { maxLength: 4 }), (feed, all) => {
        expect(showsNothing(feed, after(feed, all))).toBe(false)
      }),
    )
  })

  it('have no effect where HR does not let the holder choose', () => {
    fc.assert(
      fc.property(feeds, fc.array(forms, { maxLength: 4 }), (feed, all) => {
        const options = { ...feed.options, selfService: false }
        const choices = after(feed, all)
        expect(after({ ...feed, options }, all)).toEqual({})
        expect(shownFeed({ ...feed, options }, { choices })).toEqual({ ...feed, options })
      }),
    )
  })
})

describe('a link limited to showing that somebody is away', () => {
  const wishes = fc.record(
    {
      hide: fc.subarray([...feedKinds]),
      detail: fc.constantFrom(...leaveDetails),
      locale: fc.constantFrom(...locales),
      reminderMinutes: fc.nat(99),
    },
    { requiredKeys: [] },
  )

  function expectOnlyAway(feed: Feed, choices: Choices): void {
    for (const shown of [shownFeed(feed, { choices }), boundedFeed(feed, { choices })]) {
      const kinds = feedKinds.filter((kind) => shown.options[kind].show)
      expect(kinds).toEqual(feed.options.leaves.show ? ['leaves'] : [])
      expect(shown.options.leaves.detail).toBe('absent')
      const { as, showAs } = shown.options.leaves
      expect(shown.options.leaves).toEqual({ ...feed.options.leaves, detail: 'absent', as, showAs })
    }
  }

  it('shows nothing else, whatever its holder sends and HR sets, now or later', () => {
    const sent = fc.array(forms, { maxLength: 4 })
    fc.assert(
      fc.property(feeds, feeds, wishes, sent, (feed, later, wished, all) => {
        const choices = after(feed, all, choicesOf({ ...wished, onlyAway: true }))
        expect(choices.onlyAway).toBe(true)
        const again = choicesOf({ ...choices, ...wished })
        for (const now of [feed, later]) {
          expectOnlyAway(now, choices)
          expectOnlyAway(now, again)
          expectOnlyAway(now, after(now, all, choices))
        }
      }),
    )
  })

  it('is recognized by its mark alone, whatever other choices are stored', () => {
    fc.assert(
      fc.property(feeds, wishes, (feed, wished) => {
        const hide = wished.hide?.filter((kind) => kind !== 'leaves') ?? []
        expectOnlyAway(feed, { ...wished, hide, onlyAway: true })
      }),
    )
  })
})

it('choices stored by an earlier version keep their meaning', () => {
  fc.assert(
    fc.property(
      fc.subarray([...feedKinds]),
      fc.option(fc.constantFrom(...leaveDetails)),
      fc.option(fc.constantFrom(...locales), { nil: undefined }),
      (hide, detail, locale) => {
        const kept = JSON.stringify({ hide, detail, locale })
        const read = choicesColumn.parse(JSON.parse(kept))
        expect(read).toEqual({
          ...(hide.length > 0 ? { hide } : {}),
          ...(detail ? { detail } : {}),
          ...(locale ? { locale } : {}),
        })
        expect(choicesColumn.parse(JSON.parse(choicesText(read) ?? '{}'))).toEqual(read)
      },
    ),
  )
})

it('the offered form, sent unchanged, changes nothing', () => {
  fc.assert(
    fc.property(feeds, fc.array(forms, { maxLength: 4 }), (feed, all) => {
      const choices = after(feed, all)
      const offered = offerChoices(feed, choices)
      if (!offered) return
      for (const { values, value } of offered.choices) expect(values).toContain(value)
      const form = {
        show: offered.kinds.filter(({ shown }) => shown).map(({ kind }) => kind),
        ...Object.fromEntries(offered.choices.map(({ name, value }) => [name, String(value)])),
      }
      expect(isSameChoice(readChoices(feed, choices, form), choices)).toBe(true)
    }),
  )
})

it('a choice that HR has meanwhile made for everybody stays after HR takes it back', () => {
  const feedWith = (detail: 'type' | 'full', as: 'day' | 'hours'): Feed => {
    const ownOptions = { leaves: { detail }, shifts: { as } }
    return adasFeed({ ownOptions, options: readOptions('own', ownOptions) })
  }
  const chosen: Choices = { detail: 'type', shiftsAs: 'day' }
  const lowered = feedWith('type', 'day')
  const { kinds, choices } = offerChoices(lowered, chosen)!
  const show = kinds.map(({ kind }) => kind)
  const form = Object.fromEntries(choices.map(({ name, value }) => [name, String(value)]))
  const from = formAsMade({ kinds, choices })
  const choicesNow = readChoices(lowered, chosen, { ...form, show, from, reminderMinutes: '15' })
  expect(choicesNow).toEqual({ ...chosen, reminderMinutes: 15 })
  const shown = shownFeed(feedWith('full', 'hours'), { choices: choicesNow })
  expect(shown.options).toMatchObject({ leaves: { detail: 'type' }, shifts: { as: 'day' } })
})
