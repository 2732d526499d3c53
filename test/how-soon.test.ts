/* The table of how soon a change in the system shows in a calendar, measured with a clock that is moved on. */
import { readFileSync } from 'node:fs'

import { expect, inject } from 'vitest'

import { it as base } from './support/adversary/adversary-fixture.ts'
import { companyOf } from './support/adversary/eight-people.ts'
import { countShifts, shown } from './support/adversary/shown.ts'
import type { Polled, Subscribers } from './support/adversary/subscribers.ts'
import type { CompanyRecords, Json } from './support/company/company-server.ts'
import { leave } from './support/company/people.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const people = Array.from({ length: 30 }, (_, index) => `emp-${index + 10}`)

/** Something true that happens in the company, named as in the table. */
interface Change {
  readonly name: string
  /** The people of these numbers poll. */
  readonly of: readonly number[]
  readonly happens: (records: CompanyRecords, ids: readonly string[]) => void
  readonly isShown: (polled: readonly Polled[]) => boolean | undefined
  /** It takes long to show. */
  readonly isSlow?: true
}

const it = base.extend('settings', { FEED_FRESH_SECONDS: '300' })

const leavesOf = (polled: Polled | undefined): readonly string[] =>
  polled?.status === 200 ? shown(polled, 'leave') : ['none']
const leaveEvent = (polled: Polled | undefined, id: string) =>
  polled?.events.get(`leave-${id}@main.calendar-feed-bridge`)

function edit(list: readonly Json[], id: string, more: object): Json[] {
  return list.map((record) => (record.id === id ? { ...record, ...more } : record))
}

const day = (date: string): string => `${date}T00:00:00.000Z`

/** What happens together, one day after the other; leaves of two owners that come for others on one day are taken for a fault. */
const days: readonly (readonly Change[])[] = [
  [
    {
      name: 'A leave is booked',
      of: [0],
      happens: ({ leaves }, [ada = '']) => leaves[ada]?.push(leave('lv_booked', '2026-02-20')),
      isShown: ([ada]) => leavesOf(ada).includes('lv_booked'),
    },
    {
      name: 'A leave is moved',
      of: [0],
      happens: ({ leaves }, [ada = '']) => {
        const moved = { startDate: day('2026-02-23'), endDate: day('2026-02-24') }
        leaves[ada] = edit(leaves[ada] ?? [], 'lv_0b', moved)
      },
      isShown: ([ada]) => leaveEvent(ada, 'lv_0b')?.start === '2026-02-23',
    },
    {
      name: 'A request is approved',
      of: [1],
      happens: ({ leaves }, [bob = '']) => {
        leaves[bob] = edit(leaves[bob] ?? [], 'lv_1a', { status: 'APPROVED' })
      },
      isShown: ([bob]) => leaveEvent(bob, 'lv_1a')?.status === 'CONFIRMED',
    },
    {
      name: 'A leave is cancelled',
      of: [1],
      happens: ({ leaves }, [bob = '']) => {
        leaves[bob] = edit(leaves[bob] ?? [], 'lv_1b', { status: 'CANCELLED' })
      },
      isShown: ([bob]) => !leavesOf(bob).includes('lv_1b'),
    },
    {
      name: 'One of several leaves is removed',
      of: [2],
      happens: ({ leaves }, [cleo = '']) => leaves[cleo]?.pop(),
      isShown: ([cleo]) => leavesOf(cleo).length === 3,
    },
    {
      name: 'All leaves of one person are removed',
      of: [3],
      happens: ({ leaves }, [dan = '']) => {
        leaves[dan] = []
      },
      isShown: ([dan]) => leavesOf(dan).length === 0,
    },
    {
      name: 'A leave is moved to another person',
      of: [4, 5],
      happens: ({ leaves }, [eve = '', finn = '']) => leaves[finn]?.push(leaves[eve]!.pop()!),
      isShown: ([eve, finn]) => leavesOf(eve).length === 3 && leavesOf(finn).length === 5,
    },
    {
      name: 'Somebody leaves the company',
      of: [8],
      happens: (records, [gus = '']) => {
        records.users = edit(records.users, gus, { isActive: false })
      },
      isShown: ([gus]) => gus?.status === 410,
    },
    {
      name: 'Somebody falls ill, with no end given',
      of: [9],
      happens: ({ leaves }, [hal = '']) =>
        leaves[hal]?.push(leave('lv_sick', '2026-01-05', { endDate: null })),
      isShown: ([hal]) => leavesOf(hal).includes('lv_sick'),
    },
    {
      name: 'A schedule gets other hours',
      of: [24],
      happens: (records) => {
        const pattern = { monday: { start: '10:00', end: '18:00' } }
        records.schedules = edit(records.schedules, 'sch_day', { pattern })
      },
      isShown: ([ida]) =>
        ida?.events.values().some(({ start }) => start === '2026-01-26T09:00:00Z') ?? false,
    },
    {
      name: 'A project is archived',
      of: [24],
      happens: (records) => {
        delete records.tasks['prj_web']
      },
      isShown: ([ida]) => shown(ida!, 'task').length === 0,
    },
  ],
  [
    {
      name: 'Two accounts are merged',
      of: [6, 7],
      happens: (records, [old = '', kept = '']) => {
        const { leaves } = records
        leaves[kept] = [...(leaves[kept] ?? []), ...(leaves[old] ?? [])]
        delete leaves[old]
        records.users = records.users.filter(({ id }) => id !== old)
      },
      isShown: ([, kept]) => leavesOf(kept).length === 8,
    },
    {
      name: 'Somebody is hired again',
      of: [8],
      happens: (records, [gus = '']) => {
        records.users = edit(records.users, gus, { isActive: true })
      },
      isShown: ([gus]) => leavesOf(gus).length === 4,
    },
    {
      name: 'The end of that sick leave is entered',
      of: [9],
      happens: ({ leaves }, [hal = '']) => {
        leaves[hal] = edit(leaves[hal] ?? [], 'lv_sick', { endDate: day('2026-01-16') })
      },
      isShown: ([hal]) => leaveEvent(hal, 'lv_sick')?.content.includes('DTEND;VALUE=DATE:20260117'),
    },
    {
      name: 'A schedule is replaced by one of another id',
      of: [24],
      happens: (records) => {
        const [schedule, ...others] = records.schedules
        records.schedules = [...others, { ...schedule!, id: 'sch_new' }]
      },
      isShown: ([ida]) => countShifts(ida!) === 0,
    },
  ],
  [
    {
      name: 'All leaves get new ids by an import',
      of: [10, 11, 12, 13, 14],
      happens: ({ leaves }) => {
        for (const [id, list] of Object.entries(leaves)) {
          leaves[id] = list.map((record) => ({ ...record, id: `imported_${record.id}` }))
        }
      },
      isShown: (polled) =>
        polled.every(
          (one) => leavesOf(one).length === 4 && leavesOf(one)[0]?.startsWith('imported'),
        ),
    },
  ],
  [
    {
      name: 'A department of more than three is closed',
      of: [15, 16, 17, 18],
      happens: (records, ids) => {
        for (const id of ids) records.users = edit(records.users, id, { isActive: false })
      },
      isShown: (polled) => polled.every(({ status }) => status === 410),
      isSlow: true,
    },
  ],
  [
    {
      name: 'The old year’s leaves are removed for everybody',
      of: [19, 20, 21, 22, 23],
      happens: ({ leaves }) => {
        for (const id of Object.keys(leaves)) leaves[id] = []
      },
      isShown: (polled) => polled.every((one) => leavesOf(one).length === 0),
    },
  ],
]

