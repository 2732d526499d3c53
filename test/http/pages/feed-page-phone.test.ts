/* The page of a calendar on a phone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { parseWithIcalJs } from '../../support/calendar/parsers.ts'
import {
  kilobyte,
  now,
  openFolds,
  phone,
  save,
  shown,
  useFeedPage,
  widthOf,
} from '../../support/web/feed-page.ts'
import { type Visit } from '../../support/web/visit.ts'

const feedPage = useFeedPage()
const dayMs = 24 * 60 * 60 * 1000

describe('on a phone', () => {
  let visited: Visit
  let page: Page
  let calendar: string

  beforeAll(async () => {
    const made = await feedPage.pageOf()
    calendar = made.calendar
    visited = await feedPage.open(made.page, { ...phone, permissions: ['clipboard-read'] })
    page = visited.page
  })

  afterAll(() => visited.close())

  it('the ways to subscribe are above the preview', async () => {
    const last = await page.locator('.ways').boundingBox()
    const preview = await page.locator('.preview').boundingBox()
    expect(last!.y + last!.height).toBeLessThan(preview!.y)
    expect(await widthOf(page)).toBe(phone.viewport.width)
  })

  it('the page loads only from its own origin, in under 100 KB, without browser messages', () => {
    expect(visited.requests.map((address) => new URL(address).origin)).toEqual(
      visited.requests.map(() => new URL(feedPage.bridge.url).origin),
    )
    expect(visited.messages).toEqual([])
    expect(visited.transferred()).toBeGreaterThan(40 * kilobyte)
    expect(visited.transferred()).toBeLessThan(100 * kilobyte)
  })

  it('the list covers one week and shows an entry of several days once', async () => {
    const days = await page.locator('.list h3').allTextContents()
    expect(days[0]).toBe('Today, Monday 5 January')
    expect(days.length).toBeLessThanOrEqual(7)
    const [entry, ...others] = await page.locator('[data-uid^="leave-lv_1"]').allTextContents()
    expect(entry).toBe('2–12 JanLeave lv_1')
    expect(others).toEqual([])
    expect(await page.locator('[data-uid^="leave-lv_2"] .time').textContent()).toBe('all day')
  })

  it('“Show more” adds the next week and moves the focus there', async () => {
    const more = page.getByRole('button', { name: 'Show more' })
    await more.focus()
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('Tuesday 13 January')
    expect(await page.locator('[data-uid^="leave-lv_1"]').count()).toBe(1)
    await page.keyboard.press('Tab')
    expect(await focused(page)).not.toBe('Tuesday 13 January')
  })

  it('the copied address serves exactly the previewed events', async () => {
    await openFolds(page)
    await page.locator('.copy').getByRole('button', { name: 'Copy address' }).click()
    await page.getByText('Address copied.').waitFor()
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

  it('the page is shared by the device’s own way, or else copied as an address', async () => {
    const address = calendar.replace(/\/[^/]*$/, '')
    await openFolds(page)
    const copy = page.getByRole('button', { name: 'Copy this page’s address' })
    expect(await copy.locator('.icon').count()).toBe(0)
    await copy.click()
    await page.getByText('Copied. Now send it to yourself.').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
    await page.addInitScript('navigator.share = async (shared) => { globalThis.shared = shared }')
    await page.reload()
    await openFolds(page)
    await page.getByRole('button', { name: 'Send this page to myself' }).click()
    expect(await page.evaluate('globalThis.shared')).toEqual({ url: address })
  })

  it('nothing overflows at twice the text size', async () => {
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true')
    expect(await widthOf(page)).toBe(phone.viewport.width)
    await page.reload()
  })

  it('a press of a switch saves, and the preview shows the new calendar', async () => {
    const timesheets = page.locator('[data-uid^="timesheet-"]')
    await timesheets.first().waitFor()
    await save(page)
    await timesheets.first().waitFor({ state: 'detached' })
    expect(await page.locator('.holds').textContent()).toContain('Your leave, shifts and tasks')
    expect(await (await fetch(calendar)).text()).not.toContain('SUMMARY:Timesheet')
    await save(page)
    await timesheets.first().waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  })

  it('quick presses are sent one after the other, each at most once, and all count', async () => {
    const sent: string[] = []
    const held = Promise.withResolvers<void>()
    const address = page.url()
    await page.route(address, async (route) => {
      if (route.request().method() === 'POST') sent.push(route.request().postData() ?? '')
      await held.promise
      await route.continue()
    })
    for (const name of ['Tasks', 'Timesheets', 'Shifts', 'Tasks']) {
      await page.getByRole('switch', { name }).click()
    }
    await page.getByText('Saving…').waitFor()
    held.resolve()
    await page.getByText('Saved.').waitFor()
    expect(sent).toHaveLength(2)
    await page.unroute(address)
    const shownNow = async (): Promise<readonly (string | null)[]> =>
      page
        .getByRole('switch', { checked: true })
        .evaluateAll((all) => all.map((found) => found.getAttribute('value')))
    expect(await shownNow()).toEqual(['leaves', 'tasks'])
    await page.reload()
    await openFolds(page)
    expect(await shownNow()).toEqual(['leaves', 'tasks'])
  })

  it('a choice that is refused or has no connection goes back, with the reason', async () => {
    await page.getByRole('switch', { name: 'Tasks' }).click()
    await page.getByText('Saved.').waitFor()
    const leave = page.getByRole('switch', { name: 'Leave' })
    await leave.click()
    await page.getByRole('status').getByText('Not saved: the calendar would be empty.').waitFor()
    expect(await leave.isChecked()).toBe(true)
    await page.context().setOffline(true)
    await page.getByRole('switch', { name: 'Timesheets' }).click()
    await page.getByText('Not saved: no connection. Try again.').locator('visible=true').waitFor()
    expect(await page.getByRole('switch', { name: 'Timesheets' }).isChecked()).toBe(false)
    await page.context().setOffline(false)
    await save(page)
  })

  it('a second press of a button sends nothing, and switches are visible in forced colours', async () => {
    const refused = await page.evaluate<boolean[]>(`(() => {
      const refused = []
      const note = (event) => { refused.push(event.defaultPrevented); event.preventDefault() }
      addEventListener('submit', note)
      const end = [...document.querySelectorAll('.link form')].at(-1)
      end.noValidate = true
      for (const times of [1, 2]) end.requestSubmit()
      dispatchEvent(new Event('pageshow'))
      end.requestSubmit()
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

  it('a chosen language renews the whole page; one in the address changes only the page', async () => {
    const [address = ''] = page.url().split('?')
    await page.getByLabel('Language', { exact: true }).selectOption('Deutsch')
    await page.getByText('Gespeichert.').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await focused(page)).toContain('Gespeichert.')
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('')
    await page.getByLabel('Sprache', { exact: true }).selectOption('English')
    await page.getByText('Saved.').waitFor()
    await page.goto(`${address}?lang=de`)
    await page.getByRole('heading', { name: 'So sieht der Kalender aus' }).waitFor()
    const title = page.locator('[data-uid^="timesheet-"] .title')
    expect(await title.textContent()).toMatch(/^Timesheet /)
    expect(await title.getAttribute('lang')).toBe('en')
    await openFolds(page)
    await page.getByRole('switch', { name: 'Stundenzettel' }).click()
    await page.getByText('Gespeichert.').waitFor()
    expect(new URL(page.url()).search).toBe('?lang=de')
    expect(await (await fetch(calendar)).text()).toContain('SUMMARY:Leave lv_1')
  })

  it('the first week stays if the rest cannot be fetched, and the fetch can be retried', async () => {
    await page.route('**/*.ics', (route) => route.abort())
    await page.reload()
    const failure = page.getByText('Spätere Einträge lassen sich gerade nicht laden.')
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
    expect(await page.getByText('in der Zeitzone dieses Geräts').count()).toBe(1)
  })
})

