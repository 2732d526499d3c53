/*
 * A million feeds of 334 companies in one database, on the two cores that the load, the companies and the database need, too.
 * Each feed is of a person of its own, and of each the database holds what it holds of one that has been polled for long:
 * copies, the owners of leaves, a ledger, what is known of the person. Of each company some feeds are polled, for all of
 * them: first once each, eight at a time, so that what is kept of them is the program's own work; then as a million subscriptions
 * arrive that ask once an hour, 278 a second, by chance, half of them with the tag that they have. What is asked for in these
 * ten minutes is asked for again sooner than within the hour that stands between two polls of a real one, so that everything
 * that would remember it is kept from that: copies are fresh for seconds only, so that every poll finds its person's due; no
 * two answers of the Read API have the same bytes; and more calendars are polled than stand ready in memory. Names, fresh for
 * half a day, fall due for one poll in twelve; one person in twenty gets another leave within the hour; the list of schedules
 * is asked for once every 14 seconds for each company, more often than three thousand polls an hour would. Then at twice the
 * rate, and so on until polls fail or one in a hundred waits for more than two seconds. SCALE_FEEDS says how many feeds there
 * are, SCALE_ACTIVE how many are polled, SCALE_SECONDS how long at the first rate; each other one lasts a quarter of that.
 * With SCALE_WORKERS above 1, so many workers serve, on PostgreSQL; otherwise one process, on SQLite.
 */
import { readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type BusyBridge, startBusyBridge } from '../support/bridge/busy-bridge.ts'
import { type TreeUsage, usageOfTree } from '../support/bridge/process-tree.ts'
import { moveInPostgres, publishAllPostgres } from '../support/database/lived-in-postgres.ts'
import { moveIn, publishAll, type Residents } from '../support/database/lived-in.ts'
import { feedIdOf, insertFeeds, tokenOf } from '../support/database/many-feeds.ts'
import { startPostgres } from '../support/database/postgres.ts'

const feeds = Number(process.env['SCALE_FEEDS'] ?? 1_000_000)
const companyCount = Number(process.env['SCALE_COMPANIES'] ?? 334)
const active = Number(process.env['SCALE_ACTIVE'] ?? 16_700)
const seconds = Number(process.env['SCALE_SECONDS'] ?? 300)
const workers = Number(process.env['SCALE_WORKERS'] ?? 1)
const companySize = Math.ceil(feeds / companyCount)
const activeEach = Math.ceil(active / companyCount)
/** More would only wait for each other, and leave the next polls behind. */
const firstAtOnce = 8
const hourlyRate = 1_000_000 / 3600
const doublings = 3
const p99Max = 2000
const freshSeconds = 14
const megabyte = 1_048_576

