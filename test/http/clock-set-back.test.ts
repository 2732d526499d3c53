/* After a clock that ran ahead is set back: no Last-Modified in the future (RFC 9110 section 8.8.2.1), and clients that ask by date still learn what is new. */
import { describe, expect } from 'vitest'

import { calendarUrl, startBridge } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'

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
  it('Last-Modified is never in the future, and clients that ask by date get every change', async ({
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
    const sent: string[] = []
    // Rendered, then ready: each answer is dated when it is sent.
    for (let turn = 0; turn < 3; turn += 1) {
      const [status, date] = await ask(sent.at(-1))
      expect([status, Date.parse(date) <= now(), sent.includes(date)]).toEqual([200, true, false])
      sent.push(date)
    }
    expect((await ask(ahead))[0]).toBe(304)
    await change()
    for (const since of [...sent, ahead, ofAhead]) {
      const [status, changed] = await ask(since)
      expect([status, Date.parse(changed) <= now()]).toEqual([200, true])
    }
  })

  it('the stored date is given again once the clock has reached it', async ({
    ask,
    now,
    setTo,
  }) => {
    setTo.aheadMs = days * dayMs
    const [, ahead] = await ask()
    setTo.aheadMs = 0
    const [, date] = await ask()
    setTo.aheadMs = days * dayMs
    expect(Date.parse(ahead)).toBeLessThanOrEqual(now())
    expect(await ask(date)).toEqual([200, ahead])
    expect(await ask(ahead)).toEqual([304, ahead])
  })
})
