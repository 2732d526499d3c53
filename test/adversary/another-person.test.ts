/* An id that becomes somebody else's: with or without a gap, nothing of the newcomer is shown by an old link. */
import { createServer } from 'node:http'

import { describe, expect, vi } from 'vitest'

import { commandLine } from '../../src/domain/access/staff.ts'
import { confirmPerson } from '../../src/people/identities.ts'
import { it as withLies } from '../support/adversary/adversary-fixture.ts'
import type { Lie } from '../support/adversary/lie.ts'
import { calendarUrl, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { it as bareIt, pollNow, type PollAnswer } from '../support/bridge/fixtures.ts'
import type { TestNode } from '../support/bridge/node.ts'
import { recordedLog } from '../support/bridge/recorded-log.ts'
import { allOr } from '../support/bridge/thorough.ts'
import type { CompanyServer, Json } from '../support/company/company-server.ts'
import { ada, bob, leave, task, timesheet } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'
import { closeServer, listenHere } from '../support/web/local-server.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const known = { ...ada, email: 'ada@example.com' }
const colleague = { ...bob, email: 'bob@example.com' }
const newcomer = { ...ada, firstName: 'Eve', lastName: 'Moneypenny', email: 'eve@example.org' }

const it = bareIt.extend('records', ({ records }) => ({
  ...records,
  users: [known, colleague],
  tasks: {
    prj_web: [task('tsk_ada', '2026-01-20', [ada]), task('tsk_both', '2026-01-22', [ada, bob])],
  },
}))

/** The id is somebody else's from now on, with all that is theirs. */
function replace({ records }: CompanyServer): void {
  records.users = [newcomer, colleague]
  records.leaves['usr_ada'] = [leave('lv_eve', '2026-01-14')]
  records.timesheets = [timesheet('clqeve', 'usr_ada', '2026-01-16', '2026-01-31')]
  records.tasks['prj_web'] = [
    task('tsk_eve', '2026-01-23', [newcomer]),
    task('tsk_both', '2026-01-22', [newcomer, bob]),
  ]
}

const ofAda = ['Leave lv_ada1', 'Leave lv_ada2', 'Task tsk_ada', 'Task tsk_both']

async function listed(bridge: TestBridge, address: string): Promise<readonly Json[]> {
  const { data } = (await (await bridge.api('GET', address)).json()) as { data: Json[] }
  return data
}

/** The same Read API, of which leaves are answered once they are let go. */
async function startSlowLeaves({ url }: CompanyServer) {
  let gate = Promise.resolve()
  let release = (): void => undefined
  const server = createServer((request, response) => {
    const held = request.url?.includes('/leaves') ? gate : Promise.resolve()
    void held
      .then(() => fetch(url + request.url))
      .then(async (answer) => {
        response.writeHead(answer.status, { 'Content-Type': 'application/json' })
        response.end(await answer.text())
      })
  })
  return {
    url: await listenHere(server),
    hold: (): void => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      release = resolve
    },
    release: (): void => release(),
    close: () => closeServer(server),
  }
}

/** As `person confirm` does. */
function confirm({ confirming }: TestNode, isSame: boolean): Promise<unknown> {
  return confirmPerson(confirming, { userId: 'usr_ada', isSame }, commandLine)
}

function shownOf(titles: readonly string[]): readonly string[] {
  return titles.filter((title) => /^(Leave|Task) /.test(title)).toSorted()
}

