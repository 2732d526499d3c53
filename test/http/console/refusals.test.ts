/* What the console refuses, on every route of the table: no session, another page, an ended session, a role, a company. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { neededOnRoutes } from '../../../src/access/needed-roles.ts'
import { mayDo, type Role, roles } from '../../../src/domain/access/staff.ts'
import { adminToken } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { signIn } from '../../support/bridge/own-page.ts'
import { startTwoCompanies, type TwoCompanies } from '../../support/bridge/two-companies.ts'

const parameters: Readonly<Record<string, string>> = { userId: 'usr_ada', managerId: 'usr_bob' }

const routes = Object.entries(neededOnRoutes)
  .filter(([route]) => / \/console(?!\/sign-in)/.test(route))
  .map(([route, needed]) => {
    const [method = '', pattern = ''] = route.split(' ')
    const address = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'x')
    return { route, method, address, needed: needed as Role }
  })
type Route = (typeof routes)[number]
const forms = routes.filter(({ method }) => method === 'POST')

let two: TwoCompanies
/** Cookies of sessions, by role; those of `north` see only that company. */
const ofAll = new Map<Role, string>()
const ofNorth = new Map<Role, string>()
/** Of Ada, who has signed in and is not staff. */
let person: string

beforeAll(async () => {
  two = await startTwoCompanies()
  for (const companyId of ['north', 'south']) {
    await two.bridge.createFeed({ userIds: ['usr_ada'], companyId })
  }
  for (const role of roles) {
    ofAll.set(role, await sessionOf(await two.token(role, role)))
    ofNorth.set(role, await sessionOf(await two.token(`${role} of north`, role, 'north')))
  }
  const ada = { companyId: 'north', userId: 'usr_ada' }
  person = (await signIn(await two.bridge.node(), { person: ada, staff: null })).cookie
})

afterAll(() => two.close())

async function sessionOf(token: string): Promise<string> {
  return (await enterConsole(two.bridge, token)).cookie
}

/** What would change something on one of the pages; what a page does not know, it ignores. */
const fields = {
  act: 'make',
  name: 'intruder',
  role: 'admin',
  userId: 'usr_ada',
  typed: 'usr_ada',
  address: 'somebody@example.com',
}

interface Asking {
  readonly cookie?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

function ask(
  { method, address }: Pick<Route, 'method' | 'address'>,
  { cookie, headers = { Origin: two.bridge.url }, query = '' }: Asking,
): Promise<Response> {
  return fetch(two.bridge.url + address + query, {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'text/html',
      ...(method === 'POST' ? headers : {}),
      ...(cookie === undefined ? {} : { Cookie: cookie }),
    },
    ...(method === 'POST' ? { body: new URLSearchParams(fields) } : {}),
  })
}

/** All that forms of the console may change, and what the audit log has noted. */
async function kept(): Promise<string> {
  const addresses = ['/api/audit?limit=1000', '/api/feeds?limit=1000', '/api/tokens']
  const companies = ['/api/companies/north', '/api/companies/south']
  const read = async (at: string): Promise<string> => {
    const { status, text } = await two.ask(adminToken, 'GET', at)
    if (status !== 200) throw new Error(`${at} answered ${status}.`)
    return text.replaceAll(/"lastUsedAt":[^,}]*/g, '')
  }
  return (await Promise.all([...addresses, ...companies].map(read))).join('\n')
}

/** The status that every form answers; nothing may change by that. */
async function refuseForms(asking: Asking): Promise<readonly (readonly [string, number])[]> {
  const before = await kept()
  const answers: (readonly [string, number])[] = []
  for (const form of forms) answers.push([form.route, (await ask(form, asking)).status])
  expect(await kept()).toBe(before)
  return answers
}

const all = (status: number) => forms.map(({ route }) => [route, status] as const)

it('These forms would change something', async () => {
  const before = await kept()
  const route = { method: 'POST', address: '/console/tokens' }
  expect((await ask(route, { cookie: ofAll.get('admin') })).status).toBe(200)
  expect(await kept()).not.toBe(before)
})

it('Without a session, pages lead to sign-in and forms are refused', async () => {
  for (const { route, method, address } of routes) {
    if (method !== 'GET') continue
    const reply = await ask({ method, address }, {})
    const to = address === '/console' ? '' : `?${new URLSearchParams({ to: address }).toString()}`
    expect([route, reply.status, reply.headers.get('Location')]).toEqual([
      route,
      303,
      `/console/sign-in${to}`,
    ])
  }
  expect(await refuseForms({})).toEqual(all(401))
})

it('The way to sign-in keeps what the page was asked for, in any order', async () => {
  const page = { method: 'GET', address: '/console/people' }
  const query = '?lang=de&company=south&search=Ada'
  const to = (await ask(page, { query })).headers.get('Location') ?? ''
  expect(new URL(to, two.bridge.url).searchParams.get('to')).toBe(
    '/console/people?company=south&search=Ada',
  )
})

it.each([
  '//evil.example',
  'https://evil.example/console',
  '/console/../feeds',
  '/console/%2e%2e/%2E./other-app',
  '/consoles',
])('Sign-in leads from %s to the console', async (to) => {
  const reply = await fetch(`${two.bridge.url}/console/sign-in`, {
    method: 'POST',
    headers: { Origin: two.bridge.url },
    body: new URLSearchParams({ token: adminToken, to }),
    redirect: 'manual',
  })
  expect(reply.headers.get('Location')).toBe('/console')
})

it.each([
  ['another origin', { Origin: 'https://evil.example' }],
  ['another port', { Origin: 'http://127.0.0.1:9' }],
  ['a page without an origin', { Origin: 'null' }],
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a neighbour', { 'Sec-Fetch-Site': 'same-site' }],
  ['no page at all', {}],
])('Refuses every form that comes from %s', async (_from, headers) => {
  expect(await refuseForms({ cookie: ofAll.get('admin'), headers })).toEqual(all(403))
})

it('Refuses every form after sign-out, on the same cookie', async () => {
  const cookie = await sessionOf(await two.token('leaving', 'admin'))
  await ask({ method: 'POST', address: '/sign-out' }, { cookie })
  expect(await refuseForms({ cookie })).toEqual(all(401))
})

it('Refuses every form once the token of the session is revoked', async () => {
  const cookie = await sessionOf(await two.token('leaked', 'admin'))
  await two.ask(adminToken, 'DELETE', '/api/tokens/leaked')
  expect(await refuseForms({ cookie })).toEqual(all(401))
  expect((await ask({ method: 'GET', address: '/console' }, { cookie })).status).toBe(303)
})

describe.each(routes)('$route', (route) => {
  it.each(roles.filter((role) => !mayDo(role, route.needed)))('Refuses %s', async (role) => {
    const before = await kept()
    const reply = await ask(route, { cookie: ofAll.get(role) })
    expect(reply.status).toBe(403)
    expect(await reply.text()).toMatch(/<p data-reason>This needs the role \w+\.<\/p>/)
    expect(await kept()).toBe(before)
  })

  it.each(roles)('Shows %s of one company no other company', async (role) => {
    const before = await kept()
    const reply = await ask(route, { cookie: ofNorth.get(role), query: '?company=south' })
    expect(reply.status).toBe(mayDo(role, route.needed) ? 404 : 403)
    expect(await kept()).toBe(before)
  })

  it('Refuses people who are not staff', async () => {
    const before = await kept()
    expect((await ask(route, { cookie: person })).status).toBe(403)
    expect(await kept()).toBe(before)
  })
})
