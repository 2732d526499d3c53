/* The end of feeds and links. */
import { expect } from 'vitest'

import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/test-api.ts'
import { titlesOf } from '../../support/calendar/read-calendar.ts'
import { jsonOf } from '../../support/web/api-answer.ts'

const dayMs = 86_400_000

it('an ended feed answers 410 at every address and stays ended', async ({
  api: { clock, ask, poll, ada },
}) => {
  const feed = await ada()
  const [, phone] = await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
  expect((await ask('DELETE', `/api/feeds/${feed.id}`))[0]).toBe(204)
  expect((await poll(calendarUrl(feed)))[0]).toBe(410)
  expect((await poll(phone.url))[0]).toBe(410)
  const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
  expect(shown.revokedAt).toBe(new Date(clock.now()).toISOString())
  await clock.advance(1000)
  expect((await ask('DELETE', `/api/feeds/${feed.id}`))[0]).toBe(204)
  expect((await ask('GET', `/api/feeds/${feed.id}`))[1]).toEqual(shown)
  expect((await ask('PATCH', `/api/feeds/${feed.id}`, { name: 'x' }))[0]).toBe(409)
  expect((await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'x' }))[0]).toBe(409)
  expect((await ask('POST', `/api/feeds/${feed.id}/rotations`, {}))[0]).toBe(409)
})

it.for(['feed', 'link'])(
  'a purged %s serves one event for 30 days, then answers 410',
  async (what, { api: { clock, ask, poll, ada } }) => {
    const feed = await ada()
    const url = calendarUrl(feed)
    const before = await fetch(url)
    const address = `/api/feeds/${feed.id}${what === 'link' ? '/links/default' : ''}`
    expect((await ask('DELETE', `${address}?purge`))[0]).toBe(204)
    const after = await fetch(url)
    const body = await after.text()
    expect(after.status).toBe(200)
    expect(titlesOf(body)).toEqual([expect.stringContaining('This calendar has ended')])
    const [since, until] = [before, after].map(({ headers }) =>
      Date.parse(headers.get('Last-Modified')!),
    )
    expect(until).toBeGreaterThan(since!)
    const etag = after.headers.get('ETag')!
    expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    const json = await jsonOf(await fetch(url.replace(/\.ics$/, '.json')))
    expect(json.events).toMatchObject([{ kind: 'notice', title: 'This calendar has ended' }])
    expect((await fetch(url.replace(/\/[^/]*$/, ''))).status).toBe(410)
    await clock.advance(30 * dayMs - 1000)
    expect(await poll(url)).toEqual([200, body])
    await clock.advance(1000)
    expect((await poll(url))[0]).toBe(410)
  },
)
