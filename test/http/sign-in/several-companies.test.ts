/* People whom several companies know by one account: they choose, and no company locks another's people out. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { inject, it as bareIt, describe, expect } from 'vitest'

import { see } from '../../support/adversary/seen-people.ts'
import { readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { startCompanyServer } from '../../support/company/company-server.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import { startMailServer } from '../../support/web/mail-server.ts'
import { type RogueProvider, startRogueProvider } from '../../support/web/rogue-provider.ts'

const address = 'ada@both.example'

const it = bareIt
  .extend('rule', 'email')
  .extend('clock', () => createFakeClock())
  .extend('server', () => startMailServer())
  .extend('world', async ({ rule, clock, server }, { onCleanup }): Promise<World> => {
    const provider = await startRogueProvider()
    const company = await startCompanyServer()
    const file = path.join(inject('temporaryFolder'), `${randomBytes(8).toString('hex')}.json`)
    const names = { north: 'North <b>& Sons', south: 'South', west: 'West', east: 'East' }
    const { WORKFORCE_BASE_URL: baseUrl } = readsFrom(company.url)
    const companies = Object.entries(names).map(([id, name]) => ({
      id,
      name,
      baseUrl,
      timezone: 'UTC',
    }))
    writeFileSync(file, JSON.stringify(companies))
    const environment = {
      ...provider.environment,
      ...server.environment,
      COMPANIES_FILE: file,
      OIDC_PERSON: rule,
      OIDC_ADMIN: 'groups=hr-admins',
    }
    const bridge = await startBridge({ environment, clock })
    const mail = { email: address }
    await see(
      bridge,
      { id: 'usr_ada', companyId: 'north', ...mail },
      { id: 'usr_ada', companyId: 'south', email: 'ADA@both.example' },
      { id: 'usr_ada', companyId: 'west', state: 'user_inactive', ...mail },
      { id: 'usr_twin_1', companyId: 'east', ...mail },
      { id: 'usr_twin_2', companyId: 'east', ...mail },
      { id: 'usr_bob', companyId: 'north', email: 'bob@north.example' },
      { id: 'usr_bob_1', companyId: 'east', email: 'bob@north.example' },
      { id: 'usr_bob_2', companyId: 'east', email: 'bob@north.example' },
    )
    company.records.users.push({ id: 'usr_ada', firstName: 'Ada', lastName: 'L', email: address })
    onCleanup(async () => {
      for (const one of [bridge, provider, company, server]) await one.close()
    })
    return { bridge, provider }
  })

interface World {
  readonly bridge: TestBridge
  readonly provider: RogueProvider
}

async function arrive(world: World, claims: object, language = 'en') {
  world.provider.lie({ idToken: { email_verified: true, ...claims } })
  const browser = new TestBrowser()
  const begin = `${world.bridge.url}/sign-in`
  const { url } = await browser.follow(begin, {
    stopsAt: ({ pathname }) => pathname === '/sign-in/company' || pathname === '/me',
  })
  const response = await browser.ask(url, { headers: { 'Accept-Language': language } })
  return { browser, url, response, page: await response.text() }
}

interface Form {
  readonly action: string
  readonly state: string
  /** By their ids. */
  readonly companies: ReadonlyMap<string, string>
}

function formOf(page: string): Form {
  const buttons = [
    ...page.matchAll(/<button type="submit" name="company" value="(\w+)">([^\n]+)<\/button>/g),
  ]
  return {
    action: /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? '',
    state: /name="state" value="([^"]+)"/.exec(page)?.[1] ?? '',
    companies: new Map(
      buttons.map(([, id = '', name = '']) => [id, name.replaceAll(/[\u2066-\u2069]/g, '')]),
    ),
  }
}

function choose(
  { bridge }: World,
  browser: TestBrowser,
  { action, state }: Form,
  company: string,
  headers: Record<string, string> = { Origin: bridge.url },
): Promise<Response> {
  const body = new URLSearchParams({ state, company })
  return browser.ask(new URL(action, bridge.url), { method: 'POST', headers, body })
}

async function personOf({ bridge }: World, browser: TestBrowser): Promise<unknown> {
  const { access } = await bridge.node()
  const session = await access.sessions.find(browser.jar(bridge.url).get('cfb_session') ?? '')
  return session && { person: session.person, staff: session.staff }
}

const claims = { email: address, employee_id: 'usr_ada' }

