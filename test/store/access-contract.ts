import { randomBytes } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import type {
  AuditEntry,
  AuditFilter,
  AuditEvent,
  AuditSubject,
} from '../../src/domain/access/audit-entry.ts'
import type { ApiToken, Session } from '../../src/domain/access/staff.ts'
import type { Person } from '../../src/domain/person.ts'
import { adasFeed, departureOf, linkTo, makeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What the stores of who may do what, and of who did, promise. */
export function testAccess(stores: Stores): void {
  describe('audit log', () => {
    testAudit(stores)
  })
  describe('tokens', () => {
    testTokens(stores)
  })
  describe('sign-ins', () => {
    testSessions(stores)
  })
  describe('lost links', () => {
    testLostLinks(stores)
  })
  it('a scratch store starts with the known people, but without sessions, tokens or audit entries', async () => {
    const { audit, sessions, tokens, people } = stores.store
    const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
    const [cookieHash, tokenHash] = [secretHash(), secretHash()]
    const known = { companyId, createdAt: 1, lastUsedAt: null, role: 'admin' } as const
    const user = { id: userId, email: `${userId}@example.com` }
    await people.seePeople(companyId, [user], 1)
    await people.keepReading(companyId, { userId, state: 'active', user, readAt: 2 }, 9)
    await tokens.createToken({ ...known, tokenHash, name: uniqueId('token') })
    const person = { companyId, userId }
    await sessions.createSession({ cookieHash, person, staff: null, createdAt: 1, endsAt: 9e14 })
    const auditEvent = { at: 1, actor: 'admin', action: 'mail_sent' } as const
    await audit.addEntry(auditEvent, { companyId, feedId: null, userIds: [userId], label: null })
    const scratch = await stores.store.openScratch()
    expect(await scratch.sessions.findSession(cookieHash)).toBeUndefined()
    expect(await scratch.tokens.listTokens(null)).toEqual([])
    expect(await scratch.audit.listEntries({ limit: 9 })).toEqual([])
    expect(await scratch.peopleByMail.findByMail(user.email)).toMatchObject([person])
    await scratch.close()
  })

  describe('finding people by email address', () => {
    testPeopleByMail(stores)
  })
  describe('the only feed of a person', () => {
    testOnlyFeed(stores)
  })
}

const secretHash = (): Uint8Array => new Uint8Array(randomBytes(32))

function testAudit({ store: { audit } }: Stores): void {
  /** Ten entries of a company of their own, three of each instant, as they are listed. */
  async function made(): Promise<{ companyId: string; all: readonly AuditEntry[] }> {
    const companyId = uniqueId('company')
    for (let number = 0; number < 10; number += 1) {
      const action = number % 2 === 0 ? 'link_created' : 'feed_changed'
      const auditEvent: AuditEvent = {
        at: 1000 + Math.floor(number / 3),
        actor: `token:${number}`,
        action,
      }
      const feedId = `${companyId} feed ${number % 4}`
      const userIds = number === 0 ? [] : [`usr_${number % 3}`, `"usr_${number}`]
      await audit.addEntry(auditEvent, { companyId, feedId, userIds, label: `of ${number}` })
    }
    return { companyId, all: await audit.listEntries({ companyId, limit: 99 }) }
  }

  it('audit entries are listed newest first', async () => {
    const { all } = await made()
    expect(all).toHaveLength(10)
    const isAfter = (one: AuditEntry, other: AuditEntry): boolean =>
      one.at > other.at || (one.at === other.at && one.id > other.id)
    expect(all.every((entry, index) => index === 0 || isAfter(all[index - 1]!, entry))).toBe(true)
    expect(all.find(({ label }) => label === 'of 4')).toMatchObject({
      at: 1001,
      actor: 'token:4',
      action: 'link_created',
      userIds: ['usr_1', '"usr_4'],
    })
  })

  it('pages contain every entry exactly once, however many share one instant', async () => {
    const { companyId, all } = await made()
    for (const limit of [1, 2, 4, 10]) {
      const paged: AuditEntry[] = []
      for (;;) {
        const page = await audit.listEntries({ companyId, after: paged.at(-1), limit })
        expect(page.length).toBeLessThanOrEqual(limit)
        if (page.length === 0) break
        paged.push(...page)
      }
      expect(paged).toEqual(all)
    }
  })

  it('each filter returns the matching entries, and filters can be combined', async () => {
    const { companyId, all } = await made()
    const feedId = `${companyId} feed 2`
    const filters: [Omit<AuditFilter, 'limit'>, (entry: AuditEntry) => boolean][] = [
      [{ feedId }, (entry) => entry.feedId === feedId],
      [{ userId: 'usr_1' }, ({ userIds }) => userIds.includes('usr_1')],
      [{ userId: '"usr_1' }, ({ userIds }) => userIds.includes('"usr_1')],
      [{ actions: ['link_created'] }, ({ action }) => action === 'link_created'],
      [{ since: 1002 }, ({ at }) => at >= 1002],
      [
        { actions: ['feed_changed'], since: 1001 },
        (e) => e.action === 'feed_changed' && e.at > 1000,
      ],
      [{ until: 1002 }, ({ at }) => at < 1002],
      [{ actors: ['token:7'] }, ({ actor }) => actor === 'token:7'],
      [
        { actors: ['token:7', 'admin'], userId: 'usr_1', actions: ['feed_changed'], until: 1003 },
        ({ actor }) => actor === 'token:7',
      ],
      [{ actors: ['token:7', 'admin'], actions: ['link_created'] }, () => false],
      [{ feedId, actors: ['token:2', 'token:1'] }, ({ actor }) => actor === 'token:2'],
      [{ actions: [] }, () => false],
      [{ actors: [] }, () => false],
      [{ after: all[3]! }, (entry) => all.indexOf(entry) > 3],
    ]
    for (const [filter, isMeant] of filters) {
      const listed = await audit.listEntries({ companyId, ...filter, limit: 99 })
      expect(listed).toEqual(all.filter(isMeant))
    }
    expect(await audit.listEntries({ feedId, limit: 99 })).toHaveLength(2)
  })

  it('the person filter does not match similar ids', async () => {
    const companyId = uniqueId('company')
    const ids = [
      'usr_a',
      'USR_A',
      'usr_a"',
      '"usr_a',
      'usr%',
      ',"usr_a',
      '[usr_a',
      String.raw`usr\a`,
    ]
    const object = { companyId, feedId: null, label: null }
    for (const [at, id] of ids.entries()) {
      const auditEvent: AuditEvent = { at, actor: 'admin', action: 'mail_sent' }
      await audit.addEntry(auditEvent, { ...object, userIds: ['other', id] })
      await audit.addEntry(auditEvent, { ...object, userIds: [id, 'other'] })
    }
    for (const [at, userId] of ids.entries()) {
      const found = await audit.listEntries({ companyId, userId, limit: 99 })
      expect(found.map((entry) => entry.at)).toEqual([at, at])
    }
    expect(await audit.listEntries({ companyId, userId: 'usr_', limit: 99 })).toEqual([])
  })

  it('dropping entries before an instant keeps those at that instant', async () => {
    const companyId = uniqueId('company')
    const object: AuditSubject = { companyId, feedId: null, userIds: [], label: null }
    for (const at of [-3, -2, -1]) {
      await audit.addEntry({ at, actor: 'bridge', action: 'feed_closed' }, object)
    }
    await audit.dropBefore(-2)
    const left = await audit.listEntries({ companyId, limit: 9 })
    expect(left.map(({ at }) => at)).toEqual([-1, -2])
  })
}

function testTokens({ store, nodes }: Stores): void {
  const { tokens } = store
  const tokenOf = (changes: Partial<ApiToken> = {}): ApiToken => ({
    name: uniqueId('token'),
    tokenHash: secretHash(),
    role: 'support',
    companyId: null,
    createdAt: 5,
    lastUsedAt: null,
    ...changes,
  })

  it('a token is found by its hash and by no other', async () => {
    const token = tokenOf()
    await tokens.createToken(token)
    expect(await tokens.findByHash(token.tokenHash)).toEqual(token)
    expect(await tokens.findByHash(secretHash())).toBeUndefined()
  })

  it.each([
    [null, null],
    ['north', 'north'],
  ])(
    'a token name is unique: when two nodes create it at once, one succeeds (%s, %s)',
    async (...of) => {
      for (let round = 0; round < 5; round += 1) {
        const name = uniqueId('token')
        const making = nodes.map((node, at) =>
          node.call('tokens', 'createToken', tokenOf({ name, companyId: of[at]! })),
        )
        const made = await Promise.allSettled(making)
        expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const more = tokenOf({ name, companyId: of[1] })
        await expect(tokens.createToken(more)).rejects.toMatchObject({ code: 'conflict' })
        const listed = await tokens.listTokens(null)
        expect(listed.filter((token) => token.name === name)).toHaveLength(1)
      }
    },
  )

  it('two companies can use the same token name', async () => {
    const [north, south] = [uniqueId('north'), uniqueId('south')]
    const name = uniqueId('token')
    const [one, other] = [tokenOf({ name, companyId: north }), tokenOf({ name, companyId: south })]
    for (const token of [one, other]) await tokens.createToken(token)
    await expect(tokens.deleteToken(name, null)).rejects.toMatchObject({ code: 'conflict' })
    expect(await tokens.listTokens(north)).toEqual([one])
    expect(await tokens.deleteToken(name, north)).toEqual(one)
    expect(await tokens.findByHash(other.tokenHash)).toEqual(other)
    expect(await tokens.deleteToken(name, null)).toEqual(other)
  })

  it('without a company, a name means the token for all companies first', async () => {
    const [name, north] = [uniqueId('token'), uniqueId('north')]
    const [ofAll, one] = [tokenOf({ name }), tokenOf({ name, companyId: north })]
    await tokens.createToken(ofAll)
    await tokens.createToken(one)
    const more = tokenOf({ name, companyId: uniqueId('south') })
    await expect(tokens.createToken(more, undefined, null)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await tokens.deleteToken(name, null)).toEqual(ofAll)
    expect(await tokens.deleteToken(name, null, undefined, true)).toBeUndefined()
    expect(await tokens.deleteToken(name, null)).toEqual(one)
  })

  it('tokens of a company are listed and revoked only within that company', async () => {
    const companyId = uniqueId('company')
    const [one, two, all] = [tokenOf({ companyId }), tokenOf({ companyId }), tokenOf()]
    for (const token of [one, two, all]) await tokens.createToken(token)
    const names = [one.name, two.name].toSorted()
    expect((await tokens.listTokens(companyId)).map(({ name }) => name)).toEqual(names)
    expect(await tokens.deleteToken(all.name, companyId)).toBeUndefined()
    expect(await tokens.deleteToken(one.name, uniqueId('company'))).toBeUndefined()
    expect(await tokens.deleteToken(one.name, companyId)).toEqual(one)
    expect(await tokens.deleteToken(one.name, null)).toBeUndefined()
    expect(await tokens.findByHash(one.tokenHash)).toBeUndefined()
    expect(await tokens.deleteToken(all.name, null)).toEqual(all)
  })

  it('one of several simultaneous uses is recorded, the next only after the interval has passed', async () => {
    const token = tokenOf()
    await tokens.createToken(token)
    const use = (usedAt: number): Promise<unknown[]> =>
      Promise.all(
        [...nodes, ...nodes].map((node, at) =>
          node.call('tokens', 'markUsed', token.tokenHash, usedAt + at, usedAt + at - 60),
        ),
      )
    for (const usedAt of [1000, 1050, 1080]) {
      const noted = (await use(usedAt)).filter((isNoted) => isNoted === true)
      expect([usedAt, noted.length]).toEqual([usedAt, usedAt === 1050 ? 0 : 1])
    }
    const { lastUsedAt } = (await tokens.findByHash(token.tokenHash))!
    expect(Math.floor((lastUsedAt ?? 0) / 10)).toBe(108)
  })
}

function testSessions({ store, nodes }: Stores): void {
  const sessionOf = (changes: Partial<Session> = {}): Session => ({
    cookieHash: secretHash(),
    person: null,
    staff: null,
    staffToken: null,
    createdAt: 5,
    endsAt: 9e14,
    ...changes,
  })
  const person = { companyId: 'main', userId: 'usr_ada' }
  const staff = { actor: 'staff:ada@example.com', role: 'admin' } as const

  it.each([
    ['a person', { person }],
    ['one of the staff', { staff }],
    ['somebody who is both', { person, staff }],
    ['one with a token', { staffToken: secretHash() }],
  ])('%s stays signed in on all nodes until signing out on one', async (_, who) => {
    const session = sessionOf(who)
    await nodes[0].call('sessions', 'createSession', session)
    expect(await store.sessions.findSession(session.cookieHash)).toEqual(session)
    await nodes[1].call('sessions', 'deleteSession', session.cookieHash)
    await nodes[1].call('sessions', 'deleteSession', session.cookieHash)
    expect(await store.sessions.findSession(session.cookieHash)).toBeUndefined()
  })

  it('drops ended sessions and keeps the others', async () => {
    const [ended, open] = [sessionOf({ endsAt: 100 }), sessionOf({ endsAt: 101 })]
    for (const session of [ended, open]) await store.sessions.createSession(session)
    await store.sessions.dropEnded(100)
    expect(await store.sessions.findSession(ended.cookieHash)).toBeUndefined()
    expect(await store.sessions.findSession(open.cookieHash)).toEqual(open)
  })
}

function testLostLinks({ store, nodes }: Stores): void {
  it('simultaneous requests on several nodes never get more turns than allowed', async () => {
    for (const most of [1, 3]) {
      const person = { companyId: uniqueId('company'), userId: uniqueId('usr') }
      const turn = { now: 1000, since: 500, most }
      const asked = Array.from({ length: 6 }, (_, index) =>
        index % 3 === 0
          ? store.lostLinks.takeTurn(person, turn)
          : nodes[index % 2]!.call('lostLinks', 'takeTurn', person, turn),
      )
      const taken = (await Promise.all(asked)).filter(Boolean)
      expect(taken).toHaveLength(most)
    }
  })

  it('each person has turns of their own, which return after a while', async () => {
    const person = { companyId: uniqueId('company'), userId: uniqueId('usr') }
    const take = (now: number, changes: object = {}): Promise<boolean> =>
      store.lostLinks.takeTurn({ ...person, ...changes }, { now, since: now - 500, most: 1 })
    expect(await take(1000)).toBe(true)
    expect(await take(1000, { companyId: uniqueId('company') })).toBe(true)
    expect(await take(1000, { userId: uniqueId('usr') })).toBe(true)
    expect(await take(1500)).toBe(false)
    expect(await take(1501)).toBe(true)
  })
}

function testPeopleByMail({ store }: Stores): void {
  const { people, peopleByMail, departures } = store

  async function employ(
    email: string,
    state: Person['state'] = 'active',
    companyId = uniqueId('company'),
  ) {
    const id = uniqueId('usr')
    const user = { id, email, firstName: 'Ada', lastName: 'Lovelace' }
    await people.seePeople(companyId, [{ id }], 1)
    if (state === 'unread') return { companyId, userId: id }
    await people.keepReading(companyId, { userId: id, state, user, readAt: 2 }, 9)
    return { companyId, userId: id }
  }

  it('ignores the case of A to Z, but does not match look-alike letters', async () => {
    const name = uniqueId('kim')
    const found = async (email: string): Promise<number> =>
      (await peopleByMail.findByMail(email)).length
    await employ(`${name.toUpperCase()}@Example.com`)
    expect(await found(` ${name}@EXAMPLE.com `)).toBe(1)
    expect(await found(`${name.replace('k', '\u212A')}@example.com`)).toBe(0)
    expect(await found(`${name.replace('i', 'ı')}@example.com`)).toBe(0)
    expect(await found(`${name}@example.com.`)).toBe(0)
    expect(await found(`${name.replace('_', '%')}@example.com`)).toBe(0)
    expect(await found('')).toBe(0)
  })

  it('finds a person in every company, with what is known of them', async () => {
    const email = `${uniqueId('Ada')}@example.com`
    const [one, two] = [await employ(email), await employ(email, 'misnamed')]
    await departures.keepDeparture({ ...departureOf(one.companyId, one.userId), leftAt: 3 })
    const known = { firstName: 'Ada', lastName: 'Lovelace', email }
    const all = [
      { ...one, ...known, state: 'active', hasLeft: true },
      { ...two, ...known, state: 'misnamed', hasLeft: false },
    ].toSorted((a, b) => (a.companyId < b.companyId ? -1 : 1))
    expect(await peopleByMail.findByMail(email.toLowerCase())).toEqual(all)
    const { email: _, ...byId } = all.find(({ userId }) => userId === one.userId)!
    expect(await peopleByMail.findById(one.userId)).toEqual([byId])
  })

  it('a doubted person has not left, and a reused address finds its new owner', async () => {
    const email = `${uniqueId('ada')}@example.com`
    const { companyId, userId } = await employ(email)
    await departures.keepDeparture(departureOf(companyId, userId))
    expect(await peopleByMail.findByMail(email)).toMatchObject([{ userId, hasLeft: false }])
    const user = { id: userId, email: `new-${email}` }
    await people.keepReading(companyId, { userId, state: 'active', user, readAt: 3 }, 9)
    const next = await employ(email, 'active', companyId)
    expect(await peopleByMail.findByMail(email)).toMatchObject([{ userId: next.userId }])
    expect(await peopleByMail.findByMail(`new-${email}`)).toMatchObject([{ userId }])
  })

  it('an address of any length is stored, but an overlong one is not found', async () => {
    const email = `${randomBytes(6000).toString('hex')}@example.com`
    const { companyId, userId } = await employ(email)
    expect((await people.findPerson(companyId, userId))?.email).toBe(email)
    expect(await peopleByMail.findByMail(email)).toEqual([])
  })
}

function testOnlyFeed({ store, nodes }: Stores): void {
  const feedOf = (companyId: string, userId: string, changes: object = {}) => {
    const feed = adasFeed({ companyId, userIds: [userId], ...changes })
    return { feed, link: linkTo(feed) }
  }

  it('is created by exactly one of several nodes', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
      const auditEvent = { at: 1, actor: `person:${userId}`, action: 'feed_created' }
      const made = await Promise.all(
        [...nodes, ...nodes].map((node) =>
          node.call('feeds', 'createOnlyFeed', feedOf(companyId, userId), auditEvent),
        ),
      )
      expect(made.filter(Boolean)).toHaveLength(1)
      const feeds = await store.feeds.listFeeds({ companyId, userIds: [userId], limit: 9 })
      expect(feeds).toHaveLength(1)
      expect(await store.audit.listEntries({ companyId, limit: 9 })).toHaveLength(1)
    }
  })

  it('closed and revoked feeds count, feeds of another company or for others do not', async () => {
    const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
    await makeFeed(store, { userIds: [userId] })
    await makeFeed(store, { companyId, userIds: [userId], audience: 'others' })
    const only = feedOf(companyId, userId, { closedAt: 1 })
    expect(await store.feeds.createOnlyFeed(only)).toBe(true)
    expect(await store.feeds.createOnlyFeed(feedOf(companyId, userId))).toBe(false)
    await store.feeds.changeFeed(only.feed.id, (feed) => ({ ...feed, revokedAt: 2 }))
    expect(await store.feeds.createOnlyFeed(feedOf(companyId, userId))).toBe(false)
  })
}
