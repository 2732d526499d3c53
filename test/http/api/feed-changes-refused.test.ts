/* A change of many feeds is refused before the first of them changes. */
import { expect } from 'vitest'

import { it, type TestApi } from '../../support/bridge/test-api.ts'
import { jsonOf } from '../../support/web/api-answer.ts'

const change = { revoke: {} }
const ids = ['feed_unknown']
const type = { 'Content-Type': 'application/json' }

function post({ send }: TestApi, body: string, headers: Record<string, string> = type, query = '') {
  return send(`/api/feed-changes${query}`, { method: 'POST', body, headers })
}

it.for<readonly [body: object, pointer: string, detail: RegExp]>([
  [{ ids }, '/change', /^Is missing\.$/],
  [{ change }, '', /^Must have either ids or filter\.$/],
  [{ ids, filter: {}, change }, '', /^Must have either ids or filter\.$/],
  [{ ids: [], change }, '/ids', /^Must have at least 1 entry\.$/],
  [{ ids: Array(10_001).fill('feed_x'), change }, '/ids', /at most 10000 entries/],
  [{ ids: ['feed_x', 7], change }, '/ids/1', /^Must be a text\.$/],
  [{ ids, change: {} }, '/change', /^Must have one of patch, rotate and revoke\.$/],
  [{ ids, change: { ...change, rotate: {} } }, '/change', /^Must have one of/],
  [{ ids, change: { ...change, revoked: {} } }, '/change/revoked', /did you mean `revoke`/],
  [{ ids, change: { revoke: { purge: 1 } } }, '/change/revoke/purge', /^Must be true or false\.$/],
  [{ ids, change: { rotate: { graceDays: 366 } } }, '/change/rotate/graceDays', /at most 365/],
  [{ ids, change: { rotate: { label: '..' } } }, '/change/rotate/label', /^Must not be/],
  [{ ids, change: { patch: { timezone: 'Mars' } } }, '/change/patch/timezone', /IANA/],
  [{ ids, change: { patch: { companyId: 'x' } } }, '/change/patch/companyId', /^Cannot be changed/],
  [{ filter: { audience: 'own' }, change }, '/filter/audience', /^There is no such member/],
  [{ filter: { limit: 5 }, change }, '/filter/limit', /^There is no such member/],
  [{ filter: { neverPolled: 'true' }, change }, '/filter/neverPolled', /^Must be true or false\.$/],
  [{ filter: { companyId: 'mian' }, change }, '/filter/companyId', /did you mean `main`/],
  [
    { ids, change: { patch: { options: { leaves: { detail: 'all' } } } } },
    '/change/patch/options/leaves/detail',
    /^Must be absent or type or full\.$/,
  ],
  [
    { ids, change: { patch: { options: { shifts: { scheduleIds: ['sch_x'] } } } } },
    '/change/patch/options/shifts/scheduleIds/0',
    /^There is no schedule "sch_x"/,
  ],
])('%j is refused at %s', async ([body, pointer, detail], { api }) => {
  const { id } = await api.ada()
  const text = JSON.stringify(body).replaceAll('feed_unknown', id)
  const response = await post(api, text)
  const { errors } = await jsonOf(response)
  expect([response.status, errors]).toEqual([
    400,
    [{ pointer, detail: expect.stringMatching(detail) }],
  ])
  expect((await api.ask('GET', `/api/feeds/${id}`))[1].revokedAt).toBeNull()
})

it('part of a rotation of weeks fits the feeds that have one, and fails for others', async ({
  api,
}) => {
  const rotation = { weeks: [['sch_day']], from: '2026-01-05' }
  const input = { userIds: ['usr_ada'], name: 'Weeks', options: { shifts: { rotation } } }
  const weekly = await api.bridge.createFeed(input)
  const other = await api.ada()
  const patch = { options: { shifts: { rotation: { from: '2026-02-02' } } } }
  const response = await post(
    api,
    JSON.stringify({ ids: [weekly.id, other.id], change: { patch } }),
  )
  const lines = (await response.text()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { feedId: weekly.id, status: 'done' },
    {
      feedId: other.id,
      status: 'failed',
      error: expect.stringMatching(/\/options\/shifts\/rotation\/weeks: Is missing\.$/),
    },
  ])
})

it('ten thousand ids fit, but no change of more than 256 KiB', async ({ api }) => {
  const many = Array.from(
    { length: 10_000 },
    (_, index) => `feed_${String(index).padStart(32, '0')}`,
  )
  const response = await post(api, JSON.stringify({ ids: many, change }))
  const lines = (await response.text()).trim().split('\n')
  expect([response.status, lines.length]).toEqual([200, 10_000])
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ feedId: many.at(-1), status: 'failed' })
  const large = { patch: { options: { x: 'x'.repeat(256 * 1024) } } }
  expect((await post(api, JSON.stringify({ ids, change: large }))).status).toBe(413)
})

it.for<readonly [string, Record<string, string>, string, number]>([
  ['[]', type, '', 400],
  ['', type, '', 400],
  ['{', type, '', 400],
  ['{}', { 'Content-Type': 'text/csv' }, '', 415],
  [JSON.stringify({ ids, change }), type, '?dryRun', 400],
  [
    JSON.stringify({ ids, change: { rotate: {} } }),
    { ...type, 'Idempotency-Key': 'k'.repeat(256) },
    '',
    400,
  ],
])('%j with %j at %j answers %i', async ([body, headers, query, status], { api }) => {
  expect((await post(api, body, headers, query)).status).toBe(status)
})
