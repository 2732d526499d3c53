/* The page as a person meets it, in real Chromium: from the preview to a subscribed address. */
import { createServer } from 'node:http'

import jsQR from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import {
  adminToken,
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../../support/bridge.ts'
import { launchChromium } from '../../support/chromium.ts'
import { type CompanyServer, startCompanyServer } from '../../support/company-server.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { parseWithIcalJs } from '../../support/parsers.ts'
import { leave, twoPeople } from '../../support/people.ts'
import { closeNow, listenAnywhere, startPrefixProxy } from '../../support/prefix-proxy.ts'
import { visit, violations, type Visit } from '../../support/visit.ts'

const now = Date.UTC(2026, 0, 5, 12)
const evil = '<img src=x onerror=alert(1)>'
const kilobyte = 1000

let browser: Browser
let company: CompanyServer
let bridge: TestBridge

beforeAll(async () => {
  browser = await launchChromium()
  company = await startCompanyServer()
  bridge = await startBridge({
    clock: createFakeClock(now),
    environment: {
      ...readsFrom(company.url),
      WORKFORCE_PROJECTS: 'prj_web',
      FEED_FRESH_SECONDS: '0',
    },
  })
})

afterAll(async () => {
  await browser.close()
  await bridge.close()
  await company.close()
})

beforeEach(() => {
  company.faults.clear()
  Object.assign(company.records, twoPeople())
})

/** The page of a new feed of Ada's. */
async function pageOf(input: object = {}): Promise<{ page: string; calendar: string }> {
  const feed = await bridge.createFeed({ userIds: ['usr_ada'], ...input })
  const calendar = calendarUrl(feed)
  return { page: new URL('.', calendar).href.replace(/\/$/, ''), calendar }
}

function open(url: string, options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
  return visit(browser, url, { now, ...options })
}

const phone = { viewport: { width: 390, height: 844 } }
const desktop = { viewport: { width: 1280, height: 900 } }

describe('the way from the page to a calendar', () => {
  it('the copied address brings the previewed events, one by one', async () => {
    const { page: url } = await pageOf({ options: { leaves: { detail: 'full' } } })
    const { page, close } = await open(url, { ...phone, permissions: ['clipboard-read'] })
    const previewed = await walkList(page)
    await page.getByRole('button', { name: 'Copy address', exact: true }).click()
    await page.getByText('The address is copied.').waitFor()
    const address = await page.evaluate<string>('navigator.clipboard.readText()')
    await close()
    const events = parseWithIcalJs(await (await fetch(address)).text())
    expect(events.length).toBeGreaterThan(50)
    expect(previewed).toEqual(new Map(events.map(({ uid, title }) => [uid, title])))
  })

  it('Google’s button copies the address as well', async () => {
    const { page: url, calendar } = await pageOf()
    const { page, close } = await open(url, { ...desktop, permissions: ['clipboard-read'] })
    await page.context().route('https://calendar.google.com/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Copy address and open Google' }).click()
    await page.getByText('The address is copied.').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(calendar)
    await close()
  })

  it('the QR code holds the webcal address', async () => {
    const { page: url, calendar } = await pageOf()
    const { page, close } = await open(url, desktop)
    const image = (await page.locator('.code').screenshot({ scale: 'css' })).toString('base64')
    const { data, width, height } = await pixelsOf(page, image)
    await close()
    const decoded = jsQR.default(Uint8ClampedArray.from(data), width, height)
    expect(decoded?.data).toBe(calendar.replace('http:', 'webcal:'))
  })

  it('a click in the month shows all that an event says, and the keyboard closes it', async () => {
    company.records.leaves = { usr_ada: [leave('lv_1', '2026-01-13', { reason: 'Moving house' })] }
    const { page: url } = await pageOf({ options: { leaves: { detail: 'full' } } })
    const { page, close } = await open(url, desktop)
    await page.locator('[data-uid^="leave-lv_1"]').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Leave lv_1' })
    await dialog.getByText('Moving house').waitFor()
    expect(await dialog.locator('.when').textContent()).toBe('Tuesday, 13 January 2026, all day')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await close()
  })

  it('a browser without Temporal shows the preview as well', async () => {
    const { page: url } = await pageOf()
    const context = await browser.newContext(phone)
    await context.clock.setFixedTime(now)
    await context.addInitScript('delete globalThis.Temporal')
    const page = await context.newPage()
    await page.goto(url)
    await page.locator('[data-uid^="shift-sch_day"]').first().waitFor()
    await context.close()
  })
})

