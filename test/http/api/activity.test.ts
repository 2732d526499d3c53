/* What support sees of the clients of a feed. */
import { expect } from 'vitest'

import { timeAgo } from '../../../src/feeds/feed-listing.ts'
import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it, type TestApi } from '../../support/bridge/test-api.ts'

const google = { 'User-Agent': 'Google-Calendar-Importer' }
const thunderbird = { 'User-Agent': 'Thunderbird/140' }

it.for([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3 * 3_600_000, '3 h ago'],
  [47 * 3_600_000, '47 h ago'],
  [48 * 3_600_000, '2 days ago'],
] as const)('%i ms are shown as %s', ([ms, text]) => {
  expect(timeAgo(ms)).toBe(text)
})

it('shows which client polled which link and whether it has the last change', async ({ api }) => {
  const { clock, ask, ada } = api
  const feed = await ada()
  const address = `/api/feeds/${feed.id}`
  const first = new Date(clock.now()).toISOString()
  await pollAs(google, calendarUrl(feed))
  await clock.advance(3 * 3_600_000)
  const before = await shown(api, address, 1)
  expect(before.links).toMatchObject([{ label: 'default', lastPolledAt: first, client: 'google' }])
  const [, changed] = await ask('PATCH', address, {})
  expect(changed.links).toEqual(before.links)
  expect(before.activity).toEqual([
    {
      label: 'default',
      client: 'google',
      firstPolledAt: first,
      lastPolledAt: first,
      lastStatus: 200,
      polls: 1,
      verdict: 'Google asked 3 h ago and has the change of 2026-01-05 12:00 UTC.',
    },
  ])
  await ask('PATCH', address, { options: { leaves: { show: false } } })
  await pollAs(thunderbird, calendarUrl(feed))
  const after = await shown(api, address, 2)
  expect(after.activity.map(({ client, verdict }) => [client, verdict])).toEqual([
    ['thunderbird', expect.stringMatching(/^Thunderbird asked just now and has the change of/)],
    [
      'google',
      expect.stringMatching(/^Google asked 3 h ago and has not asked since the change of/),
    ],
  ])
})

it('a client of a rotated-out link stays listed under the new label of that link', async ({
  api,
}) => {
  const { clock, ask, ada } = api
  const feed = await ada()
  await pollAs(google, calendarUrl(feed))
  await ask('PATCH', `/api/feeds/${feed.id}`, { options: { leaves: { show: false } } })
  await pollAs(thunderbird, calendarUrl(feed))
  await clock.advance(2000)
  await ask('POST', `/api/feeds/${feed.id}/rotations`, {})
  expect(await pollAs(google, calendarUrl(feed))).toBe(410)
  const { links, activity } = await shown(api, `/api/feeds/${feed.id}`, 3)
  const old = links.find(({ label }) => label.startsWith('default (rotated'))
  expect(old).toMatchObject({ client: 'google' })
  expect(links.find(({ label }) => label === 'default')).toMatchObject({ client: null })
  expect(activity.find(({ client }) => client === 'google')).toMatchObject({
    label: old?.label,
    lastStatus: 410,
    verdict: 'Google asked just now and was answered with 410.',
  })
})

async function pollAs(headers: Readonly<Record<string, string>>, url: string): Promise<number> {
  const response = await fetch(url, { headers })
  await response.text()
  return response.status
}

type Details = ReturnType<typeof outputSchemas.FeedDetails.parse>

/** The feed once all polls have been written, which is behind the answers. */
async function shown({ clock, ask }: TestApi, address: string, polls: number): Promise<Details> {
  for (;;) {
    await clock.advance(2000)
    const [, answer] = await ask('GET', address)
    const feed = outputSchemas.FeedDetails.parse(answer)
    const written = feed.activity.reduce((sum, client) => sum + client.polls, 0)
    if (written >= polls) return feed
  }
}
