import { describe, expect, it } from 'vitest'

import { readOptions } from '../../src/domain/feed-options.ts'
import { refuseTooManyShifts } from '../../src/feeds/feed-drafts.ts'

const people = Array.from({ length: 500 }, (_, index) => `usr_${index}`)
const week = ['sch_1', 'sch_2']

function sizeOf(users: number, shifts: object, futureDays = 365): () => void {
  const { shifts: usual, ...rest } = readOptions('own', { shifts: { scheduleIds: ['sch_day'] } })
  const options = { ...rest, window: { pastDays: 90, futureDays }, shifts: { ...usual, ...shifts } }
  return () => refuseTooManyShifts({ userIds: people.slice(0, users), options })
}

describe('a feed with more shifts than a calendar can show', () => {
  it.each([
    ['one person for ten years', sizeOf(1, {}, 3660)],
    ['190 people', sizeOf(190, {})],
    ['500 people without shifts', sizeOf(500, { show: false })],
    ['500 people without a schedule', sizeOf(500, { scheduleIds: [] })],
  ])('%s is not too large', (_, check) => {
    expect(check).not.toThrow()
  })

  it.each([
    ['200 people', sizeOf(200, {})],
    ['30 people for ten years', sizeOf(30, {}, 3660)],
    [
      '100 people in a rotation',
      sizeOf(100, { rotation: { weeks: [[], week], from: '2026-01-05' } }),
    ],
  ])('%s is rejected at the window', (_, check) => {
    expect(check).toThrow(
      expect.objectContaining({
        code: 'invalid',
        faults: [expect.objectContaining({ pointer: '/options/window' })],
      }),
    )
  })
})
