/* Finding feeds, and how they fare. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/test-api.ts'
import { type ApiAnswer } from '../../support/web/api-answer.ts'

it('pages list each feed once, in order of creation', async ({ api: { ask } }) => {
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

it('filters by company and user', async ({ api: { bridge, ask } }) => {
  const feed = await bridge.createFeed({ userIds: ['usr_bob'] })
  const [, ofBob] = await ask('GET', '/api/feeds?companyId=main&userId=usr_bob')
  expect(ofBob.data.map(({ id }: ApiAnswer) => id)).toContain(feed.id)
  expect(ofBob.data.every(({ userIds }: ApiAnswer) => userIds.includes('usr_bob'))).toBe(true)
  expect(await ask('GET', '/api/feeds?companyId=else')).toEqual([
    200,
    { data: [], nextCursor: null },
  ])
  const [, nobody] = await ask('GET', '/api/feeds?userId=usr_bo')
  expect(outputSchemas.FeedPage.parse(nobody).warnings).toEqual([
    'There is no person with the id "usr_bo". Use the parameter search to find people by name.',
  ])
})

it('a feed for an unknown user is refused with the id of that user', async ({
  api: { bridge, ask },
}) => {
  const feed = await bridge.createFeed({ userIds: ['usr_bob'] })
  const unknown = async (method: string, address: string, userIds: readonly string[]) => {
    const [, { errors }] = await ask(method, address, { userIds })
    return errors.map(({ detail }) => detail)
  }
  const unknownUser = 'There is no user "usr_bo".'
  expect(await unknown('POST', '/api/feeds', ['usr_bo'])).toEqual([unknownUser])
  expect(await unknown('POST', '/api/feeds', ['Zaphod'])).toEqual(['There is no user "Zaphod".'])
  const others = await bridge.createFeed({ userIds: ['usr_ada'], audience: 'others' })
  expect(await unknown('PATCH', `/api/feeds/${others.id}`, ['usr_ada', 'usr_bo'])).toEqual([
    unknownUser,
  ])
  await ask('DELETE', `/api/feeds/${feed.id}`)
})

it('filters by state, by whether the feed was ever polled, and by search text', async ({
  api: { clock, bridge, ask, poll },
}) => {
  const [polled, quiet, revoked] = await Promise.all(
    ['Polled', 'Quiet', 'Revoked'].map((name) =>
      bridge.createFeed({ userIds: ['usr_bob'], name: `Filter ${name}` }),
    ),
  )
  await ask('DELETE', `/api/feeds/${revoked?.id}`)
  await poll(calendarUrl(polled!))
  await clock.advance(3000)
  const find = async (query: string): Promise<readonly string[]> => {
    const [, { data }] = await ask('GET', `/api/feeds?search=filter&${query}`)
    return data.map(({ id }) => id)
  }
  await expect.poll(() => find('state=open&neverPolled')).toEqual([quiet?.id])
  expect(await find('state=revoked&neverPolled=true')).toEqual([revoked?.id])
  expect(await find('neverPolled=false&limit=1000')).toHaveLength(3)
  expect(await find('state=closed')).toEqual([])
})

it.for([
  ['limit=0', '/limit'],
  ['limit=1001', '/limit'],
  ['limit=all', '/limit'],
  ['cursor=bm9uZQ', '/cursor'],
  ['userId=%00', '/userId'],
  ['user=usr_ada', '/user'],
  ['state=gone', '/state'],
  ['neverPolled=maybe', '/neverPolled'],
  ['search=%20', '/search'],
] as const)('the query %s answers 400', async ([query, pointer], { api: { ask } }) => {
  const [status, problem] = await ask('GET', `/api/feeds?${query}`)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ pointer }])
})

it.for([
  ['/people?search=%00', /^The query is not valid: search: /],
  // ["a\u0000","usr_ada"]
  ['/people?cursor=WyJhXHUwMDAwIiwidXNyX2FkYSJd', /^The query is not valid\.$/],
  ['/people/%00/data', /^There is no such person\.$/],
] as const)('%s, which PostgreSQL could not read, is refused', async ([path, why], { api }) => {
  const [, problem] = await api.ask('GET', `/api/companies/main${path}`)
  expect(problem).toMatchObject({ detail: expect.stringMatching(why) })
})

it('a feed is shown with its clients and the age of its copies', async ({
  api: { clock, ask, poll, ada },
}) => {
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

it.for(['feed_0', 'feed_%00', 'a%20b'])(
  'the unknown feed %s answers 404',
  async (id, { api: { ask } }) => {
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(method, `/api/feeds/${id}`))[0]).toBe(404)
    }
    expect((await ask('PATCH', `/api/feeds/${id}`, {}))[0]).toBe(404)
    expect((await ask('POST', `/api/feeds/${id}/links`, { label: 'x' }))[0]).toBe(404)
    expect((await ask('POST', `/api/feeds/${id}/rotations`, {}))[0]).toBe(404)
    expect((await ask('DELETE', `/api/feeds/${id}/links/default`))[0]).toBe(404)
  },
)

it('a page of large feeds is shorter, and the next pages list the rest', async ({
  api: { bridge, send },
}) => {
  const projectIds = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(250, 'p'))
  const made: string[] = []
  for (let index = 0; index < 20; index += 1) {
    const options = { tasks: { projectIds } }
    made.push((await bridge.createFeed({ userIds: ['usr_bob'], name: `${index}`, options })).id)
  }
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 20; pages += 1) {
    const response = await send(`/api/feeds?userId=usr_bob&limit=1000${cursor}`, {})
    const text = await response.text()
    expect(text.length).toBeLessThan(5 * 1024 * 1024)
    const { data, nextCursor } = JSON.parse(text) as ApiAnswer
    seen.push(...data.map(({ id }) => id))
    if (nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
  expect(seen.filter((id) => made.includes(id)).toSorted()).toEqual(made.toSorted())
})
