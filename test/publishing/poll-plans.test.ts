/* However many feeds there are, a poll goes through none but its own: nothing that it asks of the database reads a whole table. */
import { describe, expect, it, onTestFinished } from 'vitest'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { personOf, projectOf, startSpeedCompany } from '../support/company/speed-company.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import { migratedName } from '../support/database/migrated.ts'
import { createTestDatabase } from '../support/database/postgres.ts'
import { askedBy } from '../support/database/statements.ts'
import { wholeTables } from '../support/database/whole-tables.ts'

const dueMs = 600_000
const people = [1, 2, 3].map(personOf)

describe.each([
  { name: 'SQLite', create: async () => migratedSqliteDatabase(), kind: 'sqlite' as const },
  { name: 'PostgreSQL', create: () => createTestDatabase(migratedName), kind: 'postgres' as const },
])('on $name', ({ create, kind }) => {
  it('no query of a poll reads a whole table', async () => {
    const databaseUrl = await create()
    const company = await startSpeedCompany([1, 2, 3])
    onTestFinished(() => company.close())
    const clock = createFakeClock(Date.now())
    const asked = await pollInEveryState(company, clock, databaseUrl)
    expect(asked.size).toBeGreaterThan(10)
    expect(await wholeTables[kind](databaseUrl, [...asked])).toEqual([])
  })
})

/** Everything that is asked by first polls, of one person and of several, those of a program that was started again, and when copies are due, unchanged and changed. */
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
