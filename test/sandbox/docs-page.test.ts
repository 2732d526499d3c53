/* The reference as a developer meets it, in a real browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

import { listOperations, operations } from '../../src/sandbox/operations.ts'
import controls from '../../src/sandbox/pages/controls.json' with { type: 'json' }
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { hashOfKey } from '../../src/settings/fields.ts'
import { sharedChromium } from '../support/web/chromium.ts'
import { violations, visit } from '../support/web/visit.ts'
import { startWhole } from './whole-sandbox.ts'

let browser: Browser
let sandbox: Sandbox
let guarded: Sandbox

beforeAll(async () => {
  browser = await sharedChromium()
  sandbox = await startWhole()
  guarded = await startWhole(new Map([[hashOfKey('first'), 'main']]))
})

afterAll(async () => {
  await sandbox.close()
  await guarded.close()
})

const isWithinWidth = 'document.documentElement.scrollWidth <= innerWidth'

/** Sends the form of the operation, and gives what the page says then. */
async function tried(page: Page, id: string): Promise<{ said: string; answer: string }> {
  const place = page.locator(`#${id} .try`)
  await place.getByRole('button', { name: 'Send' }).click()
  await place.locator('.said', { hasText: /^\d{3} / }).waitFor()
  const said = (await place.locator('.said').textContent()) ?? ''
  return { said, answer: (await place.locator('.result pre').textContent()) ?? '' }
}

it('every operation can be tried on the page, in light and dark, on a phone', async () => {
  const viewport = { width: 390, height: 900 }
  const docs = await visit(browser, `${sandbox.url}/docs`, { viewport, colorScheme: 'light' })
  for (const { id } of operations) {
    const { said, answer } = await tried(docs.page, id)
    expect(said).toMatch(/^200 OK GET \/api\/public\/v1\//)
    const example = await docs.page.locator(`#${id} pre.answer`).textContent()
    expect(JSON.parse(answer)).toEqual(JSON.parse(example ?? ''))
  }
  await docs.page.locator('summary').first().click()
  if (inject('isThorough')) expect(await violations(docs.page, 'colours')).toEqual([])
  await docs.page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(docs.page)).toEqual([])
  expect(await docs.page.evaluate<boolean>(isWithinWidth)).toBe(true)
  expect(docs.messages).toEqual([])
  expect(docs.requests.every((url) => url.startsWith(sandbox.url) || url === 'data:,')).toBe(true)
  await docs.close()
})

it('the page is readable on a wide screen', async () => {
  const docs = await visit(browser, sandbox.url, { viewport: { width: 1280, height: 900 } })
  if (inject('isThorough')) expect(await violations(docs.page)).toEqual([])
  expect(await docs.page.evaluate<boolean>(isWithinWidth)).toBe(true)
  await docs.close()
})

it('shows each request as curl, leads to the next page, and explains a 304 and an error', async () => {
  const docs = await visit(browser, sandbox.url)
  const leaves = docs.page.locator('#listLeaves')
  await leaves.getByLabel('userId').fill('usr_bob')
  await leaves.getByLabel('status').selectOption('APPROVED')
  expect(await leaves.locator('.try .copied code').textContent()).toBe(
    `curl "${sandbox.url}/api/public/v1/leaves?userId=usr_bob&status=APPROVED&limit=2"`,
  )
  const first = await tried(docs.page, 'listLeaves')
  await leaves.getByRole('button', { name: 'Next page' }).click()
  await leaves.locator('.said', { hasText: 'cursor=' }).waitFor()
  expect(await leaves.locator('.result pre').textContent()).not.toBe(first.answer)
  await leaves.getByRole('button', { name: /If-None-Match/ }).click()
  await leaves.locator('.said', { hasText: '304' }).waitFor()
  expect(await leaves.locator('.result pre').count()).toBe(0)

  await leaves.getByLabel('limit').fill('0')
  const { said, answer } = await tried(docs.page, 'listLeaves')
  expect([said.slice(0, 3), JSON.parse(answer)]).toMatchObject(['400', { status: 400 }])
  expect(docs.messages.filter((message) => !message.includes('400'))).toEqual([])
  await docs.close()
})

