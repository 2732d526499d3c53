/* Feeds of teams: creating and changing them, and their warnings. */
import { describe, expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { followTeam } from '../../../src/people/teams.ts'
import { calendarUrl, type FeedAnswer, type TestBridge } from '../../support/bridge/bridge.ts'
import { it as base, pollNow } from '../../support/bridge/fixtures.ts'
import { readDirectory, type TestNode } from '../../support/bridge/node.ts'
import { silentLog } from '../../support/bridge/silent-log.ts'
import { leave } from '../../support/company/people.ts'

/** Ada, Bob and Cleo report to Mia, Dan to Bob. */
const people = [
  ['usr_ada', 'Ada', 'usr_mia'],
  ['usr_bob', 'Bob', 'usr_mia'],
  ['usr_cleo', 'Cleo', 'usr_mia'],
  ['usr_dan', 'Dan', 'usr_bob'],
  ['usr_mia', 'Mia', null],
] as const

function userOf(id: string, firstName: string, assignedManagerId: string | null) {
  const names = { firstName, lastName: `Of ${id}`, email: `${id}@example.com` }
  return { id, ...names, isActive: true, ...(assignedManagerId && { assignedManagerId }) }
}

const it = base
  .extend('settings', { DIRECTORY_FRESH_SECONDS: '3600' })
  .extend('records', ({ records }) => ({
    ...records,
    users: people.map(([id, name, manager]) => userOf(id, name, manager)),
    leaves: Object.fromEntries(people.map(([id]) => [id, [leave(`lv_${id}`, '2026-01-12')]])),
  }))
  .extend('refresh', ({ bridge: _, node, clock, company }) => async (): Promise<void> => {
    const { users } = company.records
    company.records.tasks = { prj_web: [{ id: 'tsk_all', title: 'All', assignees: users }] }
    await clock.advance(3_700_000)
    await readDirectory(node)
  })
  .extend('ask', ({ bridge, refresh }) => async (method: string, path: string, body?: object) => {
    await refresh()
    const response = await bridge.api(method, path, body)
    const answer = (await response.json()) as FeedAnswer & { errors?: object[] }
    return [response.status, answer] as const
  })

const ofMia = { managerId: 'usr_mia', depth: 'direct' } as const

async function headings(feed: FeedAnswer, language = 'en'): Promise<readonly string[]> {
  const page = calendarUrl(feed).replace(/\/[^/]*$/, `?lang=${language}`)
  const text = await (await fetch(page)).text()
  return [...text.matchAll(/<p><strong>(.*?)<\/strong>/g)].map(([, heading]) => heading ?? '')
}

describe('a new team', () => {
  it('has its members of now, for others, named after its manager', async ({ ask, bridge }) => {
    const [status, made] = await ask('POST', '/api/feeds', { team: { managerId: 'usr_mia' } })
    expect(status).toBe(201)
    outputSchemas.CreatedFeed.parse(made)
    expect(made).toMatchObject({
      userIds: ['usr_ada', 'usr_bob', 'usr_cleo'],
      team: ofMia,
      audience: 'others',
      name: "Mia's team",
    })
    expect(made).not.toHaveProperty('warnings')
    const all = { managerId: 'usr_mia', depth: 'all' }
    const german = await bridge.createFeed({ team: all, locale: 'de' })
    expect(german).toMatchObject({ name: 'Mias Team', team: all })
    expect(german['userIds']).toEqual(['usr_ada', 'usr_bob', 'usr_cleo', 'usr_dan'])
    const patched = await bridge.api('PATCH', `/api/feeds/${german.id}`, { locale: 'en' })
    expect(await patched.json()).toMatchObject({ name: "Mia's team" })
  })

  it('is refused with userIds, for audience own, or if nobody knows its manager', async ({
    ask,
  }) => {
    const refused = [
      [{}, '/userIds'],
      [{ team: null }, '/userIds'],
      [{ team: ofMia, userIds: ['usr_ada'] }, '/team'],
      [{ team: ofMia, audience: 'own' }, '/audience'],
      [{ team: {} }, '/team/managerId'],
      [{ team: { managerId: 'usr_typo' } }, '/team/managerId'],
      [{ team: { ...ofMia, depth: 'deep' } }, '/team/depth'],
    ] as const
    for (const [input, pointer] of refused) {
      const [status, { errors }] = await ask('POST', '/api/feeds', input)
      expect([status, errors]).toMatchObject([400, [{ pointer }]])
    }
  })

  it('is made with a warning while the Read API is down', async ({
    ask,
    refresh,
    company,
    bridge,
  }) => {
    await refresh()
    company.faults.set('/users/', 500)
    const response = await bridge.api('POST', '/api/feeds', { team: ofMia })
    company.faults.clear()
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({
      userIds: ['usr_ada', 'usr_bob', 'usr_cleo'],
      name: "Mia's team",
      warnings: [expect.stringContaining('could not be checked')],
    })
    expect((await ask('GET', '/api/feeds'))[0]).toBe(200)
  })

  it('with nobody in it is an empty calendar, and says so', async ({ ask, refresh, company }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: { managerId: 'usr_dan' } })
    expect(made).toMatchObject({
      userIds: [],
      warnings: [expect.stringContaining('Nobody in the people directory reports')],
    })
    expect(await pollNow(calendarUrl(made))).toMatchObject({ status: 200, titles: [] })
    expect(await headings(made)).toContain('Nobody is in this team')
    expect(await headings(made, 'de')).toContain('In diesem Team ist niemand')
    company.records.users.push(userOf('usr_eve', 'Eve', 'usr_dan'))
    company.records.leaves['usr_eve'] = [leave('lv_eve', '2026-01-13')]
    await refresh()
    for (let polls = 0; polls < 3; polls += 1) {
      await refresh()
      await pollNow(calendarUrl(made))
    }
    expect((await pollNow(calendarUrl(made))).titles).toEqual([expect.stringContaining('Eve')])
  })
})

