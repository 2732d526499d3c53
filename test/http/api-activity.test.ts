/* What support sees of the clients of a feed. */
import { expect, test } from 'vitest'

import { timeAgo } from '../../src/feeds/client-view.ts'
import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import { jsonOf } from '../support/api-answer.ts'
import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import { startCompanyServer } from '../support/company-server.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { twoPeople } from '../support/people.ts'

const google = { 'User-Agent': 'Google-Calendar-Importer' }

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3 * 3_600_000, '3 h ago'],
  [47 * 3_600_000, '47 h ago'],
  [48 * 3_600_000, '2 days ago'],
])('%i ms are %s', (ms, text) => {
  expect(timeAgo(ms)).toBe(text)
})

test('who asked for which link, and in a sentence whether they have the last change', async () => {
  const clock = createFakeClock()
  const company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  const bridge = await startBridge({ clock, environment: readsFrom(company.url) })
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  const address = `/api/feeds/${feed.id}`
  const first = new Date(clock.now()).toISOString()
  await (await fetch(calendarUrl(feed), { headers: google })).text()
  await clock.advance(3 * 3_600_000)
  const before = await shown(bridge, clock, address, 1)
  expect(before.links).toMatchObject([{ label: 'default', lastPolledAt: first, client: 'google' }])
  const changed = await jsonOf(await bridge.api('PATCH', `/api/feeds/${feed.id}`, {}))
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
  await bridge.api('PATCH', address, { options: { leaves: { show: false } } })
  await (await fetch(calendarUrl(feed), { headers: { 'User-Agent': 'Thunderbird/140' } })).text()
  const after = await shown(bridge, clock, address, 2)
  expect(after.activity.map(({ client, verdict }) => [client, verdict])).toEqual([
    ['thunderbird', expect.stringMatching(/^Thunderbird asked just now and has the change of/)],
    [
      'google',
      expect.stringMatching(/^Google asked 3 h ago and has not asked since the change of/),
    ],
  ])
  await bridge.api('POST', `${address}/rotations`, {})
  expect((await fetch(calendarUrl(feed), { headers: google })).status).toBe(410)
  const rotated = await shown(bridge, clock, address, 3)
  const old = rotated.links.find(({ label }) => label.startsWith('default (rotated'))
  expect(old).toMatchObject({ client: 'google' })
  expect(rotated.links.find(({ label }) => label === 'default')).toMatchObject({ client: null })
  expect(rotated.activity.find(({ client }) => client === 'google')).toMatchObject({
    label: old?.label,
    lastStatus: 410,
    verdict: 'Google asked just now and was answered with 410.',
  })
  await bridge.close()
  await company.close()
})

type Details = ReturnType<typeof outputSchemas.FeedDetails.parse>

/** The feed once all polls have been written, which is behind the answers. */
async function shown(
  bridge: TestBridge,
  clock: FakeClock,
  address: string,
  polls: number,
): Promise<Details> {
  for (;;) {
    await clock.advance(2000)
    const feed = outputSchemas.FeedDetails.parse(await (await bridge.api('GET', address)).json())
    const written = feed.activity.reduce((sum, client) => sum + client.polls, 0)
    if (written >= polls) return feed
  }
}
