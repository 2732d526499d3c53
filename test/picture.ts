/*
 * Takes the picture of a person's page that README shows: of the sample company, on a day that never changes, as it looks
 * under a public address.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { calendarUrl, startBridge } from './support/bridge/bridge.ts'
import { createFakeClock } from './support/bridge/fake-clock.ts'
import { launchChromium } from './support/web/chromium.ts'

const publicUrl = 'https://calendar.example.com'
const file = path.resolve(import.meta.dirname, '../.readme/page.png')
const today = Date.UTC(2026, 4, 18, 8)

const folder = await mkdtemp(path.join(tmpdir(), 'bridge-picture-'))
const environment = { PUBLIC_URL: publicUrl, DATABASE_URL: `file:${folder}/bridge.sqlite` }
const bridge = await startBridge({ clock: createFakeClock(today), environment })
const browser = await launchChromium()
try {
  const viewport = { width: 1280, height: 860 }
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
  await context.clock.setFixedTime(today)
  await context.route(`${publicUrl}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({
      response: await route.fetch({ url: bridge.listensAt + pathname + search }),
    })
  })
  const page = await context.newPage()
  await page.goto(
    calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] })).replace(/\/[^/]*$/, ''),
  )
  await page.locator('#calendar .state').waitFor({ state: 'detached' })
  await mkdir(path.dirname(file), { recursive: true })
  await page.screenshot({ path: file })
  console.log(file)
} finally {
  await browser.close()
  await bridge.close()
  await rm(folder, { recursive: true })
}
