import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { firstRequest } from '../../../src/http/pages/docs-page.ts'
import { readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { sharedChromium } from '../../support/web/chromium.ts'
import { violations, visit } from '../../support/web/visit.ts'

let browser: Browser
let bridge: TestBridge

beforeAll(async () => {
  browser = await sharedChromium()
  bridge = await startBridge({ environment: readsFrom('http://127.0.0.1:9') })
})

afterAll(async () => {
  await bridge.close()
})

it.each([320, 1280])(
  'the API page is accessible and does not overflow at %i pixels',
  async (width) => {
    const viewport = { width, height: 900 }
    const docs = await visit(browser, `${bridge.url}/docs`, { viewport, colorScheme: 'light' })
    expect([docs.status, docs.messages]).toEqual([200, []])
    expect(docs.requests.every((url) => url.startsWith(bridge.url) || url === 'data:,')).toBe(true)
    expect(await docs.page.title()).toMatch(/: API$/)
    expect(await docs.page.locator('main > pre').textContent()).toBe(
      `curl -H "Authorization: Bearer $ADMIN_TOKEN" ${bridge.url}/api/feeds`,
    )
    await docs.page.locator('#schema-NewFeed summary').click()
    expect(await violations(docs.page)).toEqual([])
    await docs.page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(docs.page, 'colours')).toEqual([])
    expect(
      await docs.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
    ).toBe(true)
    await docs.close()
  },
)

it.each([
  ['data/admin-token', '$(cat data/admin-token)'],
  [undefined, '$ADMIN_TOKEN'],
  ['/home/somebody/data/admin-token', '$ADMIN_TOKEN'],
  ['a b/$(reboot)/admin-token', '$ADMIN_TOKEN'],
])('the first request can be pasted where the token file is %s', (tokenFile, token) => {
  const publicUrl = 'https://calendar.example.com/a'
  expect(firstRequest({ publicUrl, tokenFile })).toBe(
    `curl -H "Authorization: Bearer ${token}" https://calendar.example.com/a/api/feeds`,
  )
})
