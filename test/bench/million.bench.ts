/*
 * A poll of the program as it runs in production on SQLite among a million feeds, each with its copies and its ledger, costs
 * at most 1.3 times what it costs among a thousand: the same number of feeds, spread over all, is asked for on both in turns.
 * Cold is the first poll of each after a start: its copies are fresh, and nothing of it is in memory. Before each round of
 * warm ones something is committed, as among many feeds it is between any two polls of one. Fewer with MANY_FEEDS.
 */
import { DatabaseSync } from 'node:sqlite'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type LoadGenerator, startLoad } from '../support/bench/load.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import {
  processorTimeOf,
  type Production,
  requestHead,
  startProduction,
} from '../support/bridge/production.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import {
  personOf,
  projectOf,
  startSpeedCompany,
  wholeYear,
} from '../support/company/speed-company.ts'
import { type Commits, openCommits } from '../support/database/commits.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import { insertFeeds, tokenOf } from '../support/database/many-feeds.ts'

const few = 1000
const many = Number(process.env['MANY_FEEDS'] ?? 1_000_000)
const polled = 500
const coldTurns = 10
const warmTurns = 11
const warmRounds = 8
const ratioMax = 1.3

interface Side {
  readonly company: CompanyServer
  /** The heads of the requests for those that are polled. */
  readonly requests: readonly string[]
  readonly bridge: Production
  readonly commits: Commits
}

let load: LoadGenerator
let sides: readonly [Side, Side]

beforeAll(async () => {
  load = startLoad()
  sides = [await prepare(few), await prepare(many)]
}, 1_200_000)

afterAll(async () => {
  await load.end()
  for (const { bridge, company, commits } of sides) {
    commits.close()
    await bridge.close()
    await company.close()
  }
})

describe('among many feeds', () => {
  it('cold polls', { timeout: 600_000 }, async () => {
    const perTurn = polled / coldTurns
    const ratio = await ratioOfTurns(coldTurns, (turn, { requests }) => {
      return requests.slice(turn * perTurn, (turn + 1) * perTurn)
    })
    note('cold poll', ratio)
  })

  it('warm polls', { timeout: 600_000 }, async () => {
    note('warm poll', await ratioOfTurns(warmTurns, (_, { requests }) => requests, warmRounds))
  })
})

function note(measure: string, measured: number): void {
  noteRatio({
    measure: `${measure} among ${many.toLocaleString('en')} feeds: processor time`,
    against: `among ${few.toLocaleString('en')}`,
    bound: { most: ratioMax },
    measured,
    bench: 'million',
  })
}

/** How many times as much a poll costs on the larger side: the median of the ratios of each turn. */
async function ratioOfTurns(
  turns: number,
  requestsOf: (turn: number, side: Side) => readonly string[],
  rounds = 1,
): Promise<number> {
  const costs: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    const order = turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    for (const index of order) {
      const side = sides[index]
      costs[index].push(await costOf(side, requestsOf(turn, side), rounds))
    }
  }
  const said = costs.map((taken) => `${median(taken).toFixed(0)} µs`)
  console.log(`${said.join(' and ')} of the processor a poll`)
  return median(costs[1].map((cost, turn) => cost / costs[0][turn]!))
}

/** Of one poll, in microseconds of the processor. */
async function costOf(
  { bridge: { child, port }, commits }: Side,
  requests: readonly string[],
  rounds: number,
): Promise<number> {
  const begun = await processorTimeOf(child)
  for (let round = 0; round < rounds; round += 1) {
    commits.commit()
    const count = requests.length
    await load.put({ port, requests, count, status: 200, connections: 8 })
  }
  return ((await processorTimeOf(child)) - begun) / (requests.length * rounds)
}

/** A bridge with so many feeds that has been started again since those that are polled were polled once. */
async function prepare(feeds: number): Promise<Side> {
  const databaseUrl = migratedSqliteDatabase()
  await insertFeeds(databaseUrl, feeds, { ...wholeYear, tasks: { projectIds: [projectOf(0)] } })
  const numbers = Array.from({ length: polled }, (_, index) => ((index + 1) * feeds) / polled)
  const file = databaseUrl.slice('file:'.length)
  giveAway(file, feeds / polled)
  const company = await startSpeedCompany(numbers)
  company.records.tasks[projectOf(0)] = Object.values(company.records.tasks).flat().slice(0, 100)
  const requests = numbers.map((number) => requestHead(`/feeds/${tokenOf(number)}/calendar.ics`))
  const bridge = await startProduction({ company, databaseUrl })
  await load.put({ port: bridge.port, requests, count: polled, status: 200, connections: 8 })
  await bridge.close()
  fillUp(file, feeds, numbers[0] ?? 0)
  return {
    company,
    requests,
    bridge: await startProduction({ company, databaseUrl }),
    commits: openCommits(databaseUrl),
  }
}

/** Feeds that are not polled are of other companies, 3,000 of each, which this node does not read. */
function giveAway(file: string, every: number): void {
  const database = new DatabaseSync(file)
  database.exec(`update feeds set company_id = 'company_' || (created_at / 3000)
    where created_at % ${every} > 0`)
  database.close()
}

/** Gives to every feed that was not polled a ledger and copies, like those of one that was, but short. */
function fillUp(file: string, feeds: number, sample: number): void {
  const database = new DatabaseSync(file)
  const person = personOf(sample)
  database.exec('pragma cache_size = -500000; begin')
  for (const kind of ['leaves', 'timesheets']) {
    for (const table of ['copies', 'copy_records']) {
      const columns = columnsOf(database, table)
      const values = columns.map((name) => valueOf(name, kind))
      database.exec(`insert into ${table} (${columns.join()}) select ${values.join()}
        from feed_users cross join ${table} sample
        where sample.key = '${kind}:${person}' on conflict do nothing`)
    }
  }
  database.exec(`insert into ledgers (token_hash, version, entries)
    select token_hash, 1, randomblob(200) from links where true on conflict do nothing`)
  database.exec('commit; pragma wal_checkpoint(truncate)')
  const { pages } = database.prepare('select page_count pages from pragma_page_count').get() as {
    readonly pages: number
  }
  console.log(`${feeds} feeds: ${((pages * 4096) / 2 ** 20).toFixed(0)} MB`)
  expect(database.prepare('select count(*) count from ledgers').get()).toEqual({ count: feeds })
  database.close()
}

function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all()
  return columns.map(({ name }) => String(name))
}

function valueOf(column: string, kind: string): string {
  if (column === 'key') return `'${kind}:' || feed_users.user_id`
  return column === 'records' ? 'randomblob(200)' : `sample.${column}`
}
