/*
 * A million feeds of 334 companies in one database, on the two cores that the load and the companies need, too. Each feed is
 * of a person of its own, and of each the database holds what it holds of one that has been polled for long: copies, whose
 * leaves are whose, a ledger, what is known of the person. Of each company some feeds are polled, for all of them: first once
 * each, slowly, so that what is kept of them is the program's own work; then as a million subscriptions arrive that ask once
 * an hour, 278 a second, by chance, half of them with the tag that they have. What is asked for in these ten minutes is asked
 * for again sooner than within the hour that stands between two polls of a real one, so that everything that would remember
 * it is kept from that: copies are fresh for seconds only, so that every poll finds its person's due; no two answers of the
 * Read API have the same bytes; and more calendars are polled than stand ready in memory. Names, fresh for half a day, fall
 * due for one poll in twelve; one person in twenty gets another leave within the hour; the list of schedules is asked for
 * once every 14 seconds for each company, more often than three thousand polls an hour would. Then at twice the rate, and so
 * on until polls fail or one in a hundred waits for more than two seconds. SCALE_FEEDS says how many feeds there are,
 * SCALE_ACTIVE how many are polled, SCALE_SECONDS how long at the first rate; each other one lasts a quarter of that.
 */
import { readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { expect, it, onTestFinished } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type BusyBridge, startBusyBridge } from '../support/bridge/busy-bridge.ts'
import { moveIn, publishAll } from '../support/database/lived-in.ts'
import { feedIdOf, insertFeeds, tokenOf } from '../support/database/many-feeds.ts'

const feeds = Number(process.env['SCALE_FEEDS'] ?? 1_000_000)
const companyCount = Number(process.env['SCALE_COMPANIES'] ?? 334)
const active = Number(process.env['SCALE_ACTIVE'] ?? 16_700)
const seconds = Number(process.env['SCALE_SECONDS'] ?? 300)
const companySize = Math.ceil(feeds / companyCount)
const activeEach = Math.ceil(active / companyCount)
const firstRate = 100
const hourlyRate = 1_000_000 / 3600
const doublings = 3
const p99Max = 2000
const freshSeconds = 14
const megabyte = 1_048_576

it(`${feeds} feeds of ${companyCount} companies`, { timeout: 3_600_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'scale-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'bridge.sqlite')
  const bridge = await startBusyBridge(
    { people: companySize, latencyMs: 20, changing: 0.05, numbered: true },
    { DATABASE_URL: `file:${file}`, FEED_FRESH_SECONDS: String(freshSeconds) },
    async (readApi) => {
      const environment = writeCompanies(folder, readApi)
      await fill(file, environment)
      tell('the bridge starts')
      return environment
    },
  )
  onTestFinished(() => bridge.close())
  const count = activeEach * companyCount
  const paths = Array.from({ length: count }, (_, n) => `/feeds/${tokenOf(n + 1)}/calendar.ics`)
  const polled = (rate: number, polls: number): Promise<Reached> =>
    pollAndTell(bridge, { paths, rate, count: polls, file })
  await polled(firstRate, count)
  haveNamesFallDue(file, (12_000 * count) / hourlyRate)
  const reached = await polled(hourlyRate, Math.round(hourlyRate * seconds))
  expect.soft(reached.failed).toBe(0)
  expect.soft(reached.peakBytes).toBeLessThanOrEqual(1024 * megabyte)
  let rate = hourlyRate
  for (let times = 0; times < doublings; times += 1) {
    rate *= 2
    const more = await polled(rate, Math.round((rate * seconds) / 4))
    if (more.failed > 0 || more.p99 > p99Max) {
      tell(`the first limit is met at ${rate.toFixed(0)} polls a second: ${more.limit}`)
      return
    }
  }
  tell(`no limit is met up to ${rate.toFixed(0)} polls a second`)
})

/** At once: what takes so long is to be seen going on. */
function tell(text: string): void {
  writeSync(2, `${new Date().toISOString().slice(11, 19)} ${text}\n`)
}

function writeCompanies(folder: string, readApi: string): Record<string, string> {
  const file = path.join(folder, 'companies.json')
  const companies = Array.from({ length: companyCount }, (_, number) => ({
    id: `company${number}`,
    baseUrl: `${readApi}/c${number}`,
    timezone: 'Europe/Berlin',
    schedules: ['sch_day'],
  }))
  writeFileSync(file, JSON.stringify(companies))
  return { COMPANIES_FILE: file }
}

