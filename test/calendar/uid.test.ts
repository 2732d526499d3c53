import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { eventUid } from '../../src/calendar/uid.ts'

const uidOf = ([companyId, schedule, userId]: [string, string, string]): string =>
  eventUid({ companyId, kind: 'shift', id: schedule, shift: { userId, date: '2026-01-05' } })

describe('E2 the UID', () => {
  it('names kind, id and company', () => {
    expect(eventUid({ companyId: 'main', kind: 'leave', id: 'lv_1' })).toBe(
      'leave-lv_1@main.calendar-feed-bridge',
    )
  })

  it('of a shift names user and local date too', () => {
    const shift = { userId: 'usr_ada', date: '2026-01-05' }
    expect(eventUid({ companyId: 'main', kind: 'shift', id: 'sch_day', shift })).toBe(
      'shift-sch_day-usr_ada-20260105@main.calendar-feed-bridge',
    )
  })

  it('writes every byte outside [A-Za-z0-9_] as =HH', () => {
    expect(eventUid({ companyId: 'a.b', kind: 'task', id: 'ä-=@ 1' })).toBe(
      'task-=C3=A4=2D=3D=40=201@a=2Eb.calendar-feed-bridge',
    )
  })

  it('differs wherever company, id, user or date differ', () => {
    const id = fc.string({
      unit: fc.constantFrom('a', '-', '=', '2', 'D', '_', '@', 'é'),
      maxLength: 5,
    })
    const subject = fc.tuple(id, id, id)
    fc.assert(
      fc.property(subject, subject, (one, other) => {
        expect(uidOf(one) === uidOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 2000 },
    )
  })
})
