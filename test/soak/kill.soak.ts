/* kill -9 at random moments: whatever was shown stays shown, and no revision falls. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { expect, it } from 'vitest'

import { adminToken, readsFrom } from '../support/bridge/bridge.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { ada, leave, task, timesheet } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'

const kills = 50
const main = path.resolve(import.meta.dirname, '../../src/main.ts')

interface Running {
  readonly process: ChildProcess
  readonly url: string
}

async function start(environment: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Public address (http\S+)/.exec(line)?.[1]
    if (url !== undefined) return { process: child, url }
  }
  throw new Error('The bridge did not start.')
}

async function kill({ process: child }: Running): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Every record says something else than before; none comes or goes. */
function edit({ records }: CompanyServer, round: number): void {
  const days = Array.from(
    { length: 20 },
    (_, index) => `2026-12-${String(index + 1).padStart(2, '0')}`,
  )
  records.leaves['usr_ada'] = days.map((day, index) =>
    leave(`lv_${index}`, day, { leaveType: { name: `Leave of round ${round}` } }),
  )
  records.tasks['prj_web'] = days.map((day, index) => ({
    ...task(`tsk_${index}`, day, [ada]),
    title: `Task of round ${round}`,
  }))
  records.timesheets = days.map((day, index) => ({
    ...timesheet(`clq${index}`, 'usr_ada', day, day),
    entries: [{ hoursWorked: round, expectedHours: 8 }],
  }))
}

it.each(databases)('50 kills on $name', async ({ name, create }) => {
  const company = await startCompanyServer()
  company.records.users = [ada]
  edit(company, 0)
  const environment = {
    ...readsFrom(company.url),
    PORT: '0',
    DATABASE_URL: await create(),
    ADMIN_TOKEN: adminToken,
    WORKFORCE_PROJECTS: 'prj_web',
    WORKFORCE_SHRINK_GUARD: 'off',
    FEED_FRESH_SECONDS: '0',
    LOG_LEVEL: 'silent',
  }
  let bridge = await start(environment)
  const made = await fetch(`${bridge.url}/api/feeds`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ userIds: ['usr_ada'] }),
  })
  const feed = (await made.json()) as { links: { url: string }[] }
  const address = new URL(feed.links[0]!.url).pathname
  const seen = new Map<string, number>()
  let polls = 0

  async function poll(): Promise<void> {
    const response = await fetch(bridge.url + address)
    expect(response.status).toBe(200)
    const events = readCalendar(await response.text())
    expect(events.size).toBe(60)
    for (const [uid, { sequence }] of events) {
      expect(sequence).toBeGreaterThanOrEqual(seen.get(uid) ?? 0)
      seen.set(uid, sequence)
    }
    polls += 1
  }

  await poll()
  for (let round = 1; round <= kills; round += 1) {
    edit(company, round)
    const running = bridge
    const moment = Math.random() * 60
    const dying = new Promise<void>((resolve) => {
      setTimeout(() => resolve(kill(running)), moment)
    })
    while (running.process.exitCode === null && running.process.signalCode === null) {
      await poll().catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error
      })
    }
    await dying
    company.faults.set('/', 500)
    bridge = await start(environment)
    await poll()
    company.faults.clear()
  }
  await poll()
  await kill(bridge)
  await company.close()
  console.log(
    `${name}: ${kills} kills, ${polls} polls, highest SEQUENCE ${Math.max(...seen.values())}`,
  )
})
