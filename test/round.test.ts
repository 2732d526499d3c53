/* A person's whole round in a real browser, with a real identity provider and two nodes: from nothing to a link of their own, and out. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startBridge, type TestBridge } from './support/bridge/bridge.ts'
import { allOr } from './support/bridge/thorough.ts'
import { titlesOf } from './support/calendar/read-calendar.ts'
import { createTestDatabase } from './support/database/postgres.ts'
import { openContext, sharedChromium } from './support/web/chromium.ts'
import { type IdentityProvider, startIdentityProvider } from './support/web/identity-provider.ts'
import { violations } from './support/web/visit.ts'

const accounts = {
  ada: { email: 'Ada@Sample.example', email_verified: true },
  nobody: { email: 'nobody@round.example', email_verified: true },
}
/** Where pictures of the pages go, where somebody wants to look at them. */
const pictures = process.env['PICTURES']

let browser: Browser
let provider: IdentityProvider
let bridge: TestBridge
let other: TestBridge

beforeAll(async () => {
  provider = await startIdentityProvider(accounts)
  const environment = { ...provider.environment, DATABASE_URL: await createTestDatabase() }
  bridge = await startBridge({ environment })
  other = await startBridge({ environment })
  provider.register(bridge.url)
  await knowAda(bridge)
  browser = await sharedChromium()
})

afterAll(async () => {
  await other.close()
  await bridge.close()
  await provider.close()
})

async function knowAda(at: TestBridge): Promise<void> {
  const { people } = (await at.node()).store
  await people.seePeople('main', [{ id: 'usr_ada' }], 1)
  const email = 'ada@sample.example'
  const user = { id: 'usr_ada', firstName: 'Ada', lastName: 'Brandt', email }
  const reading = { userId: 'usr_ada', state: 'active', user, readAt: 2 } as const
  await people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
}

async function signIn(page: Page, account: string): Promise<void> {
  await page.goto(`${bridge.url}/me`)
  await page.fill('[name=login]', account)
  await page.fill('[name=password]', 'any')
  await Promise.all([page.waitForURL(/interaction|sign-in|me/), page.click('[type=submit]')])
  if (page.url().includes('/interaction/')) await page.click('[type=submit]')
  await page.waitForURL((url) => url.href.startsWith(bridge.url))
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true })
}

/** The address of the calendar that the page shows. */
async function addressOn(page: Page): Promise<string> {
  return page.locator('#address').inputValue()
}

async function polled(address: string): Promise<readonly [number, readonly string[]]> {
  const response = await fetch(address)
  const text = await response.text()
  return [response.status, response.status === 200 ? titlesOf(text) : []]
}

it('signs in, creates a calendar and an “Away” link, ends it, and signs out on both nodes', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => {
    // The provider’s own pages ask for fonts of others.
    if (page.url().startsWith(bridge.url)) messages.push(message.text())
  })
  await signIn(page, 'ada')
  expect(new URL(page.url()).pathname).toBe('/me')
  expect(await violations(page)).toEqual([])
  await picture(page, 'me-new')

  await page.getByRole('button', { name: 'Make my calendar' }).click()
  const first = await addressOn(page)
  expect(await violations(page)).toEqual([])
  await picture(page, 'me-made')
  const [status, titles] = await polled(first)
  expect(status).toBe(200)
  expect(titles.some((title) => title.startsWith('Shift') || title.includes('shift'))).toBe(true)

  await page.getByRole('link', { name: 'Back to my calendar' }).click()
  await page.getByLabel('What is it for?').fill('family')
  await page.getByLabel('Only “Away”').check()
  await picture(page, 'me-form')
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  const away = await addressOn(page)
  const [awayStatus, awayTitles] = await polled(away)
  expect(awayStatus).toBe(200)
  expect(awayTitles.length).toBeGreaterThan(0)
  expect(awayTitles.filter((title) => !/^Away\b/.test(title))).toEqual([])
  expect((await polled(first))[1]).toEqual(titles)

  await page.goto(`${bridge.url}/me`)
  await page.locator('#calendar .state').waitFor({ state: 'detached' })
  expect(await page.getByText('family').count()).toBeGreaterThan(0)
  expect(await page.content()).not.toMatch(/cfb_[\w-]{43}/)
  expect(await violations(page)).toEqual([])
  await picture(page, 'me')
  await page.getByText('End this link (family)').click()
  await page.getByLabel('It is no longer needed').filter({ visible: true }).check()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.waitForURL(/\/me/)
  expect((await polled(away))[0]).toBe(410)
  expect((await polled(first))[1]).toEqual(titles)

  await page.goto(`${other.url}/me`)
  expect(new URL(page.url()).origin).toBe(other.url)
  const cookies = await context.cookies()
  await page.goto(`${bridge.url}/me`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${bridge.url}/`)
  for (const node of [bridge, other]) {
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${node.url}/me`, { headers: { cookie }, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in'])
  }
  expect(messages).toEqual([])
  await context.close()
})

const looks = [
  ['de-DE', 'dark', 320],
  ['en-GB', 'light', 1280],
] as const

it.each(allOr(looks, ([, , width]) => width === 320))(
  'the page reads well in %s, %s, at %d px',
  async (locale, colorScheme, width) => {
    const viewport = { width, height: 900 }
    const context = await openContext(browser, { locale, colorScheme, viewport })
    const page = await context.newPage()
    await signIn(page, 'ada')
    expect(new URL(page.url()).pathname).toBe('/me')
    await page.locator('#calendar .state').waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    await picture(page, `me-${locale}-${colorScheme}-${width}`)
    await context.clearCookies()
    await signIn(page, 'nobody')
    expect(await violations(page)).toEqual([])
    await picture(page, `nobody-${locale}-${colorScheme}-${width}`)
    await context.close()
  },
)
