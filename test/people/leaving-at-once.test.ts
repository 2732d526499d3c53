/* Clients take 410 as final: so everybody in feeds is asked before the first who leaves loses a calendar. */
import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import {
  calendarUrl,
  type FeedAnswer,
  startBridge,
  type TestBridge,
} from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { anyDatabase, createSqliteDatabase } from '../support/database/databases.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Of the calendar of each person, what its polls were answered with. */
type Statuses = Map<string, number[]>

interface Surroundings {
  readonly company: CompanyServer
  readonly clock: FakeClock
  readonly environment: Readonly<Record<string, string>>
}

/** People with a calendar each, polled through two nodes on one database. */
class Crowd {
  readonly #of: Surroundings
  readonly #paths = new Map<string, string>()
  nodes: TestBridge[] = []
  readonly statuses: Statuses = new Map()

  private constructor(of: Surroundings) {
    this.#of = of
  }

  static async hire(of: Surroundings, ids: readonly string[]): Promise<Crowd> {
    const crowd = new Crowd(of)
    of.company.records.users = ids.map((id) => ({ id, isActive: true }))
    of.company.faults.clear()
    await crowd.open()
    await crowd.open()
    const hidden = { show: false }
    const options = { leaves: hidden, shifts: hidden, timesheets: hidden }
    const inputs = ids.map((id) => ({ userIds: [id], options }))
    const made = await crowd.nodes[0]!.api('POST', '/api/feeds', inputs)
    const { data } = (await made.json()) as { readonly data: readonly FeedAnswer[] }
    for (const [index, id] of ids.entries()) {
      crowd.#paths.set(id, new URL(calendarUrl(data[index]!)).pathname)
      crowd.statuses.set(id, [])
    }
    await crowd.poll(ids)
    return crowd
  }

  async open(): Promise<void> {
    const { clock, environment } = this.#of
    this.nodes.push(await startBridge({ clock, environment }))
  }

  leave(id: string, how: 'inactive' | 'missing'): void {
    const { records, faults } = this.#of.company
    if (how === 'missing') faults.set(`/users/${id}`, 404)
    records.users = records.users.map((user) =>
      user.id === id ? { ...user, isActive: how === 'missing' } : user,
    )
  }

  /** So many at the same instant, through one node after the other. */
  async poll(ids: readonly string[], atOnce = 4): Promise<void> {
    for (let first = 0; first < ids.length; first += atOnce) {
      const some = ids.slice(first, first + atOnce)
      await Promise.all(some.map((id, index) => this.#pollOne(id, first / atOnce + index)))
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.settled()))
  }

  /** What every node does again and again. */
  async readAgain(): Promise<void> {
    const { signal } = new AbortController()
    const nodes = await Promise.all(this.nodes.map((node) => node.node()))
    await Promise.all(nodes.map(({ departures }) => departures.readAgain(signal)))
  }

  /** As often as nodes do it. */
  async pass(ms: number, everyMs = 5 * minuteMs): Promise<void> {
    for (let left = ms; left > 0; left -= everyMs) {
      await this.#of.clock.advance(Math.min(left, everyMs))
      await this.readAgain()
    }
  }

  /** Those whose last poll was answered with 410. */
  get ended(): readonly string[] {
    return [...this.statuses].flatMap(([id, all]) => (all.at(-1) === 410 ? [id] : []))
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()))
  }

  async #pollOne(id: string, turn: number): Promise<void> {
    const node = this.nodes[turn % this.nodes.length]!
    const { status } = await fetch(node.listensAt + this.#paths.get(id)!)
    this.statuses.get(id)?.push(status)
  }
}

const it = base
  .extend('clock', () => createFakeClock())
  .extend('databaseUrl', () => createSqliteDatabase())
  .extend('crowdOf', ({ company, clock, environment }, { onCleanup }) => {
    const crowds: Crowd[] = []
    onCleanup(async () => {
      company.release()
      for (const crowd of crowds) await crowd.close()
    })
    return async (ids: readonly string[]): Promise<Crowd> => {
      crowds.push(await Crowd.hire({ company, clock, environment }, ids))
      return crowds.at(-1)!
    }
  })
  .extend('asked', ({ company }) => (): number => {
    return company.requests.filter((address) => address.includes('/users/')).length
  })

function staff(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `usr_${String(number).padStart(3, '0')}`)
}

const twelve = staff(12)
const four = ['usr_001', 'usr_004', 'usr_007', 'usr_010']

