/* Every page of the console in its states: in each language, by day and by night, on a phone and a screen. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { adminToken, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { allOr } from '../../support/bridge/thorough.ts'
import { openContext, sharedChromium } from '../../support/web/chromium.ts'
import { type MailServer, refusal, startMailServer } from '../../support/web/mail-server.ts'
import { type RogueProvider, startRogueProvider } from '../../support/web/rogue-provider.ts'
import { violations } from '../../support/web/visit.ts'

type Open = (page: Page, at: string) => Promise<unknown>
type Who = 'admin' | 'reader' | 'admin with mail' | null
type State = readonly [name: string, who: Who, open: Open]

const all = (['en-GB', 'de-DE'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [320, 1280].map((width) => ({ locale, colorScheme, width })),
  ),
)
/** Where pictures of the pages go, where somebody wants to look at them. */
const pictures = process.env['PICTURES']

let browser: Browser
let bridge: TestBridge
/** With sign-in and mail; its mail server refuses mail to `refused@example.com`. */
let equipped: TestBridge
let mailServer: MailServer
let provider: RogueProvider
const tokens: Record<string, string> = { admin: adminToken }
let looks = 0

beforeAll(async () => {
  browser = await sharedChromium()
  bridge = await startBridge()
  await fill(bridge)
  mailServer = await startMailServer({
    onRcptTo: ({ address }, _session, answer) =>
      address === 'refused@example.com' ? answer(refusal(550, 'No such user')) : answer(),
  })
  provider = await startRogueProvider({ OIDC_ADMIN: 'groups=hr-admins' })
  equipped = await startBridge({
    environment: { ...mailServer.environment, ...provider.environment },
  })
})

afterAll(async () => {
  for (const one of [bridge, equipped, mailServer, provider]) await one.close()
})