describe.for(anyDatabase())('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', () => createMigrated())

  it('an id that becomes another person’s without a gap keeps its last good calendar, then ends', async ({
    company,
    clock,
    bridge,
    feedOf,
    poll,
  }) => {
    const address = await feedOf('usr_ada')
    const before = await poll(address)
    expect(shownOf(before.titles)).toEqual(ofAda)
    replace(company)
    for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 180) {
      await clock.advance(180 * minuteMs)
      const { status, text } = await poll(address)
      expect(status).toBe(200)
      expect(text).toBe(before.text)
    }
    await clock.advance(5 * dayMs)
    expect((await poll(address)).status).toBe(410)
    expect(await listed(bridge, '/api/feeds?userId=usr_ada')).toMatchObject([
      { closedBecause: 'another_person' },
    ])
    const audit = await listed(bridge, '/api/audit?userId=usr_ada')
    expect(audit.map(({ action }) => action).toSorted()).toEqual([
      'feed_closed',
      'feed_created',
      'person_held',
      'person_replaced',
    ])
    const fresh = await poll(await feedOf('usr_ada'))
    expect(shownOf(fresh.titles)).toEqual(['Leave lv_eve', 'Task tsk_both', 'Task tsk_eve'])
    expect((await poll(address)).status).toBe(410)
  })

  it('an id that returns as another person does not reopen the old address', async ({
    company,
    clock,
    bridge,
    feedOf,
    poll,
    node,
  }) => {
    const address = await feedOf('usr_ada')
    await poll(address)
    company.records.users = [colleague]
    company.records.leaves['usr_ada'] = []
    await clock.advance(13 * hourMs)
    await poll(address)
    // That the id is unknown is noted beside the answer.
    await bridge.settled()
    await clock.advance(dayMs)
    await node.departures.readAgain(new AbortController().signal)
    expect((await pollNow(address)).status).toBe(410)
    await clock.advance(3 * dayMs)
    replace(company)
    for (let hours = 0; hours < 72; hours += 6) {
      await node.departures.readAgain(new AbortController().signal)
      expect((await poll(address)).status).toBe(410)
      await clock.advance(6 * hourMs)
    }
    const fresh = await poll(await feedOf('usr_ada'))
    expect(shownOf(fresh.titles)).toContain('Leave lv_eve')
    expect((await poll(address)).status).toBe(410)
  })

  it.for([
    ['whose account has no address yet', { email: null }],
    ['whose account has no name yet', { firstName: null, lastName: null }],
  ] as const)('the id of a newcomer %s is held', async ([, missing], { company, feedOf, poll }) => {
    const address = await feedOf('usr_ada')
    const before = await poll(address)
    replace(company)
    company.records.users = [{ ...newcomer, ...missing }, colleague]
    for (let polls = 0; polls < 4; polls += 1) {
      expect((await poll(address)).text).toBe(before.text)
    }
  })

  it('an id that lost its mail address, left and returns without one as another person does not reopen the old address', async ({
    company,
    clock,
    bridge,
    feedOf,
    poll,
    node,
  }) => {
    const address = await feedOf('usr_ada')
    await poll(address)
    company.records.users = [{ ...known, email: null }, colleague]
    await clock.advance(13 * hourMs)
    expect((await poll(address)).status).toBe(200)
    company.records.users = [{ ...known, email: null, isActive: false }, colleague]
    await clock.advance(13 * hourMs)
    await poll(address)
    await bridge.settled()
    expect((await poll(address)).status).toBe(410)
    replace(company)
    company.records.users = [{ ...newcomer, email: null }, colleague]
    for (let hours = 0; hours < 72; hours += 12) {
      await clock.advance(12 * hourMs)
      await node.departures.readAgain(new AbortController().signal)
      expect((await poll(address)).status).toBe(410)
    }
  })

  it('a single wrong answer of Get user holds a calendar back for at most two readings', async ({
    company,
    clock,
    feedOf,
    poll,
    bridge,
  }) => {
    const address = await feedOf('usr_ada')
    await poll(address)
    company.records.users = [newcomer, colleague]
    await clock.advance(13 * hourMs)
    expect((await poll(address)).status).toBe(200)
    company.records.users = [known, colleague]
    company.records.leaves['usr_ada'] = [leave('lv_ada3', '2026-01-15')]
    await poll(address)
    expect((await poll(address)).titles).toContain('Leave lv_ada3')
    const audit = await listed(bridge, '/api/audit?userId=usr_ada')
    expect(audit.map(({ action }) => action)).toEqual(['feed_created'])
  })

  it('a single wrong answer of Get user does not hold back a person without a mail address', async ({
    company,
    clock,
    feedOf,
    poll,
  }) => {
    company.records.users = [ada, bob]
    const address = await feedOf('usr_ada')
    await poll(address)
    company.records.users = [newcomer, bob]
    await clock.advance(13 * hourMs)
    expect((await poll(address)).status).toBe(200)
    company.records.users = [ada, bob]
    company.records.leaves['usr_ada'] = [leave('lv_ada3', '2026-01-15')]
    await poll(address)
    expect((await poll(address)).titles).toContain('Leave lv_ada3')
  })

  it('confirming the same person releases the calendar', async ({
    company,
    clock,
    feedOf,
    poll,
    node,
  }) => {
    const address = await feedOf('usr_ada')
    const before = await poll(address)
    replace(company)
    for (let polls = 0; polls < 3; polls += 1) await poll(address)
    expect((await poll(address)).text).toBe(before.text)
    await confirm(node, true)
    const after = await poll(address)
    expect(shownOf(after.titles)).toEqual(['Leave lv_eve', 'Task tsk_both', 'Task tsk_eve'])
    await clock.advance(9 * dayMs)
    expect((await poll(address)).status).toBe(200)
  })

  it('confirming another person ends the old calendar at once; a new one shows only the newcomer', async ({
    company,
    bridge,
    feedOf,
    poll,
    node,
  }) => {
    const address = await feedOf('usr_ada')
    await poll(address)
    replace(company)
    for (let polls = 0; polls < 3; polls += 1) await poll(address)
    const refused = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'] })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('person confirm --user usr_ada')
    await confirm(node, false)
    expect((await pollNow(address)).status).toBe(410)
    const fresh = await pollNow(await feedOf('usr_ada'))
    expect(shownOf(fresh.titles)).not.toContain('Task tsk_ada')
    expect(shownOf(fresh.titles)).toContain('Leave lv_eve')
    await expect(confirm(node, true)).rejects.toThrow('There is nothing to confirm')
  })

  it('a calendar about several people keeps what it showed of a held person, then continues without them', async ({
    company,
    clock,
    bridge,
    feedOf,
    poll,
  }) => {
    const options = { leaves: { detail: 'type', privateCategories: [] } }
    const { privateCategories: _, ...leaves } = options.leaves
    const address = await feedOf('usr_ada', {
      userIds: ['usr_ada', 'usr_bob'],
      options: { leaves },
    })
    const before = await poll(address)
    expect(shownOf(before.titles)).toEqual([])
    replace(company)
    company.records.leaves['usr_bob'] = [leave('lv_bob2', '2026-01-19')]
    for (let polls = 0; polls < 4; polls += 1) await poll(address)
    const held = await poll(address)
    expect(held.titles.toSorted()).toEqual([
      'Ada Lovelace: Leave lv_ada1',
      'Ada Lovelace: Leave lv_ada2',
      'Bob Noyce: Leave lv_bob2',
    ])
    await clock.advance(8 * dayMs)
    await poll(address)
    expect((await poll(address)).titles).toEqual(['Bob Noyce: Leave lv_bob2'])
    expect(await listed(bridge, '/api/feeds')).toMatchObject([
      { userIds: ['usr_bob'], closedBecause: null },
    ])
  })

  it('new records wait while Get user does not respond, and appear once it does', async ({
    company,
    feedOf,
    poll,
  }) => {
    const address = await feedOf('usr_ada')
    const before = await poll(address)
    company.records.leaves['usr_ada']!.push(leave('lv_ada3', '2026-01-15'))
    company.faults.set('/users/', 500)
    const held = await poll(address)
    expect(held.status).toBe(200)
    expect(held.text).toBe(before.text)
    company.faults.delete('/users/')
    await poll(address)
    expect((await poll(address)).titles).toContain('Leave lv_ada3')
  })

  it('when one of two nodes holds an id and the other ends it, neither shows the newcomer', async ({
    company,
    clock,
    databaseUrl,
    environment,
    bridge,
    feedOf,
    logged,
    poll,
  }) => {
    const address = await feedOf('usr_ada')
    const before = await poll(address)
    const other = await startBridge({
      clock,
      environment: { ...environment, DATABASE_URL: databaseUrl },
      log: recordedLog(logged),
    })
    const there = new URL(new URL(address).pathname, other.url).href
    expect((await poll(there)).text).toBe(before.text)
    replace(company)
    for (let polls = 0; polls < 4; polls += 1) {
      await clock.advance(61_000)
      const answers = await Promise.all([pollNow(address), pollNow(there)])
      for (const { text } of answers) expect(text).toBe(before.text)
    }
    await clock.advance(8 * dayMs)
    await Promise.all([pollNow(address), pollNow(there)])
    for (const one of [address, there]) expect((await pollNow(one)).status).toBe(410)
    const told = logged.map(({ event }) => event).filter((event) => /^(person|feed)_/.test(event))
    expect(told).toEqual(['feed_created', 'person_held', 'feed_closed', 'person_replaced'])
    await other.close()
    await bridge.api('GET', '/api/feeds')
  })
})

