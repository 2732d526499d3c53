/* The page of a calendar on a wide screen. */
import jsQR from 'jsqr'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openContext } from '../../support/web/chromium.ts'
import { desktop, kilobyte, now, phone, shown, useFeedPage } from '../../support/web/feed-page.ts'
import { violations, type Visit } from '../../support/web/visit.ts'

const feedPage = useFeedPage()

describe('on a wide screen', () => {
  let visited: Visit
  let page: Page
  let calendar: string

  beforeAll(async () => {
    const made = await feedPage.pageOf({ options: shown })
    calendar = made.calendar
    const permissions = ['clipboard-read']
    visited = await feedPage.open(made.page, { ...desktop, locale: 'en-US', permissions })
    page = visited.page
  })

  afterAll(() => visited.close())

  it('the page loads in under 260 KB, and the tab has the name of the calendar', async () => {
    expect(visited.messages).toEqual([])
    expect(visited.transferred()).toBeGreaterThan(100 * kilobyte)
    expect(visited.transferred()).toBeLessThan(260 * kilobyte)
    expect(await page.title()).toBe("Ada's work calendar")
  })

  it('the Google button copies the address as well', async () => {
    await page.context().route('https://calendar.google.com/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Copy address and open Google' }).click()
    await page.getByText('Address copied.').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(calendar)
  })

  it.for([
    ['.code', () => calendar.replace('http:', 'webcal:')],
    ['.page-code', () => calendar.replace(/\/[^/]*$/, '')],
  ] as const)('the QR code %s contains its address', async ([place, address]) => {
    const image = (await page.locator(place).screenshot({ scale: 'css' })).toString('base64')
    const { data, width, height } = await pixelsOf(page, image)
    const decoded = jsQR.default(Uint8ClampedArray.from(data), width, height)
    expect(decoded?.data).toBe(address())
  })

  it('the month view ends where the entries end, and says so', async () => {
    const later = page.getByRole('button', { name: 'Later' })
    for (let months = 0; months < 24 && (await later.isEnabled()); months += 1) await later.click()
    expect(await later.isEnabled()).toBe(false)
    expect(await page.locator('#month [data-uid]').count()).toBeGreaterThan(0)
    expect(await page.locator('.reach').textContent()).toMatch(/^Entries up to \w+ \d+, 20\d\d\./)
    await page.getByRole('button', { name: 'Today' }).click()
  })

  it('opening an event in the month shows all its details, and the keyboard closes it', async () => {
    await page.locator('[data-uid^="leave-lv_3"]').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Leave lv_3' })
    await dialog.getByText('Moving house').waitFor()
    expect(await dialog.locator('.when').textContent()).toBe('Tuesday, January 13, 2026, all day')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('week and clock follow the region of the reader in the month and in the list', async () => {
    expect(await page.getByRole('columnheader').first().textContent()).toBe('Sun')
    await page.getByRole('button', { name: 'List' }).click()
    expect(await page.locator('.list .time').first().textContent()).toMatch(/^Jan 1–15$/)
    expect(await page.locator('.list').textContent()).toContain('8:00 AM–4:00 PM')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Month' }).click()
    await page.locator('#month').waitFor()
  })

  it('the printed page is one sheet with name, code, address and three steps', async () => {
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
] as const)('an address that ends in a day opens on that day: %s', async (_view, screen, seen) => {
  const { page: address } = await feedPage.pageOf({ options: shown })
  const { page, close } = await feedPage.open(`${address}#2026-03-20`, screen)
  await page.locator(seen).first().waitFor()
  await close()
})

it('the preview also works in a browser without Temporal', async () => {
  const { page: url } = await feedPage.pageOf()
  const context = await openContext(feedPage.browser, desktop)
  await context.clock.setFixedTime(now)
  await context.addInitScript('delete globalThis.Temporal')
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('#month [data-uid]').first().waitFor()
  await context.close()
})

it('the list is shown if the files of the month view cannot be loaded', async () => {
  const { page: url } = await feedPage.pageOf()
  const context = await openContext(feedPage.browser, desktop)
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