describe('what the page is made of', () => {
  it('loads from its own origin alone, in under 250 KB, and the browser has nothing to say', async () => {
    const { page: url } = await pageOf()
    const { requests, messages, transferred, close } = await open(url, phone)
    expect(requests.map((address) => new URL(address).origin)).toEqual(
      requests.map(() => new URL(bridge.url).origin),
    )
    expect(messages).toEqual([])
    expect(transferred()).toBeGreaterThan(100 * kilobyte)
    expect(transferred()).toBeLessThan(250 * kilobyte)
    await close()
  })

  it('everything lies under the path of PUBLIC_URL', async () => {
    const proxy = await startPrefixProxy('/calendars')
    const behind = await startBridge({
      clock: createFakeClock(now),
      environment: {
        ...readsFrom(company.url),
        PORT: String(proxy.portBehind),
        PUBLIC_URL: proxy.url,
      },
    })
    const made = await fetch(`${proxy.url}/api/feeds`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userIds: ['usr_ada'] }),
    })
    const address = calendarUrl((await made.json()) as FeedAnswer)
    const { page, requests, messages, close } = await open(new URL('.', address).href, phone)
    await page.locator('[data-uid^="timesheet"]').first().waitFor()
    expect(messages).toEqual([])
    expect(requests.filter((one) => !one.startsWith(`${proxy.url}/`))).toEqual([])
    await page.getByLabel('Timesheets').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(page.url()).toContain(`${proxy.url}/feeds/`)
    await close()
    await behind.close()
    proxy.close()
  })

  it('names stay text, and what chat programs read names nobody', async () => {
    company.records.users = [{ id: 'usr_ada', firstName: evil, lastName: evil }]
    company.records.leaves = { usr_ada: [leave('lv_1', '2026-01-13', { reason: evil })] }
    const { page: url } = await pageOf({ name: evil, options: { leaves: { detail: 'full' } } })
    const { page, messages, close } = await open(url, phone)
    expect(await page.locator('h1').textContent()).toBe(evil)
    expect(await page.locator('img').count()).toBe(0)
    expect(messages).toEqual([])
    const head = await page.locator('head').innerHTML()
    expect(head).not.toContain('onerror')
    expect(await page.title()).toBe('Your work calendar')
    await close()
  })

  it('without scripts all but preview and copy works', async () => {
    const { page: url, calendar } = await pageOf()
    const { page, close } = await open(url, { ...phone, javaScriptEnabled: false })
    expect(await page.locator('noscript').innerText()).toContain('The preview needs JavaScript.')
    expect(await page.getByLabel('Address of the calendar').inputValue()).toBe(calendar)
    expect(await page.getByRole('button', { name: 'Copy address', exact: true }).count()).toBe(0)
    await page.getByLabel('Timesheets').uncheck()
    await page.getByLabel('Only “Away”').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByLabel('Timesheets').isChecked()).toBe(false)
    expect(await page.getByLabel('Only “Away”').isChecked()).toBe(true)
    const titles = parseWithIcalJs(await (await fetch(calendar)).text()).map(({ title }) => title)
    expect(titles).toContain('Away')
    expect(titles.join()).not.toContain('Timesheet')
    await close()
  })

  it('a page elsewhere can change nothing', async () => {
    const { page: url, calendar } = await pageOf()
    const before = await (await fetch(calendar)).text()
    const elsewhere = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<form method="post" action="${url}"><button>Win a prize</button></form>`)
    })
    const port = await listenAnywhere(elsewhere)
    const { page, close } = await open(`http://localhost:${port}/`)
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button').click()
    expect((await answer).status()).toBe(403)
    await page.getByText('The request did not come from this calendar’s own page.').waitFor()
    expect(await (await fetch(calendar)).text()).toBe(before)
    await close()
    closeNow(elsewhere)
  })
})

describe('for everybody', () => {
  const states: readonly (readonly [
    name: string,
    status: number,
    address: () => Promise<string>,
  ])[] = [
    ['a calendar', 200, async () => (await pageOf()).page],
    ['a calendar with much to say', 200, withMuchToSay],
    [
      'a German calendar just saved',
      200,
      async () => `${(await pageOf({ locale: 'de' })).page}?saved`,
    ],
    ['a calendar that cannot be served', 503, unservable],
    ['an unknown link', 404, () => Promise.resolve(`${bridge.url}/feeds/cfb_unknown`)],
    ['an unknown page', 404, () => Promise.resolve(`${bridge.url}/nothing`)],
  ]

  it.each(states)('axe finds nothing on %s', async (_name, status, address) => {
    const url = await address()
    for (const width of [320, 1280]) {
      const visited = await open(url, { viewport: { width, height: 800 } })
      expect(visited.status).toBe(status)
      expect(await widthOf(visited.page)).toBe(width)
      // The browser itself notes every page whose status is an error.
      expect(visited.messages.filter((message) => !message.startsWith('Failed to load'))).toEqual(
        [],
      )
      await visited.page.emulateMedia({ colorScheme: 'light' })
      expect(await violations(visited.page)).toEqual([])
      await visited.page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(visited.page, 'colours')).toEqual([])
      await visited.close()
    }
  })
})

async function withMuchToSay(): Promise<string> {
  const options = {
    shifts: { scheduleIds: ['sch_gone'] },
    tasks: { projectIds: [] },
    invoices: { show: true },
    selfService: false,
  }
  company.records.schedules.push({ id: 'sch_gone' })
  const { page } = await pageOf({ options })
  company.records.schedules.pop()
  return page
}

async function unservable(): Promise<string> {
  company.faults.set('/timesheets', 403)
  company.records.users.push({ id: 'usr_new', firstName: 'New' })
  return (await pageOf({ userIds: ['usr_new'] })).page
}

/** UID to title of every event that the list shows, from the start of the window to its end. */
async function walkList(page: Page): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>()
  const read = async (): Promise<void> => {
    const items = await page.evaluate<[string, string][]>(`new Promise((resolve) => {
      requestAnimationFrame(() => resolve([...document.querySelectorAll('[data-uid]')].map((it) => [
        it.dataset.uid, it.lastElementChild.lastElementChild.firstChild.textContent])))
    })`)
    for (const [uid, title] of items) shown.set(uid, title)
  }
  await read()
  for (const [button, steps] of [
    ['Earlier', 10],
    ['Later', 40],
  ] as const) {
    for (let step = 0; step < steps; step += 1) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await read()
    }
  }
  return shown
}

interface Pixels {
  readonly data: number[]
  readonly width: number
  readonly height: number
}

function pixelsOf(page: Page, png: string): Promise<Pixels> {
  return page.evaluate<Pixels>(`(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (it) => it.codePointAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const { width, height } = bitmap
    const drawing = new OffscreenCanvas(width, height).getContext('2d')
    drawing.drawImage(bitmap, 0, 0)
    return { data: [...drawing.getImageData(0, 0, width, height).data], width, height }
  })()`)
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth')
}
