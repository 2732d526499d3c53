/* The page of a calendar as a person meets it, in real Chromium. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../bridge/bridge.ts'
import { createFakeClock } from '../bridge/fake-clock.ts'
import {
  type CompanyRecords,
  type CompanyServer,
  startCompanyServer,
} from '../company/company-server.ts'
import { leave, twoPeople } from '../company/people.ts'
import { sharedChromium } from './chromium.ts'
import { visit, type Visit } from './visit.ts'

export const now = Date.UTC(2026, 0, 5, 12)
export const kilobyte = 1000
export const shown = { leaves: { detail: 'full' }, shifts: { duringLeave: 'show' } }
export const phone = { viewport: { width: 390, height: 844 } }
export const desktop = { viewport: { width: 1280, height: 900 } }

export interface FeedPageFixture {
  browser: Browser
  company: CompanyServer
  bridge: TestBridge
  /** The page of a new feed of Ada's. */
  readonly pageOf: (input?: object) => Promise<{ page: string; calendar: string }>
  readonly open: (url: string, options?: Parameters<typeof visit>[2]) => Promise<Visit>
}

/** A browser and a bridge on a company of two people, for all tests of a file. */
export function useFeedPage(): FeedPageFixture {
  const fixture: Partial<FeedPageFixture> = {
    pageOf: async (input = {}) => {
      const feed = await all.bridge.createFeed({ userIds: ['usr_ada'], ...input })
      const calendar = calendarUrl(feed)
      return { page: new URL('.', calendar).href.replace(/\/$/, ''), calendar }
    },
    open: (url, options = {}) => visit(all.browser, url, { now, ...options }),
  }
  const all = fixture as FeedPageFixture
  beforeAll(async () => {
    all.browser = await sharedChromium()
    all.company = await startCompanyServer()
    Object.assign(all.company.records, people())
    all.bridge = await startBridge({
      clock: createFakeClock(now),
      environment: {
        ...readsFrom(all.company.url),
        WORKFORCE_PROJECTS: 'prj_web',
        FEED_FRESH_SECONDS: '0',
      },
    })
  })
  afterAll(async () => {
    await all.bridge.close()
    await all.company.close()
  })
  beforeEach(() => {
    all.company.faults.clear()
    Object.assign(all.company.records, people())
  })
  return all
}

/** Ada is away for eleven days from before today on, then for a day, then to move house. */
export function people(reason = 'Moving house'): CompanyRecords {
  const journey = leave('lv_1', '2026-01-02', { endDate: '2026-01-12T00:00:00.000Z' })
  const move = leave('lv_3', '2026-01-13', { reason })
  return { ...twoPeople(), leaves: { usr_ada: [journey, leave('lv_2', '2026-01-09'), move] } }
}

/** Presses the switch of the timesheets, which saves. */
export async function save(page: Page): Promise<void> {
  await openFolds(page)
  await page.getByRole('switch', { name: 'Timesheets' }).click()
  await page.getByText('Saved.').waitFor()
}

/** What is folded away on a phone. */
export async function openFolds(page: Page): Promise<void> {
  await page.evaluate(
    "for (const it of document.querySelectorAll('.fold > details')) it.open = true",
  )
}

export function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth')
}
