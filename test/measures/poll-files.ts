/*
 * How many files of src/ a reader meets who follows one poll: those of which a function runs while a feed of leaves
 * alone is polled for the first time of all, when people are looked for and the filter is proven (first), by a bridge that
 * has just been started and finds its copies due (cold), and again within its freshness (warm). V8's precise coverage
 * counts them, in a process of its own: what a test runner makes of a file holds more functions than the file.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type SQLInputValue, StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

import { DefaultQueryCompiler } from 'kysely'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { programFolder } from '../support/bridge/source-files.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { twoPeople } from '../support/company/people.ts'

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
// The first poll after it makes what goes out again from then on.
await filesOfPoll(after)
const database = countDatabase()
const warm = await filesOfPoll(after)
console.log(
  `A warm poll reads the database ${database.reads} time(s) and compiles ${database.compiled} queries.`,
)
coverage.disconnect()
await after.close()
await company.close()
await rm(folder, { recursive: true })
report('first', first)
report('cold', cold)
report('warm', warm)

/** Counts from now on. */
function countDatabase(): { reads: number; compiled: number } {
  const counts = { reads: 0, compiled: 0 }
  const { prototype: statement } = StatementSync
  for (const name of ['all', 'get', 'run', 'iterate'] as const) {
    const original = statement[name]
    Object.assign(statement, {
      [name](this: StatementSync, ...values: readonly SQLInputValue[]) {
        counts.reads += 1
        return Reflect.apply(original, this, values)
      },
    })
  }
  const { prototype: compiler } = DefaultQueryCompiler
  const compile: (...given: never[]) => unknown = Reflect.get(compiler, 'compileQuery')
  Object.assign(compiler, {
    compileQuery(this: DefaultQueryCompiler, ...given: never[]) {
      counts.compiled += 1
      return Reflect.apply(compile, this, given)
    },
  })
  return counts
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
  // Not by fetch, to which the program's own client would listen, too.
  const [response] = (await once(get(new URL(pathname, url)), 'response')) as [IncomingMessage]
  await once(response.resume(), 'end')
  if (response.statusCode !== 200) throw new Error(`It was answered with ${response.statusCode}.`)
  const { result } = await coverage.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url: script }) => script.split(`${pathToFileURL(programFolder).href}/`)[1] ?? '')
    .filter((file) => file !== '')
    .toSorted()
}

function report(name: string, files: readonly string[]): void {
  console.log(`A ${name} poll runs through ${files.length} files:`)
  for (const file of files) console.log(`  ${file}`)
}