/** Of one company after the other, so that each has its share of those that are polled. */
async function fill(file: string, environment: Readonly<Record<string, string>>): Promise<void> {
  await (await openStore(`file:${file}`)).close()
  const company = `'company' || ((n - 1) % ${companyCount})`
  const user = `'usr_' || printf('%05d', (n - 1) / ${companyCount})`
  const options = { shifts: { scheduleIds: ['sch_day'] } }
  await insertFeeds(`file:${file}`, feeds, options, { company, user })
  tell(`${feeds} feeds`)
  publishAll(file, feedIdOf(activeEach * companyCount))
  tell('their links and ledgers')
  const { companies } = readSettings(environment, (name) => readFileSync(name))
  const residents = (companies ?? []).map(({ company: { id }, connectionId }) => ({
    companyId: id,
    connectionId,
    from: activeEach,
    to: companySize,
  }))
  moveIn(file, residents, Date.now())
  tell(`what is kept of their people: ${sizeOf(file)}`)
}

/** Each name that was read just now within that time, as it is where each was read at another time of the half day. */
function haveNamesFallDue(file: string, withinMs: number): void {
  const database = new DatabaseSync(file, { timeout: 60_000 })
  const freshMs = 12 * 3_600_000
  database.exec(`update copies set fetched_at = ${Date.now() - freshMs} + abs(random() % ${withinMs.toFixed(0)})
    where key like 'user:%' and fetched_at > ${Date.now() - 1_800_000}`)
  database.close()
}

interface Reached {
  readonly failed: number
  readonly p99: number
  readonly peakBytes: number
  /** What there was too little of, if there was. */
  readonly limit: string
}

async function pollAndTell(
  bridge: BusyBridge,
  { file, ...arrivals }: { paths: readonly string[]; rate: number; count: number; file: string },
): Promise<Reached> {
  await bridge.load()
  const before = await bridge.companies()
  const { statuses, waits, cpuMs } = await bridge.poll({ ...arrivals, conditional: 0.5 })
  const after = await bridge.companies()
  const load = await bridge.load()
  const share = (ms: number): string => `${((100 * ms) / load.ms).toFixed(0)} %`
  tell(
    [
      `${arrivals.rate.toFixed(0)} polls a second for ${(arrivals.count / arrivals.rate).toFixed(0)} s: ${JSON.stringify(statuses)}`,
      `waited p50 ${waits.p50.toFixed(0)} ms, p99 ${waits.p99.toFixed(0)} ms, at most ${waits.most.toFixed(0)} ms`,
      `of a core the bridge had ${share(load.cpuMs)}, the load ${share(cpuMs)}, the companies ${share(after.cpuMs - before.cpuMs)} (load average ${loadavg()[0]!.toFixed(1)})`,
      `${((after.calls - before.calls) / arrivals.count).toFixed(2)} calls of the Read API a poll`,
      `event loop late by p99 ${load.delayP99.toFixed(0)} ms, at most ${load.delayMost.toFixed(0)} ms`,
      `${(load.residentBytes / megabyte).toFixed(0)} MB resident, at most ${(load.peakBytes / megabyte).toFixed(0)} MB; the database ${sizeOf(file)}`,
    ].join('\n  '),
  )
  const good = (statuses['200'] ?? 0) + (statuses['304'] ?? 0)
  const failed = arrivals.count - good
  const limit = limitOf(load.cpuMs / load.ms, load.residentBytes)
  return { failed, p99: waits.p99, peakBytes: load.peakBytes, limit }
}

/** The bridge runs on one thread, beside which little is done. */
function limitOf(cores: number, residentBytes: number): string {
  if (residentBytes > 1024 * megabyte) return 'the memory of the bridge'
  if (cores > 0.9) return 'the one core that answers'
  return `neither memory nor the ${(100 * cores).toFixed(0)} % of a core that the bridge had: others use the machine, or the disk is slow`
}

function sizeOf(file: string): string {
  return `${(statSync(file).size / megabyte).toFixed(0)} MB`
}
