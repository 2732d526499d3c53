/* One round through the console as HR and IT go it, in Chromium, one step after the other. */
import { text } from 'node:stream/consumers'

import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

import { adminToken, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { openContext, sharedChromium } from '../../support/web/chromium.ts'
import { type MailServer, startMailServer } from '../../support/web/mail-server.ts'

let mails: MailServer
let bridge: TestBridge
let context: BrowserContext
let page: Page
/** What the browser said, and where it went. */
const messages: string[] = []
const elsewhere: string[] = []
/** Every address that the tab has shown. */
const shown: string[] = []
/** The HTML of every page. */
const pages: Promise<string>[] = []
const secrets: string[] = []

beforeAll(async () => {
  mails = await startMailServer()
  bridge = await startBridge({ environment: mails.environment })
  context = await openContext(await sharedChromium(), { viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(bridge.url)) elsewhere.push(request.url())
  })
  page.on('response', (response) => {
    const { 'content-type': type = '' } = response.headers()
    if (type.startsWith('text/html')) pages.push(response.text().catch(() => ''))
  })
  page.on('framenavigated', (frame) => shown.push(frame.url()))
})

afterAll(async () => {
  await context.close()
  await bridge.close()
  await mails.close()
})

/** Presses what leads to another page, and waits for that page. */
async function follow(locator: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), locator.click()])
}

const place = (name: string): Promise<void> =>
  follow(page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }))
const heading = (): Promise<string> => page.locator('h1').innerText()
const button = (name: string | RegExp): Locator => page.getByRole('button', { name }).first()
const press = (name: string | RegExp): Promise<void> => follow(button(name))
const unfold = (name: string | RegExp): Promise<void> =>
  page.locator('summary').filter({ hasText: name }).first().click()
const content = (): Promise<string> => page.locator('main').innerText()

async function openPerson(name: string): Promise<void> {
  await place('People')
  await follow(page.getByRole('link', { name }))
}

async function changeLink(label: string, action: RegExp): Promise<void> {
  const row = page.getByRole('row', { name: label })
  await row.locator('summary').click()
  await follow(row.getByRole('button', { name: action }))
}

/** Ticks everybody and does that, once it was confirmed. */
async function bulk(act: string, fill: () => Promise<unknown> = async () => null): Promise<void> {
  await place('People')
  await page.getByLabel('Tick everybody on this page').check()
  await press(act)
  await fill()
  await follow(page.locator('#confirm [type=submit]'))
  await page.getByText('Done', { exact: true }).first().waitFor()
}

