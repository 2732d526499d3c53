/* When a calendar program will probably ask again. */
import { expect, it } from 'vitest'

import { type ClientActivity, type ClientFamily, nextPoll } from '../../src/domain/activity.ts'
import type { FeedLink } from '../../src/domain/link.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Date.UTC(2026, 4, 18)

const link: FeedLink = {
  feedId: 'feed_1',
  label: 'phone',
  tokenHash: new Uint8Array(32),
  createdAt: 0,
  endsAt: null,
  endingSince: null,
  purged: false,
  awaitsPoll: false,
  choices: {},
  publication: null,
}

/** A program that asked that often, every so many milliseconds, and last so long ago. */
function polled(client: ClientFamily, polls: number, every: number, ago: number): ClientActivity {
  const lastPolledAt = now - ago
  const firstPolledAt = lastPolledAt - (polls - 1) * every
  const of = { feedId: 'feed_1', label: 'phone', client } as const
  return { ...of, firstPolledAt, lastPolledAt, lastStatus: 200, polls, hasChangeOf: null }
}

it.each([
  ['by its own habit', polled('google', 20, 6 * hour, hour), 5 * hour],
  ['at once, if it is late', polled('apple', 20, hour, 2 * hour), 0],
  ['Google after its first poll', polled('google', 1, 0, hour), 7 * hour],
  ['Outlook after two', polled('outlook', 2, 9 * hour, hour), 2 * hour],
  ['a program of which nothing is known', polled('other', 1, 0, hour), null],
  ['one that has stopped', polled('apple', 50, hour, 4 * day), null],
  ['one that asked once, long ago', polled('apple', 1, 0, 40 * day), null],
])('%s', (_, activity, after) => {
  const { client, lastPolledAt, expectedAt } = nextPoll(link, [activity], now)
  expect([client, lastPolledAt]).toEqual([activity.client, activity.lastPolledAt])
  expect(expectedAt).toBe(after === null ? null : now + after)
})

it('nobody has asked but a browser', () => {
  expect(nextPoll(link, [polled('browser', 9, hour, hour)], now)).toEqual({
    client: null,
    lastPolledAt: null,
    expectedAt: null,
  })
})

it('the last of several programs counts, and none on a link that has ended', () => {
  const both = [polled('google', 9, 6 * hour, 3 * hour), polled('apple', 9, hour, hour / 2)]
  expect(nextPoll(link, both, now)).toMatchObject({ client: 'apple', expectedAt: now + hour / 2 })
  expect(nextPoll({ ...link, endsAt: now }, both, now).expectedAt).toBeNull()
})