describe('four of twelve people who leave at once', () => {
  it('keep their calendars for seven days, also when polled at once through two nodes', async ({
    clock,
    crowdOf,
  }) => {
    const crowd = await crowdOf(twelve)
    for (const id of four) crowd.leave(id, 'inactive')
    await clock.advance(13 * hourMs)
    await crowd.poll(four)
    await crowd.settled()
    await crowd.poll(twelve)
    await crowd.pass(2 * hourMs)
    await crowd.pass(6 * 24 * hourMs, 6 * hourMs)
    await crowd.poll(twelve)
    expect(crowd.ended).toEqual([])
    await crowd.pass(2 * 24 * hourMs, 6 * hourMs)
    await crowd.poll(twelve)
    expect(crowd.ended).toEqual(four)
  })

  it('keep their calendars whichever of them are polled, and in any order', async ({
    clock,
    crowdOf,
  }) => {
    const crowd = await crowdOf(twelve)
    for (const id of four) crowd.leave(id, 'inactive')
    await clock.advance(13 * hourMs)
    await crowd.poll(four.slice(2, 3))
    await crowd.settled()
    await crowd.pass(2 * hourMs)
    await crowd.poll(four)
    expect(crowd.ended).toEqual([])
  })

  it('keep their calendars if the asking node stops meanwhile', async ({
    company,
    clock,
    crowdOf,
  }) => {
    const crowd = await crowdOf(twelve)
    for (const id of four) crowd.leave(id, 'inactive')
    await clock.advance(13 * hourMs)
    for (const id of twelve) if (id !== four[0]) company.faults.set(`/users/${id}`, 'stall')
    await crowd.poll(four.slice(0, 1))
    const [asking, other] = crowd.nodes
    await asking!.close()
    company.faults.clear()
    crowd.nodes = [other!]
    await crowd.open()
    await crowd.pass(2 * hourMs)
    await crowd.poll(twelve)
    expect(crowd.ended).toEqual([])
  })

  it('keep their calendars if the API does not answer for three of them for hours', async ({
    company,
    clock,
    crowdOf,
  }) => {
    const crowd = await crowdOf(twelve)
    for (const id of four) crowd.leave(id, 'inactive')
    for (const id of four.slice(1)) company.faults.set(`/users/${id}`, 500)
    await clock.advance(13 * hourMs)
    await crowd.poll(twelve)
    await crowd.settled()
    await crowd.pass(5 * hourMs)
    await crowd.poll(twelve)
    expect(crowd.ended).toEqual([])
    company.faults.clear()
    await crowd.pass(2 * hourMs)
    await crowd.poll(twelve)
    expect(crowd.ended).toEqual([])
  })
})

describe('one person who leaves', () => {
  it('is served as before while the others are asked for, and no poll waits for that', async ({
    company,
    clock,
    crowdOf,
  }) => {
    const crowd = await crowdOf(twelve)
    const [leaving = '', ...others] = twelve
    crowd.leave(leaving, 'inactive')
    for (const id of others) company.faults.set(`/users/${id}`, 'stall')
    await clock.advance(13 * hourMs)
    // The clock stands still: a poll that waited for others would wait for ever.
    await crowd.poll([leaving])
    await crowd.poll([leaving])
    expect(crowd.statuses.get(leaving)).toEqual([200, 200, 200])
  })

  it('loses the calendar once the others are asked for: each once, the leaver twice', async ({
    company,
    clock,
    crowdOf,
    asked,
  }) => {
    const crowd = await crowdOf(twelve)
    crowd.leave('usr_011', 'inactive')
    await clock.advance(13 * hourMs)
    company.requests.length = 0
    await crowd.poll(['usr_011'])
    await crowd.settled()
    await crowd.poll(['usr_011'])
    expect([crowd.ended, asked()]).toEqual([['usr_011'], 13])
  })

  it('loses it an hour later in a company of over fifty unless back; fifty are asked for', async ({
    company,
    clock,
    crowdOf,
    asked,
  }) => {
    const crowd = await crowdOf(staff(54))
    const leaving = ['usr_011', 'usr_050']
    for (const id of leaving) crowd.leave(id, 'inactive')
    await clock.advance(13 * hourMs)
    company.requests.length = 0
    await crowd.poll(leaving)
    await crowd.settled()
    expect(asked()).toBe(2)
    company.records.users = company.records.users.map((user) =>
      user.id === 'usr_050' ? { ...user, isActive: true } : user,
    )
    await crowd.pass(55 * minuteMs)
    await crowd.poll(leaving)
    expect(crowd.ended).toEqual([])
    await crowd.pass(10 * minuteMs)
    await crowd.poll(leaving)
    expect([crowd.ended, asked()]).toEqual([['usr_011'], 54])
  })

  it('is held back if most of a sample of the others leave too', async ({
    clock,
    crowdOf,
    company,
  }) => {
    const crowd = await crowdOf(staff(60))
    for (const id of staff(60)) if (id >= 'usr_030') crowd.leave(id, 'inactive')
    await clock.advance(13 * hourMs)
    await crowd.poll(['usr_059'])
    await crowd.settled()
    company.requests.length = 0
    await crowd.pass(2 * hourMs)
    await crowd.poll(['usr_059'])
    expect(crowd.ended).toEqual([])
  })

  it('causes one more round of requests beside others who leave within the hour', async ({
    company,
    clock,
    crowdOf,
    asked,
  }) => {
    const crowd = await crowdOf(staff(45))
    await clock.advance(13 * hourMs)
    company.requests.length = 0
    for (const id of ['usr_001', 'usr_020', 'usr_040']) {
      crowd.leave(id, 'inactive')
      await crowd.poll([id])
      await crowd.settled()
      await crowd.pass(10 * minuteMs)
    }
    await crowd.pass(hourMs)
    await crowd.poll(staff(45))
    expect(crowd.ended).toEqual(['usr_001', 'usr_020', 'usr_040'])
    expect(asked()).toBeLessThanOrEqual(45 + 2 * 50)
  })
})

