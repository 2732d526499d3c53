/* The page of the sandbox, in a real browser: what a developer presses there is what the Read API then answers. */
import { request } from 'node:http'

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type Sandbox, type SandboxDeps, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { hashOfKey } from '../../src/settings/fields.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { sharedChromium } from '../support/web/chromium.ts'
import { violations, visit, type Visit } from '../support/web/visit.ts'

const now = Date.UTC(2026, 10, 23, 9)
const adminToken = 'the-admin-token-of-this-test'

let browser: Browser
let sandbox: Sandbox
let controls: Visit

beforeAll(async () => {
  browser = await sharedChromium()
})

async function end(): Promise<void> {
  await controls.close()
  await sandbox.close()
}

async function start(more: Partial<SandboxDeps> = {}): Promise<Sandbox> {
  const place = { databaseUrl: createSqliteDatabase(), host: '127.0.0.1', port: 0 }
  return startSandbox({ ...place, clock: createFakeClock(now), log: silentLog, ...more })
}

/** What the Read API answers. */
async function read(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${sandbox.url}/api/public/v1${path}`)
  return { status: response.status, body: await response.json() }
}

async function leaveOfAda(id: string): Promise<unknown> {
  const { body } = await read('/leaves?userId=usr_ada')
  return [Object(body).data].flat().find((leave: { id: string }) => leave.id === id)
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

async function says(page: Page, text: RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).waitFor()
}

/** Changes the record that is open, as JSON. */
async function editRecord(page: Page, change: (record: object) => object): Promise<void> {
  const text = page.getByLabel('The record as JSON')
  await text.fill(JSON.stringify(change(JSON.parse(await text.inputValue()))))
}

async function isWithin(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
}

/** What the browser had to say beyond the refusals that a test asks for. */
function unexpected(messages: readonly string[]): readonly string[] {
  return messages.filter((message) => !/status of 40[04]/.test(message))
}

describe('sandbox page without keys', () => {
  beforeAll(async () => {
    sandbox = await start({
      pageOf: async (id) => (id === 'usr_ada' ? `${sandbox.url}/docs` : undefined),
    })
    controls = await visit(browser, `${sandbox.url}/sandbox`, { now })
    await controls.page.locator('#record-address', { hasText: 'main/leaves/' }).waitFor()
  })

  afterAll(end)

  it('a leave is moved, cancelled and restored, and a button opens the calendar of Ada', async () => {
    const { page, messages } = controls
    await page.getByLabel('Id of a record').fill('lv_nobody')
    await press(page, 'Open')
    await says(page, /^There is no leave lv_nobody/)
    await page.locator('#list button').first().click()
    expect(await page.locator('#list-state').textContent()).toBe('')
    await page.getByLabel('Id of a record').fill('lv_ada_1')
    await press(page, 'Open')
    await page.getByText('main/leaves/lv_ada_1').waitFor()
    await press(page, 'Move by a day')
    await says(page, /^Moved by a day: Ada Brandt: Annual leave, 2026-09-15 to 2026-09-19/)
    expect(await leaveOfAda('lv_ada_1')).toMatchObject({ startDate: '2026-09-15T00:00:00.000Z' })
    const command = await page.locator('#outcome-curl code').textContent()
    expect(command).toMatch(`'${sandbox.url}/sandbox/companies/main/leaves/lv_ada_1'`)
    await press(page, 'Cancel')
    await says(page, /^Cancelled/)
    expect(await leaveOfAda('lv_ada_1')).toMatchObject({ status: 'CANCELLED' })
    await press(page, 'Undo')
    await says(page, /^Undone.*APPROVED/)

    const [calendar] = await Promise.all([
      page.context().waitForEvent('page'),
      press(page, 'Open Ada’s calendar'),
    ])
    await calendar.waitForURL(`${sandbox.url}/docs#2026-09-15`)
    await calendar.close()
    expect(unexpected(messages)).toEqual([])
  })

  it('a change in another tab is shown before it is replaced', async () => {
    const { page } = controls
    const address = `${sandbox.url}/sandbox/companies/main/leaves/lv_ada_1`
    const { data } = Object(await (await fetch(address)).json())
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ ...data, status: 'REJECTED' })
    await fetch(address, { method: 'PUT', headers, body })
    await editRecord(page, (record) => ({ ...record, reason: 'By the sea' }))
    await press(page, 'Save')
    await says(page, /^Nothing is saved: elsewhere it has become .*REJECTED/)
    expect(await leaveOfAda('lv_ada_1')).toMatchObject({ status: 'REJECTED' })
    await press(page, 'Save')
    await says(page, /^Saved.*APPROVED, By the sea/)
    expect(await leaveOfAda('lv_ada_1')).toMatchObject({ status: 'APPROVED' })
  })

  it('a leave is added for next week, deleted and restored', async () => {
    const { page } = controls
    await press(page, 'Add a leave next week')
    await says(
      page,
      /^Added: Ada Brandt: Annual leave, 2026-11-30 to 2026-12-04, APPROVED.* \(201\)/,
    )
    const id = (await page.locator('#record-address').textContent())?.split('/').at(-1) ?? ''
    expect(await leaveOfAda(id)).toMatchObject({ days: 5 })
    await press(page, 'Delete')
    await says(page, /^Deleted/)
    expect(await leaveOfAda(id)).toBeUndefined()
    await press(page, 'Undo')
    await says(page, /^Put back/)
    expect(await leaveOfAda(id)).toMatchObject({ days: 5 })
  })

  it('a fault names its field, and every kind can be saved', async () => {
    const { page, messages } = controls
    await editRecord(page, (record) => ({ ...record, startDate: '' }))
    await press(page, 'Save')
    await says(page, /does not fit/)
    expect(await page.locator('#record-json-fault').textContent()).toMatch(
      /^\/startDate: .*expected ISO 8601/,
    )
    await page.getByLabel('The record as JSON').fill('{')
    await press(page, 'Save')
    await page.getByText('This is not JSON').waitFor()
    for (const kind of ['users', 'timesheets', 'schedules', 'tasks', 'invoices', 'leaves']) {
      await page.getByLabel('Kind').selectOption(kind)
      await page.locator('#record-address', { hasText: `main/${kind}/` }).waitFor()
      await press(page, 'Save')
      await says(page, /^Saved/)
    }
    expect(unexpected(messages)).toEqual([])
  })

  it('another Read API can be imitated by a button or by hand, and ended', async () => {
    const { page, messages } = controls
    await press(page, 'Down: every operation 503')
    await says(page, /^Set\.$/)
    expect((await read('/leaves')).status).toBe(503)
    await page.locator('#banner').getByRole('button', { name: 'End it' }).click()
    await says(page, /^Ended/)
    expect((await read('/leaves')).status).toBe(200)

    const byHand = page.getByLabel('The behaviour as JSON')
    await byHand.fill('{"faults": [{"operation": "listLeaves", "status": 200}]}')
    await press(page, 'Set')
    await page
      .locator('#behaviour-json-fault', { hasText: /^\/faults\/0\/status: must be .* 400 to 599/ })
      .waitFor()
    const behaviour = {
      pagination: 'link',
      pageSize: 2,
      parameters: { leaves: { employee: 'user' } },
    }
    await byHand.fill(JSON.stringify(behaviour))
    await press(page, 'Set')
    await says(page, /^Set\.$/)
    expect(await page.locator('#settings code').textContent()).toBe(
      [
        `WORKFORCE_BASE_URL=${sandbox.url}`,
        'WORKFORCE_TIMEZONE=Europe/Berlin',
        'WORKFORCE_PAGINATION=link',
        'WORKFORCE_PARAMS={"leaves":{"employee":"user"}}',
      ].join('\n'),
    )
    expect((await read('/leaves?user=usr_ada')).body).toMatchObject({ data: { length: 2 } })
    expect(unexpected(messages)).toEqual([])
  })

  it('recent requests are shown, and all changes are reset after confirmation', async () => {
    const { page, messages } = controls
    await read('/users/usr_ada')
    await press(page, 'Refresh')
    const row = page.getByRole('row', { name: /GET \/api\/public\/v1\/users\/usr_ada 200/ })
    await row.waitFor()
    const before = (await read('/leaves?userId=usr_ada')).body
    await press(page, 'Delete')
    await says(page, /^Deleted/)
    await press(page, 'Reset main…')
    await page.getByRole('dialog').getByText('the sample of today').waitFor()
    await press(page, 'Reset')
    await says(page, /^Company main is as it was loaded/)
    expect((await read('/leaves?userId=usr_ada')).body).toEqual(before)
    expect(unexpected(messages)).toEqual([])
  })

  it('the page is readable in light and dark, and fits into 390 pixels', async () => {
    const { page } = controls
    await page.setViewportSize({ width: 390, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await press(page, 'Approve')
    await says(page, /^Approved/)
    await press(page, 'Half of the requests 429')
    await says(page, /^Set\.$/)
    for (const details of await page.locator('details').all()) {
      await details.evaluate((folded: { open: boolean }) => (folded.open = true))
    }
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'colours')).toEqual([])
    expect(await isWithin(page)).toBe(true)
  })

  it('is shown to this machine only', async () => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    const headers = { Host: 'rebound.example' }
    request(`${sandbox.url}/sandbox`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).end()
    expect(await promise).toBe(403)
  })

  it('the page reports that the sandbox has ended', async () => {
    const { page } = controls
    await sandbox.close()
    await press(page, 'Move by a day')
    await says(page, /^Nothing answers at http.*npm start/)
    sandbox = await start()
  })
})