describe('the choice of a company', () => {
  it('a person known to two companies chooses once, in their language, without scripts', async ({
    world,
  }) => {
    const { browser, url, response, page } = await arrive(world, claims)
    expect([url.pathname, response.status]).toEqual(['/sign-in/company', 200])
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect([policy.includes('unsafe'), response.headers.get('cache-control')]).toEqual([
      false,
      'no-store',
    ])
    expect(page).toContain('Which company?')
    const form = formOf(page)
    expect([...form.companies]).toEqual([
      ['north', 'North &lt;b&gt;&amp; Sons'],
      ['south', 'South'],
    ])
    const german = await browser.ask(`${url.href}&lang=de`)
    expect(await german.text()).toContain('In welchem Unternehmen?')
    expect(browser.jar(world.bridge.url).has('cfb_session')).toBe(false)
    const foreign = await choose(world, browser, form, 'south', { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    const signingIn = browser.jar(world.bridge.url).get('cfb_signing_in') ?? ''
    const chosen = await choose(world, browser, form, 'south')
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/me'])
    expect([...browser.jar(world.bridge.url).keys()]).toEqual(['cfb_session'])
    const person = { companyId: 'south', userId: 'usr_ada' }
    expect(await personOf(world, browser)).toEqual({ person, staff: null })
    expect((await browser.ask(`${world.bridge.url}/me`)).status).toBeLessThan(400)
    // Not even with the cookie of before.
    browser.jar(world.bridge.url).set('cfb_signing_in', signingIn)
    expect((await choose(world, browser, form, 'north')).status).toBe(400)
    expect(await personOf(world, browser)).toEqual({ person, staff: null })
  })

  it('only an offered company can be chosen, by the same browser, within ten minutes', async ({
    world,
    clock,
  }) => {
    const { browser, page } = await arrive(world, claims)
    const form = formOf(page)
    for (const company of ['west', 'east', 'nowhere', '']) {
      expect((await choose(world, browser, form, company)).status).toBe(400)
    }
    const other = { ...form, state: `${form.state}x` }
    expect((await choose(world, browser, other, 'north')).status).toBe(400)
    const stranger = await arrive(world, claims)
    expect((await choose(world, stranger.browser, form, 'north')).status).toBe(400)
    expect((await choose(world, new TestBrowser(), form, 'north')).status).toBe(400)
    await clock.advance(600_001)
    expect((await choose(world, browser, form, 'north')).status).toBe(400)
    expect(browser.jar(world.bridge.url).has('cfb_session')).toBe(false)
  })

  it('staff stay staff, whichever company they choose', async ({ world }) => {
    const { browser, page } = await arrive(world, { ...claims, groups: ['hr-admins'] })
    await choose(world, browser, formOf(page), 'north')
    expect(await personOf(world, browser)).toMatchObject({
      person: { companyId: 'north' },
      staff: { role: 'admin' },
    })
  })

  it('a person who has left a company meanwhile cannot choose it', async ({ world }) => {
    const { browser, page } = await arrive(world, claims)
    await see(world.bridge, {
      id: 'usr_ada',
      companyId: 'south',
      state: 'user_inactive',
      email: address,
      readAt: 9e14,
    })
    expect((await choose(world, browser, formOf(page), 'south')).status).toBe(400)
    const alone = await arrive(world, claims)
    expect(alone.url.pathname).toBe('/me')
  })
})

describe('people known by email', () => {
  it.override('rule', 'email')

  it('a company with two people of one address does not lock out people of another company', async ({
    world,
  }) => {
    const { url, browser } = await arrive(world, { email: 'bob@north.example' })
    expect(url.pathname).toBe('/me')
    expect(await personOf(world, browser)).toMatchObject({
      person: { companyId: 'north', userId: 'usr_bob' },
    })
  })

  it('a lost link is mailed for each company where the address belongs to one person', async ({
    world,
    clock,
    server,
  }) => {
    const { bridge } = world
    for (const companyId of ['north', 'south']) {
      await bridge.createFeed({ companyId, userIds: ['usr_ada'], name: `Of ${companyId}` })
    }
    const asked = await fetch(`${bridge.url}/lost-link`, {
      method: 'POST',
      headers: { Origin: bridge.url },
      body: new URLSearchParams({ email: address }),
    })
    expect([asked.status, server.mails.length]).toEqual([200, 0])
    const mailed = server.received(2)
    await clock.advance(4000)
    await mailed
    expect(server.mails.map(({ to }) => to)).toEqual([[address], [address]])
    const texts = server.mails.map(({ raw }) => raw).join('')
    for (const name of ['Of north', 'Of south']) expect(texts).toContain(name)
  })
})

describe('people known by user id', () => {
  it.override('rule', 'claim:employee_id')

  it('an id that two companies use may belong to two people and signs in neither', async ({
    world,
  }) => {
    world.provider.lie({ idToken: claims })
    const browser = new TestBrowser()
    const { url, response } = await browser.follow(`${world.bridge.url}/sign-in`)
    expect([url.pathname, response.status]).toEqual(['/sign-in/callback', 403])
    expect(await response.text()).toContain('This personnel id exists in several companies')
    expect(browser.jar(world.bridge.url).has('cfb_session')).toBe(false)
  })

  it.for(['user_missing', 'user_inactive', 'misnamed', 'unread', 'held'] as const)(
    'an id that two companies use is refused even if the other person is %s',
    async (state, { world: { bridge, provider } }) => {
      const { store } = await bridge.node()
      const [id, companyId] = ['usr_cleo', 'south']
      await see(bridge, { id, companyId: 'north', email: 'cleo@north.example' })
      await store.people.seePeople(companyId, [{ id, firstName: 'Cleo', lastName: 'S' }], 1)
      if (state === 'held') await hold(bridge, companyId, id)
      else if (state !== 'unread') await see(bridge, { id, companyId, state })
      provider.lie({ idToken: { ...claims, employee_id: id } })
      const browser = new TestBrowser()
      const { response } = await browser.follow(`${bridge.url}/sign-in`)
      expect(await response.text()).toContain('This personnel id exists in several companies')
      expect(browser.jar(bridge.url).has('cfb_session')).toBe(false)
    },
  )
})

/** From now on the id may be somebody else's there. */
async function hold(bridge: TestBridge, companyId: string, userId: string): Promise<void> {
  const { store } = await bridge.node()
  await store.newcomers.addNewcomer({ companyId, userId, since: 3, readAt: 3, confirmedAt: null })
}