it('an operation can be reached and tried with the keyboard alone', async () => {
  const docs = await visit(browser, `${sandbox.url}/docs`)
  await docs.page.keyboard.press('Tab')
  expect(await docs.page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await docs.page.getByRole('link', { name: 'Get user', exact: true }).focus()
  await docs.page.keyboard.press('Enter')
  await docs.page.getByRole('form', { name: 'Try Get user' }).getByLabel('id').focus()
  await docs.page.keyboard.press('Enter')
  await docs.page.locator('#getUser .said', { hasText: '200' }).waitFor()
  await docs.close()
})

it('without JavaScript the page is readable, and its forms and links lead to answers', async () => {
  const docs = await visit(browser, sandbox.url, { javaScriptEnabled: false })
  for (const { id, summary } of operations) {
    expect(await docs.page.locator(`#${id} h3`).textContent()).toBe(summary)
    expect(await docs.page.locator(`#${id} pre.answer`).isVisible()).toBe(true)
  }
  await docs.page.getByRole('link', { name: /^Open an example: .*users/ }).click()
  expect(docs.page.url()).toBe(`${sandbox.url}/api/public/v1/users/usr_ada`)
  await docs.page.goBack()
  for (const { id, path } of [listOperations.leaves, listOperations.schedules]) {
    await docs.page.locator(`#${id}`).getByRole('button', { name: 'Send' }).click()
    expect(docs.page.url()).toContain(`${sandbox.url}/api/public/v1${path}?`)
    const answered = await docs.page.locator('body').textContent()
    expect(JSON.parse(answered ?? '')).toHaveProperty('data')
    await docs.page.goBack()
  }
  await docs.close()
})

it('takes a key if needed, uses it for every request, and stores it nowhere', async () => {
  const docs = await visit(browser, `${guarded.url}/docs`)
  expect((await tried(docs.page, 'listSchedules')).said).toMatch(/^401 /)
  await docs.page.getByLabel('Your key').fill('first')
  expect((await tried(docs.page, 'listSchedules')).said).toMatch(/^200 /)
  expect(await docs.page.locator('#listSchedules .try .copied code').textContent()).toContain(
    'curl -H "Authorization: Bearer $KEY" "http',
  )
  const kept = '[localStorage.length, sessionStorage.length, document.cookie, location.search]'
  expect(await docs.page.evaluate(kept)).toEqual([0, 0, '', ''])
  await docs.page.reload()
  expect(await docs.page.getByLabel('Your key').inputValue()).toBe('')
  await docs.close()
})

it('every address on the page exists', async () => {
  const html = await (await fetch(sandbox.url)).text()
  const named = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
  for (const anchor of named.filter((address) => address.startsWith('#'))) {
    expect(html).toContain(`id="${anchor.slice(1)}"`)
  }
  const others = [...new Set(named)].filter((address) => address.startsWith('/'))
  expect(others).toEqual(expect.arrayContaining(['/openapi.json', '/schema.json', '/sandbox']))
  for (const address of others) {
    expect([address, (await fetch(sandbox.url + address.replaceAll('&amp;', '&'))).status]).toEqual(
      [address, 200],
    )
  }
})

it.each([
  ['/', 'text/html; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/schema.json', 'application/schema+json; charset=utf-8'],
])('%s is generated once, revalidated with 304, and read-only', async (path, type) => {
  const first = await fetch(sandbox.url + path)
  expect([first.status, first.headers.get('content-type')]).toEqual([200, type])
  expect(first.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(first.headers.get('content-security-policy')).not.toContain('unsafe')
  const known = { 'If-None-Match': first.headers.get('etag') ?? '' }
  expect((await fetch(sandbox.url + path, { headers: known })).status).toBe(304)
  expect((await fetch(sandbox.url + path, { method: 'HEAD' })).status).toBe(200)
  const posted = await fetch(sandbox.url + path, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

it('every example of the behaviour in the reference is accepted', async () => {
  const html = await (await fetch(`${sandbox.url}/docs`)).text()
  const [, body = ''] = /behaviour -d (?:'|&#39;)(.*?)(?:'|&#39;)</.exec(html) ?? []
  const put = (text: string): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json' }
    return fetch(`${sandbox.url}/sandbox/behaviour`, { method: 'PUT', headers, body: text })
  }
  const asked = body.replaceAll('&quot;', '"')
  const set = await put(asked)
  expect(await set.json()).toEqual({ data: { ...JSON.parse(asked), auth: 'bearer:…' } })
  for (const { written } of controls.members) expect(JSON.parse(asked)).toHaveProperty(written)
  await put('{}')
})