/** The sample company, with people who have a calendar, several, an ended one, and none. */
async function fill(opened: TestBridge): Promise<void> {
  const made = await opened.api('POST', '/api/tokens', { name: 'reader', role: 'reader' })
  tokens['reader'] = ((await made.json()) as { token: string }).token
  const ada = await opened.createFeed({ userIds: ['usr_ada'] })
  for (const label of ['phone', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk']) {
    await opened.api('POST', `/api/feeds/${ada.id}/links`, { label })
  }
  await opened.api('POST', `/api/feeds/${ada.id}/rotations`, { label: 'phone', graceDays: 7 })
  await opened.createFeed({ userIds: ['usr_bob'] })
  await opened.createFeed({ team: { managerId: 'usr_mia', depth: 'all' } })
  const ended = await opened.createFeed({ userIds: ['usr_cleo'] })
  await opened.api('DELETE', `/api/feeds/${ended.id}`)
  await opened.api('GET', '/api/companies/main/examination')
  await holdBack(opened)
}

/** People who left together, and an id that may be somebody else's. */
async function holdBack(opened: TestBridge): Promise<void> {
  const { store } = await opened.node()
  const [companyId, now] = ['main', Date.now()]
  for (const [userId, because] of [
    ['usr_mia', 'user_missing'],
    ['usr_cleo', 'user_inactive'],
  ] as const) {
    const read = { companyId, userId, because, since: now, readAt: now, leftAt: null }
    await store.departures.keepDeparture({
      ...read,
      wasHere: true,
      isHeldBack: true,
      isCleared: false,
    })
  }
  const read = { companyId, userId: 'usr_bob', since: now, readAt: now }
  await store.newcomers.addNewcomer({ ...read, confirmedAt: now })
}

const goTo =
  (address: string): Open =>
  (page, at) =>
    page.goto(at + address)

/** Presses the button that submits the first form that matches, once its required fields are filled. */
function submit(
  address: string,
  form: string,
  fields: Readonly<Record<string, string>> = {},
): Open {
  return async (page, at) => {
    await page.goto(at + address)
    await openAll(page, `main details:has(${form})`)
    const found = page.locator(form).first()
    for (const [name, value] of Object.entries(fields)) {
      const field = found.locator(`[name="${name}"]`).first()
      if (value === 'checked') await field.check()
      else if ((await field.and(page.locator('select')).count()) > 0)
        await field.selectOption(value)
      else await field.fill(value)
    }
    await Promise.all([page.waitForEvent('load'), found.locator('[type=submit]').last().click()])
  }
}

function choosePeople(people: string): Open {
  return async (page, at) => {
    await submit('/console/hand-out', 'form.hand-out', { people })(page, at)
    await page.locator('#calendar .views').waitFor({ state: 'attached' })
  }
}

const uploadTable: Open = async (page, at) => {
  await page.goto(`${at}/console/hand-out`)
  const table = 'userId,email,name\nusr_ada,else@example.com,"Ada, short"\nusr_bob,,\nusr_zoe,,\n'
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
  await page.locator('#file').setInputFiles(file)
  await Promise.all([
    page.waitForEvent('load'),
    page.locator('form.hand-out [type=submit]').click(),
  ])
}

/** With everybody's calendar as it was, or with a new link to it. */
function handOut(people: string, delivery: string, renews = false): Open {
  return async (page, at) => {
    await choosePeople(people)(page, at)
    await page.locator(`[name="delivery"][value="${delivery}"]`).check()
    if (renews) await page.locator('[name="existing"][value="renew"]').check()
    await Promise.all([page.waitForEvent('load'), page.locator('[value="make"]').click()])
  }
}

/** Opens a page and everything that is folded in it. */
function unfold(address: string): Open {
  return async (page, at) => {
    await page.goto(at + address)
    await openAll(page, 'main details')
  }
}

/** Opens what is folded, as a reader would. */
async function openAll(page: Page, folded: string): Promise<void> {
  for (const details of await page.locator(folded).all()) {
    const isOpen = (await details.getAttribute('open')) !== null
    if (!isOpen) await details.locator('summary').first().click()
  }
}

function acting(name: string): string {
  return `form:has([value="${name}"])`
}

/** Ticks people, and presses the button; then also the one of the page that asks whether that is meant. */
function act(button: string, userIds = ['usr_ada', 'usr_cleo'], isConfirmed = false): Open {
  return async (page, at) => {
    await page.goto(`${at}/console/people`)
    for (const userId of userIds) await page.check(`[name=user][value=${userId}]`)
    for (const form of ['[data-ticks]', ...(isConfirmed ? ['#confirm'] : [])]) {
      const pressed = page.locator(`${form} :is([value=${button}], :not([name]))[type=submit]`)
      await Promise.all([page.waitForEvent('load'), pressed.click()])
    }
  }
}

const states: readonly State[] = [
  ['sign-in', null, goTo('/console/people')],
  [
    'sign-in refused',
    null,
    submit('/console/sign-in', 'form[action*="sign-in"]', { token: 'wrong' }),
  ],
  ['overview', 'admin', goTo('/console')],
  ['overview of a reader', 'reader', goTo('/console')],
  ['refused', 'reader', goTo('/console/tokens')],
  ['not found', 'admin', goTo('/console/people/usr_nobody')],
  ['people', 'admin', goTo('/console/people')],
  ['people of a reader', 'reader', goTo('/console/people')],
  ['people, filtered', 'admin', goTo('/console/people?group=never-subscribed&search=a')],
  ['people, nobody ticked', 'admin', act('rotate', [])],
  ['people to revoke', 'admin', act('revoke')],
  ['people, options to change', 'admin', act('options')],
  ['people, no change chosen', 'admin', act('options', ['usr_ada'], true)],
  ['people, links replaced', 'admin', act('rotate', ['usr_ada', 'usr_cleo'], true)],
  ['people, none found', 'admin', goTo('/console/people?search=zzz')],
  ['person', 'admin', goTo('/console/people/usr_ada')],
  ['person without calendar', 'admin', goTo('/console/people/usr_cleo')],
  ['person of a reader', 'reader', goTo('/console/people/usr_ada')],
  ['person, all unfolded', 'admin', unfold('/console/people/usr_ada')],
  [
    'person, new link',
    'admin',
    // Labels are unique.
    (page, at) =>
      submit('/console/people/usr_bob', acting('link'), { label: `tablet ${Date.now()}` })(
        page,
        at,
      ),
  ],
  [
    'person, link refused',
    'admin',
    submit('/console/people/usr_ada', acting('link'), { label: 'phone' }),
  ],
  ['person, rotated', 'admin', submit('/console/people/usr_bob', acting('rotate'), { days: '7' })],
  [
    'calendar of a person',
    'reader',
    submit('/console/people/usr_ada', 'form[action*="/calendar"]', { reason: 'Leave is missing' }),
  ],
  ['hand out', 'admin', goTo('/console/hand-out')],
  [
    'hand out with faults',
    'admin',
    submit('/console/hand-out', 'form.hand-out', {
      people: `usr_ada\nAda Brant\nFischer, Bob\n${'Nobody '.repeat(20)}\nCleo`,
    }),
  ],
  ['hand out, options', 'admin', choosePeople('usr_ada\nusr_bob\nusr_mia')],
  ['hand out, table with faults', 'admin', uploadTable],
  ['hand out, nothing to do', 'admin', handOut('usr_ada', 'csv')],
  [
    'hand out, sheets',
    'admin',
    async (page, at) => {
      await handOut('usr_ada\nusr_bob', 'sheets', true)(page, at)
      await page.locator('.print-sheet svg').first().waitFor()
    },
  ],
  ['teams', 'admin', goTo('/console/teams')],
  ['team', 'admin', goTo('/console/teams/usr_mia')],
  ['team of a reader', 'reader', goTo('/console/teams/usr_mia')],
  [
    'team month',
    'admin',
    submit('/console/teams/usr_mia', 'form[action*="month"]', {
      threshold: '80',
      reason: 'Planning of the month',
    }),
  ],
  [
    'team month without reason',
    'admin',
    submit('/console/teams/usr_mia', 'form[action*="month"]', { reason: '  a' }),
  ],
  ['team calendar', 'admin', goTo('/console/teams/usr_mia?make=on')],
  ['team made', 'admin', submit('/console/teams/usr_mia?make=on', 'form:has([name="key"])')],
  ['defaults', 'admin', goTo('/console/defaults')],
  [
    'defaults checked',
    'admin',
    submit('/console/defaults', 'form.defaults', {
      'own.leaves.detail': 'full',
      'others.leaves.privateCategories': 'SICK, PARENTAL',
    }),
  ],
  [
    'defaults with faults',
    'admin',
    submit('/console/defaults', 'form.defaults', {
      name: '{lastName}',
      'own.window.pastDays': '4000',
      'own.shifts.rotation': 'sch_day',
    }),
  ],
  ['defaults of a reader', 'reader', goTo('/console/defaults')],
  ['companies', 'admin', goTo('/console/companies')],
  ['examination', 'admin', submit('/console/companies', 'main form')],
  ['audit', 'admin', goTo('/console/audit')],
  ['audit, none found', 'admin', goTo('/console/audit?userId=usr_nobody')],
  ['tokens', 'admin', goTo('/console/tokens')],
  [
    'token made',
    'admin',
    // Names are unique.
    (page, at) =>
      submit('/console/tokens', 'form[action*="tokens"]', { name: `payroll ${Date.now()}` })(
        page,
        at,
      ),
  ],
  [
    'token with a name that is taken',
    'admin',
    submit('/console/tokens', 'form[action*="tokens"]', { name: 'reader' }),
  ],
  ['token to revoke', 'admin', goTo('/console/tokens?revoke=reader')],
  ['access', 'admin', goTo('/console/access')],
  ['access, all set', 'admin with mail', goTo('/console/access')],
  [
    'access, mail refused',
    'admin with mail',
    submit('/console/access', 'form:has([value="mail"])', { address: 'refused@example.com' }),
  ],
  [
    'access, mail sent',
    'admin with mail',
    submit('/console/access', 'form:has([value="mail"])', { address: 'hr@example.com' }),
  ],
  [
    'access, sign-in tested',
    'admin with mail',
    submit('/console/access', 'form:has([value="signIn"])'),
  ],
  ['erase', 'admin', goTo('/console/erase')],
  ['erase, whom', 'admin', submit('/console/erase', acting('check'), { who: 'Ada Lovelase' })],
  ['erase, foreseen', 'admin', submit('/console/erase?userId=usr_ada', acting('check'))],
  ['first steps', 'admin', goTo('/console/first-steps')],
  ['first steps of a reader', 'reader', goTo('/console/first-steps')],
  ['first steps, faulty', 'admin', tryAddress('http://10.0.0.1', 'Berlin')],
  ['first steps, checked', 'admin', tryAddress(null, 'Europe/Berlin')],
  ['first steps, out of reach', 'admin', tryAddress('http://127.0.0.1:9', 'Europe/Berlin')],
]

/** Checks that address, or the one of the sample company. */
function tryAddress(address: string | null, timezone: string): Open {
  return (page, at) =>
    submit('/console/first-steps', 'form[data-busy]', {
      address: address ?? bridge.readApiUrl,
      timezone,
      secret: 'a-secret',
    })(page, at)
}

type Combination = (typeof all)[number]

async function look(
  { locale, colorScheme, width }: Combination,
  who: Who,
  open: Open,
  name: string,
): Promise<void> {
  const viewport = { width, height: 900 }
  const context = await openContext(browser, { locale, colorScheme, viewport })
  const page = await context.newPage()
  const messages: string[] = []
  const requests: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  const { url: at } = who === 'admin with mail' ? equipped : bridge
  if (who) await context.addCookies([{ ...(await cookieOf(who)), url: at }])
  await open(page, at)
  await picture(page, `${name}-${locale}-${colorScheme}-${width}`)
  expect(await page.locator('body').innerText()).not.toMatch(/undefined|\[object|NaN/)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  expect(requests.filter((url) => !url.startsWith(at))).toEqual([])
  // The browser itself notes every page that answers with an error.
  expect(messages.filter((message) => !message.startsWith('Failed to load'))).toEqual([])
  await context.close()
}

/** Of a session that has just begun. */
async function cookieOf(who: NonNullable<Who>): Promise<{ name: string; value: string }> {
  const isEquipped = who === 'admin with mail'
  const token = isEquipped ? await newToken() : tokens[who]
  const { cookie } = await enterConsole(isEquipped ? equipped : bridge, token)
  const [name = '', value = ''] = cookie.split('=')
  return { name, value }
}

/** Each may test mail and sign-in a few times only. */
async function newToken(): Promise<string> {
  const name = `look ${(looks += 1)}`
  const made = await equipped.api('POST', '/api/tokens', { name, role: 'admin' })
  return ((await made.json()) as { token: string }).token
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  const file = `${name.replaceAll(/[^\w-]+/g, '-')}.png`
  await page.screenshot({ path: path.join(pictures, file), fullPage: true })
}

/** All where there is time; else one, in turn. */
function combinationsOf(index: number): readonly Combination[] {
  if (inject('isThorough')) return all
  return all.filter((_, place) => place === (index * 3) % all.length)
}

/** The one in which a page usually is, unless it looks like that of another. */
function isUsual(name: string): boolean {
  const likeOthers = [
    'sign-in refused',
    'refused',
    'people to revoke',
    'team calendar',
    'team made',
  ]
  return !/,| with | of | without /.test(name) && !likeOthers.includes(name)
}

describe('the console without axe violations, overflow, messages or foreign requests', () => {
  it.each(
    allOr(states, ([name]) => isUsual(name)).map((state, index) => [...state, index] as const),
  )('%s', async (name, who, open, index) => {
    for (const combination of combinationsOf(index)) await look(combination, who, open, name)
  })
})
