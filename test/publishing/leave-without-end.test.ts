/* Event rule 1.6: a leave without an end that has begun is shown to the end of the window. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../support/bridge/bridge.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { type ReadEvent, readCalendar } from '../support/calendar/read-calendar.ts'
import { leave } from '../support/company/people.ts'

const dayMs = 86_400_000
const shiftsOfAda = { shifts: { scheduleIds: ['sch_day'] } }

/** `it` with what somebody's calendar shows of the leave `lv_open`, which has no end. */
const it = base
  .extend('settings', { FEED_FRESH_SECONDS: '60' })
  .extend('come', ({ company }) => (startDate: string, changes: object = {}): void => {
    const open = { ...leave('lv_open', startDate), endDate: null, days: null, ...changes }
    const others = company.records.leaves['usr_ada']?.filter(({ id }) => id !== 'lv_open') ?? []
    company.records.leaves['usr_ada'] = [...others, open]
  })
  .extend('shown', ({ poll }) => async (address: string): Promise<ReadEvent | undefined> => {
    const { status, text } = await poll(address)
    expect(status).toBe(200)
    return [...readCalendar(text).values()].find(({ uid }) => uid.startsWith('leave-lv_open@'))
  })

describe('a leave without an end', () => {
  it.for([
    ['en', '(no end given)'],
    ['de', '(kein Ende angegeben)'],
  ] as const)(
    'lasts to the end of the window once begun, and says so in %s',
    async ([locale, says], { come, feedOf, shown }) => {
      come('2026-01-02')
      const event = await shown(await feedOf('usr_ada', { locale }))
      expect(event).toMatchObject({ start: '2026-01-02', sequence: 0 })
      expect(event?.content).toContain('DTEND;VALUE=DATE:20270201')
      expect(event?.content).toContain(says)
    },
  )

  it('shows its end once there is one, as the same event', async ({ come, feedOf, shown }) => {
    const address = await feedOf('usr_ada')
    come('2026-01-02')
    const open = await shown(address)
    come('2026-01-02', { endDate: '2026-01-09T00:00:00.000Z' })
    const ended = await shown(address)
    expect(ended).toMatchObject({ uid: open?.uid, sequence: 1 })
    expect(ended?.content).toContain('DTEND;VALUE=DATE:20260110')
    expect(ended?.content).not.toContain('no end given')
    come('2026-01-02')
    expect(await shown(address)).toMatchObject({ content: open?.content, sequence: 2 })
  })

  it('moves with the window once a month and otherwise changes nothing', async ({
    clock,
    come,
    feedOf,
    poll,
    shown,
  }) => {
    const address = await feedOf('usr_ada')
    come('2026-01-02')
    const { text } = await poll(address)
    await clock.advance(10 * dayMs)
    expect((await poll(address)).text).toBe(text)
    await clock.advance(20 * dayMs)
    const moved = await shown(address)
    expect(moved?.sequence).toBe(1)
    expect(moved?.content).toContain('DTEND;VALUE=DATE:20270301')
  })

  it('is set aside until it begins, even if the answer stays the same', async ({
    clock,
    come,
    feedOf,
    shown,
  }) => {
    const address = await feedOf('usr_ada')
    come('2026-01-07')
    expect(await shown(address)).toBeUndefined()
    expect(await shown(address)).toBeUndefined()
    const page = address.replace(/\/[^/]+$/, '')
    const missing = async (): Promise<boolean> =>
      (await (await fetch(page, { headers: { Accept: 'text/html' } })).text()).includes(
        'One entry is missing',
      )
    expect(await missing()).toBe(true)
    await clock.advance(2 * dayMs)
    expect(await shown(address)).toMatchObject({ start: '2026-01-07', sequence: 0 })
    expect(await missing()).toBe(false)
  })

  it('is a timed event if it begins at a time of day', async ({ come, feedOf, shown }) => {
    come('2026-01-05', { startDate: '2026-01-05T09:30:00.000Z' })
    const event = await shown(await feedOf('usr_ada'))
    expect(event?.content).toContain('DTSTART:20260105T093000Z')
    expect(event?.content).toContain('DTEND:20270131T230000Z')
  })

  it('hides shifts to the end of the window once it is approved', async ({
    come,
    feedOf,
    poll,
  }) => {
    const address = await feedOf('usr_ada', { options: shiftsOfAda })
    const shiftsIn = async (): Promise<number> =>
      (await poll(address)).text.split('UID:shift-').length - 1
    come('2026-01-02', { status: 'PENDING' })
    const all = await shiftsIn()
    come('2026-01-02')
    const before = await shiftsIn()
    expect(all).toBeGreaterThan(before)
    come('2027-01-02', { endDate: '2027-01-02T00:00:00.000Z' })
    expect(await shiftsIn()).toBeGreaterThan(before)
  })

  it('is shown to others as an absence, and the same as JSON', async ({
    bridge,
    come,
    shown,
    poll,
  }) => {
    come('2026-01-02')
    const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'], audience: 'others' })
    const address = calendarUrl(feed)
    const event = await shown(address)
    expect(event?.content).toContain('DTEND;VALUE=DATE:20270201')
    expect(event?.content).toContain('TRANSP:TRANSPARENT')
    expect(event?.summary).toMatch(/^Ada.*: Away$/)
    const json = JSON.parse((await poll(address.replace(/ics$/, 'json'))).text) as unknown
    expect(JSON.stringify(json)).toContain('2027-02-01')
  })

  it.for([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 3],
    ['no date', 'open'],
  ] as const)('cannot be read if its end is %s', async ([, endDate], { come, feedOf, shown }) => {
    come('2026-01-02', { endDate })
    expect(await shown(await feedOf('usr_ada'))).toBeUndefined()
  })
})
