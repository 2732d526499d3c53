/* What most tests need: a company whose Read API they hold in their hands, a clock, and the bridge between. */
import { it as bareIt } from 'vitest'

import { calendarUrl, readsFrom, startBridge } from './bridge.ts'
import { startCompanyServer } from './company-server.ts'
import { createSqliteDatabase } from './databases.ts'
import { createFakeClock } from './fake-clock.ts'
import { twoPeople } from './people.ts'
import { titlesOf } from './read-calendar.ts'

/** Settings that differ from the usual, by their names in the environment. */
export type SettingChanges = Readonly<Record<string, string>>

/** A poll's answer; titles are those of a calendar's events, or the text of an error. */
export interface PollAnswer {
  readonly status: number
  readonly text: string
  readonly titles: readonly string[]
}

/**
 * `it` with, as far as a test asks for them: `clock`, which stands still; `company`, of Ada and Bob; `bridge`, on a
 * SQLite file of its own; `feedOf`, which makes a person's feed and gives its address; `poll`, a poll once all copies are
 * due; `node`, the same use cases as another node on the same database would run them, with their store.
 * `it.override({ settings: … })` changes settings, `it.override('databaseUrl', …)` the database.
 */
export const it = bareIt
  .extend('clock', () => createFakeClock())
  .extend('company', async ({}, { onCleanup }) => {
    const company = await startCompanyServer()
    Object.assign(company.records, twoPeople())
    onCleanup(async () => {
      company.release()
      await company.close()
    })
    return company
  })
  .extend('databaseUrl', () => createSqliteDatabase())
  .extend('settings', {} as SettingChanges)
  .extend('environment', ({ company, databaseUrl, settings }) => ({
    ...readsFrom(company.url),
    WORKFORCE_PROJECTS: 'prj_web',
    FEED_FRESH_SECONDS: '60',
    DATABASE_URL: databaseUrl,
    ...settings,
  }))
  .extend('bridge', async ({ clock, environment }, { onCleanup }) => {
    const bridge = await startBridge({ clock, environment })
    onCleanup(() => bridge.close())
    return bridge
  })
  .extend('feedOf', ({ bridge }) => async (userId: string, input: object = {}): Promise<string> => {
    return calendarUrl(await bridge.createFeed({ userIds: [userId], ...input }))
  })
  .extend('poll', ({ clock }) => async (address: string): Promise<PollAnswer> => {
    await clock.advance(61_000)
    const response = await fetch(address)
    const text = await response.text()
    const titles = response.status === 200 ? titlesOf(text) : [text]
    return { status: response.status, text, titles }
  })
  .extend('node', ({ bridge }) => bridge.node())
