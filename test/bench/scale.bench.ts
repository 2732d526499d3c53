/*
 * A million feeds of 334 companies in one database, whose people are known, on the two cores that the load and the companies need, too. Of each
 * company some people subscribe within the run, by polls that are their first; from then on these polls stand for all: they
 * arrive as a million subscriptions do in an hour, half of them conditional, and find their copies due. Then at twice the
 * rate, and so on until polls fail or wait for long. SCALE_ACTIVE says how many subscribe, SCALE_SECONDS how long each rate
 * lasts, SCALE_FEEDS how many there are.
 */
import { mkdtemp, rm, statSync, writeFile } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

import { expect, it, onTestFinished } from 'vitest'

import { openStore } from '../../src/store/open-store.ts'
import { type BusyBridge, startBusyBridge } from '../support/busy-bridge.ts'
import { insertFeeds } from '../support/many-feeds.ts'
import { personId } from '../support/person-ids.ts'

const feeds = Number(process.env['SCALE_FEEDS'] ?? 1_000_000)
const active = Number(process.env['SCALE_ACTIVE'] ?? 6680)
const seconds = Number(process.env['SCALE_SECONDS'] ?? 90)
const companyCount = Number(process.env['SCALE_COMPANIES'] ?? 334)
const companySize = 3000
const firstRate = 40
const hourlyRate = feeds / 3600
const doublings = 3
const p99Max = 2000
const megabyte = 1_048_576

it(`${feeds} feeds of ${companyCount} companies`, { timeout: 3_600_000 }, async () => {
  const folder = await promisify(mkdtemp)(path.join(tmpdir(), 'scale-'))
  onTestFinished(() => promisify(rm)(folder, { recursive: true }))
  const file = path.join(folder, 'bridge.sqlite')
  await (await openStore(`file:${file}`)).close()
  await insertFeeds(`file:${file}`, feeds, { shifts: { scheduleIds: ['sch_day'] } })
  spreadOverCompanies(file)
  const bridge = await startBusyBridge(
    { people: companySize, latencyMs: 20, changing: 0.05 },
    { DATABASE_URL: `file:${file}`, FEED_FRESH_SECONDS: '20', FEED_POLLS_PER_MINUTE: '1000' },
    async (readApi) => {
      const companies = Array.from({ length: companyCount }, (_, number) => ({
        id: `company${number}`,
        baseUrl: `${readApi}/c${number}`,
        timezone: 'Europe/Berlin',
        schedules: ['sch_day'],
      }))
      const companiesFile = path.join(folder, 'companies.json')
      await promisify(writeFile)(companiesFile, JSON.stringify(companies))
      return { COMPANIES_FILE: companiesFile }
    },
  )
  onTestFinished(() => bridge.close())
  const each = Math.ceil(active / companyCount)
  const people = Array.from({ length: each }, (_, number) => personId(number))
  const paths: string[] = []
  for (let company = 0; company < companyCount; company += 1)
    paths.push(...(await bridge.createFeeds(people, { companyId: `company${company}` })))
  // One of each company after the other.
  const inTurns = people.flatMap((_, number) =>
    Array.from(
      { length: companyCount },
      (_company, company) => paths[company * each + number] ?? '',
    ),
  )
  const polled = (rate: number, count: number) =>
    pollAndTell(bridge, { paths: inTurns, rate, count, file })
  await polled(firstRate, inTurns.length)
  const reached = await polled(hourlyRate, Math.round(hourlyRate * seconds))
  expect.soft(reached.failed).toBe(0)
  expect.soft(reached.peakBytes).toBeLessThanOrEqual(1024 * megabyte)
  let rate = hourlyRate
  for (let times = 0; times < doublings; times += 1) {
    rate *= 2
    const more = await polled(rate, Math.round(rate * seconds))
    if (more.failed > 0 || more.p99 > p99Max) break
  }
  console.log(`the first limit is met at ${rate.toFixed(0)} polls a second`)
})

/** The companies are as they are any day: their people have been looked for within the day. */
function spreadOverCompanies(file: string): void {
  const database = new DatabaseSync(file)
  const now = Date.now()
  database.exec(`begin;
    update feeds set company_id = 'company' || (rowid % ${companyCount});
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${companyCount - 1})
      insert into look_rounds (company_id, looked_at, due_at, problems, read_at)
        select 'company' || n, ${now}, ${now + 86_400_000}, '[]', 0 from numbers;
    commit`)
  database.close()
}

async function pollAndTell(
  bridge: BusyBridge,
  { file, ...arrivals }: { paths: readonly string[]; rate: number; count: number; file: string },
): Promise<{ readonly failed: number; readonly p99: number; readonly peakBytes: number }> {
  await bridge.load()
  const before = await bridge.companies()
  const { statuses, waits, cpuMs } = await bridge.poll({ ...arrivals, conditional: 0.5 })
  const after = await bridge.companies()
  const load = await bridge.load()
  const share = (ms: number): string => `${((100 * ms) / load.ms).toFixed(0)} %`
  console.log(
    `${arrivals.rate.toFixed(0)} polls a second: ${JSON.stringify(statuses)}; waited p50 ${waits.p50.toFixed(0)} ms, p99 ${waits.p99.toFixed(0)} ms; ` +
      `of a core the bridge had ${share(load.cpuMs)}, the load ${share(cpuMs)}, the companies ${share(after.cpuMs - before.cpuMs)}; ` +
      `${((after.calls - before.calls) / arrivals.count).toFixed(2)} calls of the Read API a poll; event loop late by p99 ${load.delayP99.toFixed(0)} ms; ` +
      `${(load.residentBytes / megabyte).toFixed(0)} MB, the database ${(statSync(file).size / megabyte).toFixed(0)} MB`,
  )
  const good = (statuses['200'] ?? 0) + (statuses['304'] ?? 0)
  return { failed: arrivals.count - good, p99: waits.p99, peakBytes: load.peakBytes }
}
