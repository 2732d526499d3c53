/* What most tests need: a company whose Read API they hold in their hands, a clock, and the bridge between. */
import { it as bareIt } from 'vitest'

import { titlesOf } from '../calendar/read-calendar.ts'
import { startCompanyServer } from '../company/company-server.ts'
import { twoPeople } from '../company/people.ts'
import { migratedSqliteDatabase } from '../database/databases.ts'
import { adminToken, calendarUrl, readsFrom, startBridge } from './bridge.ts'
import { createFakeClock } from './fake-clock.ts'
import { type LogLine, recordedLog } from './recorded-log.ts'

/** Settings that differ from the usual, by their names in the environment. */
export type SettingChanges = Readonly<Record<string, string>>

/** A poll's answer; titles are those of a calendar's events, or the text of an error. */
export interface PollAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly titles: readonly string[]
}

/**
 * `it` with, as far as a test asks for them: `clock`, which stands still; `company`, which begins with the `records` of
 * Ada and Bob; `bridge`, on a SQLite file of its own; `logged`, what its log was told; `feedOf`, which makes a person's
 * feed and gives its address; `poll`, a poll once all copies are due; `node`, the same use cases as another node on the
 * same database would run them, with their store.
 * A file that wants one otherwise extends it, `base.extend('settings', { … })`, `base.extend('records', ({ records }) => …)`;
 * a `describe` overrides it, `it.override('databaseUrl', …)`. At the top of a file an override would change the files that
 * come after it in the same process, too.
 */
export const it = bareIt
  .extend('clock', () => createFakeClock())
  .extend('records', () => twoPeople())
  .extend('company', async ({ records }, { onCleanup }) => {
    const company = await startCompanyServer()
    Object.assign(company.records, records)
    onCleanup(() => company.close())
    return company
  })
  .extend('databaseUrl', () => migratedSqliteDatabase())
  .extend('settings', {} as SettingChanges)
  .extend('environment', ({ company, databaseUrl, settings }) => ({
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    FEED_FRESH_SECONDS: '60',
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
    ...settings,
  }))
  .extend('logged', (): LogLine[] => [])
  .extend('bridge', async ({ clock, company, environment, logged }, { onCleanup }) => {
    const bridge = await startBridge({ clock, environment, log: recordedLog(logged) })
    onCleanup(async () => {
      // Of a test that failed meanwhile polls may still wait for the company.
      company.release()
      await bridge.close()
    })
    return bridge
  })
  .extend('feedOf', ({ bridge }) => async (userId: string, input: object = {}): Promise<string> => {
    return calendarUrl(await bridge.createFeed({ userIds: [userId], ...input }))
  })
  .extend('poll', ({ clock }) => async (address: string): Promise<PollAnswer> => {
    await clock.advance(61_000)
    return pollNow(address)
  })
  .extend('node', ({ bridge }) => bridge.node())

/** A poll at the time that it is. */
export async function pollNow(
  address: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<PollAnswer> {
  const response = await fetch(address, { headers: fields })
  const { status } = response
  const text = await response.text()
  return {
    status,
    headers: response.headers,
    text,
    get titles() {
      return status === 200 ? titlesOf(text) : [text]
    },
  }
}
