/* What a token of one company is answered is the same byte by byte, whatever another company has and does meanwhile. */
import { describe, expect, it } from 'vitest'

import { neededOnRoutes } from '../../../src/access/needed-roles.ts'
import { roles } from '../../../src/domain/access/staff.ts'
import { adminToken } from '../../support/bridge/bridge.ts'
import { startTwoCompanies, type TwoCompanies } from '../../support/bridge/two-companies.ts'
import { anyDatabase } from '../../support/database/databases.ts'

type Asked = readonly [method: string, address: string, body?: unknown, key?: string]

/** OWN is a feed of north, OTHER one of south, or an id that nobody has; AFTER is a cursor at one of these. */
const walk: readonly Asked[] = [
  ['POST', '/api/feeds', { userIds: ['usr_ada'], name: 'Work' }],
  ['POST', '/api/feeds', { userIds: ['usr_bob'] }, 'key'],
  ['POST', '/api/feeds', { userIds: ['usr_bob'] }, 'key'],
  ['POST', '/api/feeds', { userIds: ['usr_ada'] }, 'key'],
  ['POST', '/api/feeds', { userIds: ['usr_zoe'] }],
  ['POST', '/api/feeds', { userIds: ['usr_zo'] }],
  ['POST', '/api/feeds', { userIds: ['usr_ada'], companyId: 'south' }],
  ['POST', '/api/feeds', { userIds: ['usr_ada'], companyId: 'west' }],
  ['POST', '/api/feeds', [{ userIds: ['usr_ada'], name: 'One' }, { userIds: ['usr_zoe'] }]],
  ['POST', '/api/feeds', 'userId,name\nusr_ada,Table\n'],
  ['POST', '/api/feeds', 'userId,name\nusr_ada,Shared\n'],
  ['POST', '/api/feeds', 'userId,companyId\nusr_ada,south\n'],
  ['POST', '/api/feeds?companyId=south', 'userId\nusr_zoe\n'],
  ['GET', '/api/feeds'],
  ['GET', '/api/feeds?limit=1'],
  ['GET', '/api/feeds?limit=2&cursor=AFTER'],
  ['GET', '/api/feeds?cursor=OTHERCURSOR'],
  ['GET', '/api/feeds?companyId=south'],
  ['GET', '/api/feeds?userId=usr_zoe'],
  ['GET', '/api/feeds?userId=usr_zo'],
  ['GET', '/api/feeds?userId=usr_bo'],
  ['GET', '/api/feeds?search=zoe'],
  ['GET', '/api/feeds?search=OTHER'],
  ['GET', '/api/feeds?search=Shared'],
  ['GET', '/api/feeds?state=revoked'],
  ['GET', '/api/feeds/OWN'],
  ['GET', '/api/feeds/OTHER'],
  ['GET', '/api/feeds/OWN/preview?as=others'],
  ['GET', '/api/feeds/OTHER/preview'],
  ['GET', '/api/feeds/OWN/explanation?kind=leave'],
  ['GET', '/api/feeds/OTHER/explanation'],
  ['GET', '/api/feeds/OTHER/explanation?label=nope'],
  ['PATCH', '/api/feeds/OWN', { name: 'Shared' }],
  ['PATCH', '/api/feeds/OWN', { companyId: 'south' }],
  ['PATCH', '/api/feeds/OTHER', { name: 'Mine' }],
  ['PATCH', '/api/feeds/OTHER', { nonsense: 1 }],
  ['POST', '/api/feeds/OWN/links', { label: 'phone' }],
  ['POST', '/api/feeds/OTHER/links', { label: 'phone' }],
  ['POST', '/api/feeds/OTHER/links', {}],
  ['POST', '/api/feeds/OWN/rotations', { label: 'phone' }],
  ['POST', '/api/feeds/OTHER/rotations', {}],
  ['POST', '/api/feeds/OTHER/rotations', { graceDays: -1 }],
  ['DELETE', '/api/feeds/OTHER/links/default'],
  ['DELETE', '/api/feeds/OTHER/links/none'],
  ['DELETE', '/api/feeds/OWN/links/phone'],
  ['DELETE', '/api/feeds/OTHER'],
  ['GET', '/api/companies/north/examination'],
  ['GET', '/api/companies/south/examination'],
  ['GET', '/api/companies/west/examination'],
  ['POST', '/api/tokens', { name: 'job', role: 'reader' }],
  ['POST', '/api/tokens', { name: 'of south', role: 'reader' }],
  ['POST', '/api/tokens', { name: 'of all', role: 'reader' }],
  ['POST', '/api/tokens', { name: 'job', role: 'reader', companyId: 'south' }],
  ['POST', '/api/tokens', { name: 'job', role: 'reader', companyId: 'west' }],
  ['GET', '/api/tokens'],
  ['DELETE', '/api/tokens/noise'],
  ['DELETE', '/api/tokens/job?companyId=south'],
  ['DELETE', '/api/tokens/job?companyId=west'],
  ['DELETE', '/api/tokens/job'],
  ['DELETE', '/api/tokens/of%20south'],
  ['DELETE', '/api/tokens/of%20all'],
  ['POST', '/api/erasures', { userId: 'usr_zoe' }],
  ['POST', '/api/erasures', { userId: 'usr_zoe', companyId: 'south' }],
  ['POST', '/api/erasures', { userId: 'usr_zoe', companyId: 'west' }],
  ['POST', '/api/erasures', { userId: 'usr_ada', dryRun: true }],
  ['POST', '/api/erasures', { userId: 'usr_ada' }],
  ['POST', '/api/erasures', { userId: 'usr_ada' }],
  ['GET', '/api/audit'],
  ['GET', '/api/audit?limit=1'],
  ['GET', '/api/audit?limit=3&cursor=AFTER'],
  ['GET', '/api/audit?cursor=OTHERCURSOR'],
  ['GET', '/api/audit?feedId=OTHER'],
  ['GET', '/api/audit?feedId=OWN'],
  ['GET', '/api/audit?userId=usr_zoe'],
  ['GET', '/api/audit?userId=usr_ada'],
  ['GET', '/api/audit?since=2026-01-01'],
  ['DELETE', '/api/feeds/OWN?purge'],
]

