/* The links of a feed: each ends, or is replaced, alone. */
import { expect, inject } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/test-api.ts'
import { titlesOf } from '../../support/calendar/read-calendar.ts'
import { jsonOf } from '../../support/web/api-answer.ts'

const dayMs = 86_400_000

it('each link has its own label and address and ends alone', async ({
  api: { ask, poll, ada },
}) => {
  const feed = await ada()
  const [status, phone] = await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'my phone' })
  expect(status).toBe(201)
  outputSchemas.Link.parse(phone)
  expect(phone).toMatchObject({ label: 'my phone', endsAt: null })
  const bodies = await Promise.all([poll(calendarUrl(feed)), poll(phone.url)])
  expect(bodies[0]).toEqual(bodies[1])
  expect((await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'my phone' }))[0]).toBe(409)
  expect((await ask('DELETE', `/api/feeds/${feed.id}/links/my%20phone`))[0]).toBe(204)
  expect((await ask('DELETE', `/api/feeds/${feed.id}/links/my%20phone`))[0]).toBe(204)
  expect((await ask('DELETE', `/api/feeds/${feed.id}/links/tablet`))[0]).toBe(404)
  expect((await poll(phone.url))[0]).toBe(410)
  expect((await poll(calendarUrl(feed)))[0]).toBe(200)
  expect((await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'my phone' }))[0]).toBe(201)
})

it.for([
  [{}],
  [{ label: '' }],
  [{ label: '.' }],
  [{ label: ' .. ' }],
  [{ label: 'a\tb' }],
  [{ label: '\u200B\u2067' }],
  [{ label: 'a', url: 'x' }],
  [[]],
] as const)('%j is refused as a new link', async ([input], { api: { ask, ada } }) => {
  const { id } = await ada()
  expect((await ask('POST', `/api/feeds/${id}/links`, input))[0]).toBe(400)
})

it('a label of dots in the path cannot end the feed', async ({ api: { ask, ada } }) => {
  const { id } = await ada()
  expect((await ask('DELETE', `/api/feeds/${id}/links/..`))[0]).toBe(404)
  expect((await ask('DELETE', `/api/feeds/${id}/links/%2e%2e`))[0]).toBe(404)
  expect((await ask('GET', `/api/feeds/${id}`))[1].revokedAt).toBeNull()
})

it('a link can be rotated any number of times', async ({ api: { ask, ada } }) => {
  const { id } = await ada()
  for (let times = 0; times < (inject('isThorough') ? 502 : 52); times += 1) {
    expect((await ask('POST', `/api/feeds/${id}/rotations`, {}))[0]).toBe(201)
  }
})

it('a rotation without grace ends the old address at once', async ({
  api: { send, poll, ada },
}) => {
  const feed = await ada()
  const response = await send(`/api/feeds/${feed.id}/rotations`, { method: 'POST' })
  const link = await jsonOf(response)
  expect(response.status).toBe(201)
  outputSchemas.Link.parse(link)
  expect(link.label).toBe('default')
  expect((await poll(calendarUrl(feed)))[0]).toBe(410)
  expect((await poll(link.url))[0]).toBe(200)
})

