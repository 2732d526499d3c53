/* What no program should send is 400 with a plain sentence, never a failure of its own. */
import { expect } from 'vitest'

import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/test-api.ts'

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

it.for([{}, { 'Idempotency-Key': 'deep' }])(
  'JSON nested 40,000 levels deep is refused with the headers %j',
  async (headers, { api: { send } }) => {
    const response = await send('/api/feeds', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: `{"userIds":["usr_ada"],"options":${nested(40_000)}}`,
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
] as const)(
  '%s in options gets a plain error sentence',
  async ([, options, sentence], { api: { ask } }) => {
    const [status, { errors }] = await ask('POST', '/api/feeds', { userIds: ['usr_ada'], options })
    expect(status).toBe(400)
    expect(errors).toMatchObject([{ detail: expect.stringContaining(sentence) }])
  },
)

it('a user list that is no list and an empty name get plain error sentences', async ({
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

it.for([
  ['DELETE', '', 'purg=true', '/purg', 'There is no such parameter; did you mean `purge`?'],
  ['DELETE', '', 'purge=nonsense', '/purge', 'Must be true or false.'],
  ['DELETE', '', 'purge&purge=false', '/purge', 'Must stand once.'],
  ['DELETE', '/links/default', 'purge=yes', '/purge', 'Must be true or false.'],
  ['GET', '', 'purge', '/purge', 'There is no such parameter.'],
  ['PATCH', '', 'name=x', '/name', 'There is no such parameter.'],
  ['POST', '/links', 'label=x', '/label', 'There is no such parameter.'],
  ['POST', '/rotations', 'graceDays=7', '/graceDays', 'There is no such parameter.'],
] as const)(
  '%s %s?%s is refused and changes nothing',
  async ([method, place, query, ...fault], { api }) => {
    const { id } = await api.ada()
    const [, before] = await api.ask('GET', `/api/feeds/${id}`)
    const body = method === 'PATCH' || method === 'POST' ? {} : undefined
    const [status, problem] = await api.ask(method, `/api/feeds/${id}${place}?${query}`, body)
    const [pointer, detail] = fault
    expect([status, problem.errors]).toEqual([400, [{ pointer, detail }]])
    expect(problem).toMatchObject({
      detail: expect.stringContaining(`${pointer.slice(1)}: ${detail}`),
    })
    expect((await api.ask('GET', `/api/feeds/${id}`))[1]).toEqual(before)
  },
)

it.for(['\u200B', '\u3164\u202E', '\u2800 \u0301'])(
  'invisible characters alone are refused as a name or label: %j',
  async (unseen, { api: { ask, ada } }) => {
    const { id } = await ada()
    const detail = 'Must hold a character that can be seen.'
    for (const [method, address, input, pointer] of [
      ['POST', '/api/feeds', { userIds: ['usr_ada'], name: unseen }, '/name'],
      ['PATCH', `/api/feeds/${id}`, { name: unseen }, '/name'],
      ['POST', `/api/feeds/${id}/links`, { label: unseen }, '/label'],
      ['POST', `/api/feeds/${id}/rotations`, { label: unseen }, '/label'],
      ['POST', '/api/tokens', { name: unseen, role: 'reader' }, '/name'],
    ] as const) {
      const [status, { errors }] = await ask(method, address, input)
      expect([address, status, errors]).toEqual([address, 400, [{ pointer, detail }]])
    }
  },
)

it('a company in the query is allowed for a table only', async ({ api: { ask } }) => {
  const input = { userIds: ['usr_ada'] }
  for (const query of ['companyId=nix', 'companyId=main', 'company=main']) {
    const [status, { errors }] = await ask('POST', `/api/feeds?${query}`, input)
    expect([status, errors]).toMatchObject([400, [{ pointer: `/${query.split('=')[0]}` }]])
  }
  expect((await ask('GET', '/api/companies/main/examination?x'))[0]).toBe(400)
})

it.for([
  ['purge', 200],
  ['purge=true', 200],
  ['purge=1', 200],
  ['purge=false', 410],
  ['purge=0', 410],
] as const)('a feed ended with ?%s answers %i', async ([query, status], { api }) => {
  const feed = await api.ada()
  expect((await api.ask('DELETE', `/api/feeds/${feed.id}?${query}`))[0]).toBe(204)
  expect((await api.poll(calendarUrl(feed)))[0]).toBe(status)
})

it('missing, unchangeable and unknown members get different error sentences', async ({ api }) => {
  const { id } = await api.ada()
  const [, { errors: missing }] = await api.ask('POST', '/api/feeds', {})
  expect(missing).toEqual([{ pointer: '/userIds', detail: 'Is missing.' }])
  const patch = { audience: 'others', companyId: 'x', id: 'x', nam: 'x' }
  const [status, { errors }] = await api.ask('PATCH', `/api/feeds/${id}`, patch)
  expect([status, errors]).toEqual([
    400,
    [
      ...['/audience', '/companyId', '/id'].map((pointer) => ({
        pointer,
        detail: 'Cannot be changed.',
      })),
      { pointer: '/nam', detail: 'There is no such member; did you mean `name`?' },
    ],
  ])
})

it.for([
  ['PUT', '/api/feeds', 'GET, HEAD, POST'],
  ['OPTIONS', '/api/feeds', 'GET, HEAD, POST'],
  ['PUT', '/api/feeds/feed_0', 'GET, HEAD, PATCH, DELETE'],
  ['GET', '/api/feeds/feed_0/links', 'POST'],
  ['GET', '/api/feeds/feed_0/rotations', 'POST'],
  ['PATCH', '/api/feeds/feed_0/links/phone', 'DELETE'],
  ['DELETE', '/api/companies/main/examination', 'GET, HEAD'],
  ['POST', '/', 'GET, HEAD'],
  ['OPTIONS', '/docs', 'GET, HEAD'],
  ['DELETE', '/openapi.json', 'GET, HEAD'],
  ['POST', '/healthz', 'GET, HEAD'],
] as const)(
  '%s %s answers 405 with Allow: %s',
  async ([method, address, allow], { api: { send } }) => {
    const { status, headers } = await send(address, { method })
    expect([status, headers.get('allow')]).toEqual([405, allow])
  },
)
