/* However many feeds there are, a poll goes through none but its own: nothing that it asks of the database reads a whole table. */
import { DatabaseSync } from 'node:sqlite'

import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import type { CompanyServer } from '../support/company-server.ts'
import { migratedSqliteDatabase } from '../support/databases.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { migratedName } from '../support/migrated.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { personOf, projectOf, startSpeedCompany } from '../support/speed-company.ts'
import { askedBy } from '../support/statements.ts'

const dueMs = 600_000
const people = [1, 2, 3].map(personOf)

describe.each([
  { name: 'SQLite', create: async () => migratedSqliteDatabase(), wholeTables: ofSqlite },
  { name: 'PostgreSQL', create: () => createTestDatabase(migratedName), wholeTables: ofPostgres },
])('on $name', ({ create, wholeTables }) => {
  it('nothing that a poll asks reads a whole table', async () => {
    const databaseUrl = await create()
    const company = await startSpeedCompany([1, 2, 3])
    onTestFinished(() => company.close())
    const clock = createFakeClock(Date.now())
    const asked = await pollInEveryState(company, clock, databaseUrl)
    expect(asked.size).toBeGreaterThan(10)
    expect(await wholeTables(databaseUrl, [...asked])).toEqual([])
  })
})

/** Everything that is asked by first polls, of one person and of several, those of a program that was started anew, and when copies are due, unchanged and changed. */
async function pollInEveryState(
  company: CompanyServer,
  clock: FakeClock,
  databaseUrl: string,
): Promise<ReadonlySet<string>> {
  const environment = {
    ...readsFrom(company.url),
    DATABASE_URL: databaseUrl,
    WORKFORCE_SCHEDULES: 'sch_day',
    WORKFORCE_PROJECTS: projectOf(1),
  }
  let bridge = await startBridge({ clock, environment })
  onTestFinished(() => bridge.close())
  const own = await bridge.createFeed({ userIds: people.slice(0, 1) })
  const others = await bridge.createFeed({ userIds: people, audience: 'others' })
  const paths = [own, others].map((feed) => new URL(calendarUrl(feed)).pathname)
  const asked = new Set<string>()
  const poll = async (): Promise<void> => {
    const { statements } = await askedBy(() => pollEach(bridge, paths))
    for (const statement of statements) asked.add(statement)
  }
  await poll()
  await poll()
  await bridge.close()
  bridge = await startBridge({ clock, environment })
  await poll()
  await clock.advance(dueMs)
  await poll()
  company.records.leaves[personOf(1)]?.pop()
  await clock.advance(dueMs)
  await poll()
  return asked
}

async function pollEach({ url }: TestBridge, paths: readonly string[]): Promise<void> {
  for (const path of paths) expect((await fetch(new URL(path, url))).status).toBe(200)
}

/** What would read one, as SQLite says how it goes about it; a table of the values that a statement brings is none. */
async function ofSqlite(url: string, statements: readonly string[]): Promise<readonly string[]> {
  const database = new DatabaseSync(url.slice('file:'.length), { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  const names = new Set(tables.map(({ name }) => String(name)))
  const readsAll = (detail: string): boolean => names.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? '')
  const found = statements.flatMap((text) => {
    const plan = database.prepare(`explain query plan ${text}`).all()
    const whole = plan.map(({ detail }) => String(detail)).filter(readsAll)
    return whole.map((detail) => `${detail}: ${text}`)
  })
  database.close()
  return found
}

/** What would read one, row by row or along an index, even where going row by row is made as dear as can be. */
async function ofPostgres(url: string, statements: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set enable_seqscan = off')
  const found: string[] = []
  for (const text of statements) {
    const explained = await client.query<{ readonly 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (generic_plan, format json) ${text}`,
    )
    const nodes = explained.rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)) ?? []
    const whole = nodes.filter(isWhole).map((node) => `${node['Node Type']}: ${text}`)
    found.push(...whole)
  }
  await client.end()
  return found
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function isWhole(node: PlanNode): boolean {
  const type = node['Node Type']
  return type === 'Seq Scan' || (/Index.* Scan/.test(type) && node['Index Cond'] === undefined)
}
