/* A person's visit of a page in Chromium, and all that went over the wire for it. */
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { openContext } from './chromium.ts'

export interface Visit {
  readonly page: Page
  readonly status: number
  /** What the browser said of the page, errors of scripts included. */
  readonly messages: readonly string[]
  /** The address of every request. */
  readonly requests: readonly string[]
  /** Bytes of all answers so far, heads included, as they came over the wire. */
  readonly transferred: () => number
  readonly close: () => Promise<void>
}

/** Opens the page in a browser that knows nothing yet, and waits until the calendar, if there is one, is there. */
export async function visit(
  browser: Browser,
  url: string,
  { now, ...options }: BrowserContextOptions & { readonly now?: number } = {},
): Promise<Visit> {
  const context = await openContext(browser, options)
  if (now !== undefined) await context.clock.setFixedTime(now)
  const page = await context.newPage()
  const messages: string[] = []
  const requests: string[] = []
  let bytes = 0
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const response = await page.goto(url)
  await untilShown(page, options.javaScriptEnabled !== false)
  return {
    page,
    status: response?.status() ?? 0,
    messages,
    requests,
    transferred: () => bytes,
    close: () => context.close(),
  }
}

/** The rules of WCAG 2.2 AA and good practice that the page breaks, each with where; or of those alone that are about colours. */
export async function violations(page: Page, only?: 'colours'): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source)
  const options = {
    preload: false,
    ...(only && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  }
  return page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join(' | ')))`)
}

async function untilShown(page: Page, runsScripts: boolean): Promise<void> {
  await page.waitForLoadState('load')
  if (!runsScripts || (await page.locator('#calendar').count()) === 0) return
  await page.locator('#calendar .state').waitFor({ state: 'detached' })
}
