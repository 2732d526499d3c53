/* Every page, in every state and every refusal, for everybody: in each language, by day and by night, on a phone and a screen. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { pageLanguages } from '../../../src/http/pages/words/words.ts'
import { calendarUrl } from '../../support/bridge/bridge.ts'
import {
  type Installation,
  openCompanies,
  openRefusal,
  refusals,
  startInstallation,
} from '../../support/bridge/every-page.ts'
import { openContext, sharedChromium } from '../../support/web/chromium.ts'
import { violations } from '../../support/web/visit.ts'

type State = readonly [name: string, who: keyof Installation['visitors'] | null, open: Open]
type Open = (page: Page, at: string) => Promise<unknown>

const locales = ['en-GB', 'de-DE'] as const
const all = locales.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [320, 1280].map((width) => ({ locale, colorScheme, width })),
  ),
)
/** Where pictures of the pages go, where somebody wants to look at them. */
const pictures = process.env['PICTURES']

let browser: Browser
let installation: Installation
let made = 0

beforeAll(async () => {
  installation = await startInstallation()
  browser = await sharedChromium()
})

afterAll(async () => {
  await installation.close()
})

const goTo =
  (place: string): Open =>
  (page, at) =>
    page.goto(`${at}${place}`)

/** Opens the page and presses the button of that form, filled or not. */
function send(action: string, fields: Record<string, string> = {}): Open {
  return async (page, at) => {
    await page.goto(`${at}/me`)
    // Of the forms that make a link, the last one takes any label.
    const forms = page.locator(`form:has([name=action][value=${action}])`)
    const form = action === 'link' ? forms.last() : forms.first()
    await page.evaluate('for (const it of document.forms) it.noValidate = true')
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true')
    for (const [name, value] of Object.entries(fields))
      await form.locator(`[name=${name}]`).fill(value)
    await Promise.all([page.waitForEvent('load'), form.locator('[type=submit]').first().click()])
  }
}

const newLink: Open = (page, at) => {
  made += 1
  return send('link', { label: `new ${made}` })(page, at)
}

/** Makes a link by one press, for this device or to share. */
function press(name: string): Open {
  return async (page, at) => {
    await page.goto(`${at}/me`)
    await Promise.all([page.waitForEvent('load'), page.locator(name).click()])
  }
}

/** Sends a form that is not of the page. */
function post(place: string, body: string): Open {
  return async (page, at) => {
    await page.goto('about:blank')
    await page.setContent(
      `<form method="post" action="${at}${place}"><input name="${body}"><button>Send</button></form>`,
    )
    await Promise.all([page.waitForEvent('load'), page.getByRole('button').click()])
  }
}

function today(): string {
  return new Date(installation.clock.now()).toISOString().slice(0, 10)
}

const unserved: Open = async (page, at) => {
  const { faults } = installation.company
  faults.set('/timesheets', 403)
  await page.goto(`${at}/me`)
  faults.delete('/timesheets')
}

const states: readonly State[] = [
  ['the front page', null, goTo('/')],
  [
    'a lost link that was asked for',
    null,
    async (page, at) => {
      await page.goto(`${at}/`)
      await page.fill('#email', 'nobody@sample.example')
      await Promise.all([page.waitForEvent('load'), page.locator('[type=submit]').click()])
    },
  ],
  ['no calendar yet', 'new', goTo('/me')],
  ['a calendar that HR has ended', 'ended', goTo('/me')],
  ['a calendar that is closed', 'closed', goTo('/me')],
  ['a calendar that could not be made', 'unknown', send('make')],
  ['one calendar', 'one', goTo('/me')],
  [
    'several calendars, names and labels as long as can be',
    'several',
    (page, at) => goTo(`/me?day=${today()}`)(page, at),
  ],
  ['what others see', 'one', goTo('/me?view=others')],
  ['a calendar that HR alone changes', 'fixed', goTo('/me')],
  ['a calendar that cannot be had', 'unserved', unserved],
  ['a label that was refused', 'one', send('link')],
  ['an end that was not confirmed', 'one', send('end')],
  ['a change that was saved', 'one', send('settings')],
  ['a new address', 'one', newLink],
  ['a new address for this device', 'one', press('[aria-labelledby=device] button:not([value])')],
  ['a new account for this device', 'one', press('[aria-labelledby=device] [value=account]')],
  ['a new address to share', 'one', press('[aria-labelledby=share] button')],
  ['the console', 'staff', goTo('/console')],
  ['the console of who has a calendar', 'chief', goTo('/console')],
  ['what is for staff', 'one', goTo('/console')],
  ['the companies among which one chooses', null, (page) => openCompanies(installation, page)],
  ['an unknown page', null, goTo('/nothing')],
  ['an unknown calendar of one’s own', 'one', goTo('/me?feed=feed_none')],
  ['an unknown link', null, goTo('/feeds/cfb_unknown')],
  ['a link that has ended', null, async (page, at) => page.goto(await endedPage(at))],
  ['a form from elsewhere', null, post('/lost-link', 'email')],
  ['another method', null, post('/docs', 'x')],
  ['the documentation', null, goTo('/docs')],
]

