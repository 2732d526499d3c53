/* The page as a person meets it, in real Chromium: from the preview to a subscribed address. */
import { createServer } from 'node:http'

import jsQR from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'

import {
  adminToken,
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { closeNow, listenAnywhere, startPrefixProxy } from '../../support/bridge/prefix-proxy.ts'
import { allOr } from '../../support/bridge/thorough.ts'
import { parseWithIcalJs } from '../../support/calendar/parsers.ts'
import {
  type CompanyRecords,
  type CompanyServer,
  startCompanyServer,
} from '../../support/company/company-server.ts'
import { leave, twoPeople } from '../../support/company/people.ts'
import { openContext, sharedChromium } from '../../support/web/chromium.ts'
import { visit, violations, type Visit } from '../../support/web/visit.ts'

const now = Date.UTC(2026, 0, 5, 12)
const evil = '<img src=x onerror=alert(1)>'
const kilobyte = 1000
const dayMs = 24 * 60 * 60 * 1000
const nothing = {
  leaves: { show: false },
  shifts: { show: false },
  timesheets: { show: false },
  tasks: { show: false },
}

const shown = { leaves: { detail: 'full' }, shifts: { duringLeave: 'show' } }

let browser: Browser
let company: CompanyServer
let bridge: TestBridge

beforeAll(async () => {
  browser = await sharedChromium()
  company = await startCompanyServer()
  Object.assign(company.records, people())
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
  await bridge.close()
  await company.close()
})

beforeEach(() => {
  company.faults.clear()
  Object.assign(company.records, people())
})

/** Ada is away for eleven days from before today on, then for a day, then to move house. */
function people(reason = 'Moving house'): CompanyRecords {
  const journey = leave('lv_1', '2026-01-02', { endDate: '2026-01-12T00:00:00.000Z' })
  const move = leave('lv_3', '2026-01-13', { reason })
  return { ...twoPeople(), leaves: { usr_ada: [journey, leave('lv_2', '2026-01-09'), move] } }
}

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

describe('on a phone', () => {
  let visited: Visit
  let page: Page
  let calendar: string

  beforeAll(async () => {
    const made = await pageOf()
    calendar = made.calendar
    visited = await open(made.page, { ...phone, permissions: ['clipboard-read'] })
    page = visited.page
  })

  afterAll(() => visited.close())

  it('the ways to subscribe stand above the preview', async () => {
    const last = await page.locator('.ways').boundingBox()
    const preview = await page.locator('.preview').boundingBox()
    expect(last!.y + last!.height).toBeLessThan(preview!.y)
    expect(await widthOf(page)).toBe(phone.viewport.width)
  })

  it('loads from its own origin alone, in under 100 KB, and the browser has nothing to say', () => {
    expect(visited.requests.map((address) => new URL(address).origin)).toEqual(
      visited.requests.map(() => new URL(bridge.url).origin),
    )
    expect(visited.messages).toEqual([])
    expect(visited.transferred()).toBeGreaterThan(40 * kilobyte)
    expect(visited.transferred()).toBeLessThan(100 * kilobyte)
  })

  it('the list is one week, and what lasts longer than a day stands there once', async () => {
    const days = await page.locator('.list h3').allTextContents()
    expect(days[0]).toBe('Today, Monday 5 January')
    expect(days.length).toBeLessThanOrEqual(7)
    const [entry, ...others] = await page.locator('[data-uid^="leave-lv_1"]').allTextContents()
    expect(entry).toBe('2–12 JanLeave lv_1')
    expect(others).toEqual([])
    expect(await page.locator('[data-uid^="leave-lv_2"] .time').textContent()).toBe('all day')
  })

  it('more brings the next week, and the keyboard goes on there', async () => {
    const more = page.getByRole('button', { name: 'Show more' })
    await more.focus()
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('Tuesday 13 January')
    expect(await page.locator('[data-uid^="leave-lv_1"]').count()).toBe(1)
    await page.keyboard.press('Tab')
    expect(await focused(page)).not.toBe('Tuesday 13 January')
  })

  it('the copied address brings the previewed events, one by one', async () => {
    await page.getByRole('button', { name: 'Copy address', exact: true }).click()
    await page.getByText('The address is copied.').waitFor()
    const address = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(address).toBe(calendar)
    const events = parseWithIcalJs(await (await fetch(address)).text())
    expect(events.length).toBeGreaterThan(50)
    await page.clock.setFixedTime(now - 100 * dayMs)
    await page.reload()
    await page.locator('.more').waitFor({ state: 'attached' })
    expect(await walkList(page)).toEqual(events.map(({ uid, title }) => [uid, title]).toSorted())
    await page.clock.setFixedTime(now)
  })

  it('the page goes to another device by the device’s own way, else as its copied address', async () => {
    const address = calendar.replace(/\/[^/]*$/, '')
    await page.getByRole('button', { name: 'Copy this page’s address' }).click()
    await page.getByText('The page’s address is copied').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
    await page.addInitScript('navigator.share = async (shared) => { globalThis.shared = shared }')
    await page.reload()
    await page.getByRole('button', { name: 'Send this page to myself' }).click()
    expect(await page.evaluate('globalThis.shared')).toEqual({ url: address })
  })

  it('at twice the size of text nothing reaches over the edge', async () => {
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true')
    expect(await widthOf(page)).toBe(phone.viewport.width)
    await page.reload()
  })

  it('after saving the preview shows the new calendar, not what the browser has kept', async () => {
    const timesheets = page.locator('[data-uid^="timesheet-"]')
    await timesheets.first().waitFor()
    await save(page)
    await page.locator('[data-uid^="leave-"]').first().waitFor()
    expect(await timesheets.count()).toBe(0)
    expect(await page.getByText('Saved.').boundingBox()).toSatisfy(isOnPhone)
    expect(await focused(page)).toContain('Saved.')
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('')
    await save(page)
    await timesheets.first().waitFor()
  })

  it('a second press of a button sends nothing, and what is on is seen in the reader’s own colours', async () => {
    const refused = await page.evaluate<boolean[]>(`(() => {
      const refused = []
      const note = (event) => { refused.push(event.defaultPrevented); event.preventDefault() }
      addEventListener('submit', note)
      const save = document.querySelector('.shows [type="submit"]')
      for (const times of [1, 2]) save.click()
      dispatchEvent(new Event('pageshow'))
      save.click()
      removeEventListener('submit', note)
      dispatchEvent(new Event('pageshow'))
      return refused
    })()`)
    expect(refused).toEqual([false, true, false])
    await page.emulateMedia({ forcedColors: 'active' })
    const drawn = "getComputedStyle(document.querySelector('[role=switch]')).appearance"
    expect(await page.evaluate(drawn)).toBe('auto')
    await page.emulateMedia({ forcedColors: 'none' })
  })

  it('without a connection nothing is sent, and what was chosen stays', async () => {
    await page.context().setOffline(true)
    const before = await page.getByLabel('Tasks').isChecked()
    await page.getByLabel('Tasks').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Not saved: no connection. Try again.').waitFor()
    expect(await page.getByText('Saved. Calendar').count()).toBe(0)
    expect(await page.getByLabel('Tasks').isChecked()).toBe(!before)
    await page.context().setOffline(false)
    await page.getByLabel('Tasks').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Calendar').waitFor()
    expect(await page.locator('[data-offline]:visible').count()).toBe(0)
  })

  it('in the other language the page speaks it, the calendar stays, and saving does not forget it', async () => {
    const german = page.getByRole('link', { name: 'Deutsch' })
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByLabel('Tasks').click()
    await german.click()
    expect(asked).toEqual(['Your changes are not saved yet. Leave without them?'])
    await page.getByLabel('Tasks').click()
    await german.click()
    await page.getByRole('heading', { name: 'So wird er aussehen' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    const title = page.locator('[data-uid^="timesheet-"] .title')
    expect(await title.textContent()).toMatch(/^Timesheet /)
    expect(await title.getAttribute('lang')).toBe('en')
    await page.getByLabel('Stundenzettel').click()
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    expect(new URL(page.url()).search).toBe('?lang=de')
    expect(await (await fetch(calendar)).text()).toContain('SUMMARY:Leave lv_1')
  })

  it('where the rest cannot be fetched the first week stays, and it can be asked for again', async () => {
    await page.route('**/*.ics', (route) => route.abort())
    await page.reload()
    const failure = page.getByText('Spätere Einträge lassen sich gerade nicht zeigen.')
    await failure.waitFor()
    expect(await page.locator('[data-uid^="leave-"]').count()).toBeGreaterThan(0)
    const again = page.getByRole('button', { name: 'Noch einmal versuchen' })
    await again.click()
    await failure.waitFor()
    await again.waitFor()
    await page.unroute('**/*.ics')
    await again.click()
    await page.getByRole('button', { name: 'Mehr anzeigen' }).waitFor()
    await page.locator('[data-uid^="leave-"]').first().waitFor()
    expect(await page.locator('.preview .outcome').count()).toBe(0)
    expect(await page.getByText('in der Zeit dieses Geräts').count()).toBe(1)
  })
})

describe('on a wide screen', () => {
  let visited: Visit
  let page: Page
  let calendar: string

  beforeAll(async () => {
    const made = await pageOf({ options: shown })
    calendar = made.calendar
    const permissions = ['clipboard-read']
    visited = await open(made.page, { ...desktop, locale: 'en-US', permissions })
    page = visited.page
  })

  afterAll(() => visited.close())

  it('loads in under 250 KB, and the tab has the calendar’s name', async () => {
    expect(visited.messages).toEqual([])
    expect(visited.transferred()).toBeGreaterThan(100 * kilobyte)
    expect(visited.transferred()).toBeLessThan(250 * kilobyte)
    expect(await page.title()).toBe("Ada's work calendar")
  })

  it('Google’s button copies the address as well', async () => {
    await page.context().route('https://calendar.google.com/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Copy address and open Google' }).click()
    await page.getByText('The address is copied.').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(calendar)
  })

  it.for([
    ['.code', () => calendar.replace('http:', 'webcal:')],
    ['.page-code', () => calendar.replace(/\/[^/]*$/, '')],
  ] as const)('the QR code %s holds its address', async ([place, address]) => {
    const image = (await page.locator(place).screenshot({ scale: 'css' })).toString('base64')
    const { data, width, height } = await pixelsOf(page, image)
    const decoded = jsQR.default(Uint8ClampedArray.from(data), width, height)
    expect(decoded?.data).toBe(address())
  })

  it('the month goes as far as there are entries, and says so', async () => {
    const later = page.getByRole('button', { name: 'Later' })
    for (let months = 0; months < 24 && (await later.isEnabled()); months += 1) await later.click()
    expect(await later.isEnabled()).toBe(false)
    expect(await page.locator('#month [data-uid]').count()).toBeGreaterThan(0)
    expect(await page.locator('.reach').textContent()).toMatch(/^Entries up to \w+ \d+, 20\d\d\./)
    await page.getByRole('button', { name: 'Today' }).click()
  })

  it('a click in the month shows all that an event says, and the keyboard closes it', async () => {
    await page.locator('[data-uid^="leave-lv_3"]').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Leave lv_3' })
    await dialog.getByText('Moving house').waitFor()
    expect(await dialog.locator('.when').textContent()).toBe('Tuesday, January 13, 2026, all day')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('week and clock are those of the reader’s region, in the month and in the list', async () => {
    expect(await page.getByRole('columnheader').first().textContent()).toBe('Sun')
    await page.getByRole('button', { name: 'List' }).click()
    expect(await page.locator('.list .time').first().textContent()).toMatch(/^Jan 1–15$/)
    expect(await page.locator('.list').textContent()).toContain('8:00 AM–4:00 PM')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Month' }).click()
    await page.locator('#month').waitFor()
  })

  it('on paper it is one sheet with name, code, address and three steps', async () => {
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'print' })
    const sheet = await page.locator('body').innerText()
    expect(sheet).toContain("Ada's work calendar")
    expect(sheet).toContain(calendar.replace(/\/[^/]*$/, ''))
    expect(sheet).toContain('Keep this sheet to yourself')
    expect(sheet).not.toContain('This link')
    expect(await page.locator('.sheet > li:visible').count()).toBe(3)
    expect(await page.locator('.code').isVisible()).toBe(true)
    expect(await page.locator(':is(button, .button, input, form, .preview):visible').count()).toBe(
      0,
    )
    await page.emulateMedia({ media: 'screen' })
  })
})

it.each([
  ['month', desktop, '#month [data-uid^="shift"][data-uid*="202603"]'],
  ['list', phone, '.list h3:text-matches("March")'],
] as const)('an address that ends in a day begins there: %s', async (_view, screen, seen) => {
  const { page: address } = await pageOf({ options: shown })
  const { page, close } = await open(`${address}#2026-03-20`, screen)
  await page.locator(seen).first().waitFor()
  await close()
})

it('a browser without Temporal shows the preview as well', async () => {
  const { page: url } = await pageOf()
  const context = await openContext(browser, desktop)
  await context.clock.setFixedTime(now)
  await context.addInitScript('delete globalThis.Temporal')
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('#month [data-uid]').first().waitFor()
  await context.close()
})

it('without the files of the month there is the list', async () => {
  const { page: url } = await pageOf()
  const context = await openContext(browser, desktop)
  await context.clock.setFixedTime(now)
  const page = await context.newPage()
  await page.route('**/fullcalendar.js', (route) => route.abort())
  await page.goto(url)
  await page.locator('.more').waitFor()
  await page.unroute('**/fullcalendar.js')
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await page.route('**/fullcalendar.js', async (route) => {
    asked.resolve()
    await held.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await asked.promise
  await page.setViewportSize(phone.viewport)
  held.resolve()
  await page.locator('.more').waitFor()
  expect(await page.locator('#month').count()).toBe(0)
  await context.close()
})

describe('what the page is made of', () => {
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
    await save(page)
    expect(page.url()).toContain(`${proxy.url}/feeds/`)
    await close()
    await behind.close()
    proxy.close()
  })

  it('the first week that the page is served with is the very one that its script shows', async () => {
    const { page: url } = await pageOf({ timezone: 'America/New_York', options: shown })
    const { page, close } = await open(url, { ...phone, timezoneId: 'America/New_York' })
    const entries = (): Promise<string> =>
      page.evaluate<string>(`[...document.querySelectorAll('.list :is(h3, [data-uid])')]
        .map((it) => it.textContent + '|' + it.dataset.uid + '|' + it.dataset.kind).join('\\n')`)
    for (const language of ['en-US', 'en-GB', 'de-DE', 'ja-JP', 'ar-EG']) {
      await page.setExtraHTTPHeaders({ 'Accept-Language': language })
      await page.goto(language === 'de-DE' ? `${url}?lang=de` : url)
      await page.locator('.more').waitFor()
      const byScript = await entries()
      await page.route('**/preview.js', (route) => route.abort())
      await page.reload()
      expect(await page.locator('[data-first-days]').count()).toBe(1)
      expect(await entries()).toBe(byScript)
      expect(byScript).toMatch(/\d–.*\|shift-/)
      await page.unroute('**/preview.js')
    }
    await close()
  })

  it('names stay text, and what chat programs read names nobody', async () => {
    company.records.users = [{ id: 'usr_ada', firstName: evil, lastName: evil }]
    company.records.leaves = people(evil).leaves
    const { page: url } = await pageOf({ name: evil, options: { leaves: { detail: 'full' } } })
    const { page, messages, close } = await open(url, phone)
    expect(await page.locator('h1').textContent()).toBe(evil)
    expect(await page.title()).toBe(evil)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.locator('[data-uid^="leave-lv_3"] button').click()
    await page.getByRole('dialog').getByText(evil).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(messages).toEqual([])
    await close()
    const [head = ''] = (await (await fetch(url)).text()).split('</head>')
    expect(head).not.toContain('onerror')
    expect(head).toContain('<title>Your work calendar</title>')
  })

  it('without scripts all but copying works, and the first week is there', async () => {
    const { page: url, calendar } = await pageOf()
    const { page, close } = await open(url, { ...phone, javaScriptEnabled: false })
    expect(await page.locator('.preview').innerText()).toContain('in the time of Europe/Berlin')
    expect(await page.locator('[data-uid^="leave-lv_1"]').innerText()).toMatch(/^2–12 Jan\s+Leave/)
    expect(await page.getByLabel('Address of the calendar').inputValue()).toBe(calendar)
    expect(await page.getByRole('button', { name: 'Copy address', exact: true }).count()).toBe(0)
    expect(await page.locator('[data-share], [data-offline]').locator('visible=true').count()).toBe(
      0,
    )
    expect(await page.locator('.google a').innerText()).toMatch(/^Open Google\b/)
    expect(await page.locator('.google li').first().textContent()).toContain(calendar)
    expect(await page.locator('body').textContent()).not.toMatch(/copies|Copy address and open/)
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

  it('a leaked address is replaced and a link ended without scripts, neither by a slip', async () => {
    const { page: url, calendar } = await pageOf()
    const { page, close } = await open(url, { ...phone, javaScriptEnabled: false })
    for (const kind of ['Leave', 'Shifts', 'Timesheets', 'Tasks']) {
      await page.getByLabel(kind, { exact: true }).uncheck()
    }
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Nothing was saved').waitFor()
    expect(await page.getByLabel('Language').inputValue()).toBe('de')
    await page.getByText('This address leaked').click()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe("Ada's work calendar")
    await page.getByLabel('I will subscribe again everywhere').check()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('heading', { name: 'Your new address' }).waitFor()
    const address = await page.getByLabel('Address of the calendar').inputValue()
    expect(address).not.toBe(calendar)
    await page.getByRole('link', { name: 'Open the page of the new address' }).click()
    await page.getByText('End this link').click()
    await page.getByLabel('I no longer need this link').check()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    expect([(await fetch(calendar)).status, (await fetch(address)).status]).toEqual([410, 410])
    await close()
  })

  it('the pages of a refusal, a new address and an end keep the rules, too', async () => {
    const { page: url } = await pageOf()
    const { page, messages, close } = await open(url, { ...phone, userAgent: 'Android' })
    await page.getByText('End this link').click()
    await page.evaluate('for (const form of document.forms) form.noValidate = true')
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('alert').getByText('tick the box').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByText('This address leaked').click()
    await page.getByLabel('I will subscribe again everywhere').check()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('heading', { name: 'Your new address' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByText('those cannot reach this address').waitFor()
    const own = page.getByRole('link', { name: 'Open the page of the new address' })
    await page.getByText('Your choices are not carried over: make them again there.').waitFor()
    expect(page.url()).toBe(await own.getAttribute('href'))
    expect((await page.reload())?.request().method()).toBe('GET')
    await page.getByRole('heading', { name: "Ada's work calendar" }).waitFor()
    await page.getByText('End this link').click()
    await page.getByLabel('I no longer need this link').check()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(messages.filter((message) => !message.includes('400'))).toEqual([])
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
    await page.getByText('The request did not come from one of our pages.').waitFor()
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
    ['an empty calendar', 200, async () => (await pageOf({ options: nothing })).page],
    [
      'a German calendar just saved',
      200,
      async () => `${(await pageOf({ locale: 'de' })).page}?saved`,
    ],
    ['a calendar that cannot be served', 503, unservable],
    ['an unknown link', 404, () => Promise.resolve(`${bridge.url}/feeds/cfb_unknown?lang=de`)],
    ['an unknown page', 404, () => Promise.resolve(`${bridge.url}/nothing`)],
  ]

  /** The one that has all parts at both widths, the others at the one at which there is least room, unless there is time. */
  const widthsOf = (name: string): readonly number[] =>
    name === 'a calendar' || inject('isThorough') ? [320, 1280] : [320]

  /** Those in which parts stand that are in no other. */
  const decisive = new Set([
    'a calendar',
    'a calendar with much to say',
    'a calendar that cannot be served',
    'an unknown link',
  ])
  const looked = allOr(states, ([name]) => decisive.has(name))

  it.each(looked)('axe finds nothing on %s', async (name, status, address) => {
    const visited = await open(await address(), { viewport: { width: 320, height: 800 } })
    const { page } = visited
    expect(visited.status).toBe(status)
    for (const width of widthsOf(name)) {
      await page.setViewportSize({ width, height: 800 })
      await untilSuited(page, width)
      expect(await widthOf(page)).toBe(width)
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await violations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true')
      expect(await violations(page, 'colours')).toEqual([])
    }
    // The browser itself notes every page whose status is an error.
    expect(visited.messages.filter((message) => !message.startsWith('Failed to load'))).toEqual([])
    await visited.close()
  })
})

/** The preview follows the width of the screen. */
async function untilSuited(page: Page, width: number): Promise<void> {
  if ((await page.locator('.views').count()) === 0) return
  await page
    .locator(width < 768 ? '.list' : '#month [data-uid]')
    .first()
    .waitFor()
}

/** Presses the switch of the timesheets and saves. */
async function save(page: Page): Promise<void> {
  await page.getByLabel('Timesheets').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
}

function isOnPhone(box: { readonly y: number; readonly height: number } | null): boolean {
  return box !== null && box.y >= 0 && box.y + box.height <= phone.viewport.height
}

function focused(page: Page): Promise<string | null> {
  return page.evaluate<string | null>('document.activeElement.textContent')
}

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

/** UID and title of every event that the list shows once it is asked for more until there is no more. */
function walkList(page: Page): Promise<readonly (readonly [string, string])[]> {
  return page.evaluate<[string, string][]>(`(() => {
    const more = document.querySelector('.more')
    for (let weeks = 0; !more.hidden && weeks < 100; weeks += 1) more.click()
    return [...document.querySelectorAll('.list [data-uid]')]
      .map((it) => [it.dataset.uid, it.querySelector('.title').textContent]).sort()
  })()`)
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
