/* Whatever staff of several scopes do one after the other: nothing of another company, and each audit event noted once. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

import { adminToken } from '../support/bridge/bridge.ts'
import { startTwoCompanies, type TwoCompanies } from '../support/bridge/two-companies.ts'

interface Staff {
  readonly actor: string
  readonly token: string
  /** The only company of theirs. */
  readonly companyId?: string
  /** Whether they may make tokens and erase. */
  readonly isAdmin: boolean
}

interface Step {
  readonly who: number
  readonly what: (typeof auditEvents)[number]
  readonly company: string
  readonly person: string
  /** Which of the feeds that were made, anyone who made them. */
  readonly which: number
}

const auditEvents = [
  'create',
  'table',
  'list',
  'show',
  'rename',
  'link',
  'rotate',
  'endLink',
  'revoke',
  'examine',
  'audit',
  'makeToken',
  'revokeToken',
  'tokens',
  'erase',
] as const

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom(...auditEvents),
  company: fc.constantFrom('north', 'south'),
  person: fc.constantFrom('usr_ada', 'usr_bob', 'usr_zoe', 'usr_zo'),
  which: fc.nat(9),
})

let running: TwoCompanies
let staff: readonly Staff[]

beforeAll(async () => {
  running = await startTwoCompanies()
  const { token } = running
  staff = [
    { actor: 'admin', token: adminToken, isAdmin: true },
    {
      actor: 'token:north/of-north',
      token: await token('of-north', 'support', 'north'),
      companyId: 'north',
      isAdmin: false,
    },
    {
      actor: 'token:south/of-south',
      token: await token('of-south', 'admin', 'south'),
      companyId: 'south',
      isAdmin: true,
    },
  ]
})

afterAll(() => running.close())

/** What is asked for a step, and which entry it leaves where it is done. */
function requestOf(
  { what, company, person, which }: Step,
  feed: string,
  since: string,
): readonly [method: string, address: string, body: unknown, action: string | null] {
  const at = `/api/feeds/${feed}`
  const name = `${company}-${which}`
  const requests: Record<Step['what'], ReturnType<typeof requestOf>> = {
    create: ['POST', '/api/feeds', { userIds: [person], companyId: company, name }, 'feed_created'],
    table: [
      'POST',
      `/api/feeds?companyId=${company}`,
      `userId,name\n${person},${name}\n`,
      'feed_created',
    ],
    list: ['GET', `/api/feeds?userId=${person}&companyId=${company}`, undefined, null],
    show: ['GET', at, undefined, null],
    rename: ['PATCH', at, { name: `${name} ${since}` }, 'feed_changed'],
    link: ['POST', `${at}/links`, { label: name }, 'link_created'],
    rotate: ['POST', `${at}/rotations`, {}, 'link_rotated'],
    endLink: ['DELETE', `${at}/links/default`, undefined, 'link_ended'],
    revoke: ['DELETE', at, undefined, 'feed_revoked'],
    examine: ['GET', `/api/companies/${company}/examination`, undefined, null],
    audit: ['GET', '/api/audit?limit=1000', undefined, null],
    makeToken: [
      'POST',
      '/api/tokens',
      { name, role: 'reader', companyId: company },
      'token_created',
    ],
    revokeToken: ['DELETE', `/api/tokens/${name}`, undefined, 'token_revoked'],
    tokens: ['GET', '/api/tokens', undefined, null],
    erase: ['POST', '/api/erasures', { userId: person, companyId: company }, 'person_erased'],
  }
  return requests[what]
}

const adminOnly: ReadonlySet<string> = new Set(['makeToken', 'revokeToken', 'tokens', 'erase'])
const ofFeed: ReadonlySet<string> = new Set([
  'show',
  'rename',
  'link',
  'rotate',
  'endLink',
  'revoke',
])

it('Administration never leaves its company, and every change is in the audit log once', async () => {
  const { ask, clock } = running
  /** Company by feed. */
  const feeds = new Map([['feed_unknown', 'none']])
  let done = 0
  const run = async (taken: Step): Promise<void> => {
    await clock.advance(1000)
    const since = new Date(clock.now()).toISOString()
    const { actor, token, companyId, isAdmin } = staff[taken.who]!
    const [feed, of] = [...feeds][taken.which % feeds.size]!
    const [method, address, body, action] = requestOf(taken, feed, since)
    const reply = await ask(token, method, address, body)
    const target = ofFeed.has(taken.what) ? of : taken.company
    const isOwn = ['audit', 'tokens', 'revokeToken'].includes(taken.what)
    const isOther = companyId !== undefined && target !== companyId && !isOwn
    if (adminOnly.has(taken.what) && !isAdmin) expect(reply.status).toBe(403)
    else if (isOther) expect(reply.status).toBe(404)
    else expect(reply.status).toBeLessThan(500)
    if (companyId !== undefined) refuseOthers(reply.text, companyId)
    const id =
      taken.what === 'create' && reply.status === 201 ? String(reply.json['id']) : undefined
    if (id !== undefined) feeds.set(id, taken.company)
    const noted = await ask(adminToken, 'GET', `/api/audit?since=${since}`)
    const entries = noted.json['data'] as { actor: string; action: string; companyId: string }[]
    const isSkipped = reply.text.includes('"skipped"')
    const isDone = action !== null && reply.status < 300 && !isSkipped
    if (isDone) done += 1
    // An end of what has ended already changes nothing.
    const least = isDone && !['revoke', 'endLink'].includes(taken.what) ? 1 : 0
    expect([taken, entries.length]).toEqual([
      taken,
      expect.toSatisfy((count) => count >= least && count <= (isDone ? 1 : 0)),
    ])
    for (const entry of entries) expect(entry).toMatchObject({ actor, action })
    if (companyId === undefined || entries.length === 0) return
    expect(entries[0]).toMatchObject({ companyId })
  }
  const refuseOthers = (text: string, companyId: string): void => {
    const other = companyId === 'north' ? 'south' : 'north'
    const plain = text.replaceAll(`of-${other}`, '').replaceAll(new RegExp(`${other}-\\d`, 'g'), '')
    expect(plain).not.toContain(other)
    if (companyId === 'north') expect(plain).not.toMatch(/usr_zoe`/)
    for (const [id, of] of feeds)
      if (of === other) expect(id).not.toBe(/"id":"(\w+)"/.exec(text)?.[1])
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      for (const company of ['north', 'south'])
        await run({ who: 0, what: 'create', company, person: 'usr_bob', which: 0 })
      for (const taken of steps) await run(taken)
    }),
    { numRuns: inject('isThorough') ? 60 : 6, endOnFailure: true },
  )
  expect(done).toBeGreaterThan(10)
})
