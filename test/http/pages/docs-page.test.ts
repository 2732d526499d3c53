import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

import { exampleProblem, firstRequest } from '../../../src/http/pages/docs-page.ts'
import { adminToken, readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { allOr } from '../../support/bridge/thorough.ts'
import { sharedChromium } from '../../support/web/chromium.ts'
import { type Visit, violations, visit } from '../../support/web/visit.ts'

let browser: Browser
let bridge: TestBridge

beforeAll(async () => {
  browser = await sharedChromium()
  bridge = await startBridge({ environment: readsFrom('http://127.0.0.1:9') })
})

afterAll(async () => {
  await bridge.close()
})

async function open(options: BrowserContextOptions, anchor = ''): Promise<Visit> {
  return visit(browser, `${bridge.url}/docs${anchor}`, options)
}

/** What is folded: all of it, or one of each kind, which are an operation, a schema, options and the contents. */
const folded = inject('isThorough')
  ? 'details'
  : ['#rotateLink', '#schema-Link', '#options-leaves', 'nav.contents']
      .map((place) => `details:has(${place}), ${place} details`)
      .join()
const unfold = `for (const it of document.querySelectorAll('${folded}')) it.open = true`

it.each(allOr([320, 1280], (width) => width === 320))(
  'the API page is accessible and does not overflow at %i pixels',
  async (width) => {
    const docs = await open({ viewport: { width, height: 900 }, colorScheme: 'light' })
    expect([docs.status, docs.messages]).toEqual([200, []])
    expect(docs.requests.every((url) => url.startsWith(bridge.url) || url === 'data:,')).toBe(true)
    expect(await docs.page.title()).toMatch(/: API$/)
    expect(await docs.page.locator('#first-request code').textContent()).toBe(
      `curl -H "Authorization: Bearer $ADMIN_TOKEN" "${bridge.url}/api/feeds"`,
    )
    await docs.page.evaluate(unfold)
    for (const place of ['#schema-Link', '#option-leaves\\.detail']) {
      expect(await docs.page.locator(place).isVisible()).toBe(true)
    }
    expect(await docs.page.locator('#rotateLink details[open]').count()).toBeGreaterThan(0)
    if (inject('isThorough')) expect(await violations(docs.page, 'colours')).toEqual([])
    await docs.page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(docs.page)).toEqual([])
    expect(
      await docs.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
    ).toBe(true)
    await docs.close()
  },
)

it('an address unfolds what it leads to, and the contents mark it', async () => {
  const { page, close } = await open({ viewport: { width: 1280, height: 900 } }, '#schema-Link')
  expect(await page.locator('#schema-Link').isVisible()).toBe(true)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await contents.getByRole('link', { name: 'Replace a link' }).click()
  await page.locator('#rotateLink').getByText('graceDays', { exact: true }).waitFor()
  await contents.locator('[aria-current]', { hasText: 'Replace a link' }).waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await contents.locator('[aria-current]', { hasText: 'Getting started' }).waitFor()
  await close()
})

it('finds operations, schemas and options by the names of their properties', async () => {
  const { page, close } = await open({ viewport: { width: 390, height: 900 } })
  await page.getByText('Contents', { exact: true }).click()
  await page.getByRole('searchbox').fill('gracedays')
  const found = page.getByRole('navigation').locator('li a:visible')
  expect((await found.allTextContents()).map((text) => text.trim())).toEqual([
    'POST Replace a link',
    'Rotation',
  ])
  await page.getByRole('searchbox').fill('no such thing')
  expect(await page.getByRole('status').textContent()).toBe('Nothing found')
  await page.getByRole('searchbox').fill('leaves detail')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#options-leaves$/)
  expect(await page.locator('[id="option-leaves.detail"]').isVisible()).toBe(true)
  await close()
})

it('copies a request with the keyboard', async () => {
  const { page, close } = await open({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  await page.locator('#createLink [data-copy]').first().focus()
  await page.keyboard.press('Enter')
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^curl -X POST "\S+\/links" \\\n {2}-H "Authorization: .*\n.*\n {2}-d '\{ "label": "phone" \}'$/,
  )
  await close()
})

it('without scripts, the page is readable, and its links unfold what they lead to', async () => {
  const viewport = { width: 1280, height: 900 }
  const { page, close } = await open({ viewport, javaScriptEnabled: false })
  expect(await page.getByRole('searchbox').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  await page.getByRole('navigation').getByRole('link', { name: 'leaves' }).click()
  expect(await page.locator('[id="option-leaves.detail"]').isVisible()).toBe(true)
  await page.locator('#rotateLink summary', { hasText: 'Parameters' }).click()
  expect(await page.locator('#rotateLink').getByText('path, string').isVisible()).toBe(true)
  await close()
})

it('the example of an error is what the API answers', async () => {
  const body = JSON.stringify({ userIds: ['usr_ada'], locale: 'fr' })
  const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${bridge.url}/api/feeds`, { method: 'POST', headers, body })
  expect(await answer.json()).toEqual(exampleProblem)
})

it.each([
  ['data/admin-token', '$(cat data/admin-token)'],
  [undefined, '$ADMIN_TOKEN'],
  ['/home/somebody/data/admin-token', '$ADMIN_TOKEN'],
  ['a b/$(reboot)/admin-token', '$ADMIN_TOKEN'],
])('the first request can be pasted where the token file is %s', (tokenFile, token) => {
  const publicUrl = 'https://calendar.example.com/a'
  expect(firstRequest({ publicUrl, tokenFile })).toBe(
    `curl -H "Authorization: Bearer ${token}" "https://calendar.example.com/a/api/feeds"`,
  )
})
