/* Whom the bridge knows of a company that lists nobody: seen here and there, read slowly, never twice. */
import { describe, expect } from 'vitest'

import type { Person } from '../../src/domain/person.ts'
import { aheadOf, createSkippingClock } from '../support/bridge/fake-clock.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { openNode, type TestNode } from '../support/bridge/node.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { ada, bob, task, timesheet } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** As many as that, each with a timesheet of this week. */
function hire(company: CompanyServer, count: number): readonly string[] {
  const ids = Array.from({ length: count }, (_, index) => `usr_${String(index).padStart(4, '0')}`)
  company.records.users = ids.map((id) => ({ id, firstName: `Of ${id}`, isActive: true }))
  company.records.timesheets = ids.map((id) =>
    timesheet(`clq${id}`, id, '2026-01-05', '2026-01-11'),
  )
  return ids
}

function asked(company: CompanyServer, part: string): readonly string[] {
  return company.requests.filter((address) => address.includes(part))
}

function peopleOf({ store }: TestNode): Promise<readonly Person[]> {
  return store.people.listPeople('main')
}

async function idsOf(node: TestNode): Promise<readonly string[]> {
  return (await peopleOf(node)).map(({ userId }) => userId)
}

async function statesOf(node: TestNode): Promise<readonly Person['state'][]> {
  return (await peopleOf(node)).map(({ state }) => state)
}

async function countRead(node: TestNode): Promise<number> {
  return (await statesOf(node)).filter((state) => state !== 'unread').length
}

async function problemsOf({ directory }: TestNode): Promise<readonly string[]> {
  return (await directory.latestLook('main')).problems.map(({ source }) => source)
}

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    users: [],
    timesheets: [],
    leaves: {},
    tasks: { prj_web: [] },
  }))
  /** Lets time pass in steps until it is so. */
  .extend(
    'until',
    ({ clock }) =>
      async (read: () => unknown, is: unknown, stepMs = 1000): Promise<void> => {
        const readLater = async (): Promise<unknown> => {
          await clock.advance(stepMs)
          return await read()
        }
        await expect.poll(readLater, { interval: 2 }).toEqual(is)
      },
  )
  /** Another node beside the one that there is. */
  .extend('other', async ({ environment, clock }, { onCleanup }) => {
    const other = await openNode(environment, clock)
    onCleanup(() => other.close())
    return other
  })

const { signal } = new AbortController()