async function begin(crowd: Subscribers): Promise<void> {
  const { company } = crowd
  company.records = companyOf(people)
  const { leaves } = company.records
  leaves[people[1]!] = edit(leaves[people[1]!]!, 'lv_1a', { status: 'PENDING' })
  await crowd.addNode()
  await company.quiet()
  await crowd.subscribeAll(people)
  await crowd.pollFor(20, 5)
}

/** After how long each change shows, all made at once; calendars are asked for every five minutes in the first hour, then twice a day. */
async function howSoon(crowd: Subscribers, changes: readonly Change[]): Promise<Measured> {
  const measured: Measured = new Map(changes.map(({ name }) => [name, 'never']))
  const poll = async (of: readonly number[]): Promise<readonly Polled[]> => {
    const polled: Polled[] = []
    for (const number of of) polled.push(await crowd.poll(crowd.subscriptions[number]!))
    await crowd.company.quiet()
    return polled
  }
  await crowd.pass(6 * minuteMs)
  for (const { of } of changes) await poll(of)
  for (const { of, happens } of changes) {
    const ids = of.map((number) => people[number]!)
    happens(crowd.company.records, ids)
  }
  let left = changes
  for (let age = 0; left.length > 0 && age < (changes[0]?.isSlow ? 8 : 1.5) * dayMs;) {
    const step = age < hourMs ? 5 * minuteMs : dayMs / 2
    await crowd.pass(step, step)
    age += step
    const waiting: Change[] = []
    for (const change of left) {
      if (change.isShown(await poll(change.of))) measured.set(change.name, inWords(age))
      else waiting.push(change)
    }
    left = waiting
  }
  return measured
}

type Measured = Map<string, string>

function inWords(ms: number): string {
  if (ms <= hourMs) return `${ms / minuteMs} minutes`
  const halves = Math.floor((2 * ms) / dayMs)
  return ({ 1: 'half a day', 2: 'a day' } as Record<number, string>)[halves] ?? `${halves / 2} days`
}

/** The first two columns of the table. */
function documented(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL('../docs/when-data-shrinks.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## How soon a change shows\n')
  const rows = section.split('\n## ')[0]!.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)
  return new Map([...rows].map(([, name = '', after = '']) => [name, after]))
}

it('a change appears as soon as the table says', async ({ crowd }) => {
  await begin(crowd)
  const measured: Measured = new Map()
  // Later days take as long as they say, and are lived through where there is time.
  for (const changes of inject('isThorough') ? days : days.slice(0, 2)) {
    for (const [name, after] of await howSoon(crowd, changes)) measured.set(name, after)
  }
  const table = documented()
  const names = days.flat().map(({ name }) => name)
  expect([...table.keys()]).toEqual(expect.arrayContaining(names))
  expect(measured).toEqual(new Map([...table].filter(([name]) => measured.has(name))))
})
