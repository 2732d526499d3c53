/* When a calendar program counts as one that has stopped, and when it will probably ask again. */
import { describe, expect, it } from 'vitest'

import {
  type ClientActivity,
  type ClientFamily,
  linkStatus,
  nextPoll,
} from '../../src/domain/activity.ts'
import { newLink } from '../../src/feeds/link-replacement.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Date.UTC(2026, 4, 18)

const { link } = newLink({ feedId: 'feed_1', label: 'phone', createdAt: 0 })

/** A program that asked that often, every so many hours, and last so long ago. */
function polled(polls: number, every: number, ago: number, lastStatus = 200): ClientActivity {
  const lastPolledAt = now - ago
  const firstPolledAt = lastPolledAt - (polls - 1) * every
  const of = { feedId: 'feed_1', label: 'phone', client: 'apple' } as const
  return { ...of, firstPolledAt, lastPolledAt, lastStatus, polls, hasChangeOf: null }
}

it.each([
  ['asked a moment ago', polled(1, hour, 0), 'synced'],
  ['was off over a weekend', polled(50, hour, 3 * day), 'synced'],
  ['asked every hour, and not for four days', polled(50, hour, 4 * day), 'stopped'],
  ['asks every other day', polled(5, 2 * day, 7 * day), 'synced'],
  ['asked every other day, and not for nine', polled(5, 2 * day, 9 * day), 'stopped'],
  ['asked once, long ago', polled(1, 0, 40 * day), 'past'],
  ['asked twice, long ago', polled(2, hour, 40 * day), 'past'],
  ['got an error', polled(9, hour, hour, 503), 'refused'],
  ['got an error, long ago', polled(9, hour, 9 * day, 503), 'stopped'],
] as const)('a program that %s', (_name, activity, state) => {
  const status = { client: 'apple', askedAt: activity.lastPolledAt, state }
  expect(linkStatus(link, [activity], now)).toEqual(status)
})

it('the program that asked last counts, and browsers do not', () => {
  const all = [
    polled(9, hour, 9 * day),
    { ...polled(1, 0, hour), client: 'google' } as const,
    { ...polled(1, 0, 0), client: 'browser' } as const,
    { ...polled(1, 0, 0), label: 'another' },
  ]
  expect(linkStatus(link, all, now)).toMatchObject({ client: 'google', state: 'synced' })
})

describe('the next poll of a link is expected', () => {
  function by(client: ClientFamily, ...of: Parameters<typeof polled>): ClientActivity {
    return { ...polled(...of), client }
  }

  it.each([
    ['by its own habit', by('google', 20, 6 * hour, hour), 5 * hour],
    ['at once, if it is late', by('apple', 20, hour, 2 * hour), 0],
    ['Google after its first poll', by('google', 1, 0, hour), 7 * hour],
    ['Outlook after two', by('outlook', 2, 9 * hour, hour), 2 * hour],
    ['a program of which nothing is known', by('other', 1, 0, hour), null],
    ['one that has stopped', by('apple', 50, hour, 4 * day), null],
    ['one that asked once, long ago', by('apple', 1, 0, 40 * day), null],
  ])('%s', (_, activity, after) => {
    const { client, lastPolledAt, expectedAt } = nextPoll(link, [activity], now)
    expect([client, lastPolledAt]).toEqual([activity.client, activity.lastPolledAt])
    expect(expectedAt).toBe(after === null ? null : now + after)
  })

  it('never, if only a browser has asked', () => {
    expect(nextPoll(link, [by('browser', 9, hour, hour)], now)).toEqual({
      client: null,
      lastPolledAt: null,
      expectedAt: null,
    })
  })

  it('by the program that asked last, and never on a link that has ended', () => {
    const both = [by('google', 9, 6 * hour, 3 * hour), by('apple', 9, hour, hour / 2)]
    expect(nextPoll(link, both, now)).toMatchObject({ client: 'apple', expectedAt: now + hour / 2 })
    expect(nextPoll({ ...link, endsAt: now }, both, now).expectedAt).toBeNull()
  })
})