it('a leaver in a company of two loses the calendar once the API has answered for the other', async ({
  company,
  clock,
  crowdOf,
}) => {
  const crowd = await crowdOf(['usr_a', 'usr_b'])
  crowd.leave('usr_a', 'inactive')
  company.faults.set('/users/usr_b', 500)
  await clock.advance(13 * hourMs)
  await crowd.poll(['usr_a'])
  await crowd.settled()
  await crowd.poll(['usr_a'])
  expect(crowd.ended).toEqual([])
  company.faults.clear()
  await crowd.pass(65 * minuteMs)
  await crowd.poll(['usr_a'])
  expect(crowd.ended).toEqual(['usr_a'])
})

/** What becomes of a company. */
interface Story {
  readonly people: readonly string[]
  /** The first of them leave. */
  readonly leaving: number
  /** Whether each is missing or inactive. */
  readonly missing: readonly boolean[]
  /** In which everybody polls. */
  readonly order: readonly string[]
  readonly atOnce: number
  /** Who is not answered for how long. */
  readonly silent: readonly string[]
  readonly silentHours: number
}

const stories: fc.Arbitrary<Story> = fc
  .uniqueArray(fc.stringMatching(/^usr_[a-z0-9]{1,6}$/), { minLength: 1, maxLength: 60 })
  // The company takes an id for a part of another's address.
  .map((ids) => ids.map((id, index) => `${id}_${index}_`))
  .chain((people) =>
    fc.record({
      people: fc.constant(people),
      leaving: fc.oneof(
        fc.integer({ min: 1, max: Math.min(6, people.length) }),
        fc.constant(people.length),
      ),
      missing: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      order: fc.shuffledSubarray([...people], { minLength: people.length }),
      atOnce: fc.integer({ min: 1, max: 8 }),
      // Where there are more than fifty, an hour is all that those who do not answer have.
      silent:
        people.length > 50
          ? fc.constant([])
          : fc.shuffledSubarray([...people], { maxLength: Math.min(5, people.length) }),
      silentHours: fc.constantFrom(0, 2, 6),
    }),
  )

function areTooMany({ people, leaving }: Story): boolean {
  const isMost = leaving > 3 && leaving > people.length * 0.05
  return isMost || (leaving >= 2 && leaving === people.length)
}

describe.each(anyDatabase())('any company, on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('closes few in time, too many after seven days, returned people never, with bounded requests', async ({
    company,
    clock,
    environment,
    asked,
  }) => {
    async function tell(story: Story): Promise<void> {
      const { people, order, atOnce, silent, silentHours } = story
      const leaving = people.slice(0, story.leaving)
      const databaseUrl = await createMigrated()
      const surroundings = {
        company,
        clock,
        environment: { ...environment, DATABASE_URL: databaseUrl },
      }
      const crowd = await Crowd.hire(surroundings, people)
      const everybody = async (): Promise<void> => {
        await crowd.poll(order, atOnce)
        await crowd.settled()
        await crowd.poll(order, atOnce)
      }
      await clock.advance(13 * hourMs)
      for (const [index, id] of leaving.entries()) {
        crowd.leave(id, story.missing[index] === true ? 'missing' : 'inactive')
      }
      const before = new Map(company.faults)
      if (silentHours > 0) for (const id of silent) company.faults.set(`/users/${id}`, 500)
      company.requests.length = 0
      await everybody()
      await crowd.pass(70 * minuteMs)
      await everybody()
      const rounds = silentHours > 0 ? 3 : 2
      expect(asked()).toBeLessThanOrEqual(3 * people.length + rounds * 50)
      const few = areTooMany(story) ? [] : leaving
      const inactive = few.filter((id) => story.missing[leaving.indexOf(id)] !== true)
      if (silentHours === 0) expect(crowd.ended.toSorted()).toEqual(inactive.toSorted())
      await crowd.pass(silentHours * hourMs, 30 * minuteMs)
      await everybody()
      company.faults.clear()
      for (const [part, fault] of before) company.faults.set(part, fault)
      for (let hours = 0; hours < 50; hours += 5) {
        await crowd.pass(2 * hourMs)
        await crowd.pass(3 * hourMs, 3 * hourMs)
        await everybody()
      }
      expect(crowd.ended.toSorted()).toEqual(few.toSorted())
      await crowd.pass(3 * 24 * hourMs, 6 * hourMs)
      await everybody()
      expect(crowd.ended.toSorted()).toEqual(few.toSorted())
      for (const [, statuses] of crowd.statuses) {
        const first = statuses.indexOf(410)
        if (first >= 0) expect(new Set(statuses.slice(first))).toEqual(new Set([410]))
      }
      await crowd.close()
    }
    const numRuns = inject('isThorough') ? 60 : 1
    await fc.assert(fc.asyncProperty(stories, tell), { numRuns, endOnFailure: true })
  })
})
