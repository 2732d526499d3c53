/* The admin API as HR and IT use it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import { type ApiAnswer, jsonOf } from '../support/api-answer.ts'
import {
  adminToken,
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
} from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { twoPeople } from '../support/people.ts'
import { readCalendar } from '../support/read-calendar.ts'

const dayMs = 86_400_000
type Bridge = Awaited<ReturnType<typeof startBridge>>

let company: CompanyServer
let bridge: Bridge
const clock = createFakeClock()

beforeAll(async () => {
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  bridge = await startBridge({
    clock,
    environment: { ...readsFrom(company.url), WORKFORCE_PROJECTS: 'prj_web' },
  })
})

afterAll(async () => {
  await bridge.close()
  await company.close()
})

async function ask(method: string, address: string, body?: unknown): Promise<[number, ApiAnswer]> {
  const response = await bridge.api(method, address, body)
  const text = await response.text()
  return [response.status, text === '' ? {} : JSON.parse(text)]
}

interface Sent {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function send(address: string, { headers = {}, ...request }: Sent): Promise<Response> {
  const authorization = { Authorization: `Bearer ${adminToken}` }
  const all = { ...authorization, ...headers }
  return fetch(new URL(address, bridge.url), { ...request, headers: all })
}

async function poll(url = ''): Promise<[number, string]> {
  const response = await fetch(bridge.url + new URL(url).pathname)
  return [response.status, await response.text()]
}

function titles(body: string): readonly string[] {
  return [...readCalendar(body).values()].map(({ content }) => content).toSorted()
}

const csv = (text: string, headers: Record<string, string> = {}): Promise<Response> =>
  send('/api/feeds', {
    method: 'POST',
    body: text,
    headers: { 'Content-Type': 'text/csv', ...headers },
  })

const post = (key: string, input: unknown): Promise<Response> =>
  send('/api/feeds', {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
  })

const ada = (): Promise<FeedAnswer> => bridge.createFeed({ userIds: ['usr_ada'] })

describe('making feeds', () => {
  test('one needs a user only, and its address stands in no other reply', async () => {
    const response = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'] })
    const feed = await jsonOf(response)
    expect(response.status).toBe(201)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Location')).toBe(`${bridge.url}/api/feeds/${feed.id}`)
    outputSchemas.CreatedFeed.parse(feed)
    expect(feed).toMatchObject({ companyId: 'main', audience: 'own', name: "Ada's work calendar" })
    expect((await poll(feed.links[0].url))[0]).toBe(200)
    const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
    const [, listed] = await ask('GET', '/api/feeds?userId=usr_ada')
    expect(JSON.stringify([shown, listed])).not.toContain('cfb_')
  })

  test('many are made together', async () => {
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

  test('of many none is made if one is wrong, and every fault has its pointer', async () => {
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

  test.each([
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
  ])('%s is 400 and says where', async (_, input, pointer) => {
    const [status, problem] = await ask('POST', '/api/feeds', input)
    expect(status).toBe(400)
    expect(problem.errors).toMatchObject([{ pointer }])
  })

  test('while the Read API is down a feed is made with a warning', async () => {
    company.faults.set('/users/', 500)
    const [status, feed] = await ask('POST', '/api/feeds', { userIds: ['usr_ada'] })
    company.faults.clear()
    await clock.advance(600_000)
    expect(status).toBe(201)
    outputSchemas.CreatedFeed.parse(feed)
    expect(feed.warnings).toMatchObject([expect.stringContaining('could not be checked')])
  })

  test.each([
    ['application/json', '{"userIds": [', 400],
    ['text/plain', '{"userIds": ["usr_ada"]}', 415],
    ['application/json; charset=klingon', '{}', 415],
    ['application/json', `"${'a'.repeat(5_000_000)}"`, 413],
    ['text/csv', 'name\nAda\n', 400],
    ['text/csv', 'userId\n"usr_ada\n', 400],
  ])('a body of type %s that is wrong is %#', async (type, body, status) => {
    const response = await send('/api/feeds', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    })
    expect(response.status).toBe(status)
    outputSchemas.Problem.parse(await response.json())
  })
})

describe('a table', () => {
  test('makes a feed of each row, and none of those that exist', async () => {
    const table =
      '\uFEFFuserId;name;email;scheduleIds;options\r\n' +
      'usr_ada;Table one;x@example.com;sch_day | sch_b;"{""tasks"": {""show"": false}}"\r\n\r\n' +
      'usr_bob;Table two;;;\r\nusr_bob;Table two;;;\r\n'
    const response = await csv(table)
    const answer = outputSchemas.CreatedFeeds.parse(await response.json())
    expect(response.status).toBe(201)
    expect(answer.data.map(({ status }) => status)).toEqual(['created', 'created', 'skipped'])
    expect(answer.data[0]).toMatchObject({
      name: 'Table one',
      options: { shifts: { scheduleIds: ['sch_day', 'sch_b'] }, tasks: { show: false } },
    })
    const again = await csv(table, { Accept: 'text/csv' })
    expect(again.headers.get('Content-Type')).toMatch(/^text\/csv/)
    const lines = (await again.text()).split('\r\n')
    expect(lines[0]).toBe('userId,name,email,url,status,feedId,reason')
    expect(lines.slice(1, 4).every((line) => line.includes(',,skipped,feed_'))).toBe(true)
  })

  test('without any feed is refused, and so is an empty list', async () => {
    for (const text of ['', 'userId', 'userId,name\n']) expect((await csv(text)).status).toBe(400)
    expect((await ask('POST', '/api/feeds', []))[0]).toBe(400)
  })

  test('two at once make each feed once', async () => {
    const text = 'userId,name\nusr_ada,Race\nusr_bob,Race\n'
    const answers = await Promise.all([1, 2, 3, 4].map(async () => jsonOf(await csv(text))))
    const { data } = outputSchemas.CreatedFeeds.parse({ data: answers.flatMap((it) => it.data) })
    const statuses = data.map(({ status }) => status)
    expect(statuses).toHaveLength(8)
    expect(statuses.filter((status) => status === 'created')).toHaveLength(2)
    expect(statuses.filter((status) => status === 'skipped')).toHaveLength(6)
  })

  test('says the line of each fault, and then makes nothing', async () => {
    const response = await csv('userId,timezone\nusr_ada,Mars\nusr_x,\n')
    const problem = await jsonOf(response)
    expect(response.status).toBe(400)
    expect(problem.errors).toEqual([
      { pointer: '/0/timezone', detail: expect.stringMatching(/^Line 2, timezone: /) },
      { pointer: '/1/userIds/0', detail: 'Line 3, userId: There is no user "usr_x".' },
    ])
  })
})

describe('Idempotency-Key', () => {
  test('a replay makes nothing and shows no secret again', async () => {
    const input = { userIds: ['usr_ada'], name: 'Once' }
    const [first, second] = [await post('key-1', input), await post('key-1', input)]
    const [made, replayed] = [await jsonOf(first), await jsonOf(second)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('Idempotency-Replayed')).toBe('true')
    expect(first.headers.get('Idempotency-Replayed')).toBeNull()
    const { url, ...link } = made.links[0]
    expect(url).toContain('/feeds/cfb_')
    expect(replayed).toEqual({ ...made, links: [link] })
  })

  test('many are made once as well, also when both requests come at the same time', async () => {
    const input = [
      { userIds: ['usr_ada'], name: 'Twice 1' },
      { userIds: ['usr_bob'], name: 'Twice 2' },
    ]
    const answers = await Promise.all([post('key-2', input), post('key-2', input)])
    const bodies = await Promise.all(answers.map(jsonOf))
    const ids = bodies.map(({ data }) => data.map(({ id }: ApiAnswer) => id))
    expect(ids[0]).toEqual(ids[1])
    const urls = bodies.flatMap(({ data }) =>
      data.flatMap((it: ApiAnswer) => it.links[0].url ?? []),
    )
    expect(urls).toHaveLength(2)
  })

  test('another request with the same key is a conflict; a day later it is not', async () => {
    await post('key-3', { userIds: ['usr_ada'] })
    const other = { userIds: ['usr_bob'] }
    expect((await post('key-3', other)).status).toBe(409)
    await clock.advance(dayMs)
    const later = await post('key-3', other)
    expect(later.status).toBe(201)
    expect(await later.text()).toContain('cfb_')
  })

  test('a key that failed may be used again', async () => {
    expect((await post('key-4', { userIds: ['usr_nobody'] })).status).toBe(400)
    expect((await post('key-4', { userIds: ['usr_ada'] })).status).toBe(201)
  })

  test('a key is neither empty nor endless', async () => {
    expect((await post('k'.repeat(256), { userIds: ['usr_ada'] })).status).toBe(400)
  })
})

describe('finding feeds', () => {
  test('pages hold each feed once, in order of creation', async () => {
    const [, all] = await ask('GET', '/api/feeds?limit=1000')
    const seen: ApiAnswer[] = []
    let address = '/api/feeds?limit=3'
    for (let pages = 0; pages < 100; pages += 1) {
      const [status, page] = await ask('GET', address)
      expect(status).toBe(200)
      outputSchemas.FeedPage.parse(page)
      seen.push(...page.data)
      if (page.nextCursor === null) break
      address = `/api/feeds?limit=3&cursor=${encodeURIComponent(page.nextCursor)}`
    }
    expect(seen).toEqual(all.data)
  })

  test('filters by company and user', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_bob'] })
    const [, ofBob] = await ask('GET', '/api/feeds?companyId=main&userId=usr_bob')
    expect(ofBob.data.map(({ id }: ApiAnswer) => id)).toContain(feed.id)
    expect(ofBob.data.every(({ userIds }: ApiAnswer) => userIds.includes('usr_bob'))).toBe(true)
    expect(await ask('GET', '/api/feeds?companyId=else')).toEqual([
      200,
      { data: [], nextCursor: null },
    ])
  })

  test.each([
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['limit=all', '/limit'],
    ['cursor=bm9uZQ', '/cursor'],
    ['userId=%00', '/userId'],
    ['user=usr_ada', '/user'],
  ])('%s is 400', async (query, pointer) => {
    const [status, problem] = await ask('GET', `/api/feeds?${query}`)
    expect(status).toBe(400)
    expect(problem.errors).toMatchObject([{ pointer }])
  })

  test('a feed is shown with its clients and the age of its copies', async () => {
    const feed = await ada()
    const [, before] = await ask('GET', `/api/feeds/${feed.id}`)
    outputSchemas.FeedDetails.parse(before)
    const readAt = new Date(clock.now()).toISOString()
    await poll(calendarUrl(feed))
    const [, after] = await ask('GET', `/api/feeds/${feed.id}`)
    expect(after.freshness).toContainEqual({
      collection: 'leaves:usr_ada',
      fetchedAt: readAt,
      missingSince: null,
    })
  })

  test.each(['feed_0', 'feed_%00', 'a%20b'])('%s is not there', async (id) => {
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(method, `/api/feeds/${id}`))[0]).toBe(404)
    }
    expect((await ask('PATCH', `/api/feeds/${id}`, {}))[0]).toBe(404)
    expect((await ask('POST', `/api/feeds/${id}/links`, { label: 'x' }))[0]).toBe(404)
    expect((await ask('POST', `/api/feeds/${id}/rotations`, {}))[0]).toBe(404)
    expect((await ask('DELETE', `/api/feeds/${id}/links/default`))[0]).toBe(404)
  })
})

describe('changing a feed', () => {
  test('merges what is there, takes defaults for null, and no address changes', async () => {
    const feed = await ada()
    const patch = { name: 'Mine', options: { leaves: { detail: 'full' }, tasks: { show: false } } }
    const [status, changed] = await ask('PATCH', `/api/feeds/${feed.id}`, patch)
    expect(status).toBe(200)
    outputSchemas.Feed.parse(changed)
    expect(changed).toMatchObject(patch)
    const [, again] = await ask('PATCH', `/api/feeds/${feed.id}`, {
      name: null,
      options: { leaves: { detail: null } },
    })
    expect(again).toMatchObject({
      name: "Ada's work calendar",
      options: { leaves: { detail: 'type' }, tasks: { show: false } },
    })
    const [, reset] = await ask('PATCH', `/api/feeds/${feed.id}`, { options: null })
    expect(reset.options).toEqual(feed['options'])
    expect((await poll(calendarUrl(feed)))[0]).toBe(200)
  })

  test('while the Read API is down people are taken with a warning, and no name is lost', async () => {
    const own = await ada()
    const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    company.faults.set('/users/', 500)
    const [nameless] = await ask('PATCH', `/api/feeds/${own.id}`, { name: null })
    const [status, changed] = await ask('PATCH', `/api/feeds/${team.id}`, { userIds: ['usr_typo'] })
    company.faults.clear()
    await clock.advance(600_000)
    expect([nameless, status]).toEqual([503, 200])
    outputSchemas.CreatedFeed.parse(changed)
    expect(changed.warnings).toMatchObject([expect.stringContaining('could not be checked')])
    expect((await ask('GET', `/api/feeds/${own.id}`))[1].name).toBe("Ada's work calendar")
  })

  test('schedules are never chosen again unless they are taken away', async () => {
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      options: { shifts: { scheduleIds: ['sch_other'] } },
    })
    const [, changed] = await ask('PATCH', `/api/feeds/${feed.id}`, {
      options: { shifts: { duringLeave: 'show' } },
    })
    expect(changed.options.shifts.scheduleIds).toEqual(['sch_other'])
    const [, taken] = await ask('PATCH', `/api/feeds/${feed.id}`, {
      options: { shifts: { scheduleIds: null } },
    })
    expect(taken.options.shifts.scheduleIds).toEqual(['sch_day'])
  })

  test('people of a feed for others change, the person of an own feed does not', async () => {
    const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    const [status, changed] = await ask('PATCH', `/api/feeds/${team.id}`, { userIds: ['usr_bob'] })
    expect([status, changed.userIds, changed.audience]).toEqual([200, ['usr_bob'], 'others'])
    const own = await ada()
    const [refused, problem] = await ask('PATCH', `/api/feeds/${own.id}`, { userIds: ['usr_bob'] })
    expect([refused, problem.errors[0]?.pointer]).toEqual([400, '/userIds'])
  })

  test.each([
    [{ options: { tasks: { colour: 'red' } } }, '/options/tasks/colour'],
    [{ options: { window: { pastDays: 'many' } } }, '/options/window/pastDays'],
    [{ audience: 'others' }, '/audience'],
    [{ companyId: 'else' }, '/companyId'],
    [{ timezone: '+02:00' }, '/timezone'],
    [{ 'a/b~c': 1 }, '/a~1b~0c'],
  ])('%j is 400 at %s', async (patch, pointer) => {
    const { id } = await ada()
    const [status, problem] = await ask('PATCH', `/api/feeds/${id}`, patch)
    expect(status).toBe(400)
    expect(problem.errors).toMatchObject([{ pointer }])
  })
})

describe('links', () => {
  test('each has a label and an address of its own, and ends alone', async () => {
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

  test.each([
    [{}],
    [{ label: '' }],
    [{ label: '.' }],
    [{ label: ' .. ' }],
    [{ label: 'a\tb' }],
    [{ label: 'a', url: 'x' }],
    [[]],
  ])('%j makes none', async (input) => {
    const { id } = await ada()
    expect((await ask('POST', `/api/feeds/${id}/links`, input))[0]).toBe(400)
  })

  test('an address that leads to a link cannot end its feed', async () => {
    const { id } = await ada()
    expect((await ask('DELETE', `/api/feeds/${id}/links/..`))[0]).toBe(404)
    expect((await ask('DELETE', `/api/feeds/${id}/links/%2e%2e`))[0]).toBe(404)
    expect((await ask('GET', `/api/feeds/${id}`))[1].revokedAt).toBeNull()
  })

  test('as many rotations as anybody likes', async () => {
    const { id } = await ada()
    const { feedLinks } = bridge.app.services.administration
    for (let times = 0; times < 501; times += 1) await feedLinks.rotate(id, {})
    expect((await ask('POST', `/api/feeds/${id}/rotations`, {}))[0]).toBe(201)
  })

  test('a rotation without grace ends the old address at once', async () => {
    const feed = await ada()
    const response = await send(`/api/feeds/${feed.id}/rotations`, { method: 'POST' })
    const link = await jsonOf(response)
    expect(response.status).toBe(201)
    outputSchemas.Link.parse(link)
    expect(link.label).toBe('default')
    expect((await poll(calendarUrl(feed)))[0]).toBe(410)
    expect((await poll(link.url))[0]).toBe(200)
  })

  test('a rotation with grace leaves the old address open, with one notice, until its end', async () => {
    const feed = await ada()
    const [, before] = await poll(calendarUrl(feed))
    const [, link] = await ask('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
    const [status, during] = await poll(calendarUrl(feed))
    expect(status).toBe(200)
    const added = titles(during).filter((it) => !titles(before).includes(it))
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

  test('a link that is rotated again and again keeps its label, the old ones theirs', async () => {
    const feed = await ada()
    for (let times = 0; times < 3; times += 1) {
      expect((await ask('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 1 }))[0]).toBe(201)
    }
    const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
    const labels = shown.links.map(({ label }) => label)
    expect(new Set(labels).size).toBe(4)
    expect(labels).toContain('default')
  })

  test.each([
    [{ graceDays: -1 }, 400],
    [{ graceDays: 1.5 }, 400],
    [{ graceDays: 366 }, 400],
    [{ grace: 1 }, 400],
    [{ label: 'tablet' }, 404],
  ])('a rotation of %j is %i', async (input, status) => {
    const { id } = await ada()
    expect((await ask('POST', `/api/feeds/${id}/rotations`, input))[0]).toBe(status)
  })
})

describe('the end', () => {
  test('of a feed is 410 at every address, once and for all', async () => {
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

  test.each(['feed', 'link'])('of a purged %s is 30 days of one event, then 410', async (what) => {
    const feed = await ada()
    const url = calendarUrl(feed)
    const before = await fetch(url)
    const address = `/api/feeds/${feed.id}${what === 'link' ? '/links/default' : ''}`
    expect((await ask('DELETE', `${address}?purge`))[0]).toBe(204)
    const after = await fetch(url)
    const body = await after.text()
    expect(after.status).toBe(200)
    expect(titles(body)).toEqual([expect.stringContaining('This calendar has ended')])
    const [since, until] = [before, after].map((it) => Date.parse(it.headers.get('Last-Modified')!))
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
  })
})

describe('who may', () => {
  const routes = [
    ['POST', '/api/feeds'],
    ['GET', '/api/feeds'],
    ['GET', '/api/feeds/feed_1'],
    ['PATCH', '/api/feeds/feed_1'],
    ['DELETE', '/api/feeds/feed_1'],
    ['POST', '/api/feeds/feed_1/links'],
    ['POST', '/api/feeds/feed_1/rotations'],
    ['DELETE', '/api/feeds/feed_1/links/default'],
    ['GET', '/api/companies/main/examination'],
  ] as const

  test.each(routes)('%s %s needs the admin token', async (method, address) => {
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${adminToken}`]) {
      const response = await fetch(new URL(address, bridge.url), {
        method,
        headers: authorization === undefined ? {} : { Authorization: authorization },
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
      outputSchemas.Problem.parse(await response.json())
    }
    await clock.advance(60_000)
  })

  test('too many wrong sign-ins are 429 for a while, and lock nobody out who has the token', async () => {
    const wrong = { headers: { Authorization: 'Bearer wrong' } }
    for (let times = 0; times < 30; times += 1) {
      expect((await fetch(`${bridge.url}/api/feeds`, wrong)).status).toBe(401)
    }
    const response = await fetch(`${bridge.url}/api/feeds`, wrong)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    outputSchemas.Problem.parse(await response.json())
    expect((await bridge.api('GET', '/api/feeds')).status).toBe(200)
    await clock.advance(60_000)
    expect((await fetch(`${bridge.url}/api/feeds`, wrong)).status).toBe(401)
  })
})
