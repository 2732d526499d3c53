/* People who leave, come back and change their address, and whom the audit tells what of. */
import { describe, expect } from 'vitest'

import { adminToken } from '../support/bridge/bridge.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { keyOf, newAddress, signIn, type Visitor } from '../support/bridge/own-page.ts'
import { ada as known, bob as colleague } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'

const [ada, bob] = ['usr_ada', 'usr_bob'].map((userId) => ({ companyId: 'main', userId })) as [
  { companyId: string; userId: string },
  { companyId: string; userId: string },
]

interface Entry {
  readonly actor: string
  readonly action: string
  readonly userIds: readonly string[]
}

const it = base
  .extend('settings', { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'bridge' })
  /** What the directory sees and reads of somebody now. */
  .extend('read', ({ node, clock }) => async (userId: string, email: string): Promise<void> => {
    await clock.advance(1000)
    await node.store.people.seePeople('main', [{ id: userId }], clock.now())
    await node.store.people.seeMembers('main', clock.now())
    const user = { ...(userId === known.id ? known : colleague), email }
    const reading = { userId, state: 'active', user, readAt: clock.now() } as const
    await node.store.people.keepReading('main', reading, clock.now() + 1)
  })
  .extend('found', ({ node }) => async (email: string): Promise<readonly string[]> => {
    return (await node.store.peopleByMail.findByMail(email)).map(({ userId }) => userId)
  })
  .extend('audit', ({ bridge, clock }) => async (query: string): Promise<readonly Entry[]> => {
    await clock.advance(1000)
    const headers = { Authorization: `Bearer ${adminToken}` }
    const answer = await fetch(new URL(`/api/audit?${query}`, bridge.url), { headers })
    return ((await answer.json()) as { data: readonly Entry[] }).data
  })
  .extend('makeLink', ({ bridge, clock }) => async (of: Visitor, feed: string, label: string) => {
    await clock.advance(1000)
    const key = keyOf(label.slice(0, 1))
    return of.send(bridge.url, { action: 'link', feed, label, key })
  })

describe.each(databases)('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('A person loses access on leaving and regains it on return; their old address opens nothing', async ({
    bridge,
    node,
    read,
    found,
    audit,
    makeLink,
  }) => {
    await read('usr_ada', 'ada@example.com')
    const { id } = await bridge.createFeed({ userIds: ['usr_ada'], name: 'Calendar of Ada' })
    const before = await signIn(node, { person: ada, staff: null })
    expect(newAddress(await makeLink(before, id, 'phone'))).toBeDefined()
    const left = { ...ada, because: 'user_inactive', since: 1, readAt: 2, leftAt: 3 } as const
    await node.store.departures.keepDeparture({
      ...left,
      wasHere: true,
      isHeldBack: false,
      isCleared: false,
    })
    for (const path of ['/me', '/me/calendar.ics']) {
      const { status, text } = await before.open(bridge.url, path)
      expect([path, status >= 300, text.includes('Calendar of Ada')]).toEqual([path, true, false])
    }
    expect(newAddress(await makeLink(before, id, 'watch'))).toBeUndefined()

    await node.store.departures.forgetDeparture('main', 'usr_ada')
    await read('usr_ada', 'ada.new@example.com')
    await read('usr_bob', 'ada@example.com')
    expect(await found('ADA@example.com')).toEqual(['usr_bob'])
    expect(await found('ada.new@example.com')).toEqual(['usr_ada'])
    const back = await signIn(node, { person: ada, staff: null })
    for (const visitor of [before, back]) {
      expect((await visitor.open(bridge.url)).text).toContain('Calendar of Ada')
    }
    const other = await signIn(node, { person: bob, staff: null })
    expect((await other.open(bridge.url)).text).not.toContain('Calendar of Ada')
    expect((await other.open(bridge.url, `/me?feed=${id}`)).status).toBe(404)
    expect((await makeLink(other, id, 'mine')).status).toBe(404)
    expect(newAddress(await makeLink(back, id, 'tablet'))).toBeDefined()

    const hers = await audit('userId=usr_ada')
    expect(hers.map(({ actor, action }) => [actor, action])).toEqual([
      ['person:usr_ada', 'link_created'],
      ['person:usr_ada', 'link_created'],
      ['admin', 'feed_created'],
    ])
    expect(await audit('userId=usr_bob')).toEqual([])
  })

  it('An erased person returns without old audit entries; the new address owner keeps theirs', async ({
    bridge,
    node,
    read,
    audit,
    makeLink,
  }) => {
    const makeFeed = async (userId: string): Promise<string> =>
      (await bridge.createFeed({ userIds: [userId] })).id
    const erase = (userId: string): Promise<Response> =>
      bridge.api('POST', '/api/erasures', { userId })
    const staff = { actor: 'staff:ada@example.com', role: 'admin' } as const
    await read('usr_ada', 'ada@example.com')
    const gone = await signIn(node, { person: ada, staff: null })
    await makeLink(gone, await makeFeed('usr_ada'), 'phone')
    // The address is another's by the time that she is erased: what was done by it is theirs to have erased.
    await read('usr_ada', 'ada.new@example.com')
    await read('usr_bob', 'ada@example.com')
    const ofStaff = await signIn(node, { person: bob, staff })
    const other = await makeFeed('usr_bob')
    await makeLink(ofStaff, other, 'laptop')
    expect((await erase('usr_ada')).status).toBe(200)

    expect(await audit('userId=usr_ada')).toEqual([])
    const blotted = await audit('limit=1000')
    expect(JSON.stringify(blotted)).not.toMatch(/usr_ada|ada\.new/)
    const actors = blotted.filter(({ action }) => action === 'link_created')
    expect(actors.map(({ actor }) => actor)).toEqual(['person:usr_bob', 'person:erased'])
    expect((await gone.open(bridge.url)).status).not.toBe(200)
    expect((await ofStaff.open(bridge.url)).status).toBe(200)

    const anew = await makeFeed('usr_ada')
    await read('usr_ada', 'ada.new@example.com')
    expect((await gone.open(bridge.url)).status).not.toBe(200)
    await makeLink(await signIn(node, { person: ada, staff: null }), anew, 'watch')
    const hers = await audit('userId=usr_ada')
    expect(hers.map(({ actor, action }) => [actor, action])).toEqual([
      ['person:usr_ada', 'link_created'],
      ['admin', 'feed_created'],
    ])
    const erased = (await audit('limit=1000')).filter(({ actor }) => actor === 'person:erased')
    expect(erased.map(({ userIds }) => userIds)).toEqual([[]])
    expect((await erase('usr_ada')).status).toBe(200)
    expect(JSON.stringify(await audit('limit=1000'))).not.toMatch(/usr_ada|ada\.new/)
    expect(await audit('userId=usr_bob')).toHaveLength(2)
  })
})
