/* The same request with the same Idempotency-Key makes nothing twice. */
import { expect } from 'vitest'

import { it, type TestApi } from '../../support/bridge/test-api.ts'
import { type ApiAnswer, jsonOf } from '../../support/web/api-answer.ts'

const dayMs = 86_400_000

function post({ send }: TestApi, key: string, input: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return send('/api/feeds', { method: 'POST', body: JSON.stringify(input), headers })
}

it('a replay creates nothing and does not show the secret again', async ({ api }) => {
  const input = { userIds: ['usr_ada'], name: 'Once' }
  const [first, second] = [await post(api, 'key-1', input), await post(api, 'key-1', input)]
  const [made, replayed] = [await jsonOf(first), await jsonOf(second)]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.headers.get('Idempotency-Replayed')).toBe('true')
  expect(first.headers.get('Idempotency-Replayed')).toBeNull()
  const { url, page, ...link } = made.links[0]
  expect([url, page]).toEqual([
    expect.stringContaining('/feeds/cfb_'),
    expect.stringContaining('/feeds/cfb_'),
  ])
  expect(replayed).toEqual({ ...made, links: [link] })
})

it('many feeds are created once, even if both requests arrive at the same time', async ({
  api,
}) => {
  const input = [
    { userIds: ['usr_ada'], name: 'Twice 1' },
    { userIds: ['usr_bob'], name: 'Twice 2' },
  ]
  const answers = await Promise.all([post(api, 'key-2', input), post(api, 'key-2', input)])
  const bodies = await Promise.all(answers.map(jsonOf))
  const ids = bodies.map(({ data }) => data.map(({ id }: ApiAnswer) => id))
  expect(ids[0]).toEqual(ids[1])
  const urls = bodies.flatMap(({ data }) =>
    data.flatMap(({ links }: ApiAnswer) => links[0].url ?? []),
  )
  expect(urls).toHaveLength(2)
})

it('a different request with the same key is a conflict within a day, but not later', async ({
  api,
}) => {
  await post(api, 'key-3', { userIds: ['usr_ada'] })
  const other = { userIds: ['usr_bob'] }
  expect((await post(api, 'key-3', other)).status).toBe(409)
  await api.clock.advance(dayMs)
  const later = await post(api, 'key-3', other)
  expect(later.status).toBe(201)
  expect(await later.text()).toContain('cfb_')
})

it('a key can be used again after its request failed', async ({ api }) => {
  expect((await post(api, 'key-4', { userIds: ['usr_nobody'] })).status).toBe(400)
  expect((await post(api, 'key-4', { userIds: ['usr_ada'] })).status).toBe(201)
})

it('a key of 256 characters is refused', async ({ api }) => {
  expect((await post(api, 'k'.repeat(256), { userIds: ['usr_ada'] })).status).toBe(400)
})
