/* What the admin API is sent that no program should send is 400 with a plain sentence, never a failure of its own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type ApiAnswer } from '../support/api-answer.ts'
import { adminToken, readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { twoPeople } from '../support/people.ts'

let company: CompanyServer
let bridge: TestBridge

beforeAll(async () => {
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  bridge = await startBridge({ environment: readsFrom(company.url) })
})

afterAll(async () => {
  await bridge.close()
  await company.close()
})

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<[number, ApiAnswer]> {
  const response = await fetch(new URL('/api/feeds', bridge.url), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${adminToken}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body,
  })
  return [response.status, (await response.json()) as ApiAnswer]
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

describe('JSON nested 200,000 deep', () => {
  test.each([{}, { 'Idempotency-Key': 'deep' }])('is refused, with %j', async (headers) => {
    const body = `{"userIds":["usr_ada"],"options":${nested(200_000)}}`
    expect(await post(body, headers)).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringContaining('nested') }),
    ])
  })
})

test.each([
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
])('%s in options is said plainly', async (_, options, sentence) => {
  const [status, { errors }] = await post(JSON.stringify({ userIds: ['usr_ada'], options }))
  expect([status, errors]).toEqual([
    400,
    [expect.objectContaining({ detail: expect.stringContaining(sentence) })],
  ])
})

test('a user list that is none and a name that is empty are said plainly', async () => {
  const [, { errors }] = await post(JSON.stringify({ userIds: 'usr_ada', name: '' }))
  expect(errors).toEqual([
    { pointer: '/userIds', detail: 'Must be a list.' },
    { pointer: '/name', detail: 'Must not be empty.' },
  ])
})

test('a cursor with a NUL in it is refused', async () => {
  const cursor = Buffer.from(JSON.stringify([1, 'a\0'])).toString('base64url')
  expect((await bridge.api('GET', `/api/feeds?cursor=${cursor}`)).status).toBe(400)
})

describe('a table', () => {
  const latin = new Uint8Array(Buffer.from('userId,name\nusr_ada,Zoë\n', 'latin1'))
  const csv = (charset = ''): Record<string, string> => ({ 'Content-Type': `text/csv${charset}` })

  test('that is not UTF-8 is refused', async () => {
    expect(await post(latin, csv())).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringContaining('CSV UTF-8') }),
    ])
  })

  test('of another encoding is read where it says so', async () => {
    const [status, { data }] = await post(latin, csv('; charset=iso-8859-1'))
    expect([status, data]).toEqual([201, [expect.objectContaining({ name: 'Zoë' })]])
  })

  test('of an encoding that nobody knows is 415', async () => {
    expect((await post(latin, csv('; charset=utf-7')))[0]).toBe(415)
  })

  test('with columns that mean nothing says so', async () => {
    const [, { warnings }] = await post('userId,Timezone,email\nusr_bob,Asia/Tokyo,b@b.b\n', csv())
    expect(warnings).toEqual(['These columns of the table are left alone: Timezone.'])
  })
})

test('a link with a label of 100 characters is rotated, and the old one can be named', async () => {
  const { id } = await bridge.createFeed({ userIds: ['usr_ada'], name: 'Long' })
  const label = `${'a'.repeat(74)}😀${'b'.repeat(24)}`
  await bridge.api('POST', `/api/feeds/${id}/links`, { label })
  for (const graceDays of [7, 7]) {
    const rotation = await bridge.api('POST', `/api/feeds/${id}/rotations`, { label, graceDays })
    expect(rotation.status).toBe(201)
  }
  const feed = (await (await bridge.api('GET', `/api/feeds/${id}`)).json()) as {
    links: { label: string }[]
  }
  const old = feed.links.map((link) => link.label).filter((it) => it.includes('rotated'))
  expect(old).toHaveLength(2)
  for (const it of old) {
    expect(it.length).toBeLessThanOrEqual(100)
    expect(it.isWellFormed()).toBe(true)
    const again = await bridge.api('POST', `/api/feeds/${id}/rotations`, { label: it })
    expect(again.status).toBe(201)
  }
})
