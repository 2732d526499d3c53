/*
 * What an expander throws is kept, counted and shown. The Read API's answers are decoded, so no record of theirs gets that
 * far; a copy that another release has kept might.
 */
import { expect } from 'vitest'

import { type Copy, contentHashOf } from '../../src/domain/copy.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'

const it = base
  /** Puts a number into the name of the type of these leaves of Ada's, where only a text can be read. */
  .extend('spoil', ({ clock, node }) => async (...ids: readonly string[]): Promise<void> => {
    const { id = '' } = node.connections.get('main') ?? {}
    const copy = await node.store.copies.findCopy<'leaves'>(id, 'leaves:usr_ada')
    const records = copy?.records.map((leave) =>
      ids.includes(leave.id) ? { ...leave, leaveType: { name: 7 } } : leave,
    )
    const spoilt = { ...copy, records, contentHash: contentHashOf(records ?? []) } as unknown
    await node.store.copies.keepCopy(id, { ...(spoilt as Copy), begunAt: clock.now() })
  })
  .extend('unreadable', ({ logged }) => () => {
    return logged.filter(({ event }) => event === 'record_unreadable')
  })

/** What the page says is stale or missing, heading by heading. */
async function pageOf(
  calendar: string,
): Promise<readonly [status: number, said: readonly string[]]> {
  const { status, text } = await pollNow(calendar.slice(0, calendar.lastIndexOf('/')))
  const headings = [...text.matchAll(/<p><strong>(.*?)<\/strong>/g)]
  return [status, headings.map(([, heading]) => heading ?? '')]
}

it('an unreadable record is left out, and the log names it and the reason', async ({
  bridge,
  feedOf,
  poll,
  spoil,
  unreadable,
}) => {
  const url = await feedOf('usr_ada')
  expect((await poll(url)).titles).toContain('Leave lv_ada1')
  await spoil('lv_ada1')
  const { status, titles } = await pollNow(url)
  expect([status, titles.includes('Leave lv_ada1')]).toEqual([200, false])
  expect(titles).toContain('Leave lv_ada2')
  await pollNow(url)
  const data = {
    company: 'main',
    kind: 'leave',
    record: 'lv_ada1',
    error: expect.any(TypeError) as unknown,
  }
  expect(unreadable()).toEqual([{ level: 'error', event: 'record_unreadable', data }])
  expect((await pollNow(`${bridge.url}/metrics`)).text).toContain(
    'events_total{event="record_unreadable",level="error",company="main"} 1',
  )
  expect(await pageOf(url)).toEqual([200, ['One entry is missing']])
})

it('no calendar is served if all records of a kind are unreadable', async ({
  feedOf,
  poll,
  spoil,
}) => {
  const url = await feedOf('usr_ada')
  const before = await poll(url)
  await spoil('lv_ada1', 'lv_ada2')
  const { status, headers, text } = await pollNow(url)
  expect([status, text]).toEqual([503, 'None of the leave records can be read.\n'])
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(await pageOf(url)).toEqual([503, ['There is nothing to show right now']])
  expect((await poll(url)).text).toBe(before.text)
})