/* Folded, the page is short even with a full preview. */
it.each([
  ['iOS', 'en', 'Add to Apple Calendar', /^webcal:/],
  ['Android', 'de', 'Mit ICSx⁵ abonnieren', /^intent:.*package=at.bitfire.icsdroid/],
] as const)(
  'on %s the first way is for this device and all is at most 2,000 px high, %s',
  async (platform, lang, name, address) => {
    const extraHTTPHeaders = { 'sec-ch-ua-platform': `"${platform}"` }
    const { page: url } = await feedPage.pageOf({ options: shown })
    const { page, close } = await feedPage.open(`${url}?lang=${lang}`, {
      ...phone,
      extraHTTPHeaders,
    })
    expect(await page.locator('.list [data-uid]').count()).toBeGreaterThan(3)
    const first = page.locator(':is(.button, button):visible').first()
    expect([await first.textContent(), await first.getAttribute('href')]).toEqual([
      expect.stringContaining(name),
      expect.stringMatching(address),
    ])
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(2000)
    await close()
  },
)

it('the page of a link for others speaks of the person in it', async () => {
  const { id, people } = { id: 'usr_ada', people: (await feedPage.bridge.node()).store.people }
  await people.seePeople('main', [{ id, firstName: 'Ada', lastName: 'Lovelace' }], 1)
  const { page: url } = await feedPage.pageOf({ audience: 'others' })
  const text = await (await fetch(url)).text()
  expect(text).toContain('Shows when Ada is away')
  expect(text).not.toMatch(/your (leave|absence|shift|work calendar)/i)
})

function focused(page: Page): Promise<string | null> {
  return page.evaluate<string | null>('document.activeElement.textContent')
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