const changes = [
  ['a wedding', { ...known, lastName: 'King' }],
  ['a new mail domain', { ...known, email: 'ada@example.org' }],
  ['a mail address that is not told any more', { ...known, email: null }],
  ['a wedding where no addresses are told any more', { ...known, lastName: 'King', email: null }],
  ['a record that does not say who it is', { id: ada.id }],
] as const

it.for(allOr(changes, ([name]) => name !== 'a mail address that is not told any more'))(
  '%s holds no calendar back',
  async ([, user], { company, clock, feedOf, poll }) => {
    const address = await feedOf('usr_ada')
    await poll(address)
    if ('email' in user && user.email === null) {
      company.records.users = [{ ...known, email: null }, colleague]
      await clock.advance(13 * hourMs)
      await poll(address)
    }
    company.records.users = [user, colleague]
    company.records.leaves['usr_ada'] = [leave('lv_ada3', '2026-01-15')]
    await poll(address)
    expect((await poll(address)).titles).toContain('Leave lv_ada3')
    await clock.advance(13 * hourMs)
    expect((await poll(address)).headers.get('x-feed-stale-seconds')).toBeNull()
  },
)

it('a cache in front of the API cannot make a newcomer look like the previous person', async ({
  company,
  feedOf,
  poll,
}) => {
  company.cachesUsers = true
  const address = await feedOf('usr_ada')
  const before = await poll(address)
  replace(company)
  expect((await poll(address)).text).toBe(before.text)
})

