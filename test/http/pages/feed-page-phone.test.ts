/* The page of a calendar on a phone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { parseWithIcalJs } from '../../support/calendar/parsers.ts'
import { kilobyte, now, phone, save, useFeedPage, widthOf } from '../../support/web/feed-page.ts'
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

  it('the page is shared by the device’s own way, or else copied as an address', async () => {
    const address = calendar.replace(/\/[^/]*$/, '')
    await page.getByRole('button', { name: 'Copy this page’s address' }).click()
    await page.getByText('The page’s address is copied').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
    await page.addInitScript('navigator.share = async (shared) => { globalThis.shared = shared }')
    await page.reload()
    await page.getByRole('button', { name: 'Send this page to myself' }).click()
    expect(await page.evaluate('globalThis.shared')).toEqual({ url: address })
  })

  it('nothing overflows at twice the text size', async () => {
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true')
    expect(await widthOf(page)).toBe(phone.viewport.width)
    await page.reload()
  })

  it('the preview shows the new calendar after saving, not a cached one', async () => {
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

  it('a second press of a button sends nothing, and switches are visible in forced colours', async () => {
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

  it('nothing is sent without a connection, and the choices are kept', async () => {
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

  it('another language changes the page, not the calendar, and is kept after saving', async () => {
    const german = page.getByRole('link', { name: 'Deutsch' })
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByLabel('Tasks').click()
    await german.click()
    expect(asked).toEqual(['Your changes are not saved yet. Leave without saving?'])
    await page.getByLabel('Tasks').click()
    await german.click()
    await page.getByRole('heading', { name: 'So sieht der Kalender aus' }).waitFor()
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

  it('the first week stays if the rest cannot be fetched, and the fetch can be retried', async () => {
    await page.route('**/*.ics', (route) => route.abort())
    await page.reload()
    const failure = page.getByText('Spätere Einträge lassen sich gerade nicht anzeigen.')
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

function isOnPhone(box: { readonly y: number; readonly height: number } | null): boolean {
  return box !== null && box.y >= 0 && box.y + box.height <= phone.viewport.height
}

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