/** Those of every template that no other test looks at, where there is no time for all. */
const decisive = new Set([
  'a lost link that was asked for',
  'a calendar that is closed',
  'several calendars, names and labels as long as can be',
  'a label that was refused',
  'a new account for this device',
  'a new address to share',
  'the console of who has a calendar',
  'the companies among which one chooses',
  'a link that has ended',
])

async function endedPage(at: string): Promise<string> {
  const { bridge } = installation
  const feed = await bridge.createFeed({ userIds: ['usr_new'], name: 'Ended' })
  await bridge.api('DELETE', `/api/feeds/${feed.id}`)
  return `${at}${new URL(calendarUrl(feed)).pathname.replace(/\/[^/]*$/, '')}`
}

type Combination = (typeof all)[number]

async function look(
  { locale, colorScheme, width }: Combination,
  who: State[1],
  open: Open,
  name: string,
): Promise<void> {
  const { bridge, clock, visitors } = installation
  const viewport = { width, height: 900 }
  const context = await openContext(browser, { locale, colorScheme, viewport })
  const [, value] = who ? visitors[who].cookie.split('=') : []
  if (value) await context.addCookies([{ name: 'cfb_session', value, url: bridge.url }])
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  await clock.advance(61_000)
  await open(page, bridge.url)
  await page.locator('#calendar .state').waitFor({ state: 'detached' })
  await picture(page, `${name}-${locale}-${colorScheme}-${width}`)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  // The browser itself notes every page whose status is an error.
  expect(messages.filter((message) => !message.startsWith('Failed to load'))).toEqual([])
  await context.close()
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  const file = `${name.replaceAll(/[^\w-]+/g, '-')}.png`
  await page.screenshot({ path: path.join(pictures, file), fullPage: true })
}

/** All where there is time; else one, along the diagonal. */
function combinationsOf(index: number): readonly Combination[] {
  if (inject('isThorough')) return all
  return all.filter((_, place) => place === (index % 2 === 0 ? 1 : all.length - 2))
}

describe('pages without axe violations or overflow', () => {
  const tried = states.filter(([name]) => inject('isThorough') || decisive.has(name))
  it.each(tried.map((state, index) => [...state, index] as const))(
    '%s',
    async (name, who, open, index) => {
      for (const combination of combinationsOf(index)) await look(combination, who, open, name)
    },
  )

  const causes = Object.keys(refusals) as (keyof typeof refusals)[]
  const told = inject('isThorough') ? causes : causes.slice(0, 1)
  it.each(told)('the refusal %s', async (cause) => {
    for (const combination of combinationsOf(0)) {
      const open: Open = async (page) => {
        await openRefusal(installation, page, cause)
        const [locale = 'en'] = combination.locale.split('-')
        const { heading } = pageLanguages[locale === 'de' ? 'de' : 'en'].signIn.refusals[cause]
        expect(await page.locator('h1').textContent()).toBe(heading)
      }
      await look(combination, null, open, cause)
    }
  })
})