it('a cache in front of the API cannot decide for which person a feed is created', async ({
  company,
  bridge,
  feedOf,
  poll,
}) => {
  company.cachesUsers = true
  await poll(await feedOf('usr_ada'))
  replace(company)
  const made = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'] })
  expect([made.status, await made.text()]).toEqual([400, expect.stringContaining('confirm')])
})

it('one wrong answer repeated by a cache does not count as two readings', async ({
  company,
  clock,
  environment,
}) => {
  company.cachesUsers = true
  const bridge = await startBridge({ clock, environment, rounds: true })
  const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  await pollNow(address)
  company.records.users = [newcomer, colleague]
  await clock.advance(13 * hourMs)
  await pollNow(address)
  company.records.users = [known, colleague]
  const { newcomers } = (await bridge.node()).store
  expect(await newcomers.listNewcomers('main')).toHaveLength(1)
  await clock.advance(61_000)
  await expect.poll(() => newcomers.listNewcomers('main')).toEqual([])
  await bridge.close()
})

it.for(allOr([401, 403], (status) => status === 403))(
  'a person whom Get user refuses with %s counts as possibly another until the refusal has lasted',
  async (status, { company, clock, feedOf, poll }) => {
    const address = await feedOf('usr_ada')
    const before = await poll(address)
    replace(company)
    company.faults.set('/users/', status)
    for (const hours of [0, 12, 12]) {
      await clock.advance(hours * hourMs)
      expect((await poll(address)).text).toBe(before.text)
    }
    await clock.advance(dayMs)
    expect((await poll(address)).titles).toContain('Leave lv_eve')
  },
)

it('a Get user answer that arrives during a leave request does not decide who owns the leaves', async ({
  company,
  clock,
  environment,
}) => {
  const slow = await startSlowLeaves(company)
  const settings = { ...environment, WORKFORCE_BASE_URL: slow.url }
  const bridge = await startBridge({ clock, environment: settings })
  const none = { show: false }
  const onlyShifts = {
    leaves: none,
    timesheets: none,
    tasks: none,
    shifts: { duringLeave: 'show' },
  }
  const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  const other = await bridge.createFeed({ userIds: ['usr_ada'], options: onlyShifts })
  await pollNow(address)
  await clock.advance(12 * hourMs - 2000)
  company.requests.length = 0
  slow.hold()
  const polled = pollNow(address)
  await vi.waitUntil(() => company.requests.some((request) => request.includes('/timesheets')))
  await clock.advance(3000)
  await pollNow(calendarUrl(other))
  expect(company.requests).toContain('/api/public/v1/users/usr_ada')
  replace(company)
  slow.release()
  expect((await polled).text).not.toContain('lv_eve')
  await clock.advance(61_000)
  expect((await pollNow(address)).text).not.toContain('lv_eve')
  await bridge.close()
  await slow.close()
})

it('a held person cannot sign in with either address, and the examination names them', async ({
  company,
  bridge,
  feedOf,
  poll,
  node,
}) => {
  const address = await feedOf('usr_ada')
  await poll(address)
  const { peopleByMail } = node.store
  expect(await peopleByMail.findByMail('ada@example.com')).toHaveLength(1)
  replace(company)
  for (let polls = 0; polls < 3; polls += 1) await poll(address)
  for (const mail of [known.email, newcomer.email]) {
    expect(await peopleByMail.findByMail(mail)).toEqual([])
  }
  expect(await peopleByMail.findById('usr_ada')).toMatchObject([{ state: 'unread' }])
  const examined = await bridge.api('GET', '/api/companies/main/examination')
  expect(((await examined.json()) as { findings: object[] }).findings).toContainEqual(
    expect.objectContaining({
      check: 'another-person',
      level: 'wrong',
      seen: expect.stringContaining('usr_ada'),
    }),
  )
  const page = await (await fetch(address.replace(/\/[^/]+\.ics$/, ''))).text()
  expect(page).toContain('This calendar is paused')
  await confirm(node, false)
  expect(await peopleByMail.findByMail(newcomer.email)).toMatchObject([{ userId: 'usr_ada' }])
  expect(await peopleByMail.findByMail(known.email)).toEqual([])
})