describe('people of a directory', () => {
  it('25 of them are known by name within 30 seconds, with one request per second', async ({
    company,
    clock,
    node,
  }) => {
    const ids = hire(company, 25)
    node.directory.start()
    for (let second = 0; second < 30; second += 1) {
      const count = Math.min(25, second + 1)
      await expect.poll(() => countRead(node), { interval: 2 }).toBe(count)
      expect(asked(company, '/users/')).toHaveLength(count)
      await clock.advance(1000)
    }
    const people = await peopleOf(node)
    expect(people.map(({ userId }) => userId)).toEqual(ids)
    expect(people.map(({ firstName }) => firstName)).toEqual(ids.map((id) => `Of ${id}`))
    expect(new Set(asked(company, '/users/')).size).toBe(25)
  })

  it('3,000 of them take less than an hour: 100 take two minutes, one per second', async ({
    company,
    environment,
    onTestFinished,
  }) => {
    hire(company, 100)
    const clock = createSkippingClock()
    const start = clock.now()
    // So long that nobody is read a second time before it is looked at.
    const lasting = { ...environment, DIRECTORY_FRESH_SECONDS: '31536000' }
    const node = await openNode(lasting, clock)
    onTestFinished(() => node.close())
    node.directory.start()
    await expect.poll(() => countRead(node), { interval: 50 }).toBe(100)
    const seconds = (await peopleOf(node)).map(({ readAt }) => (Number(readAt) - start) / 1000)
    expect(Math.max(...seconds)).toBeLessThan(120)
    expect(new Set(seconds.map(Math.floor)).size).toBe(100)
  })

  it('are those in timesheets, tasks and feeds, and their managers', async ({
    company,
    bridge,
    node,
    until,
  }) => {
    const [eve = ''] = hire(company, 1)
    company.records.users.push({ ...ada, assignedManagerId: 'usr_mia' }, { id: 'usr_feed' }, bob)
    await bridge.createFeed({ userIds: ['usr_feed'] })
    company.faults.set('/users/usr_bob', 500)
    const revoked = await bridge.createFeed({ userIds: ['usr_bob'] })
    await bridge.api('DELETE', `/api/feeds/${revoked.id}`)
    company.faults.clear()
    company.records.tasks = { prj_web: [task('tsk', '2026-01-20', [ada])] }
    await node.directory.untilSeen('main', signal)
    expect(await idsOf(node)).toEqual([eve, 'usr_ada', 'usr_feed'])
    expect(await problemsOf(node)).toEqual([])
    node.directory.start()
    await until(() => idsOf(node), [eve, 'usr_ada', 'usr_feed', 'usr_mia'])
  })

  it('are still collected when timesheets fail, and the gap is reported', async ({
    company,
    bridge,
    node,
  }) => {
    hire(company, 3)
    company.records.tasks = { prj_web: [task('tsk', '2026-01-20', [ada])] }
    company.records.users.push({ id: 'usr_feed' })
    await bridge.createFeed({ userIds: ['usr_feed'] })
    company.faults.set('/timesheets', 403)
    await node.directory.untilSeen('main', signal)
    expect(await idsOf(node)).toEqual(['usr_ada', 'usr_feed'])
    expect(await node.directory.latestLook('main')).toMatchObject({
      problems: [{ source: 'timesheets', reason: expect.stringContaining('403') }],
    })
    expect(asked(company, '/timesheets')).toHaveLength(1)
    const { findings } = await node.examiner.run('main')
    expect(findings).toContainEqual(expect.objectContaining({ check: 'people', ok: false }))
  })

  it('are looked for again an hour after a failure', async ({ company, clock, node, until }) => {
    hire(company, 2)
    company.faults.set('/tasks', 404)
    node.directory.start()
    await until(() => problemsOf(node), ['tasks of prj_web'])
    company.faults.clear()
    const before = clock.now()
    await until(() => problemsOf(node), [], 60_000)
    expect(clock.now() - before).toBeGreaterThan(hourMs - 60_000)
  })

  it('continue to be read when one of them fails, and a missing one is recorded', async ({
    company,
    node,
    until,
  }) => {
    const [first = '', second = '', third = ''] = hire(company, 4)
    company.records.users = company.records.users.filter(({ id }) => id !== third)
    company.faults.set(first, 500)
    node.directory.start()
    await until(() => statesOf(node), ['unread', 'active', 'user_missing', 'active'])
    const departure = await node.store.departures.findDeparture('main', third)
    expect(departure).toMatchObject({ because: 'user_missing', leftAt: null })
    company.faults.clear()
    await until(() => statesOf(node), ['active', 'active', 'user_missing', 'active'], 60_000)
    expect(asked(company, second)).toHaveLength(1)
  })

  it('are not read again right after a read for a feed, and are written once an hour', async ({
    company,
    clock,
    node,
    until,
  }) => {
    const [first = '', second = ''] = hire(company, 2)
    const { departures, store, directory } = node
    const find = (id: string): Promise<Person | undefined> => store.people.findPerson('main', id)
    const user = { id: first, firstName: `Of ${first}` }
    await store.people.seePeople('main', [{ id: first }], clock.now())
    await departures.note('main', first, 'active', user)
    const readAt = clock.now()
    await clock.advance(hourMs - 1)
    await departures.note('main', first, 'active', user)
    expect(await find(first)).toMatchObject({ readAt })
    await departures.note('main', first, 'active', { ...user, lastName: 'New' })
    expect(await find(first)).toMatchObject({ lastName: 'New', readAt: clock.now() })
    directory.start()
    await until(async () => (await find(second))?.state, 'active')
    expect(asked(company, '/users/')).toEqual([expect.stringContaining(second)])
  })

  it('are not kept if read without a feed and never seen before', async ({ node }) => {
    await node.departures.note('main', 'usr_ada', 'active', ada)
    await node.departures.note('main', 'usr_bob', 'user_inactive', bob)
    expect(await peopleOf(node)).toEqual([])
    expect(await node.store.departures.findDeparture('main', 'usr_bob')).toBeUndefined()
  })

  it('are dropped after a hundred days without being named', async ({ company, clock, node }) => {
    const [first = '', second = ''] = hire(company, 2)
    const look = async (): Promise<readonly string[]> => {
      const connection = node.connections.get('main')!
      const people = await node.directory.listRefreshed(connection, () => undefined)
      return people.map(({ userId }) => userId)
    }
    expect(await look()).toEqual([first, second])
    company.records.timesheets = [timesheet('clq1', second, '2026-04-01', '2026-04-07')]
    await clock.advance(100 * dayMs)
    expect(await look()).toEqual([first, second])
    await clock.advance(1)
    expect(await look()).toEqual([second])
  })
})