describe('elsewhere', () => {
  afterEach(end)

  it('without JavaScript it lists requests and what needs it', async () => {
    sandbox = await start()
    await read('/users/usr_bob')
    controls = await visit(browser, `${sandbox.url}/sandbox`, { javaScriptEnabled: false })
    expect(await controls.page.locator('noscript p').isVisible()).toBe(true)
    expect(await controls.page.getByText('/users/usr_bob').isVisible()).toBe(true)
    await controls.page.getByRole('link', { name: 'leaves of main as JSON' }).click()
    expect(await controls.page.textContent('body')).toContain('lv_ada_1')
  })

  it('with keys the page shows nothing before the admin token is entered', async () => {
    sandbox = await start({ keys: new Map([[hashOfKey('key'), 'main']]), adminToken })
    await read('/users/usr_bob')
    controls = await visit(browser, `${sandbox.url}/sandbox`, { now })
    const { page } = controls
    expect(await page.content()).not.toContain('usr_bob')
    expect(await page.getByText('Company', { exact: true }).first().isVisible()).toBe(false)
    await page.getByLabel('Admin token').fill('wrong')
    await press(page, 'Unlock')
    await says(page, /^This is not the admin token/)
    await page.getByLabel('Admin token').fill(adminToken)
    await press(page, 'Unlock')
    await press(page, 'Move by a day')
    await says(page, /^Moved/)
    const command = await page.locator('#outcome-curl code').textContent()
    expect(command).toContain('-H "Authorization: Bearer $ADMIN_TOKEN"')
    expect(command).not.toContain(adminToken)
  })
})
