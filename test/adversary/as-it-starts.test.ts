/* What an upstream can do in seconds, done to the program as it is started in production, with the time as it is. */
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'

import { expect, inject, it as bareIt } from 'vitest'

import { adversaryEnvironment } from '../support/adversary/adversary-fixture.ts'
import { alikeIds, companyOf } from '../support/adversary/eight-people.ts'
import type { Lie } from '../support/adversary/lie.ts'
import { cutJson, empty, status } from '../support/adversary/lies-about-bytes.ts'
import { damagedAll, damages } from '../support/adversary/lies-about-fields.ts'
import {
  carelessFilters,
  exchanged,
  unfiltered,
  unfilteredButRefusing,
} from '../support/adversary/lies-about-people.ts'
import { type LyingCompany, startLyingCompany } from '../support/adversary/lying-company.ts'
import { startNode } from '../support/bridge/bridge-node.ts'
import { calendarUrl, createFeedAt } from '../support/bridge/bridge.ts'
import { allOr } from '../support/bridge/thorough.ts'
import { freePort } from '../support/web/free-port.ts'

interface Started {
  readonly company: LyingCompany
  /** Everybody's calendar, in their order. */
  pollAll(): Promise<readonly { readonly status: number; readonly text: string }[]>
  /** Makes everybody's feed. */
  subscribeAll(): Promise<void>
}

/** Each test has a company and a process of its own, which starts with the first feed. */
const it = bareIt
  .extend('today', () => new Date().toISOString().slice(0, 10))
  .extend('started', async ({ today }, { onCleanup }): Promise<Started> => {
    const company = await startLyingCompany(companyOf(alikeIds, today), () => Date.now())
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'lies-'))
    const port = String(await freePort())
    const settings = { PORT: port, FEED_FRESH_SECONDS: '0', WORKFORCE_SCHEDULES: 'sch_day' }
    const environment = adversaryEnvironment(company.url, settings)
    const urls: string[] = []
    let node: Awaited<ReturnType<typeof startNode>> | undefined
    onCleanup(async () => {
      await node?.stop()
      await company.close()
    })
    async function subscribe(userId: string): Promise<void> {
      node ??= await startNode(folder, environment)
      const bridge = `http://127.0.0.1:${port}`
      const feed = await createFeedAt(bridge, { userIds: [userId] })
      urls.push(bridge + new URL(calendarUrl(feed)).pathname)
    }
    return {
      company,
      subscribeAll: async () => {
        for (const id of alikeIds) await subscribe(id)
      },
      pollAll: async () => {
        const polled: { status: number; text: string }[] = []
        for (const url of urls) {
          const response = await fetch(url)
          polled.push({ status: response.status, text: await response.text() })
        }
        return polled
      },
    }
  })

function countsOf(text: string, kind: string): number {
  return text.split(`UID:${kind}-`).length - 1
}

function foreignIn({ company }: Started, index: number, text: string): readonly string[] {
  const { leaves } = company.records
  return Object.entries(leaves)
    .filter(([id]) => id !== alikeIds[index])
    .flatMap(([, all]) => all.filter(({ id }) => text.includes(`UID:leave-${id}@`)))
    .map(({ id }) => `${id} to ${alikeIds[index]}`)
}

const filters: readonly Lie[] = [unfilteredButRefusing(404), carelessFilters.prefix]

it.runIf(inject('isThorough')).for(filters.map((lie) => [lie.name, lie] as const))(
  '%s: no leave is shown to another person',
  async ([, lie], { started }) => {
    started.company.tell(lie)
    await started.subscribeAll()
    for (let turn = 0; turn < 2; turn += 1) {
      for (const [index, { status: code, text }] of (await started.pollAll()).entries()) {
        expect([code, foreignIn(started, index, text)]).toEqual([200, []])
      }
    }
  },
)

const passing: readonly (readonly [name: string, lie: Lie])[] = [
  ['answers of two people exchanged', exchanged('usr_1', 'usr_a')],
  ['one unfiltered answer', unfiltered],
  ['{"data": []}', empty],
  ['cut JSON with a true entity tag', cutJson],
  ['createdAt: "" on every task', damaged('tasks.createdAt = ""')],
  ['an entry’s note', damaged('timesheets.entries.notes = 3')],
  ['leaveType.category: 3', damaged('leaves.leaveType.category = 3')],
  ['isActive: "" on every schedule', damaged('schedules.isActive = ""')],
  ['403 for all', status(403)],
  ['503 with Retry-After', status(503, '1')],
]

function damaged(name: string): Lie {
  return damagedAll(damages.find((one) => one.name === name)!)
}

it('each lie for a moment, one after the other: no event is lost, none of others appears, no poll is refused', async ({
  started,
}) => {
  await started.subscribeAll()
  const whole = await started.pollAll()
  expect(whole.map(({ text }) => countsOf(text, 'leave'))).toEqual(alikeIds.map(() => 4))
  // In the test's own process each of them is told in every run.
  const told = allOr(passing, ([name]) => /exchanged|empty|data|cut|503/.test(name))
  for (const [name, lie] of told) {
    started.company.tell(lie)
    for (const [index, { status: code, text }] of (await started.pollAll()).entries()) {
      const counts = ['leave', 'timesheet', 'task', 'shift'].map((one) => countsOf(text, one))
      const before = ['leave', 'timesheet', 'task', 'shift'].map((one) =>
        countsOf(whole[index]!.text, one),
      )
      const foreign = foreignIn(started, index, text)
      expect([name, code, counts, foreign]).toEqual([name, 200, before, []])
    }
    started.company.tellTheTruth()
  }
})