/** What goes on in south, and by those who see all. */
const noise: readonly Asked[] = [
  ['POST', '/api/feeds', { userIds: ['usr_zoe'], companyId: 'south', name: 'Shared' }, 'key'],
  ['POST', '/api/feeds?companyId=south', 'userId,name\nusr_ada,Shared\nusr_ada,Table\n'],
  ['POST', '/api/tokens', { name: 'job', role: 'admin', companyId: 'south' }],
  ['POST', '/api/tokens', { name: 'of south', role: 'reader', companyId: 'south' }],
  ['POST', '/api/tokens', { name: 'noise', role: 'reader', companyId: 'south' }],
  ['POST', '/api/tokens', { name: 'of all', role: 'reader' }],
  ['POST', '/api/feeds', { userIds: ['usr_ada', 'usr_bob'], companyId: 'south' }],
  ['GET', '/api/feeds?search=Shared'],
  ['PATCH', '/api/feeds/OTHER', { name: 'usr_bo' }],
  ['POST', '/api/feeds/OTHER/links', { label: 'noise' }],
  ['POST', '/api/erasures', { userId: 'usr_bob', companyId: 'south' }],
]

interface World extends TwoCompanies {
  /** The token of each role. */
  readonly tokens: ReadonlyMap<string, string>
  readonly own: string
  readonly other: string
  readonly since: number
}

async function startWorld(url: string, isNoisy: boolean): Promise<World> {
  const running = await startTwoCompanies(url)
  const tokens = new Map<string, string>()
  for (const role of roles) {
    tokens.set(role, await running.token(role, role, 'north'))
    await running.clock.advance(1000)
  }
  const since = running.clock.now() + 1000
  const make = async (companyId: string): Promise<string> => {
    const body = { userIds: ['usr_bob'], companyId, name: 'Shared' }
    return String((await running.ask(adminToken, 'POST', '/api/feeds', body)).json['id'])
  }
  const other = isNoisy ? await make('south') : 'feed_AAAAAAAAAAAAAAAAAAAAAA'
  await running.clock.advance(2000)
  return { ...running, tokens, own: await make('north'), other, since }
}

function filled(text: string, { own, other, since }: World): string {
  const cursor = (id: string): string =>
    Buffer.from(JSON.stringify([since, id])).toString('base64url')
  const values = new Map([
    ['AFTER', cursor(own)],
    ['OTHERCURSOR', cursor(other)],
    ['OTHER', other],
    ['OWN', own],
  ])
  // All at once, since a cursor may hold any letters.
  return text.replaceAll(/AFTER|OTHERCURSOR|OTHER|OWN/g, (name) => values.get(name) ?? name)
}

/** What is random is called by where it stood first. */
function plain(text: string, seen: Map<string, string>): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'here')
    .replaceAll(/feed_[\w-]{10,}|cf[a-z]_[\w-]{43}|(?<="nextCursor":")[^"]+/g, (found) => {
      const name = seen.get(found) ?? `random ${seen.size}`
      seen.set(found, name)
      return name
    })
}

async function answersOf(world: World, isNoisy: boolean): Promise<readonly string[]> {
  const answers: string[] = []
  let done = 0
  const make = async (asked: Asked): Promise<void> => {
    if ((await send(adminToken, asked)).status < 300) done += 1
  }
  const seen = new Map([[world.other, 'the other']])
  const send = (token: string, [method, address, body, key]: Asked) =>
    world.ask(token, method, filled(address, world), body, key ? { 'Idempotency-Key': key } : {})
  for (const [at, asked] of walk.entries()) {
    for (const role of roles) {
      if (isNoisy) await make(noise[(at + role.length) % noise.length]!)
      await world.clock.advance(1000)
      const { status, text, headers } = await send(world.tokens.get(role)!, asked)
      const replayed = headers.get('Idempotency-Replayed') ?? ''
      answers.push(`${role} ${JSON.stringify(asked)}: ${status} ${replayed} ${plain(text, seen)}`)
    }
  }
  if (isNoisy) expect(done).toBeGreaterThan(walk.length / 2)
  return answers
}

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  it('the answers to a token of one company never depend on another company', async () => {
    const walked = new Set(walk.map(([method, address]) => `${method} ${address.split('?')[0]}`))
    const told: (readonly string[])[] = []
    for (const isNoisy of [false, true]) {
      const world = await startWorld(await createMigrated(), isNoisy)
      told.push(await answersOf(world, isNoisy))
      await world.close()
    }
    expect(told[1]).toEqual(told[0])
    expect(walked.size).toBeGreaterThan(20)
    // Each route of staff is walked.
    const routes = Object.keys(neededOnRoutes).filter((route) => route.includes(' /api/'))
    const names = { '{id}': '(OWN|OTHER|north)', '{label}': '\\w+', '{name}': '[\\w%]+' }
    for (const route of routes) {
      const pattern = Object.entries(names).reduce(
        (text, [name, is]) => text.replace(name, is),
        route,
      )
      expect([...walked].some((one) => new RegExp(`^${pattern}$`).test(one))).toBe(true)
    }
  })
})
