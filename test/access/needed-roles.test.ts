/* The table of who may ask for what names all that there is, and nothing else; each route for staff keeps to it. */
import type { Express } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { neededOnRoutes } from '../../src/access/needed-roles.ts'
import { mayDo, type Role, roles } from '../../src/domain/access/staff.ts'
import { createHttpApp } from '../../src/http/routes.ts'
import { Metrics } from '../../src/process/metrics.ts'
import { PollDeadline } from '../../src/publishing/poll-deadline.ts'
import { RequestLimit } from '../../src/web/request-limit.ts'
import { adminToken, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'

let bridge: TestBridge
/** What they ask for is looked up without a body. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'DELETE'])

const tokens = new Map<Role, string>()
const clock = createFakeClock()

beforeAll(async () => {
  bridge = await startBridge({ clock })
  for (const role of roles) {
    const made = await bridge.api('POST', '/api/tokens', { name: role, role })
    tokens.set(role, ((await made.json()) as { token: string }).token)
  }
})

afterAll(() => bridge.close())

it('The table lists exactly the existing routes', async () => {
  const limit = new RequestLimit(1, clock)
  const app = createHttpApp({
    ...(await bridge.node()),
    hashOfToken: () => undefined,
    findStaff: async () => undefined,
    limits: { polls: limit, accounts: limit, unknownTokens: limit },
    metrics: new Metrics(),
    deadline: new PollDeadline(clock, 0),
    tokenFile: undefined,
    publicUrl: 'http://127.0.0.1:8080',
    instance: 'test',
    siblings: null,
    demoPage: async () => undefined,
    trustProxy: 0,
    allowInsecure: false,
    clock,
    log: silentLog,
  })
  expect(routesOf(app).toSorted()).toEqual(Object.keys(neededOnRoutes).toSorted())
})

const routes = Object.entries(neededOnRoutes)
  .filter(([route]) => route.includes(' /api/'))
  .map(([route, needed]) => [route, needed as Role] as const)

describe.each(routes)('%s', (route, needed) => {
  const [method = '', pattern = ''] = route.split(' ')
  const address = pattern.replaceAll(/\{\w+\}/g, 'unknown')
  const ask = (token: string | undefined): Promise<Response> =>
    fetch(new URL(address, bridge.url), {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(method === 'GET' ? {} : { body: '{wrong' }),
    })

  it('Requires a token', async () => {
    expect((await ask(undefined)).status).toBe(401)
  })

  it.each(roles.filter((role) => !mayDo(role, needed)))(
    'Refuses %s before anything is looked up or read',
    async (role) => {
      const response = await ask(tokens.get(role))
      expect(response.status).toBe(403)
      expect(response.headers.get('Content-Type')).toContain('application/problem+json')
      expect(await response.json()).toMatchObject({ detail: `This needs the role ${needed}.` })
    },
  )

  it.each(roles.filter((role) => mayDo(role, needed)))('Allows %s', async (role) => {
    const expected = bodiless.has(method) ? [200, 404] : [400]
    expect(expected).toContain((await ask(tokens.get(role))).status)
  })
})

it('The admin token is accepted, and answers to it are never stored', async () => {
  const headers = { Authorization: `Bearer ${adminToken}` }
  const response = await fetch(`${bridge.url}/api/tokens`, { headers })
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
})

/** As the table writes them. */
function routesOf(app: Express): readonly string[] {
  return app.router.stack.flatMap(({ route }) => {
    const all: object = Object(Reflect.get(route ?? {}, 'methods'))
    const methods = Object.keys(all)
    // What takes every method refuses those that no other has taken.
    if (methods.length > 5) return []
    const paths = [route?.path ?? []].flat()
    return paths.flatMap((found) => {
      const plain = found.replace('{/}', '').replaceAll(/:(\w+)/g, '{$1}')
      return methods.map((method) => `${method.toUpperCase()} ${plain}`)
    })
  })
}
