/*
 * How many files of src/ a reader meets who follows one poll: those of which a function runs while a feed of leaves
 * alone is polled for the first time of all, when people are looked for and the filter is proven (first), by a bridge that
 * has just been started and finds its copies due (cold), and again within its freshness (warm). V8's precise coverage
 * counts them, in a process of its own: what a test runner makes of a file holds more functions than the file.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import { startCompanyServer } from '../support/company-server.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { twoPeople } from '../support/people.ts'
import { programFolder } from '../support/source-files.ts'

const coldFilesMax = 60

const hidden = { show: false }
const leavesAlone = { shifts: hidden, timesheets: hidden, tasks: hidden, invoices: hidden }

const company = await startCompanyServer()
Object.assign(company.records, twoPeople())
const folder = await mkdtemp(path.join(tmpdir(), 'bridge-'))
const environment = {
  ...readsFrom(company.url),
  DATABASE_URL: `file:${folder}/bridge.sqlite`,
}
const clock = createFakeClock()
const before = await startBridge({ clock, environment })
const feed = await before.createFeed({ userIds: ['usr_ada'], options: leavesAlone })
const { pathname } = new URL(calendarUrl(feed))
const coverage = await startCoverage()
const first = await filesOfPoll(before)
await before.close()
await clock.advance(600_000)
const after = await startBridge({ clock, environment })
const cold = await filesOfPoll(after)
const warm = await filesOfPoll(after)
coverage.disconnect()
await after.close()
await company.close()
await rm(folder, { recursive: true })
report('first', first)
report('cold', cold)
report('warm', warm)
if (cold.length > coldFilesMax) {
  console.error(`A cold poll may run through at most ${coldFilesMax} files.`)
  process.exitCode = 1
}

async function startCoverage(): Promise<Session> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return session
}

async function filesOfPoll({ url }: TestBridge): Promise<readonly string[]> {
  await coverage.post('Profiler.takePreciseCoverage')
  const response = await fetch(new URL(pathname, url))
  await response.text()
  if (response.status !== 200) throw new Error(`The poll was answered with ${response.status}.`)
  const { result } = await coverage.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url: script }) => script.split(`${programFolder}/`)[1] ?? '')
    .filter((file) => file !== '')
    .toSorted()
}

function report(name: string, files: readonly string[]): void {
  console.log(`A ${name} poll runs through ${files.length} files:`)
  for (const file of files) console.log(`  ${file}`)
}