it(`${feeds} feeds of ${companyCount} companies`, { timeout: 3_600_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'scale-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = workers > 1 ? await openPostgres() : openSqlite(folder)
  onTestFinished(() => database.close())
  const bridge = await startBusyBridge(
    { people: companySize, latencyMs: 20, changing: 0.05, numbered: true },
    {
      DATABASE_URL: database.url,
      WORKERS: String(workers),
      FEED_FRESH_SECONDS: String(freshSeconds),
    },
    async (readApi) => {
      const environment = writeCompanies(folder, readApi)
      await fill(database, environment)
      tell('the bridge starts')
      return environment
    },
  )
  onTestFinished(() => bridge.close())
  const count = activeEach * companyCount
  const paths = Array.from({ length: count }, (_, n) => `/feeds/${tokenOf(n + 1)}/calendar.ics`)
  const polled = (rate: number, polls: number): Promise<Reached> =>
    pollAndTell(bridge, { paths, rate, count: polls, database })
  await pollAndTell(bridge, {
    paths,
    connections: firstAtOnce,
    count,
    database,
  })
  await haveNamesFallDue(database, (12_000 * count) / hourlyRate)
  const reached = await polled(hourlyRate, Math.round(hourlyRate * seconds))
  expect.soft(reached.failed).toBe(0)
  expect.soft(reached.peakBytes).toBeLessThanOrEqual(1024 * megabyte * workers)
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

/** The database, to be filled before the bridge runs and looked at beside it. */
interface Lived {
  readonly url: string
  publish(feedsAfter: string): Promise<void> | void
  moveIn(residents: readonly Residents[]): Promise<void> | void
  run(statement: string): Promise<unknown>
  bytes(): Promise<number>
  /** What it uses beside the bridge's own process. */
  usage(): TreeUsage
  close(): Promise<void>
}

function openSqlite(folder: string): Lived {
  const file = path.join(folder, 'bridge.sqlite')
  return {
    url: `file:${file}`,
    publish: (feedsAfter) => publishAll(file, feedsAfter),
    moveIn: (residents) => moveIn(file, residents, Date.now()),
    run: async (statement) => {
      using database = new DatabaseSync(file, { timeout: 60_000 })
      database.exec(statement)
    },
    bytes: async () => statSync(file).size,
    usage: () => ({ cpuMs: 0, residentBytes: 0 }),
    close: async () => undefined,
  }
}

/** As it is installed, but for its memory: each commit is on the disk. */
const installed = ['shared_buffers=1GB', 'max_wal_size=8GB']

async function openPostgres(): Promise<Lived> {
  // Tests keep their files in memory, which this would fill.
  const server = await startPostgres(installed, '/var/tmp')
  const { url } = server
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ask = async (what: string): Promise<string> => {
    const { rows } = await client.query<{ value: string }>(`select ${what} as value`)
    return String(rows[0]?.value)
  }
  const pid = Number((await ask(`pg_read_file('postmaster.pid')`)).split('\n')[0])
  return {
    url,
    publish: (feedsAfter) => publishAllPostgres(url, feedsAfter),
    moveIn: (residents) => moveInPostgres(url, residents, Date.now()),
    run: (statement) => client.query(statement),
    bytes: async () => Number(await ask('pg_database_size(current_database())')),
    usage: () => usageOfTree(pid),
    close: async () => {
      await client.end()
      await server.stop()
    },
  }
}

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
async function fill(database: Lived, environment: Readonly<Record<string, string>>): Promise<void> {
  await (await openStore(database.url)).close()
  const isSqlite = database.url.startsWith('file:')
  const number = `(n - 1) / ${companyCount}`
  const company = `'company' || ((n - 1) % ${companyCount})`
  const user = `'usr_' || ${isSqlite ? `printf('%05d', ${number})` : `lpad((${number})::text, 5, '0')`}`
  const options = { shifts: { scheduleIds: ['sch_day'] } }
  await insertFeeds(database.url, feeds, options, { company, user })
  tell(`${feeds} feeds`)
  await database.publish(feedIdOf(activeEach * companyCount))
  tell('their links and ledgers')
  const { companies } = readSettings(environment, (name) => readFileSync(name))
  const residents = (companies ?? []).map(({ company: { id }, connectionId }) => ({
    companyId: id,
    connectionId,
    from: activeEach,
    to: companySize,
  }))
  await database.moveIn(residents)
  tell(`what is kept of their people: ${inMegabytes(await database.bytes())}`)
}

/** Each name that was read just now within that time, as it is where each was read at another time of the half day. */
async function haveNamesFallDue(database: Lived, withinMs: number): Promise<void> {
  const freshMs = 12 * 3_600_000
  const within = withinMs.toFixed(0)
  const random = database.url.startsWith('file:')
    ? `abs(random() % ${within})`
    : `(random() * ${within})::int`
  await database.run(`update copies set fetched_at = ${Date.now() - freshMs} + ${random}
    where key like 'user:%' and fetched_at > ${Date.now() - 1_800_000}`)
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
  {
    database,
    ...arrivals
  }: {
    paths: readonly string[]
    rate?: number
    connections?: number
    count: number
    database: Lived
  },
): Promise<Reached> {
  const begun = performance.now()
  const used = { bridge: usageOfTree(bridge.pid), database: database.usage() }
  let peakBytes = 0
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, usageOfTree(bridge.pid).residentBytes)
  }, 1000)
  const before = await bridge.companies()
  const { statuses, waits, cpuMs } = await bridge.poll({ ...arrivals, conditional: 0.5 })
  const after = await bridge.companies()
  clearInterval(watch)
  const ms = performance.now() - begun
  const rate = arrivals.rate ?? (1000 * arrivals.count) / ms
  const share = (usedMs: number): string => `${((100 * usedMs) / ms).toFixed(0)} %`
  const bridgeMs = usageOfTree(bridge.pid).cpuMs - used.bridge.cpuMs
  const databaseMs = database.usage().cpuMs - used.database.cpuMs
  const companiesMs = after.cpuMs - before.cpuMs
  tell(
    [
      `${rate.toFixed(0)} polls a second for ${(arrivals.count / rate).toFixed(0)} s: ${JSON.stringify(statuses)}`,
      ...(arrivals.rate !== undefined
        ? [
            `waited p50 ${waits.p50.toFixed(0)} ms, p99 ${waits.p99.toFixed(0)} ms, at most ${waits.most.toFixed(0)} ms`,
          ]
        : []),
      `of a core the bridge had ${share(bridgeMs)}, the database ${share(databaseMs)}, the load ${share(cpuMs)}, the companies ${share(companiesMs)} (load average ${loadavg()[0]!.toFixed(1)})`,
      `${((after.calls - before.calls) / arrivals.count).toFixed(2)} calls of the Read API a poll`,
      `at most ${inMegabytes(peakBytes)} resident; the database ${inMegabytes(await database.bytes())}`,
    ].join('\n  '),
  )
  const good = (statuses['200'] ?? 0) + (statuses['304'] ?? 0)
  const machine = (bridgeMs + databaseMs + cpuMs + companiesMs) / ms
  const limit = `of ${workers} processes the bridge had ${share(bridgeMs)} of a core, all programs together ${(100 * machine).toFixed(0)} %`
  return { failed: arrivals.count - good, p99: waits.p99, peakBytes, limit }
}

function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(0)} MB`
}
