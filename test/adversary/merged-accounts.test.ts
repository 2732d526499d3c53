/* Accounts are merged and renamed: the old one is refused, its leaves come for the new one and are the new one's after a day. */
import { describe, expect, inject } from 'vitest'

import { adversaryEnvironment, it } from '../support/adversary/adversary-fixture.ts'
import { companyOf, newLeave } from '../support/adversary/eight-people.ts'
import type { Asked } from '../support/adversary/lie.ts'
import { status } from '../support/adversary/lies-about-bytes.ts'
import {
  carelessFilters,
  refusedPerson,
  unfiltered,
  unfilteredButRefusing,
} from '../support/adversary/lies-about-people.ts'
import type { LyingCompany } from '../support/adversary/lying-company.ts'
import { shown } from '../support/adversary/shown.ts'
import { options, type Polled, Subscribers } from '../support/adversary/subscribers.ts'
import { expectExact, expectWhole, watch } from '../support/adversary/watch.ts'
import { calendarUrl } from '../support/bridge/bridge.ts'
import { allOr } from '../support/bridge/thorough.ts'
import { databases } from '../support/database/databases.ts'
import { jsonOf } from '../support/web/api-answer.ts'

const hourMs = 3_600_000
/** More than are believed to leave together. */
const tooMany = inject('isThorough') ? 10 : 5

