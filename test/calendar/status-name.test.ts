import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { statusName } from '../../src/calendar/expansion.ts'
import { languages } from '../../src/calendar/words.ts'

const { en, de } = languages

describe('a status in words', () => {
  it.each([
    ['IN_PROGRESS', 'In progress', 'In Arbeit'],
    ['inProgress', 'In progress', 'In Arbeit'],
    ['in progress', 'In progress', 'In Arbeit'],
    ['On-Hold', 'On hold', 'Pausiert'],
    ['TODO', 'To do', 'Zu erledigen'],
    ['IN_REVIEW', 'In review', 'In Prüfung'],
    ['BLOCKED', 'Blocked', 'Blockiert'],
    ['WAITING_FOR_QA', 'Waiting for qa', 'Waiting for qa'],
    ['QA-2', 'Qa 2', 'Qa 2'],
    ['Wartet auf Kundin', 'Wartet auf Kundin', 'Wartet auf Kundin'],
    ['ready for QA-Team', 'Ready for QA-Team', 'Ready for QA-Team'],
    ['constructor', 'Constructor', 'Constructor'],
    ['\u{1f6a7} in_bau', '\u{1f6a7} in bau', '\u{1f6a7} in bau'],
    ['進行中', '進行中', '進行中'],
    ['___', '', ''],
  ])('%s', (status, english, german) => {
    expect([statusName(status, en), statusName(status, de)]).toEqual([english, german])
  })

  it('Any text becomes one line without underscores and outer spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = statusName(text, en)
        expect(name).not.toMatch(/[\r\n_]/)
        expect(name).toBe(name.trim())
      }),
    )
  })
})
