/* A team's feed has exactly the members that the directory has, on every node. */
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'

import { dayMs } from '../../src/domain/world.ts'
import { adminToken, calendarUrl, readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import { type PollAnswer, pollNow } from '../support/bridge/fixtures.ts'
import { openNode, readDirectory, type TestNode } from '../support/bridge/node.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import {
  idOf,
  nameOf,
  type TeamChange,
  teamChanges,
  TeamModel,
} from '../support/company/team-model.ts'
import { databases } from '../support/database/databases.ts'

const isThorough = inject('isThorough')
const numRuns = isThorough ? 15 : 1
const changesOfAll = isThorough ? 90 : 0
const begun = 9
/** Each walk begins with one of each kind, which chance could leave out, and with one person leaving and returning. */
const opening: readonly TeamChange[] = [
  { does: 'leaves', who: 3 },
  { does: 'waits', days: 1 },
  { does: 'waits', days: 1 },
  { does: 'returns', who: 3 },
  { does: 'waits', days: 1 },
  { does: 'waits', days: 1 },
  { does: 'joins', who: 10 },
  { does: 'reports to', who: 5, manager: 1 },
  { does: 'is erased', who: 4 },
  { does: 'names nobody', who: [6] },
]
const teams = [
  { managerId: idOf(0), depth: 'direct' },
  { managerId: idOf(0), depth: 'all' },
  { managerId: idOf(1), depth: 'direct' },
  { managerId: idOf(1), depth: 'all' },
  { managerId: idOf(2), depth: 'all' },
] as const

it.each(databases)(
  'two nodes keep every team as the directory has it, on $name',
  async ({ createMigrated }) => {
    const walks = fc.array(teamChanges, { minLength: changesOfAll, maxLength: changesOfAll })
    await fc.assert(
      fc.asyncProperty(walks, async (changes) => walk(await createMigrated(), changes)),
      { numRuns, endOnFailure: true },
    )
  },
)

/** Several changes at once, with one departure: more would be held back. */
function stepsOf(changes: readonly TeamChange[]): readonly (readonly TeamChange[])[] {
  const steps = Array.from({ length: Math.ceil(changes.length / 3) }, (_, step) =>
    changes.slice(step * 3, step * 3 + 3),
  )
  return steps.map((some) => {
    const first = some.findIndex(({ does }) => does === 'leaves')
    return some.filter(({ does }, index) => does !== 'leaves' || index === first)
  })
}

async function walk(databaseUrl: string, changes: readonly TeamChange[]): Promise<void> {
  const clock = createFakeClock()
  const company = await startCompanyServer()
  const environment = {
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    DIRECTORY_FRESH_SECONDS: '3600',
    FEED_FRESH_SECONDS: '60',
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
  }
  const bridge = await startBridge({ clock, environment })
  const nodes = [await openNode(environment, clock), await openNode(environment, clock)]
  const model = new TeamModel(begun)
  try {
    await refresh({ company, clock, nodes, model })
    const feeds = await Promise.all(
      teams.map(async (team) => ({ ...team, feed: await bridge.createFeed({ team }) })),
    )
    for (const [step, some] of stepsOf([...opening, ...changes]).entries()) {
      let days = 1
      for (const change of some) {
        if (!model.change(change)) continue
        if (change.does === 'waits') ({ days } = change)
        if (change.does !== 'is erased') continue
        const erased = { userId: idOf(change.who), companyId: 'main' }
        expect((await bridge.api('POST', '/api/erasures', erased)).status).toBe(200)
      }
      await clock.advance(days * dayMs + 3_600_000)
      await refresh({ company, clock, nodes, model })
      for (const [index, { feed, managerId, depth }] of feeds.entries()) {
        const isErased = model.erased.has(managerId)
        const answer = await bridge.api('GET', `/api/feeds/${feed.id}`)
        expect(answer.status).toBe(isErased ? 404 : 200)
        const members = model.membersOf(managerId, depth)
        if (!isErased) expect(await answer.json()).toMatchObject({ userIds: members })
        if (index !== step % feeds.length) continue
        const served = await pollNow(calendarUrl(feed))
        expect(served.status).toBe(isErased ? 404 : 200)
        const names = members.map(nameOf)
        for (const name of namesIn(served)) expect(names).toContain(name)
      }
    }
    const open = feeds.filter(({ managerId }) => !model.erased.has(managerId))
    // New leaves are read twice before they are shown.
    for (let polls = 0; polls < 3; polls += 1) {
      await clock.advance(61_000)
      await Promise.all(open.map(({ feed }) => pollNow(calendarUrl(feed))))
    }
    for (const { feed, managerId, depth } of open) {
      const shown = namesIn(await pollNow(calendarUrl(feed)))
      expect(shown.toSorted()).toEqual(model.membersOf(managerId, depth).map(nameOf).toSorted())
    }
  } finally {
    for (const opened of [bridge, ...nodes, company]) await opened.close()
  }
}

/** Of those with leave in it. */
function namesIn({ titles }: PollAnswer): readonly string[] {
  return [...new Set(titles.join('\n').match(/Name\d\dx/g))]
}

interface World {
  readonly company: CompanyServer
  readonly clock: FakeClock
  readonly nodes: readonly TestNode[]
  readonly model: TeamModel
}

/** Both nodes search and read at once. */
async function refresh({ company, clock, nodes, model }: World): Promise<void> {
  model.write(company.records)
  await Promise.all(nodes.map(readDirectory))
  model.readAll(clock.now())
}