describe('a changed team', () => {
  it('takes no users, another depth or manager, and keeps its members when it ends', async ({
    ask,
  }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: ofMia })
    const patch = (change: object) => ask('PATCH', `/api/feeds/${made.id}`, change)
    const refused = (detail: RegExp) => [
      400,
      { errors: [{ pointer: '/userIds', detail: expect.stringMatching(detail) }] },
    ]
    expect(await patch({ userIds: ['usr_ada'] })).toMatchObject(
      refused(/^Cannot be set in the team of "usr_mia", which follows/),
    )
    expect(await patch({ team: { depth: 'all' } })).toMatchObject([
      200,
      {
        team: { managerId: 'usr_mia', depth: 'all' },
        userIds: people.slice(0, 4).map(([id]) => id),
      },
    ])
    expect(await patch({ team: { managerId: 'usr_bob', depth: null } })).toMatchObject([
      200,
      { team: { managerId: 'usr_bob', depth: 'direct' }, userIds: ['usr_dan'], name: "Bob's team" },
    ])
    expect(await patch({ team: null })).toMatchObject([
      200,
      { team: null, userIds: ['usr_dan'], name: "Bob's team" },
    ])
    expect(await patch({ userIds: ['usr_ada'], name: null })).toMatchObject([
      200,
      { userIds: ['usr_ada'], name: 'Work calendar' },
    ])
    expect(await patch({ team: { depth: 'all' } })).toMatchObject([
      400,
      { errors: [{ pointer: '/team/managerId' }] },
    ])
    expect(await patch({ team: { managerId: 'usr_dan' } })).toMatchObject([
      200,
      { userIds: [], name: "Dan's team", warnings: [expect.stringContaining('Nobody')] },
    ])
    expect(await patch({ team: null })).toMatchObject(refused(/no members to keep/))
    expect(await patch({ team: null, userIds: ['usr_bob'] })).toMatchObject([
      200,
      { team: null, userIds: ['usr_bob'] },
    ])
  })

  it('is never an own calendar', async ({ ask, bridge }) => {
    const own = await bridge.createFeed({ userIds: ['usr_ada'] })
    expect(await ask('PATCH', `/api/feeds/${own.id}`, { team: ofMia })).toMatchObject([
      400,
      { errors: [{ pointer: '/team' }] },
    ])
    expect((await ask('PATCH', `/api/feeds/${own.id}`, { team: null }))[0]).toBe(200)
  })
})

