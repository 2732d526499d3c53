/* A company that lies, eight people with ids alike, and their calendars. */
import { it as bareIt } from 'vitest'

import { adminToken, readsFrom } from './bridge.ts'
import { migratedSqliteDatabase } from './databases.ts'
import { alikeIds, companyOf } from './eight-people.ts'
import { createFakeClock } from './fake-clock.ts'
import { startLyingCompany } from './lying-company.ts'
import { Subscribers } from './subscribers.ts'

/**
 * `it` with `clock`, `company`, and `crowd`, which no bridge serves yet; with `served`, one does, on a SQLite file, and has
 * examined the company; with `regulars`, the eight have their feeds, each polled while all was well, so that whose each
 * leave is is known.
 */
export const it = bareIt
  .extend('clock', () => createFakeClock())
  .extend('company', async ({ clock }, { onCleanup }) => {
    const company = await startLyingCompany(companyOf(), () => clock.now())
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
    await crowd.addNode()
    await crowd.company.quiet()
    return crowd
  })
  .extend('regulars', async ({ served }) => {
    await served.subscribeAll(alikeIds)
    await served.pollFor(1)
    return served
  })

/** What bridges read that company with. */
export function adversaryEnvironment(
  url: string,
  settings: Readonly<Record<string, string>> = {},
  databaseUrl: string = migratedSqliteDatabase(),
): Readonly<Record<string, string>> {
  return {
    ...readsFrom(url),
    WORKFORCE_PROJECTS: 'prj_web',
    WORKFORCE_TIMEOUT_MS: '400',
    FEED_FRESH_SECONDS: '60',
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
    ...settings,
  }
}
