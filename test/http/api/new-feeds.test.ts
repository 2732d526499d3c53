/* Making feeds, one or many. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { it } from '../../support/bridge/test-api.ts'
import { jsonOf } from '../../support/web/api-answer.ts'

it('a second feed with the same name is created with a warning that names the first', async ({
  api: { ask },
}) => {
  const input = { userIds: ['usr_ada'], name: 'Twice', timezone: 'Europe/Berlin' }
  const [, first] = await ask('POST', '/api/feeds', input)
  const [status, { warnings }] = await ask('POST', '/api/feeds', input)
  expect([status, first.warnings, warnings]).toEqual([
    201,
    undefined,
    [`The user "usr_ada" has an open feed of this name already: ${first.id}.`],
  ])
  const [, { errors }] = await ask('POST', '/api/feeds', { ...input, timezone: 'Europe/Berln' })
  expect(errors[0]?.detail).toBe('Must be an IANA time zone such as Europe/Berlin.')
})

it('a feed needs only a user, and only the creating reply shows its address', async ({
  api: { bridge, ask, poll },
}) => {
  const response = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'] })
  const feed = await jsonOf(response)
  expect(response.status).toBe(201)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('Location')).toBe(`${bridge.url}/api/feeds/${feed.id}`)
  outputSchemas.CreatedFeed.parse(feed)
  expect(feed).toMatchObject({ companyId: 'main', audience: 'own', name: "Ada's work calendar" })
  expect((await poll(feed.links[0].url!))[0]).toBe(200)
  const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
  const [, listed] = await ask('GET', '/api/feeds?userId=usr_ada')
  expect(JSON.stringify([shown, listed])).not.toContain('cfb_')
})

it('many feeds are created in one request', async ({ api: { ask } }) => {
  const [status, { data }] = await ask('POST', '/api/feeds', [
    { userIds: ['usr_ada'], name: 'One' },
    { userIds: ['usr_ada', 'usr_bob'], name: 'Two', locale: 'de', timezone: 'Asia/Tokyo' },
  ])
  expect(status).toBe(201)
  outputSchemas.CreatedFeeds.parse({ data })
  expect(data).toMatchObject([
    { name: 'One', audience: 'own' },
    { name: 'Two', audience: 'others', locale: 'de', timezone: 'Asia/Tokyo' },
  ])
  expect(data[1]?.options).toMatchObject({ leaves: { detail: 'absent' }, tasks: { show: false } })
})

it('no feed is created if one of many is wrong, and every fault has its pointer', async ({
  api: { ask },
}) => {
  const [, before] = await ask('GET', '/api/feeds?limit=1000')
  const [status, problem] = await ask('POST', '/api/feeds', [
    { userIds: ['usr_ada'] },
    { userIds: ['usr_bob', 'usr_nobody'] },
    { userIds: ['usr_ada'], options: { leaves: { detail: 'all' }, nope: 1 } },
  ])
  expect(status).toBe(400)
  outputSchemas.Problem.parse(problem)
  expect(problem.errors.map(({ pointer }) => pointer)).toEqual([
    '/1/userIds/1',
    '/2/options/leaves/detail',
    '/2/options/nope',
  ])
  expect(await ask('GET', '/api/feeds?limit=1000')).toEqual([200, before])
})

it.for([
  ['no user', { userIds: [] }, '/userIds'],
  ['an unknown user', { userIds: ['usr_nobody'] }, '/userIds/0'],
  ['a user id with a control character', { userIds: ['usr_\0'] }, '/userIds/0'],
  ['an unknown company', { userIds: ['usr_ada'], companyId: 'else' }, '/companyId'],
  ['an unknown member', { userIds: ['usr_ada'], colour: 'red' }, '/colour'],
  ['no name', { userIds: ['usr_ada'], name: ' ' }, '/name'],
  ['a name of two lines', { userIds: ['usr_ada'], name: 'a\nb' }, '/name'],
  ['an unknown zone', { userIds: ['usr_ada'], timezone: 'Mars/Base' }, '/timezone'],
  ['an unknown language', { userIds: ['usr_ada'], locale: 'xx' }, '/locale'],
  ['own for two', { userIds: ['usr_ada', 'usr_bob'], audience: 'own' }, '/audience'],
  [
    'a wrong option',
    { userIds: ['usr_ada'], options: { reminderMinutes: -1 } },
    '/options/reminderMinutes',
  ],
  [
    'a rotation from a Tuesday',
    {
      userIds: ['usr_ada'],
      options: { shifts: { rotation: { weeks: [[]], from: '2026-01-06' } } },
    },
    '/options/shifts/rotation/from',
  ],
] as const)('%s answers 400 with its pointer', async ([_, input, pointer], { api: { ask } }) => {
  const [status, problem] = await ask('POST', '/api/feeds', input)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ pointer }])
})

it('a feed is created with a warning while the Read API is down', async ({
  api: { company, clock, ask },
}) => {
  company.faults.set('/users/', 500)
  const [status, feed] = await ask('POST', '/api/feeds', { userIds: ['usr_ada'] })
  company.faults.clear()
  await clock.advance(600_000)
  expect(status).toBe(201)
  outputSchemas.CreatedFeed.parse(feed)
  expect(feed.warnings).toMatchObject([expect.stringContaining('could not be checked')])
})

it.for([
  ['application/json', '{"userIds": [', 400],
  ['text/plain', '{"userIds": ["usr_ada"]}', 415],
  ['application/json; charset=klingon', '{}', 415],
  ['application/json', `"${'a'.repeat(5_000_000)}"`, 413],
  ['text/csv', 'name\nAda\n', 400],
  ['text/csv', 'userId\n"usr_ada\n', 400],
] as const)(
  'a wrong body of type %s is refused (case %#)',
  async ([type, body, status], { api: { send } }) => {
    const response = await send('/api/feeds', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    })
    expect(response.status).toBe(status)
    outputSchemas.Problem.parse(await response.json())
  },
)
