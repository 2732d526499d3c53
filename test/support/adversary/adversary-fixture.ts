/* A company that lies, eight people with ids alike, and their calendars. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { it as bareIt } from 'vitest'

import type { Instant } from '../../../src/domain/world.ts'
import { adminToken, readsFrom } from '../bridge/bridge.ts'
import { createFakeClock } from '../bridge/fake-clock.ts'
import { migratedSqliteDatabase } from '../database/databases.ts'
import { freePort } from '../web/free-port.ts'
import { alikeIds, companyOf } from './eight-people.ts'
import { startLyingCompany } from './lying-company.ts'
import { Subscribers, type Subscription } from './subscribers.ts'

/**
 * `it` with `clock`, `company`, and `crowd`, which no bridge serves yet; with `served`, one does, on a SQLite file, and has
 * examined the company; with `regulars`, the eight have their feeds, each polled while all was well, so that whose each
 * leave is is known.
 */
export const it = bareIt
  .extend('clock', () => createFakeClock())
  .extend('company', async ({ clock }, { onCleanup }) => {
    const port = begun?.port ?? (await freePort())
    const company = await startLyingCompany(companyOf(), () => clock.now(), port)
    onCleanup(() => company.close())
    return company
  })
  .extend('settings', {} as Readonly<Record<string, string>>)
  .extend('environment', ({ company, settings }) => adversaryEnvironment(company.url, settings))
  .extend('crowd', async ({ company, clock, environment }, { onCleanup }) => {
    const crowd = new Subscribers({ company, clock, environment })
    onCleanup(() => crowd.close())
    return crowd
  })
  .extend('served', async ({ crowd }) => {
    await addExaminedNode(crowd)
    return crowd
  })
  .extend('regulars', async ({ crowd, settings }) => {
    const isUsual = Object.keys(settings).length === 0
    if (begun && isUsual) await goOnFrom(begun, crowd)
    else await begin(crowd)
    if (isUsual && !begun) await keepBeginning(crowd)
    return crowd
  })

/** How the regulars began, which takes most tests longer than what comes after: kept for those that follow in this process. */
interface Beginning {
  /** Of the company: what is kept is kept of that address. */
  readonly port: number
  readonly database: Buffer
  readonly at: Instant
  readonly subscriptions: readonly Subscription[]
}

let begun: Beginning | undefined

/** A company that changes while it is examined is another than the test tells of. */
async function addExaminedNode(crowd: Subscribers): Promise<void> {
  await crowd.addNode()
  await crowd.nodes[0]!.examined()
  await crowd.company.quiet()
}

async function begin(crowd: Subscribers): Promise<void> {
  await addExaminedNode(crowd)
  await crowd.subscribeAll(alikeIds)
  await crowd.pollFor(1)
}

async function goOnFrom(
  { database, at, subscriptions }: Beginning,
  crowd: Subscribers,
): Promise<void> {
  await writeFile(fileURLToPath(crowd.databaseUrl), database)
  crowd.subscriptions.push(...subscriptions)
  await crowd.clock.advance(at - crowd.clock.now())
  await addExaminedNode(crowd)
}

async function keepBeginning(crowd: Subscribers): Promise<void> {
  const { company, clock, subscriptions, databaseUrl } = crowd
  await crowd.pause(async () => {
    const database = await readFile(fileURLToPath(databaseUrl))
    const { port } = company
    begun = { port, database, at: clock.now(), subscriptions: [...subscriptions] }
  })
}

/** What bridges of a company that leaves questions unanswered are set to. */
export const impatient = { WORKFORCE_TIMEOUT_MS: '400' }

/** What bridges read that company with. */
export function adversaryEnvironment(
  url: string,
  settings: Readonly<Record<string, string>> = {},
  databaseUrl: string = migratedSqliteDatabase(),
): Readonly<Record<string, string>> {
  return {
    ...readsFrom(url),
    WORKFORCE_PROJECTS: 'prj_web',
    WORKFORCE_TIMEOUT_MS: '600000',
    FEED_FRESH_SECONDS: '60',
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
    ...settings,
  }
}