const upload = (csv: string): Promise<void> =>
  page
    .locator('#file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

/** The addresses and tokens on the page, which no other page may show. */
async function noteSecrets(): Promise<readonly string[]> {
  const found = [...(await page.content()).matchAll(/cfb[at]?_[\w-]{43}/g)].map(
    ([secret]) => secret,
  )
  secrets.push(...found)
  return found
}

/** For what needs no script, which is also tested without a browser. */
const isThorough = inject('isThorough')

it('leads from the front page to sign-in and refuses a wrong token', async () => {
  await page.goto(bridge.url)
  await follow(page.locator('a[href$="/console"]'))
  await page.getByLabel('Token').fill('wrong')
  await press('Sign in')
  expect(await page.getByRole('alert').innerText()).toContain('is not valid')
  await page.getByLabel('Token').fill(adminToken)
  await press('Sign in')
  expect(await heading()).toBe('Overview')
})

it('shows the first steps and checks a system that is typed in', async () => {
  await place('First steps')
  await page.getByLabel('Address of the Read API').fill(bridge.readApiUrl)
  await page.getByLabel('Credential', { exact: true }).selectOption('none')
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await press('Check this system')
  await page.locator('#result').waitFor()
  expect(await page.locator('#lines').innerText()).toContain(
    `WORKFORCE_BASE_URL=${bridge.readApiUrl}`,
  )
})

it('examines the company', async () => {
  await place('Companies')
  await press(/Examine/)
  await page.getByText('The examination is done.').waitFor()
  expect(await content()).toContain('In order: ')
})

it('makes, edits and rotates a calendar, and ends and reopens its address', async () => {
  await openPerson('Ada Brandt')
  await press(/Make/)
  expect(await noteSecrets()).not.toEqual([])
  await openPerson('Ada Brandt')
  await unfold('Name, language and content')
  await page.getByLabel('Name', { exact: true }).fill('Ada at work')
  await page.getByLabel('Language').selectOption('de')
  await press('Save')
  expect(await content()).toContain('Ada at work')
  await unfold('New link')
  await page.getByLabel('What is it for?').fill('tablet')
  await press('Make a link')
  expect(await noteSecrets()).not.toEqual([])
  await openPerson('Ada Brandt')
  await changeLink('tablet', /Replace/)
  expect(await noteSecrets()).not.toEqual([])
  await openPerson('Ada Brandt')
  await changeLink('First link', /End/)
  await press(/Reopen/)
  expect(await page.getByRole('status').innerText()).toContain('works again')
})

it('hands out to people typed by hand, one misspelt, on sheets', async () => {
  await place('Hand out')
  await page.getByLabel('People, one a line').fill('usr_bob\nCleo Martn')
  await press('Check these people')
  expect(await page.getByRole('list', { name: 'What to change' }).innerText()).toContain(
    'Cleo Martn',
  )
  await press('Did you mean Cleo Martin?')
  await page.locator('#calendar').waitFor()
  await page.getByLabel('Sheets to print').check()
  await press('Hand out to 2 people')
  await page.locator('article.print-sheet').first().waitFor()
  expect(await page.locator('article.print-sheet').count()).toBe(2)
  expect(await noteSecrets()).toHaveLength(2)
})

it('hands out by an uploaded table, first with a fault, as CSV', async () => {
  await place('Hand out')
  await upload('userId,email\nusr_mia,other@sample.example\n')
  await press('Check these people')
  expect(await page.getByRole('list', { name: 'What to change' }).innerText()).toContain('Row 2')
  await upload('userId,email\nusr_mia,mia@sample.example\n')
  await press('Check these people')
  await page.getByLabel('Table for a mail merge').check()
  const downloading = page.waitForEvent('download')
  await button('Hand out to 1 person').click()
  const table = await text(await (await downloading).createReadStream())
  expect(table).toContain('mia@sample.example')
})

it.runIf(isThorough)('hands out by mail', async () => {
  await place('Hand out')
  await page.getByLabel('People, one a line').fill('cleo@sample.example')
  await press('Check these people')
  await page.getByLabel('Give a new link').check()
  await page.getByLabel('By mail').check()
  await press('Hand out to 1 person')
  expect(await content()).toContain('Mailed')
  await mails.receivedFor('cleo@sample.example')
})

it('rotates, changes and revokes the calendars of many at once', async () => {
  await bulk('Replace links')
  expect(await noteSecrets()).toHaveLength(4)
  await bulk('Change options', async () => page.getByLabel('Language').selectOption('en'))
  await bulk('Revoke')
  await openPerson('Ada Brandt')
  await press('Reopen the calendar')
  expect(await page.getByRole('status').innerText()).toContain('open again')
})

it.runIf(isThorough)(
  'asks for a reason before it shows a calendar, as its owner and as others see it',
  async () => {
    await openPerson('Ada Brandt')
    await unfold('Look at the calendar')
    await page.getByLabel('Reason').fill('Ada asked why Monday is empty')
    await press('Look at the calendar')
    expect(await content()).toContain('Ada asked why Monday is empty')
    await page.getByLabel(/others/i).check()
    await press('Show')
    await page.getByLabel('Day').fill('2026-12-24')
    await press('Why is it missing?')
    expect(await content()).toContain('2026')
  },
)

it('searches as one types', async () => {
  await place('People')
  await page.getByRole('searchbox').pressSequentially('fisch')
  await expect.poll(() => page.locator('[data-results] tbody tr').count()).toBe(1)
  expect(page.url()).toContain('search=fisch')
})

it.runIf(isThorough)('says how many calendars a default reaches before it is saved', async () => {
  await place('Defaults')
  await page.getByLabel('Language', { exact: true }).selectOption('de')
  await press('Check')
  expect(await page.locator('#checked').innerText()).toBeTruthy()
  await press(/Save/)
  expect(await page.getByRole('status').innerText()).toContain('Saved')
})

it.runIf(isThorough)(
  'shows who of a team is away, and makes its calendar in two clicks',
  async () => {
    await place('Teams')
    await follow(page.getByRole('link', { name: 'Mia Wagner' }))
    await page.getByLabel('Reason').fill('Planning of the month')
    await press('Show the month')
    expect(await content()).toContain('Planning of the month')
    await follow(page.getByRole('link', { name: 'To the team' }))
    await follow(page.getByRole('link', { name: 'Make a team calendar' }))
    await press('Make the calendar')
    expect(await noteSecrets()).not.toEqual([])
  },
)

it.runIf(isThorough)('tests mail and sign-in', async () => {
  await place('Sign-in and mail')
  await page.getByLabel(/address/i).fill('hr@sample.example')
  await press(/test mail/)
  await mails.receivedFor('hr@sample.example')
  expect(await content()).toContain('hr@sample.example')
})

it.runIf(isThorough)('makes and revokes a token', async () => {
  await place('Tokens')
  await page.getByLabel('Name').fill('helpdesk')
  await page.getByLabel(/Support/).check()
  await press('Make')
  await noteSecrets()
  await place('Tokens')
  await follow(page.getByRole('link', { name: /Revoke/ }))
  await press(/Revoke/)
  expect(await page.locator('tbody').count()).toBe(0)
})

it.runIf(isThorough)('erases a person once their name is typed', async () => {
  await place('Erase')
  await page
    .getByLabel(/id|mail/i)
    .first()
    .fill('usr_cleo')
  await press('See what would go')
  await page.locator('#name').fill('Cleo')
  await follow(page.locator('form.confirm button'))
  expect(await page.locator('#name').getAttribute('aria-invalid')).toBe('true')
  await page.locator('#name').fill('Cleo Martin')
  await follow(page.locator('form.confirm button'))
  expect(await heading()).toContain('Cleo Martin')
})

it('finds what was done in the audit log', async () => {
  await place('Audit')
  const rows = await page.locator('tbody tr').count()
  expect(rows).toBeGreaterThan(5)
})

it('signs out', async () => {
  await press('Sign out')
  await page.goto(`${bridge.url}/console`)
  expect(await heading()).toBe('Sign in to the console')
})

it('has shown each secret on one page only, never in an address, and asked no other origin', async () => {
  const htmls = await Promise.all(pages)
  expect(htmls.length).toBeGreaterThan(20)
  expect(htmls.filter((html) => html.includes(adminToken))).toEqual([])
  expect(secrets.length).toBeGreaterThan(4)
  for (const secret of secrets) {
    expect(htmls.filter((html) => html.includes(secret))).toHaveLength(1)
    expect(shown.filter((address) => address.includes(secret))).toEqual([])
  }
  expect(elsewhere).toEqual([])
  // The browser itself notes every page that answers with an error.
  expect(messages.filter((message) => !message.startsWith('Failed to load'))).toEqual([])
})