it('a rotation with grace keeps the old address open, with one notice, until the grace ends', async ({
  api: { clock, ask, poll, ada },
}) => {
  const feed = await ada()
  const [, before] = await poll(calendarUrl(feed))
  const [, link] = await ask('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
  const [status, during] = await poll(calendarUrl(feed))
  expect(status).toBe(200)
  const added = titlesOf(during).filter((title) => !titlesOf(before).includes(title))
  expect(added).toHaveLength(1)
  expect(added[0]).toContain('This link ends on')
  expect(await poll(link.url)).toEqual([200, before])
  expect(await poll(calendarUrl(feed))).toEqual([200, during])
  const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  expect(shown.links.map(({ label }) => label).toSorted()).toEqual([
    'default',
    `default (rotated ${day})`,
  ])
  await clock.advance(7 * dayMs)
  expect((await poll(calendarUrl(feed)))[0]).toBe(410)
  expect((await poll(link.url))[0]).toBe(200)
})

it('a link rotated several times keeps its label, and each old link gets its own', async ({
  api: { ask, ada },
}) => {
  const feed = await ada()
  for (let times = 0; times < 3; times += 1) {
    expect((await ask('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 1 }))[0]).toBe(201)
  }
  const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
  const labels = shown.links.map(({ label }) => label)
  expect(new Set(labels).size).toBe(4)
  expect(labels).toContain('default')
})

it.for([
  [{ graceDays: -1 }, 400],
  [{ graceDays: 1.5 }, 400],
  [{ graceDays: 366 }, 400],
  [{ grace: 1 }, 400],
  [{ label: 'tablet' }, 404],
] as const)('a rotation with %j answers %i', async ([input, status], { api: { ask, ada } }) => {
  const { id } = await ada()
  expect((await ask('POST', `/api/feeds/${id}/rotations`, input))[0]).toBe(status)
})

it('a link with a label of 100 characters can be rotated, and its old link has a usable label', async ({
  api: { ask, ada },
}) => {
  const { id } = await ada()
  const label = `${'a'.repeat(74)}😀${'b'.repeat(24)}`
  await ask('POST', `/api/feeds/${id}/links`, { label })
  for (const graceDays of [7, 7]) {
    expect((await ask('POST', `/api/feeds/${id}/rotations`, { label, graceDays }))[0]).toBe(201)
  }
  const [, feed] = await ask('GET', `/api/feeds/${id}`)
  const old = feed.links.map((link) => link.label).filter((name) => name.includes('rotated'))
  expect(old).toHaveLength(2)
  for (const name of old) {
    expect(name.length).toBeLessThanOrEqual(100)
    expect(name.isWellFormed()).toBe(true)
    expect((await ask('POST', `/api/feeds/${id}/rotations`, { label: name }))[0]).toBe(409)
    const named = encodeURIComponent(name)
    expect((await ask('DELETE', `/api/feeds/${id}/links/${named}`))[0]).toBe(204)
  }
})

it('a rotation names every other open address and what ends it', async ({
  api: { clock, ask, ada },
}) => {
  const { id } = await ada()
  const rotate = async (input: object) =>
    (await ask('POST', `/api/feeds/${id}/rotations`, input))[1]
  expect(await rotate({ graceDays: 7 })).not.toHaveProperty('warnings')
  await ask('POST', `/api/feeds/${id}/links`, { label: 'my "phone"' })
  const day = (ms: number): Date => new Date(clock.now() + ms)
  const old = `default (rotated ${day(0).toISOString().slice(0, 10)})`
  const inZone = { timeZone: 'Europe/Berlin', dateStyle: 'medium' } as const
  const end = day(7 * dayMs).toLocaleDateString('en-GB', inZone)
  const again = outputSchemas.RotatedLink.parse(await rotate({}))
  expect(again.warnings?.toSorted()).toEqual([
    `The address "${old}" still works until ${end}; \`feed revoke ${id} --label "${old}"\` ends it now.`,
    `The address "my "phone"" still works; \`feed revoke ${id} --label "my \\"phone\\""\` ends it.`,
  ])
})

it('an address that was already replaced cannot be rotated again', async ({
  api: { clock, ask, ada },
}) => {
  const { id } = await ada()
  const label = `default (rotated ${new Date(clock.now()).toISOString().slice(0, 10)})`
  await ask('POST', `/api/feeds/${id}/rotations`, { graceDays: 1 })
  const rotate = async () => ask('POST', `/api/feeds/${id}/rotations`, { label })
  expect(await rotate()).toMatchObject([409, { detail: expect.stringMatching(/until .* ends it/) }])
  await clock.advance(dayMs)
  const detail = 'This address was already replaced and has ended.'
  expect(await rotate()).toMatchObject([409, { detail }])
  expect((await ask('GET', `/api/feeds/${id}`))[1].links).toHaveLength(2)
})
