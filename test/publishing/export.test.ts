/* An export keeps nothing: of someone for whom there is no feed the database knows as much afterwards as before. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../support/bridge/bridge.ts'
import { type CommandResult, runCommand } from '../support/bridge/command-line.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { everythingIn, everyRow } from '../support/bridge/search-database.ts'
import { leave } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'

/** Of Ada: her id, her name, her records, the reason of her leave. */
const traces = /usr_ada|Lovelace|lv_ada|Eye operation/g
const reason = 'Eye operation'

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    leaves: {
      usr_ada: [leave('lv_ada1', '2026-01-12', { reason })],
      usr_bob: [leave('lv_bob1', '2026-01-13')],
    },
    tasks: {},
    timesheets: [],
  }))
  .extend('exportAdas', ({ environment }) => (): Promise<CommandResult> => {
    const options = { leaves: { detail: 'full' }, window: { pastDays: 900, futureDays: 365 } }
    const words = ['export', '--user', 'usr_ada', '--options', JSON.stringify(options)]
    return runCommand(environment, ...words)
  })

describe.each(databases)('an export, on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('leaves no trace of the person or of the shown reason', async ({
    databaseUrl,
    exportAdas,
  }) => {
    const { code, output } = await exportAdas()
    expect([code, output.includes('lv_ada1')]).toEqual([0, true])
    expect((await everythingIn(databaseUrl)).match(traces) ?? []).toEqual([])
  })

  it('changes no feed while the bridge runs, and respects the owners of leaves', async ({
    bridge,
    databaseUrl,
    company,
    exportAdas,
  }) => {
    const bobs = await bridge.createFeed({ userIds: ['usr_bob'] })
    await pollNow(calendarUrl(bobs))
    const before = await everyRow(databaseUrl)
    const { output } = await exportAdas()
    expect(output).toContain(reason)
    company.records.leaves['usr_ada']!.push(leave('lv_bob1', '2026-01-13'))
    expect((await exportAdas()).output).not.toContain('lv_bob1')
    expect(await everyRow(databaseUrl)).toBe(before)
  })
})
