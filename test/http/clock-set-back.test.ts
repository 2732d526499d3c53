/* After a clock that ran ahead is set back: no Last-Modified in the future (RFC 9110 section 8.8.2.1), and whoever asks by date still learns what is new. */
import fc from 'fast-check'
import { describe, expect } from 'vitest'

import { dated, headersOf, isNotModified } from '../../src/web/conditional-request.ts'
import { calendarUrl, startBridge } from '../support/bridge.ts'
import { it as base, pollNow } from '../support/fixtures.ts'
import { leave } from '../support/people.ts'

const dayMs = 86_400_000

/** With a bridge whose clock can be set, and polls of Ada's feed by date alone. */
const it = base
  .extend('settings', { FEED_FRESH_SECONDS: '60' })
  .extend('setTo', () => ({ aheadMs: 0 }))
  .extend(
    'now',
    ({ clock, setTo }) =>
      () =>
        clock.now() + setTo.aheadMs,
  )
  .extend('address', async ({ clock, now, environment }, { onCleanup }) => {
    const bridge = await startBridge({ clock: { ...clock, now }, environment })
    onCleanup(() => bridge.close())
    return calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  })
  .extend('ask', ({ address, clock }) => async (since?: string): Promise<[number, string]> => {
    await clock.advance(1000)
    const fields = since === undefined ? {} : { 'If-Modified-Since': since }
    const { status, headers } = await pollNow(address, fields)
    return [status, headers.get('Last-Modified') ?? '']
  })
  .extend('change', ({ company, clock }) => async (): Promise<void> => {
    const id = `lv_${company.records.leaves['usr_ada']?.length}`
    company.records.leaves['usr_ada']?.push(leave(id, '2026-03-02'))
    await clock.advance(61_000)
  })

describe.each([1, 20])('a clock that ran %i days ahead and is set back', (days) => {
  it('gives a date that is not in the future, by which a client asks on', async ({
    ask,
    change,
    now,
    setTo,
  }) => {
    setTo.aheadMs = days * dayMs
    const [, ofAhead] = await ask()
    await change()
    const [, ahead] = await ask()
    setTo.aheadMs = 0
    const dates: string[] = []
    for (const since of [undefined, ahead]) {
      const [status, date] = await ask(since)
      expect(status).toBe(since === undefined ? 200 : 304)
      dates.push(date)
    }
    const [date = ''] = dates
    expect(Date.parse(date)).toBeLessThanOrEqual(now())
    // Made anew, and ready.
    for (const since of [date, date]) expect(await ask(since)).toEqual([304, date])
    for (const since of [ofAhead, new Date(now()).toUTCString()]) {
      expect((await ask(since))[0]).toBe(200)
    }
    await change()
    for (const since of [date, ahead, ofAhead, undefined]) {
      const [status, changed] = await ask(since)
      expect(status).toBe(200)
      expect(Date.parse(changed)).toBeLessThanOrEqual(now())
      expect(changed).not.toBe(date)
      expect(await ask(changed)).toEqual([304, changed])
    }
  })

  it('gives the date that is kept once the clock has come there', async ({
    ask,
    change,
    now,
    setTo,
  }) => {
    setTo.aheadMs = days * dayMs
    const [, ahead] = await ask()
    setTo.aheadMs = 0
    const [, date] = await ask()
    setTo.aheadMs = days * dayMs
    expect(await ask(ahead)).toEqual([304, ahead])
    expect((await ask(date))[0]).toBe(304)
    await change()
    expect((await ask(date))[0]).toBe(200)
    const [status, changed] = await ask(ahead)
    expect([status, Date.parse(changed) <= now()]).toEqual([200, true])
  })
})

it('any such date is of one version alone, however far ahead the clock ran', () => {
  const second = fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1000)
  const later = fc.integer({ min: 1, max: 300_000_000 }).map((seconds) => seconds * 1000)
  fc.assert(
    fc.property(second, second, later, (now, lastModified, laterMs) => {
      const [, [, date = ''] = []] = headersOf(dated({ etag: 'W/"one"', lastModified }, now))
      expect(Date.parse(date)).toBeLessThanOrEqual(now + 60_000)
      const asked = { 'if-modified-since': date }
      expect(isNotModified(asked, { etag: 'W/"one"', lastModified })).toBe(true)
      const newer = { etag: 'W/"newer"', lastModified: lastModified + laterMs }
      expect(isNotModified(asked, newer)).toBe(false)
    }),
  )
})