function numbered(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}-x`)
}

/** Those whom so many old accounts are merged into, and a few others; the last is one of these. */
function peopleBeside(old: number): readonly string[] {
  return numbered('emp', old + 4)
}

/** From now on the old account is refused, and all that was its is the other's. */
function merge({ company }: Subscribers, old: string, into: string): void {
  const { records } = company
  records.leaves[into] = [...(records.leaves[into] ?? []), ...(records.leaves[old] ?? [])]
  delete records.leaves[old]
  records.users = records.users.filter(({ id }) => id !== old)
  records.timesheets = records.timesheets.map((one) =>
    one.userId === old ? { ...one, userId: into } : one,
  )
  const renamed = (one: { id: string }) => (one.id === old ? { ...one, id: into } : one)
  for (const [project, tasks] of Object.entries(records.tasks)) {
    records.tasks[project] = tasks.map((task) => ({
      ...task,
      assignees: (task['assignees'] as readonly { id: string }[]).map(renamed),
    }))
  }
  refuse(company, old)
}

function refuse(company: LyingCompany, old: string): void {
  company.tell(refusedPerson(old, 404), { when: ({ subject }) => subject === old })
}

/** Everybody has a calendar; those of the old accounts are asked for as well where they are polled. */
async function begin(
  crowd: Subscribers,
  {
    people,
    old,
    arePolled,
  }: { people: readonly string[]; old: readonly string[]; arePolled: boolean },
): Promise<void> {
  crowd.company.records = companyOf([...people, ...old])
  await crowd.addNode()
  await crowd.company.quiet()
  await crowd.subscribeAll(people)
  if (arePolled) await crowd.subscribeAll(old)
  else if (old.length > 0) await readOnce(crowd, old)
  await watch(crowd, 2)
}

/** Keeps their leaves by a calendar that is asked for once. */
async function readOnce(crowd: Subscribers, people: readonly string[]): Promise<void> {
  const feed = await crowd.nodes[0]!.createFeed({ userIds: people, options })
  await crowd.whileTimePasses(fetch(calendarUrl(feed)))
}

/** Twelve hours in which the bridge does what it does by itself, then everybody polls. */
async function pollLater(crowd: Subscribers, node = 0): Promise<readonly Polled[]> {
  await crowd.pass(12 * hourMs + 1000, hourMs)
  const polled = await crowd.pollAll(node)
  expect(await leavesFinding(crowd)).not.toMatch(/without/)
  return polled
}

/** The last polls of a day. */
async function pollForDay(crowd: Subscribers): Promise<readonly Polled[]> {
  await pollLater(crowd)
  return pollLater(crowd)
}

function expectAllWhole(crowd: Subscribers, people: readonly string[], polled: readonly Polled[]) {
  const theirs = polled.filter(({ person }) => people.includes(person))
  expect(theirs).toHaveLength(people.length)
  for (const one of theirs) expectWhole(crowd, one)
}

async function leavesFinding({ nodes }: Subscribers): Promise<string> {
  const answer = await nodes[0]!.api('GET', '/api/companies/main/examination')
  const { findings } = (await jsonOf(answer)) as unknown as {
    findings: readonly { check: string; means: string; seen: string }[]
  }
  const found = findings.find(({ check }) => check === 'leaves-employee')
  return `${found?.seen} ${found?.means}`
}

async function proofState({ nodes }: Subscribers): Promise<string> {
  const { connections, store } = await nodes[0]!.node()
  const [connection] = [...connections.values()]
  return (await store.proofs.findProof(connection?.id ?? '')).state
}

/** How many, and whether their calendars are polled. */
const merges = [1, 2, 3, tooMany].flatMap((count) => [
  [count, true] as const,
  [count, false] as const,
])

describe('accounts merged on one day', () => {
  it.for(allOr(merges, ([count, arePolled]) => count === 2 && arePolled))(
    '%i accounts, old calendars polled: %s: all leaves appear a day later, new leaves of others at once',
    async ([count, arePolled], { crowd }) => {
      const [people, old] = [peopleBeside(count), numbered('old', count)]
      await begin(crowd, { people, old, arePolled })
      for (const [index, id] of old.entries()) merge(crowd, id, people[index]!)
      await crowd.pollFor(1)
      crowd.company.records.leaves[people.at(-1)!]?.push(newLeave('lv_new', 3))
      const polled = await crowd.pollFor(1)
      const other = polled.find(({ person }) => person === people.at(-1))
      expect(shown(other!, 'leave')).toContain('lv_new')
      expectAllWhole(crowd, people, await pollForDay(crowd))
    },
  )
})

it.runIf(inject('isThorough')).for([1, 2])(
  '%i old accounts lose their leaves before their departure is known: others wait a few readings',
  async (count, { crowd }) => {
    const [people, old] = [peopleBeside(count), numbered('old', count)]
    await begin(crowd, { people, old, arePolled: true })
    for (const [index, id] of old.entries()) merge(crowd, id, people[index]!)
    crowd.company.tellTheTruth()
    crowd.company.records.leaves[people.at(-1)!]?.push(newLeave('lv_new', 3))
    const polled = await crowd.pollFor(count === 1 ? 2 : 15, count === 1 ? 1 : 3)
    const other = polled.findLast(({ person }) => person === people.at(-1))
    expect(shown(other!, 'leave')).toContain('lv_new')
    expectAllWhole(crowd, people, await pollForDay(crowd))
  },
)

it.runIf(inject('isThorough'))(
  'an inactive old account that still gets answers counts as left',
  async ({ crowd }) => {
    const [people, old] = [peopleBeside(2), numbered('old', 2)]
    await begin(crowd, { people, old, arePolled: false })
    const { records } = crowd.company
    records.users = records.users.map((one) => ({ ...one, isActive: !old.includes(one.id) }))
    // Until the directory has read of it.
    await pollForDay(crowd)
    for (const [index, id] of old.entries()) {
      records.leaves[people[index]!]?.push(...(records.leaves[id] ?? []))
    }
    await crowd.pollFor(1)
    expectAllWhole(crowd, people, await pollForDay(crowd))
  },
)

it.runIf(inject('isThorough'))(
  'many old accounts merged into one: all leaves appear a day and a few polls later',
  async ({ crowd }) => {
    const [people, old] = [numbered('emp', 6), numbered('old', tooMany)]
    await begin(crowd, { people, old, arePolled: false })
    for (const id of old) merge(crowd, id, people[0]!)
    await crowd.pollFor(5)
    await pollForDay(crowd)
    expectAllWhole(crowd, people, await crowd.pollFor(5))
  },
)

it.runIf(inject('isThorough'))(
  'leaves returned for both accounts at first move a day after the old ones end, even without polls for these',
  async ({ crowd }) => {
    const [people, old] = [peopleBeside(tooMany), numbered('old', tooMany)]
    await begin(crowd, { people, old, arePolled: false })
    const { leaves } = crowd.company.records
    const given = old.map((id) => leaves[id]![0]!)
    // More than one at a time is taken for a filter that fails.
    leaves[people[0]!]?.push(given[0]!)
    await crowd.pollFor(2)
    leaves[old[0]!]!.shift()
    for (const [index, id] of old.entries()) merge(crowd, id, people[index]!)
    await crowd.pass(hourMs, hourMs)
    await crowd.pollFor(1)
    expectAllWhole(crowd, people, await pollForDay(crowd))
  },
)

it.runIf(inject('isThorough'))(
  'a filter disproved for an hour meanwhile does not restart the day',
  async ({ crowd, company }) => {
    const [people, old] = [peopleBeside(3), numbered('old', 3)]
    await begin(crowd, { people, old, arePolled: false })
    for (const [index, id] of old.entries()) merge(crowd, id, people[index]!)
    await crowd.pollFor(1)
    await pollLater(crowd)
    await crowd.pass(8 * hourMs, hourMs)
    const isKnown = (id: string): boolean => people.includes(id) || old.includes(id)
    company.tell(carelessFilters.prefix, { when: ({ subject }) => !isKnown(subject) })
    company.records.leaves[people.at(-1)!]?.push(newLeave('lv_new', 3))
    await crowd.pollFor(60, 10)
    expect(await proofState(crowd)).toBe('disproved')
    company.tellTheTruth()
    for (const id of old) refuse(company, id)
    await crowd.pass(3 * hourMs, hourMs)
    await crowd.pollFor(20, 5)
    expectAllWhole(crowd, people, await crowd.pollFor(1))
  },
)

/** On which database, whether the old calendars are polled, and of how many people: more than are believed at once. */
const renamings = [
  ['SQLite', true, tooMany + 1],
  ['PostgreSQL', false, tooMany + 1],
  ['SQLite', true, 30],
  ['SQLite', false, 30],
  ['PostgreSQL', false, 30],
] as const

describe('all ids of a company renamed', () => {
  it.for(allOr(renamings, ([name, , count]) => name === 'SQLite' && count < 30))(
    'on %s, old calendars polled: %s, %i people: all leaves appear a day and a few polls later, across restarts',
    async ([name, arePolled, count], { company, clock }) => {
      const { createMigrated } = databases.find((database) => database.name === name)!
      const environment = adversaryEnvironment(company.url, {}, await createMigrated())
      const crowd = new Subscribers({ company, clock, environment })
      const [old, people] = [numbered('a', count), numbered('b', count)]
      try {
        await begin(crowd, { people: [], old, arePolled })
        const nodes = name === 'PostgreSQL' ? 2 : 1
        if (nodes > 1) await crowd.addNode()
        company.records.users.push(...companyOf(people).users)
        for (const [index, id] of old.entries()) merge(crowd, id, people[index]!)
        await crowd.subscribeAll(people)
        await crowd.pollFor(1)
        for (let time = 0; time < 2; time += 1) {
          await crowd.replaceNode(time % nodes)
          await pollLater(crowd, time % nodes)
        }
        // The day of the last of them ends just as they poll, and they are compared again ten minutes later.
        expectAllWhole(crowd, people, await crowd.pollFor(16, 8))
      } finally {
        await crowd.close()
      }
    },
  )
})

describe('a Read API that ignores the filter and sometimes refuses people', () => {
  it.runIf(inject('isThorough')).for([3, 9])(
    '%i times in ten: no leave is shown to another person',
    async (rate, { crowd, company }) => {
      const people = numbered('emp', 8)
      await begin(crowd, { people, old: [], arePolled: false })
      const { leaves } = company.records
      leaves['emp-never-x'] = [newLeave('lv_never', 5), newLeave('lv_ever', 6)]
      let asked = 0
      const when = ({ subject }: Asked): boolean =>
        subject !== people[0] && (asked += 1) % 10 < rate
      company.tell({ ...status(404), of: ['leaves'] }, { when })
      company.tell(unfilteredButRefusing(404))
      for (let time = 0; time < 4; time += 1) await watch(crowd, 480, 480)
      company.tellTheTruth()
      await crowd.pollFor(26 * 60, 240)
      await expectExact(crowd)
    },
  )

  it('and refuses everybody but one: that one is shown no leave of others either', async ({
    crowd,
    company,
  }) => {
    const people = numbered('emp', 8)
    await begin(crowd, { people, old: [], arePolled: false })
    company.records.leaves['emp-never-x'] = [newLeave('lv_never', 5), newLeave('lv_ever', 6)]
    company.tell(
      { ...status(404), of: ['leaves'] },
      { when: ({ subject }) => subject !== people[0] },
    )
    company.tell(unfiltered)
    const times = inject('isThorough') ? 4 : 2
    for (let time = 0; time < times; time += 1) await watch(crowd, 480, 480)
    company.tellTheTruth()
    await crowd.pollFor(26 * 60, 520)
    await expectExact(crowd)
  })
})
