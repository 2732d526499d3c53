/* An id that becomes somebody else's: with or without a gap, nothing of the newcomer is shown by an old link. */
import { describe, expect } from 'vitest'

import type { TestBridge } from '../support/bridge.ts'
import type { CompanyServer, Json } from '../support/company-server.ts'
import { databases } from '../support/databases.ts'
import { it as bareIt, pollNow } from '../support/fixtures.ts'
import { ada, bob, leave, task, timesheet } from '../support/people.ts'

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

function shownOf(titles: readonly string[]): readonly string[] {
  return titles.filter((title) => /^(Leave|Task) /.test(title)).toSorted()
}

describe.for(databases)('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', () => createMigrated())

  it('an id that changes without a gap keeps the last good state, and then ends', async ({
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

  it('an id that left and comes back as somebody else does not open the old address', async ({
    company,
    clock,
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
    await clock.advance(dayMs)
    await (await node).departures.readAgain(new AbortController().signal)
    expect((await pollNow(address)).status).toBe(410)
    await clock.advance(3 * dayMs)
    replace(company)
    for (let hours = 0; hours < 72; hours += 6) {
      await (await node).departures.readAgain(new AbortController().signal)
      expect((await poll(address)).status).toBe(410)
      await clock.advance(6 * hourMs)
    }
    const fresh = await poll(await feedOf('usr_ada'))
    expect(shownOf(fresh.titles)).toContain('Leave lv_eve')
    expect((await poll(address)).status).toBe(410)
  })
})