describe('the warnings of a team', () => {
  it('say that its manager has left or is not known, or that too many report to them', async ({
    ask,
    bridge,
    company,
    refresh,
    node,
  }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: ofMia })
    company.records.users = company.records.users.map((user) =>
      user.id === 'usr_mia' ? { ...user, isActive: false } : user,
    )
    const [, left] = await ask('GET', `/api/feeds/${made.id}`)
    expect(left).toMatchObject({
      userIds: ['usr_ada', 'usr_bob', 'usr_cleo'],
      warnings: [expect.stringContaining('has left')],
    })
    expect(await headings(made)).toContain('The manager of this team has left')
    company.records.users.push(userOf('usr_new', 'New', null))
    // The records of so many people need not be read.
    const options = { leaves: { show: false } }
    const [, other] = await ask('POST', '/api/feeds', { team: { managerId: 'usr_new' }, options })
    await node.store.people.dropUnseen('main', Number.MAX_SAFE_INTEGER)
    expect(await headings(other)).toContain('The manager of this team is not known')
    await refresh()
    await join(node, 'usr_new', 501)
    const refused = await bridge.api('POST', '/api/feeds', { team: { managerId: 'usr_new' } })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('501 people')
    await bridge.api('PATCH', `/api/feeds/${other.id}`, { name: 'Grown' })
    const shown = await bridge.api('GET', `/api/feeds/${other.id}`)
    const grown = outputSchemas.FeedDetails.parse(await shown.json())
    expect(grown.userIds).toHaveLength(500)
    expect(grown.warnings).toEqual([expect.stringContaining('the first 500 by id')])
    expect(await headings(other)).toContain('Shows 500 of 501 people')
  })

  it('the examination says that many lost their manager at once; they stay', async ({
    ask,
    company,
    refresh,
    node,
  }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: ofMia })
    company.records.users = people.map(([id, name]) => userOf(id, name, null))
    await refresh()
    const { userIds } = (await ask('GET', `/api/feeds/${made.id}`))[1]
    expect(userIds).toEqual(['usr_ada', 'usr_bob', 'usr_cleo'])
    const { findings } = await node.examiner.run('main')
    const finding = findings.find(({ check }) => check === 'managers')
    expect(finding?.seen).toContain('Of 4 people with a manager 4 have lost theirs')
  })

  it('it ends when the id of its manager is another person’s', async ({ ask, node, bridge }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: ofMia })
    const [, above] = await ask('POST', '/api/feeds', { team: { managerId: 'usr_bob' } })
    await node.identities.replace({ companyId: 'main', userId: 'usr_mia' })
    await node.identities.replace({ companyId: 'main', userId: 'usr_dan' })
    const shown = (await bridge.api('GET', `/api/feeds/${made.id}`)).json()
    expect(await shown).toMatchObject({ closedBecause: 'another_person' })
    expect((await pollNow(calendarUrl(made))).status).toBe(410)
    const without = (await bridge.api('GET', `/api/feeds/${above.id}`)).json()
    expect(await without).toMatchObject({ userIds: [], closedBecause: null })
  })
})

describe('a change that a node missed', () => {
  it('comes with the next look at the directory', async ({ ask, node, refresh }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: ofMia })
    await join(node, 'usr_mia', 1)
    expect((await node.store.feeds.findFeed(made.id))?.userIds).toHaveLength(3)
    await refresh()
    expect((await node.store.feeds.findFeed(made.id))?.userIds).toHaveLength(4)
  })

  it('is corrected by the node that writes last', async ({ ask, node, bridge }) => {
    const [, made] = await ask('POST', '/api/feeds', { team: ofMia })
    const { store } = node
    await join(node, 'usr_mia', 1)
    let isFirst = true
    const teams = {
      ...store.teams,
      async listMembers(...of: Parameters<typeof store.teams.listMembers>) {
        const members = await store.teams.listMembers(...of)
        // What another node reads, erases and follows meanwhile leaves the feed as it is.
        if (isFirst) await erase(bridge)
        isFirst = false
        return members
      },
    }
    await followTeam({ teams, feeds: store.feeds, log: silentLog }, made.id)
    expect((await store.feeds.findFeed(made.id))?.userIds).toEqual(made['userIds'])
  })
})

/** Adds people whom no node has read itself. */
async function join({ store, clock }: TestNode, managerId: string, count: number): Promise<void> {
  const users = Array.from({ length: count }, (_, number) =>
    userOf(`new_${number}`, 'New', managerId),
  )
  await store.people.seePeople('main', users, clock.now())
  for (const user of users) {
    const reading = { userId: user.id, state: 'active', user, readAt: clock.now() } as const
    await store.people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
  }
}

async function erase(bridge: TestBridge): Promise<void> {
  const erased = await bridge.api('POST', '/api/erasures', { userId: 'new_0', companyId: 'main' })
  expect(erased.status).toBe(200)
}
