/* What is asked for one person moments ago serves others who are compared with them, and never speaks for itself alone. */
import { expect } from 'vitest'

import { RecentReplies } from '../../src/copies/proof/round.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'

const regulars = Array.from({ length: 22 }, (_, index) => `usr_${index + 20}`)
/** All begin with the id of a known person. */
const first = 'usr_1'
const newcomers = Array.from({ length: 8 }, (_, index) => `${first}${index}`)

/** A company in which so many people's leaves are known that one comparison will do, and feeds of newcomers, not polled yet. */
const it = base
  .extend('records', ({ records }) => {
    const ids = [first, ...newcomers, ...regulars]
    return {
      ...records,
      users: ids.map((id) => ({ id, firstName: id, lastName: 'Person', isActive: true })),
      leaves: Object.fromEntries(
        ids.map((id) => [
          id,
          [leave(`lv_${id}_a`, '2026-01-12'), leave(`lv_${id}_b`, '2026-01-14')],
        ]),
      ),
      timesheets: [],
      tasks: { prj_web: [] },
    }
  })
  .extend('feeds', async ({ feedOf, poll, company }) => {
    // Nothing of the first is kept: their leaves are known only from being asked for.
    await feedOf(first)
    for (const id of regulars) await poll(await feedOf(id))
    const feeds = new Map<string, string>()
    for (const id of newcomers) feeds.set(id, await feedOf(id))
    await poll(feeds.get(newcomers[0]!)!)
    company.requests.length = 0
    return feeds
  })

function shown(text: string): readonly string[] {
  return [...text.matchAll(/SUMMARY:Leave (\S+)/g)].flatMap(([, id]) => id ?? []).toSorted()
}

function timesAsked(requests: readonly string[], id: string): number {
  return requests.filter((address) => address.endsWith(`/leaves?userId=${id}`)).length
}

it('a known person’s leaves are asked for once for all who are compared with them within moments', async ({
  clock,
  company,
  feeds,
}) => {
  await clock.advance(61_000)
  for (const id of newcomers.slice(1, 5)) {
    const { text } = await pollNow(feeds.get(id)!)
    expect(shown(text)).toEqual([`lv_${id}_a`, `lv_${id}_b`])
    expect(timesAsked(company.requests, id)).toBe(2)
  }
  expect(timesAsked(company.requests, first)).toBe(1)
  await clock.advance(5000)
  await pollNow(feeds.get(newcomers[5]!)!)
  expect(timesAsked(company.requests, first)).toBe(2)
})

it('leaves that the other had moments ago are seen in the answer of a filter that breaks meanwhile', async ({
  clock,
  company,
  feeds,
}) => {
  await clock.advance(61_000)
  await pollNow(feeds.get(newcomers[1]!)!)
  expect(timesAsked(company.requests, first)).toBe(1)
  company.isSame = (one, other) => one === other || (one === first && other === newcomers[2])
  const { status, text } = await pollNow(feeds.get(newcomers[2]!)!)
  expect(status).toBe(200)
  expect(shown(text)).toEqual([])
  expect(timesAsked(company.requests, first)).toBe(2)
})

it('an answer that says nothing, or fails, serves nobody', async () => {
  const recent = new RecentReplies(createFakeClock())
  const { signal } = new AbortController()
  const none = { ids: new Set<string>(), nameless: 0, pages: [] }
  const reply = Promise.resolve('unanswered' as const)
  recent.keep(first, reply, signal)
  await reply
  expect(await recent.find(first, none)).toBeUndefined()
  const failing = Promise.reject(new Error('ended'))
  recent.keep(first, failing, signal)
  await expect(failing).rejects.toThrow('ended')
  expect(await recent.find(first, none)).toBeUndefined()
})
