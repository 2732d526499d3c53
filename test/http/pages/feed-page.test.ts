/* The page of a calendar: its address, its texts, without scripts, for everybody. */
import { createServer } from 'node:http'

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import {
  adminToken,
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
} from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { closeNow, listenAnywhere, startPrefixProxy } from '../../support/bridge/prefix-proxy.ts'
import { allOr } from '../../support/bridge/thorough.ts'
import { parseWithIcalJs } from '../../support/calendar/parsers.ts'
import { leave } from '../../support/company/people.ts'
import {
  now,
  openFolds,
  people,
  phone,
  save,
  shown,
  useFeedPage,
  widthOf,
} from '../../support/web/feed-page.ts'
import { violations } from '../../support/web/visit.ts'

const feedPage = useFeedPage()
const evil = '<img src=x onerror=alert(1)>'
const nothing = {
  leaves: { show: false },
  shifts: { show: false },
  timesheets: { show: false },
  tasks: { show: false },
}

describe('the content of the page', () => {
  it('everything is under the path of PUBLIC_URL', async () => {
    const proxy = await startPrefixProxy('/calendars')
    const behind = await startBridge({
      clock: createFakeClock(now),
      environment: {
        ...readsFrom(feedPage.company.url),
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
    const { page, requests, messages, close } = await feedPage.open(
      new URL('.', address).href,
      phone,
    )
    await page.locator('[data-uid^="timesheet"]').first().waitFor()
    expect(messages).toEqual([])
    expect(requests.filter((one) => !one.startsWith(`${proxy.url}/`))).toEqual([])
    await save(page)
    expect(page.url()).toContain(`${proxy.url}/feeds/`)
    await close()
    await behind.close()
    proxy.close()
  })

  it('the first week sent with the page equals the one that its script shows', async () => {
    const { page: url } = await feedPage.pageOf({ timezone: 'America/New_York', options: shown })
    const { page, close } = await feedPage.open(url, { ...phone, timezoneId: 'America/New_York' })
    const entries = (): Promise<string> =>
      page.evaluate<string>(`[...document.querySelectorAll('.list :is(h3, [data-uid])')]
        .map((it) => it.textContent + '|' + it.dataset.uid + '|' + it.dataset.kind).join('\\n')`)
    const all = ['en-US', 'en-GB', 'de-DE', 'ja-JP', 'ar-EG']
    for (const language of allOr(all, (one) => ['en-US', 'de-DE'].includes(one))) {
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

  it('names are shown as text, and the preview for chat programs contains no name', async () => {
    feedPage.company.records.users = [{ id: 'usr_ada', firstName: evil, lastName: evil }]
    feedPage.company.records.leaves = people(evil).leaves
    const { page: url } = await feedPage.pageOf({
      name: evil,
      options: { leaves: { detail: 'full' } },
    })
    const { page, messages, close } = await feedPage.open(url, phone)
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

  it('without scripts a person reads why something is missing, and what others see', async () => {
    feedPage.company.records.leaves['usr_ada']?.push(
      leave('lv_no', '2026-01-07', { status: 'REJECTED' }),
    )
    const { page: url } = await feedPage.pageOf()
    const { page, close } = await feedPage.open(`${url}?lang=en`, {
      ...phone,
      javaScriptEnabled: false,
    })
    const missing = page.locator('.missing')
    expect(await missing.getByLabel('Day').isVisible()).toBe(false)
    await missing.locator('summary').press('Enter')
    await missing.getByLabel('Day').fill('2026-01-07')
    await missing.getByLabel('Day').press('Enter')
    await missing.getByText('Leave lv_no').waitFor()
    expect(await missing.innerText()).toContain('It was rejected, so you are not away.')
    expect(page.url()).toBe(`${url}?lang=en&day=2026-01-07#missing`)
    await page.getByRole('link', { name: 'As others see it' }).click()
    await page.getByText('This is what a colleague’s calendar shows about you').waitFor()
    expect(await page.locator('[data-uid]').allInnerTexts()).toEqual([
      '2–12 Jan\nAda Lovelace: Away',
      'all day\nAda Lovelace: Away',
    ])
    await page.getByRole('link', { name: 'As you see it' }).click()
    await page.getByText('What your calendar app will show').waitFor()
    await close()
  })

  it('what others see is shown by the page’s script too, which loads nothing else', async () => {
    const { page: url } = await feedPage.pageOf()
    const { page, requests, close } = await feedPage.open(`${url}?view=others#preview`, phone)
    await page.locator('.more').waitFor()
    expect(await page.locator('[data-uid] .title').allInnerTexts()).toEqual([
      'Ada Lovelace: Away',
      'Ada Lovelace: Away',
    ])
    expect(requests.filter((address) => address.includes('.ics'))).toEqual([])
    await page.reload()
    expect(
      await page.getByRole('link', { name: 'As others see it' }).getAttribute('aria-current'),
    ).toBe('true')
    await close()
  })

  it('everything but copying works without scripts, and the first week is shown', async () => {
    const { page: url, calendar } = await feedPage.pageOf()
    const { page, close } = await feedPage.open(url, { ...phone, javaScriptEnabled: false })
    expect(await page.locator('.preview').innerText()).toContain('Times are in Europe/Berlin')
    expect(await page.locator('[data-uid^="leave-lv_1"]').innerText()).toMatch(/^2–12 Jan\s+Leave/)
    expect(await page.getByLabel('Address of the calendar').inputValue()).toBe(calendar)
    expect(await page.getByRole('button', { name: 'Copy address', exact: true }).count()).toBe(0)
    expect(await page.locator('[data-share], [data-offline]').locator('visible=true').count()).toBe(
      0,
    )
    await openFolds(page)
    expect(await page.locator('.google a').innerText()).toMatch(/^Open Google\b/)
    expect(await page.locator('.google li').first().textContent()).toContain(calendar)
    expect(await page.locator('body').textContent()).not.toMatch(/copies|Copy address and open/)
    const timesheets = page.getByRole('switch', { name: 'Timesheets' })
    await timesheets.uncheck()
    await page.getByLabel('Free').last().check()
    await page.getByLabel('One line a day').check()
    await page.getByLabel('Only “Away”').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await timesheets.isChecked()).toBe(false)
    expect(await page.getByLabel('One line a day').isChecked()).toBe(true)
    expect(await page.getByLabel('Only “Away”').isChecked()).toBe(true)
    const titles = parseWithIcalJs(await (await fetch(calendar)).text()).map(({ title }) => title)
    expect(titles).toContain('Away')
    expect(titles.join()).not.toContain('Timesheet')
    await close()
  })

  it('without scripts an address can be replaced and a link ended, but not by accident', async () => {
    const { page: url, calendar } = await feedPage.pageOf()
    const { page, close } = await feedPage.open(url, { ...phone, javaScriptEnabled: false })
    await openFolds(page)
    for (const kind of ['Leave', 'Shifts', 'Timesheets', 'Tasks']) {
      await page.getByRole('switch', { name: kind }).uncheck()
    }
    await page.getByLabel('Language', { exact: true }).selectOption('Deutsch')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Not saved').waitFor()
    expect(await page.getByLabel('Language', { exact: true }).inputValue()).toBe('de')
    await openFolds(page)
    await page.getByText('Replace this address').click()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe("Ada's work calendar")
    await page.getByLabel('I will add the calendar again everywhere').check()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('heading', { name: 'Your new address' }).waitFor()
    const address = await page.getByLabel('Address of the calendar').inputValue()
    expect(address).not.toBe(calendar)
    await page.getByRole('link', { name: 'Open the new page' }).click()
    await openFolds(page)
    await page.getByText('End this link', { exact: true }).click()
    await page.getByLabel('I no longer need this link').check()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    expect([(await fetch(calendar)).status, (await fetch(address)).status]).toEqual([410, 410])
    await close()
  })

  it('the pages of a refusal, a new address and an end have no axe violations either', async () => {
    const { page: url } = await feedPage.pageOf()
    const { page, messages, close } = await feedPage.open(url, { ...phone, userAgent: 'Android' })
    await openFolds(page)
    await page.getByText('End this link', { exact: true }).click()
    await page.evaluate('for (const form of document.forms) form.noValidate = true')
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('alert').getByText('tick the box').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByText('Replace this address').click()
    await page.getByLabel('I will add the calendar again everywhere').check()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('heading', { name: 'Your new address' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByText('cannot reach this address').waitFor()
    const own = page.getByRole('link', { name: 'Open the new page' })
    expect(page.url()).toBe(await own.getAttribute('href'))
    expect((await page.reload())?.request().method()).toBe('GET')
    await page.getByRole('heading', { name: "Ada's work calendar" }).waitFor()
    await openFolds(page)
    await page.getByText('End this link', { exact: true }).click()
    await page.getByLabel('I no longer need this link').check()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(messages.filter((message) => !message.includes('400'))).toEqual([])
    await close()
  })

  it('a page on another site can change nothing', async () => {
    const { page: url, calendar } = await feedPage.pageOf()
    const before = await (await fetch(calendar)).text()
    const elsewhere = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<form method="post" action="${url}"><button>Win a prize</button></form>`)
    })
    const port = await listenAnywhere(elsewhere)
    const { page, close } = await feedPage.open(`http://localhost:${port}/`)
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button').click()
    expect((await answer).status()).toBe(403)
    await page.getByText('The request did not come from one of our pages.').waitFor()
    expect(await (await fetch(calendar)).text()).toBe(before)
    await close()
    closeNow(elsewhere)
  })
})

describe('accessibility of the page', () => {
  const states: readonly (readonly [
    name: string,
    status: number,
    address: () => Promise<string>,
  ])[] = [
    ['a calendar', 200, async () => `${(await feedPage.pageOf()).page}?day=2026-01-09`],
    ['a calendar with much to say', 200, async () => `${await withMuchToSay()}?view=others`],
    ['an empty calendar', 200, async () => (await feedPage.pageOf({ options: nothing })).page],
    [
      'a German calendar just saved',
      200,
      async () => `${(await feedPage.pageOf({ locale: 'de' })).page}?saved`,
    ],
    ['a calendar that cannot be served', 503, unservable],
    [
      'an unknown link',
      404,
      () => Promise.resolve(`${feedPage.bridge.url}/feeds/cfb_unknown?lang=de`),
    ],
    ['an unknown page', 404, () => Promise.resolve(`${feedPage.bridge.url}/nothing`)],
  ]

  /** Both, or the one at which there is least room. */
  const widths = allOr([320, 1280], (width) => width === 320)

  /** Those in which parts stand that are in no other. */
  const decisive = new Set([
    'a calendar',
    'a calendar with much to say',
    'a calendar that cannot be served',
    'an unknown link',
  ])
  const looked = allOr(states, ([name]) => decisive.has(name))

  it.each(looked)('axe finds nothing on %s', async (_, status, address) => {
    const visited = await feedPage.open(await address(), { viewport: { width: 320, height: 800 } })
    const { page } = visited
    expect(visited.status).toBe(status)
    for (const width of widths) {
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

async function withMuchToSay(): Promise<string> {
  const options = {
    shifts: { scheduleIds: ['sch_gone'] },
    tasks: { projectIds: [] },
    invoices: { show: true },
    selfService: false,
  }
  feedPage.company.records.schedules.push({ id: 'sch_gone' })
  const { page } = await feedPage.pageOf({ options })
  feedPage.company.records.schedules.pop()
  return page
}

async function unservable(): Promise<string> {
  feedPage.company.faults.set('/timesheets', 403)
  feedPage.company.records.users.push({ id: 'usr_new', firstName: 'New' })
  return (await feedPage.pageOf({ userIds: ['usr_new'] })).page
}