it('a task that names the newcomer instead of the known person shows neither name nor task', async ({
  company,
  feedOf,
  poll,
}) => {
  const address = await feedOf('usr_ada')
  const before = await poll(address)
  company.records.users = [newcomer, colleague]
  company.records.tasks['prj_web'] = [
    task('tsk_ada', '2026-01-20', [ada]),
    task('tsk_both', '2026-01-22', [newcomer, bob]),
  ]
  expect((await poll(address)).text).toBe(before.text)
  company.records.tasks['prj_web'].push(task('tsk_nameless', '2026-01-25', [{ id: 'usr_ada' }]))
  expect((await poll(address)).text).toBe(before.text)
})

it('confirming another person under changed parameters leaves no data under the previous ones', async ({
  company,
  clock,
  environment,
}) => {
  const other = { ...environment, WORKFORCE_PARAMS: '{"leaves":{"status":"state"}}' }
  const make = async (bridge: TestBridge, userId: string): Promise<string> =>
    new URL(calendarUrl(await bridge.createFeed({ userIds: [userId] }))).pathname
  const poll = async ({ url }: TestBridge, path: string): Promise<PollAnswer> => {
    await clock.advance(61_000)
    return pollNow(url + path)
  }
  const before = await startBridge({ clock, environment })
  const paths = [await make(before, 'usr_ada'), await make(before, 'usr_bob')] as const
  for (const path of paths) expect((await poll(before, path)).status).toBe(200)
  await before.close()
  const elsewhere = await startBridge({ clock, environment: other })
  for (const path of paths) expect((await poll(elsewhere, path)).status).toBe(200)
  replace(company)
  for (let polls = 0; polls < 3; polls += 1) await poll(elsewhere, paths[0])
  await confirm(await elsewhere.node(), false)
  await elsewhere.close()
  const after = await startBridge({ clock, environment })
  company.faults.set('/leaves', 500)
  const path = await make(after, 'usr_ada')
  expect((await poll(after, path)).text).not.toContain('lv_ada')
  company.faults.clear()
  await poll(after, path)
  expect(shownOf((await poll(after, path)).titles)).toContain('Leave lv_eve')
  await after.close()
})

withLies(
  'a wrong answer of Get user at the very first reading holds no calendar back',
  async ({ crowd, company, clock }) => {
    const other = { firstName: 'Mistaken', lastName: 'Identity', email: 'mistaken@example.com' }
    const lie: Lie = {
      name: 'mistaken',
      of: ['user'],
      alter: (records) => records.map((one) => ({ ...one, ...other })),
    }
    company.tell(lie, { times: 1, when: ({ subject }) => subject === 'usr_10' })
    await crowd.addNode()
    await company.quiet()
    await crowd.subscribeAll(['usr_1', 'usr_10', 'usr_a'])
    await crowd.pollFor(2)
    const statuses = (await crowd.pollFor(3)).map(({ status }) => status)
    expect([company.lied.get('mistaken'), statuses]).toEqual([1, [200, 200, 200]])
    await crowd.pause(() => clock.advance(8 * dayMs))
    expect((await crowd.pollAll()).map(({ status }) => status)).toEqual([200, 200, 200])
  },
)

it('a poll without new records costs no extra call, one with new records costs one', async ({
  company,
  feedOf,
  poll,
}) => {
  const address = await feedOf('usr_ada')
  for (let polls = 0; polls < 3; polls += 1) await poll(address)
  const asksForUser = (): number =>
    company.requests.splice(0).filter((path) => path.includes('/users/')).length
  asksForUser()
  await poll(address)
  expect(asksForUser()).toBe(0)
  company.records.leaves['usr_ada'] = [leave('lv_ada3', '2026-01-15')]
  company.records.timesheets.push(timesheet('clqada2', 'usr_ada', '2026-01-16', '2026-01-31'))
  await poll(address)
  expect(asksForUser()).toBe(1)
})