describe('untilSeen', () => {
  it('waits for one look shared by all callers, and returns at once afterwards', async ({
    company,
    node,
  }) => {
    const ids = hire(company, 3)
    company.hold()
    const waiting = [1, 2, 3].map(() => node.directory.untilSeen('main', signal))
    await expect.poll(() => asked(company, '/timesheets').length, { interval: 5 }).toBe(1)
    expect(await node.directory.countPeople('main')).toBe(0)
    company.release()
    await Promise.all(waiting)
    expect(await node.directory.findPeople('main', ids)).toHaveLength(3)
    const requests = company.requests.length
    await node.directory.untilSeen('main', signal)
    expect(company.requests).toHaveLength(requests)
    expect(asked(company, '/users/')).toEqual([])
  })

  it('ends when the Read API fails and when the signal aborts', async ({ company, node }) => {
    company.hold()
    const ending = new AbortController()
    const waiting = node.directory.untilSeen('main', ending.signal)
    await expect.poll(() => asked(company, '/timesheets').length, { interval: 5 }).toBe(1)
    ending.abort(new Error('enough'))
    await waiting
    company.records.tasks = {}
    company.release()
    await node.directory.untilSeen('main', signal)
    expect(await problemsOf(node)).toEqual(['tasks of prj_web'])
  })

  it('does not wait for another node, which may have stopped during its look', async ({
    company,
    node,
    other,
  }) => {
    hire(company, 3)
    company.hold()
    const first = node.directory.untilSeen('main', signal)
    await expect.poll(() => asked(company, '/timesheets').length, { interval: 5 }).toBe(1)
    const second = other.directory.untilSeen('main', signal)
    await expect.poll(() => asked(company, '/timesheets').length, { interval: 5 }).toBe(2)
    company.release()
    await Promise.all([first, second])
    expect(await peopleOf(node)).toHaveLength(3)
  })
})

describe.each(databases)('two nodes on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('look once, and read each person once', async ({ company, clock, node, other, until }) => {
    hire(company, 12)
    for (const { directory } of [node, other]) directory.start()
    const start = clock.now()
    // In steps so small that while a query waits time does not run further ahead than clocks may differ.
    await until(() => countRead(node), 12, 100)
    expect(clock.now() - start).toBeGreaterThanOrEqual(11_000)
    expect(asked(company, '/users/')).toHaveLength(12)
    expect(new Set(asked(company, '/users/')).size).toBe(12)
    expect(asked(company, '/timesheets')).toHaveLength(1)
    await until(() => asked(company, '/timesheets').length > 1, true, 600_000)
    expect(clock.now() - start).toBeGreaterThanOrEqual(dayMs)
  })

  it('look only once if the clock of the first node is half a minute ahead', async ({
    company,
    environment,
    clock,
    node,
    until,
    onTestFinished,
  }) => {
    hire(company, 3)
    const ahead = await openNode(environment, aheadOf(clock, 30_000))
    onTestFinished(() => ahead.close())
    await ahead.directory.untilSeen('main', signal)
    node.directory.start()
    // Anyone who reads has found that it is not time to look.
    await until(() => countRead(node), 3)
    expect(asked(company, '/timesheets')).toHaveLength(1)
  })
})
