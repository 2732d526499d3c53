import { expect, it } from 'vitest'

import { type ClientActivity, clientStates } from '../../../src/domain/activity.ts'
import { newLink } from '../../../src/feeds/link-replacement.ts'
import { pageTimes } from '../../../src/http/pages/times.ts'
import { pageLanguages } from '../../../src/http/pages/words/words.ts'

const changedAt = Date.UTC(2026, 0, 5, 9, 2)
const earlier = changedAt - 3_600_000
const later = changedAt + 3_600_000
const now = changedAt + 4 * 3_600_000

const link = {
  ...newLink({ feedId: 'feed_1', label: 'default', createdAt: 0 }).link,
  publication: { fingerprint: '', etag: 'W/"1"', lastModified: changedAt },
}

const asked: ClientActivity = {
  feedId: 'feed_1',
  label: 'default',
  client: 'google',
  firstPolledAt: earlier,
  lastPolledAt: later,
  lastStatus: 304,
  polls: 2,
  hasChangeOf: changedAt,
}

it.each([
  ['has the last change', asked, 'current'],
  [
    'asked before the last change',
    { ...asked, lastPolledAt: earlier, hasChangeOf: earlier },
    'behind',
  ],
  ['was refused since', { ...asked, lastStatus: 503, hasChangeOf: earlier }, 'refused'],
  [
    'was refused before, and not asked since',
    { ...asked, lastStatus: 503, lastPolledAt: earlier, hasChangeOf: null },
    'behind',
  ],
  ['was refused, but has the last change', { ...asked, lastStatus: 503 }, 'current'],
])('%s', (_name, activity, state) => {
  expect(clientStates(link, [activity])).toEqual([
    { client: 'google', askedAt: activity.lastPolledAt, state, changedAt },
  ])
})

it('a link that has served nothing yet counts as having refused its clients', () => {
  const activity = { ...asked, lastStatus: 503, hasChangeOf: null }
  expect(clientStates({ ...link, publication: null }, [activity])).toMatchObject([
    { state: 'refused', changedAt: null },
  ])
})

it('only clients of this link count, without the browser of the page, most recent first', () => {
  const verdicts = clientStates(link, [
    { ...asked, label: 'phone' },
    { ...asked, feedId: 'feed_2' },
    { ...asked, client: 'browser' },
    { ...asked, client: 'apple', lastPolledAt: earlier },
    asked,
  ])
  expect(verdicts.map(({ client }) => client)).toEqual(['google', 'apple'])
})

it.each([
  ['en', asked, 'synced 3 hours ago'],
  [
    'en',
    { ...asked, lastPolledAt: earlier, hasChangeOf: earlier },
    'synced 5 hours ago. The change of 10:02 shows at its next sync.',
  ],
  [
    'en',
    { ...asked, lastStatus: 503, hasChangeOf: earlier },
    'could not sync 3 hours ago. It will try again.',
  ],
  ['de', asked, 'vor 3 Stunden synchronisiert'],
  [
    'de',
    { ...asked, lastPolledAt: earlier, hasChangeOf: earlier },
    'vor 5 Stunden synchronisiert. Die Änderung von 10:02 folgt beim nächsten Mal.',
  ],
  ['en', { ...asked, lastPolledAt: now - 59_000 }, 'synced just now'],
] as const)('a verdict is put into words in %s', (locale, activity, words) => {
  const language = pageLanguages[locale]
  const times = pageTimes(now, 'Europe/Berlin', language.language)
  const [verdict] = clientStates(link, [activity])
  expect(verdict && language.activity.verdict(verdict, times)).toBe(words)
})

it('a time on another day is written with its date', () => {
  const times = pageTimes(now, 'Europe/Berlin', 'en-GB')
  expect(times.at(now - 86_400_000)).toBe('4 January 2026, 14:02')
  expect(times.ago(now - 3 * 86_400_000)).toBe('3 days ago')
  expect(times.ago(now - 30_000)).toBe('this minute')
})
