/* What no program should send is 400 with a plain sentence, never a failure of its own. */
import { expect } from 'vitest'

import { it } from '../../support/test-api.ts'

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

it.for([{}, { 'Idempotency-Key': 'deep' }])(
  'JSON nested 200,000 deep is refused, with %j',
  async (headers, { api: { send } }) => {
    const response = await send('/api/feeds', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: `{"userIds":["usr_ada"],"options":${nested(200_000)}}`,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('nested') })
  },
)

it.for([
  ['a NUL in an id', { tasks: { projectIds: ['a\0b'] } }, 'Must not hold control characters.'],
  ['half a character in an id', { tasks: { projectIds: ['\uD800'] } }, 'Must not hold control'],
  ['an empty id', { shifts: { scheduleIds: [''] } }, 'Must not be empty.'],
  ['a list for a text', { leaves: { detail: ['type'] } }, 'Must be absent or type or full.'],
  ['a text for an object', { leaves: 'all' }, 'Must be an object.'],
  ['a text for a number', { window: { pastDays: '1' } }, 'Must be a number.'],
  ['a part of a day', { window: { pastDays: 1.5 } }, 'Must be a whole number.'],
  ['too few days', { window: { pastDays: -1 } }, 'Must be at least 0.'],
  ['too many days', { window: { pastDays: 4000 } }, 'Must be at most 3660.'],
  ['a text for a truth', { tasks: { show: 'yes' } }, 'Must be true or false.'],
  [
    'a day that is none',
    { shifts: { rotation: { weeks: [['a']], from: '2026-02-30' } } },
    'Must be a date such as 2026-01-05.',
  ],
  [
    'no week',
    { shifts: { rotation: { weeks: [], from: '2026-01-05' } } },
    'Must have at least 1 entry.',
  ],
] as const)('%s in options is said plainly', async ([, options, sentence], { api: { ask } }) => {
  const [status, { errors }] = await ask('POST', '/api/feeds', { userIds: ['usr_ada'], options })
  expect(status).toBe(400)
  expect(errors).toMatchObject([{ detail: expect.stringContaining(sentence) }])
})

it('a user list that is none and a name that is empty are said plainly', async ({
  api: { ask },
}) => {
  const [, { errors }] = await ask('POST', '/api/feeds', { userIds: 'usr_ada', name: '' })
  expect(errors).toEqual([
    { pointer: '/userIds', detail: 'Must be a list.' },
    { pointer: '/name', detail: 'Must not be empty.' },
  ])
})

it('a cursor with a NUL in it is refused', async ({ api: { ask } }) => {
  const cursor = Buffer.from(JSON.stringify([1, 'a\0'])).toString('base64url')
  expect((await ask('GET', `/api/feeds?cursor=${cursor}`))[0]).toBe(400)
})
