/* Tokens, the audit, erasure and sign-ins on the API, and what a company's token sees of another: nothing. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { adminToken, startBridge } from '../../support/bridge/bridge.ts'
import { startTwoCompanies, type TwoCompanies } from '../../support/bridge/two-companies.ts'
import { databases } from '../../support/database/databases.ts'
import { askedBy } from '../../support/database/statements.ts'

describe.each(databases)('on $name', ({ createMigrated }) => {
  let running: TwoCompanies
  let north: string
  let reader: string
  let feed: string

  beforeAll(async () => {
    running = await startTwoCompanies(await createMigrated())
    north = await running.token('north', 'admin', 'north')
    reader = await running.token('reader', 'reader')
    const zoe = { userIds: ['usr_zoe'], companyId: 'south' }
    feed = String((await running.ask(adminToken, 'POST', '/api/feeds', zoe)).json['id'])
  })

  afterAll(() => running.close())

  it('a token is shown once, stored hashed, listed with its last use, and useless once revoked', async () => {
    const { ask, clock } = running
    const input = { name: 'help/desk 1', role: 'reader' }
    const made = await ask(adminToken, 'POST', '/api/tokens', input)
    expect(made.status).toBe(201)
    const { token, createdAt } = outputSchemas.CreatedToken.parse(made.json)
    expect(made.json).toEqual({ ...input, companyId: null, token, createdAt })
    expect(token).toMatch(/^cft_[\w-]{43}$/)
    expect((await ask(token, 'GET', '/api/feeds')).status).toBe(200)
    const listed = await ask(adminToken, 'GET', '/api/tokens')
    const page = outputSchemas.TokenPage.parse(listed.json)
    expect(page.data.find(({ name }) => name === input.name)).toEqual({
      ...input,
      companyId: null,
      createdAt,
      lastUsedAt: new Date(clock.now()).toISOString(),
    })
    expect(listed.text).not.toContain(token)
    expect((await ask(adminToken, 'POST', '/api/tokens', input)).status).toBe(409)
    const address = `/api/tokens/${encodeURIComponent(input.name)}`
    expect((await ask(adminToken, 'DELETE', address)).status).toBe(204)
    expect((await ask(token, 'GET', '/api/feeds')).status).toBe(401)
    expect((await ask(adminToken, 'DELETE', address)).status).toBe(404)
    const audit = await ask(adminToken, 'GET', '/api/audit')
    const entries = outputSchemas.AuditPage.parse(audit.json).data
    const of = entries.filter(({ label }) => label === input.name)
    expect(of.map(({ action, actor }) => [action, actor]).toSorted()).toEqual([
      ['token_created', 'admin'],
      ['token_revoked', 'admin'],
    ])
    expect(audit.text).not.toContain(token)
  })

  it.each([
    [{ name: '', role: 'reader' }, '/name'],
    [{ name: '..', role: 'reader' }, '/name'],
    [{ name: 'x'.repeat(101), role: 'reader' }, '/name'],
    [{ name: 'a\nb', role: 'reader' }, '/name'],
    [{ name: 'n', role: 'owner' }, '/role'],
    [{ name: 'n', role: 'reader', companyId: 'sout' }, '/companyId'],
    [{ name: 'n', role: 'reader', companyId: null }, '/companyId'],
    [{ name: 'n', role: 'reader', company: 'south' }, '/company'],
  ])(
    'a token with the input %j is refused with the pointer of the fault',
    async (input, pointer) => {
      const { status, json } = await running.ask(adminToken, 'POST', '/api/tokens', input)
      expect([status, json['errors']]).toEqual([400, [expect.objectContaining({ pointer })]])
    },
  )

  it('an admin of one company creates, lists and revokes only tokens of that company', async () => {
    const { ask } = running
    await running.token('south', 'admin', 'south')
    for (const companyId of ['south', 'west']) {
      const input = { name: 'wider', role: 'reader', companyId }
      expect((await ask(north, 'POST', '/api/tokens', input)).status).toBe(404)
    }
    const own = await ask(north, 'POST', '/api/tokens', { name: 'own', role: 'support' })
    expect(own.json).toMatchObject({ name: 'own', companyId: 'north' })
    const { json } = await ask(north, 'GET', '/api/tokens')
    const names = outputSchemas.TokenPage.parse(json).data.map(({ name }) => name)
    expect(names).toEqual(['north', 'own'])
    expect((await ask(north, 'DELETE', '/api/tokens/south')).status).toBe(404)
    expect((await ask(north, 'DELETE', '/api/tokens/reader')).status).toBe(404)
    expect((await ask(north, 'DELETE', '/api/tokens/own')).status).toBe(204)
  })

  it('a company can reuse the name of a token of all companies and revokes only its own', async () => {
    const { ask, token } = running
    const ofAll = await token('everywhere', 'reader')
    const own = await ask(north, 'POST', '/api/tokens', { name: 'everywhere', role: 'reader' })
    expect([own.status, own.json]).toMatchObject([201, { companyId: 'north' }])
    const address = '/api/tokens/everywhere'
    expect((await ask(north, 'DELETE', address)).status).toBe(204)
    expect((await ask(north, 'DELETE', address)).status).toBe(404)
    expect((await ask(ofAll, 'GET', '/api/feeds')).status).toBe(200)
    const again = await ask(north, 'POST', '/api/tokens', { name: 'everywhere', role: 'reader' })
    expect((await ask(adminToken, 'DELETE', address)).status).toBe(204)
    expect((await ask(ofAll, 'GET', '/api/feeds')).status).toBe(401)
    expect((await ask(String(again.json['token']), 'GET', '/api/feeds')).status).toBe(200)
    expect((await ask(adminToken, 'DELETE', address)).status).toBe(204)
    expect((await ask(adminToken, 'DELETE', address)).status).toBe(404)
  })

  it('two companies can use the same token name, and an ambiguous revocation is refused', async () => {
    const { ask, token } = running
    const south = await token('south-admin', 'admin', 'south')
    const input = { name: 'calendar job', role: 'reader' }
    const made = [north, south].map((maker) => ask(maker, 'POST', '/api/tokens', input))
    expect((await Promise.all(made)).map(({ status }) => status)).toEqual([201, 201])
    expect((await ask(north, 'POST', '/api/tokens', input)).status).toBe(409)
    expect((await ask(adminToken, 'POST', '/api/tokens', input)).status).toBe(409)
    const address = '/api/tokens/calendar%20job'
    for (const other of ['south', 'west']) {
      expect((await ask(north, 'DELETE', `${address}?companyId=${other}`)).status).toBe(404)
    }
    const unclear = await ask(adminToken, 'DELETE', address)
    expect([unclear.status, unclear.json['detail']]).toEqual([
      409,
      expect.stringContaining('name the company'),
    ])
    expect((await ask(adminToken, 'DELETE', `${address}?companyId=west`)).status).toBe(404)
    expect((await ask(adminToken, 'DELETE', `${address}?companyId=south`)).status).toBe(204)
    expect((await ask(south, 'DELETE', address)).status).toBe(404)
    expect((await ask(north, 'DELETE', address)).status).toBe(204)
    expect((await ask(adminToken, 'DELETE', '/api/tokens/south-admin')).status).toBe(204)
  })

  it.each([
    ['GET', '/api/feeds?companyId=south'],
    ['GET', '/api/feeds?companyId=west'],
    ['POST', '/api/feeds', { userIds: ['usr_zoe'], companyId: 'south' }],
    ['POST', '/api/feeds', { userIds: ['usr_ada'], companyId: 'west' }],
    [
      'POST',
      '/api/feeds',
      [{ userIds: ['usr_ada'] }, { userIds: ['usr_ada'], companyId: 'south' }],
    ],
    ['POST', '/api/feeds?companyId=south', 'userId\nusr_zoe\n'],
    ['POST', '/api/feeds', 'userId,companyId\nusr_ada,south\n'],
    ['GET', '/api/feeds/FEED'],
    ['PATCH', '/api/feeds/FEED', { name: 'Mine' }],
    ['DELETE', '/api/feeds/FEED'],
    ['POST', '/api/feeds/FEED/links', { label: 'mine' }],
    ['POST', '/api/feeds/FEED/rotations', {}],
    ['DELETE', '/api/feeds/FEED/links/default'],
    ['POST', '/api/feed-changes', { filter: { companyId: 'south' }, change: { revoke: {} } }],
    ['POST', '/api/feed-changes', { filter: { companyId: 'west' }, change: { revoke: {} } }],
    ['GET', '/api/companies/south/examination'],
    ['GET', '/api/companies/west/examination'],
    ['POST', '/api/erasures', { userId: 'usr_zoe', companyId: 'south' }],
    ['POST', '/api/erasures', { userId: 'usr_zoe', companyId: 'west' }],
    ['POST', '/api/erasures', { userId: 'usr_zoe' }],
  ])(
    'other companies do not exist for a token of one company: %s %s %j answers 404',
    async (...asked) => {
      const [method, address, body] = asked
      const { ask } = running
      const before = await ask(adminToken, 'GET', `/api/feeds/${feed}`)
      const audit = await ask(adminToken, 'GET', '/api/audit')
      const refused = await ask(north, method, address.replace('FEED', feed), body)
      expect(refused.status).toBe(404)
      expect(refused.text).not.toMatch(/usr_zoe`|Zoe|did you mean/)
      expect((await ask(adminToken, 'GET', `/api/feeds/${feed}`)).text).toBe(before.text)
      expect((await ask(adminToken, 'GET', '/api/audit')).text).toBe(audit.text)
    },
  )

  it('answers to a company never hint at people it does not know', async () => {
    const { ask } = running
    const listed = await ask(north, 'GET', '/api/feeds?userId=usr_zo')
    expect(listed.json['data']).toEqual([])
    const refused = await ask(north, 'POST', '/api/feeds', { userIds: ['usr_zo'] })
    expect(refused.status).toBe(400)
    for (const { text } of [listed, refused]) expect(text).not.toContain('usr_zoe')
    const audit = await ask(north, 'GET', `/api/audit?feedId=${feed}`)
    expect(audit.json).toEqual({ data: [], nextCursor: null })
    expect((await ask(north, 'GET', '/api/audit?limit=1000')).text).not.toContain('south')
  })

  it('an Idempotency-Key of one scope replays nothing of another scope', async () => {
    const { ask } = running
    const input = { userIds: ['usr_ada'], companyId: 'north', name: 'Keyed' }
    const key = { 'Idempotency-Key': 'shared' }
    const ids = []
    for (const token of [adminToken, north, north]) {
      const { json, headers } = await ask(token, 'POST', '/api/feeds', input, key)
      ids.push([json['id'], headers.get('Idempotency-Replayed')])
    }
    expect(ids.map(([, replayed]) => replayed)).toEqual([null, null, 'true'])
    expect(ids[1]?.[0]).toBe(ids[2]?.[0])
    expect(ids[0]?.[0]).not.toBe(ids[1]?.[0])
  })

  it('the audit is read in pages, newest entry first, each entry once', async () => {
    const { ask, clock } = running
    await clock.advance(86_400_000)
    const since = new Date(clock.now()).toISOString()
    const made = await ask(adminToken, 'POST', '/api/feeds', {
      userIds: ['usr_ada'],
      companyId: 'north',
      name: 'Audited',
    })
    const id = String(made.json['id'])
    const noChange = { name: 'Changed', options: { leaves: {} } }
    for (const change of [{ name: 'Changed' }, noChange, {}]) {
      const { status } = await ask(adminToken, 'PATCH', `/api/feeds/${id}`, change)
      expect(status).toBe(200)
    }
    await clock.advance(1000)
    await ask(north, 'POST', `/api/feeds/${id}/links`, { label: 'phone' })
    const first = await ask(reader, 'GET', `/api/audit?since=${since}&limit=2`)
    const rest = await ask(
      reader,
      'GET',
      `/api/audit?since=${since}&limit=2&cursor=${String(first.json['nextCursor'])}`,
    )
    const pages = [first, rest].map(({ json }) => outputSchemas.AuditPage.parse(json))
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1])
    expect(pages[1]?.nextCursor).toBeNull()
    const entries = pages.flatMap(({ data }) => data)
    const about = { companyId: 'north', feedId: id, userIds: ['usr_ada'] }
    const at = new Date(clock.now()).toISOString()
    expect(entries[0]).toEqual({
      ...about,
      at,
      actor: 'token:north/north',
      action: 'link_created',
      label: 'phone',
    })
    expect(
      entries
        .slice(1)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual(['feed_changed', 'feed_created'])
    const day = since.slice(0, 10)
    for (const [query, count] of [
      [`since=${day}&feedId=${id}`, 3],
      [`since=${at}`, 1],
      [`since=${day}&userId=usr_bob`, 0],
      [`since=${day}T23:00:00%2B11:00&feedId=${id}`, 3],
      [`since=${day}T23:00:00+11:00&feedId=${id}`, 3],
    ] as const) {
      const { json } = await ask(reader, 'GET', `/api/audit?${query}`)
      expect([query, json['data']]).toEqual([
        query,
        expect.toSatisfy((found) => found.length === count),
      ])
    }
    for (const query of [
      'since=monday',
      'since=2026-02-30',
      'cursor=x',
      'limit=0',
      'actor=admin',
    ]) {
      expect([query, (await ask(reader, 'GET', `/api/audit?${query}`)).status]).toEqual([
        query,
        400,
      ])
    }
  })

  it('an erasure over HTTP affects one company, and the audit does not name the person', async () => {
    const { ask, clock } = running
    await clock.advance(1000)
    const since = new Date(clock.now()).toISOString()
    const input = { userId: 'usr_bob', companyId: 'north' }
    const ids = new Map<string, string>()
    for (const companyId of ['north', 'south']) {
      const { json } = await ask(adminToken, 'POST', '/api/feeds', {
        userIds: ['usr_bob'],
        companyId,
      })
      ids.set(companyId, String(json['id']))
    }
    const dry = await ask(north, 'POST', '/api/erasures', { ...input, dryRun: true })
    expect(dry.json).toMatchObject({ ...input, dryRun: true, removedFeeds: [ids.get('north')] })
    const done = await ask(north, 'POST', '/api/erasures', { userId: 'usr_bob' })
    expect(done.status).toBe(200)
    expect({ ...outputSchemas.Erasure.parse(done.json), dryRun: true }).toEqual(dry.json)
    for (const [companyId, status] of [
      ['north', 404],
      ['south', 200],
    ] as const) {
      const { status: found } = await ask(adminToken, 'GET', `/api/feeds/${ids.get(companyId)}`)
      expect(found).toBe(status)
    }
    const { json, text } = await ask(north, 'GET', `/api/audit?since=${since}`)
    const erased = outputSchemas.AuditPage.parse(json).data.filter(
      ({ action }) => action === 'person_erased',
    )
    expect(erased).toEqual([
      expect.objectContaining({
        actor: 'token:north/north',
        companyId: 'north',
        userIds: [],
        label: null,
      }),
    ])
    expect(text).not.toContain('usr_bob')
  })

  it('an admin of one company cannot erase staff of all companies by reusing their address', async () => {
    const { ask, bridge, clock } = running
    const { access, store } = await bridge.node()
    await clock.advance(1000)
    const since = new Date(clock.now()).toISOString()
    const actor = 'staff:boss@example.com'
    const auditEvent = { at: clock.now(), actor, action: 'staff_signed_in' } as const
    const object = { companyId: null, feedId: null, userIds: [], label: null }
    await store.audit.addEntry(auditEvent, object)
    const session = await access.sessions.begin({ person: null, staff: { actor, role: 'support' } })
    const erase = async (token: string, userId: string): Promise<unknown> => {
      const user = { id: userId, email: 'boss@example.com' }
      await store.people.seePeople('north', [user], clock.now())
      const reading = { userId, state: 'active', user, readAt: clock.now() } as const
      await store.people.keepReading('north', reading, clock.now() + 1)
      const input = { userId, companyId: 'north' }
      expect((await ask(token, 'POST', '/api/erasures', input)).status).toBe(200)
      const { json } = await ask(adminToken, 'GET', `/api/audit?since=${since}`)
      const entries = outputSchemas.AuditPage.parse(json).data
      const entry = entries.find(({ action }) => action === 'staff_signed_in')
      return [entry?.actor, (await access.sessions.find(session))?.staff?.actor]
    }
    expect(await erase(north, 'usr_puppet')).toEqual([actor, actor])
    expect(await erase(adminToken, 'usr_boss')).toEqual(['staff:erased', undefined])
  })

  it('signed-in staff can use the API, and changes are accepted only from our own pages', async () => {
    const { bridge } = running
    const { access } = await bridge.node()
    const begin = (staff: 'support' | null): Promise<string> =>
      access.sessions.begin({
        person: null,
        staff: staff && { actor: 'staff:mia@example.com', role: staff },
      })
    const cookie = `cfb_session=${await begin('support')}`
    const send = async (method: string, headers: object, cookies = cookie): Promise<number> => {
      const init = { method, headers: { Cookie: cookies, ...headers } }
      return (await fetch(new URL('/api/feeds', bridge.url), init)).status
    }
    expect(await send('GET', {})).toBe(200)
    const { origin } = new URL(bridge.url)
    const foreign = [
      {},
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'null' },
      { Origin: 'http://evil.example' },
      { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ]
    for (const headers of foreign)
      expect([headers, await send('POST', headers)]).toEqual([headers, 403])
    // Let through, and refused for having no body.
    for (const headers of [{ Origin: origin }, { 'Sec-Fetch-Site': 'same-origin' }]) {
      expect(await send('POST', headers)).toBe(415)
    }
    expect(await send('GET', {}, `cfb_session=${await begin(null)}`)).toBe(401)
    expect(await send('GET', { Authorization: 'Bearer wrong' })).toBe(401)
    const init = { headers: { Cookie: cookie } }
    expect((await fetch(new URL('/api/tokens', bridge.url), init)).status).toBe(403)
  })

  it('a token or session ended on one node is refused at once on another', async () => {
    const { ask, bridge, clock, environment, token } = running
    const other = await startBridge({ clock, environment })
    onTestFinished(() => other.close())
    const given = await token('on both nodes', 'reader', 'north')
    const { access } = await bridge.node()
    const staff = { actor: 'staff:mia@example.com', role: 'support' } as const
    const Cookie = `cfb_session=${await access.sessions.begin({ person: null, staff })}`
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all(
        [{ Authorization: `Bearer ${given}` }, { Cookie }].map(
          async (headers) => (await fetch(new URL('/api/feeds', other.url), { headers })).status,
        ),
      )
    expect(await statuses()).toEqual([200, 200])
    const revoked = await ask(adminToken, 'DELETE', '/api/tokens/on%20both%20nodes')
    expect(revoked.status).toBe(204)
    const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin' }
    await fetch(new URL('/sign-out', bridge.url), { method: 'POST', headers, redirect: 'manual' })
    expect(await statuses()).toEqual([401, 401])
  })

  it('all requests of a token within a minute write only its last use, once', async () => {
    const { ask, clock, token } = running
    const given = await token('busy', 'reader', 'north')
    const commitsOf = async (requests: number): Promise<number> => {
      const { commits } = await askedBy(async () => {
        for (let at = 0; at < requests; at += 1) {
          expect((await ask(given, 'GET', '/api/feeds?limit=1')).status).toBe(200)
        }
      })
      return commits
    }
    expect(await commitsOf(10)).toBe(1)
    await clock.advance(59_000)
    expect(await commitsOf(10)).toBe(0)
    await clock.advance(1000)
    expect(await commitsOf(10)).toBe(1)
  })

  it('the metrics are refused to a token of one company', async () => {
    const elsewhere = { 'X-Forwarded-For': '192.0.2.7' }
    for (const [token, status] of [
      [north, 403],
      [reader, 200],
      ['wrong', 401],
    ] as const) {
      const { status: found } = await running.ask(token, 'GET', '/metrics', undefined, elsewhere)
      expect(found).toBe(status)
    }
  })
})
