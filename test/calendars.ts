/*
 * Takes pictures of calendars as people see them: real `.ics` files, drawn by FullCalendar, one of which README shows, and
 * the page of a calendar. The day never changes, so two runs differ only by what the program changed.
 *
 *     npm run pictures -- [folder] [part of a picture's name]
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import ICAL from 'ical.js'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import {
  calendarUrl,
  type FeedAnswer,
  startBridge,
  type TestBridge,
} from './support/bridge/bridge.ts'
import { createFakeClock } from './support/bridge/fake-clock.ts'
import {
  fourPeople,
  meetings,
  type PicturedPerson,
  theirRecords,
} from './support/calendar/four-people.ts'
import { launchChromium } from './support/web/chromium.ts'

const [folder = path.join(tmpdir(), 'bridge-pictures'), part = ''] = process.argv.slice(2)

const publicUrl = 'https://calendar.example.com'
/** A Monday. */
const today = Date.UTC(2026, 4, 18, 8)

const wide = { width: 1280, height: 860 }
const narrow = { width: 390, height: 860 }
const schemes = ['light', 'dark'] as const

interface View {
  readonly name: string
  readonly view: string
  readonly viewport: typeof wide
}

const month: View = { name: 'month', view: 'dayGridMonth', viewport: wide }
const week: View = { name: 'week', view: 'timeGridWeek', viewport: wide }
const list: View = { name: 'list', view: 'listWeek', viewport: narrow }

interface Look extends View {
  readonly scheme: (typeof schemes)[number]
}

interface DrawnEvent {
  readonly title: string
  readonly start: string
  readonly end: string
  readonly allDay: boolean
  readonly color: string
  readonly isFree: boolean
  readonly isTentative: boolean
}

const meetingColor = '#e67c00'

const data = await mkdtemp(path.join(tmpdir(), 'bridge-pictures-'))
const bridge = await startBridge({
  clock: createFakeClock(today),
  environment: {
    PUBLIC_URL: publicUrl,
    DATABASE_URL: `file:${data}/bridge.sqlite`,
    WORKFORCE_HOLIDAYS: 'DE-BY',
  },
})
const browser = await launchChromium()
try {
  await mkdir(folder, { recursive: true })
  if ('page'.includes(part)) await takePage(bridge, browser)
  for (const { kind, body } of theirRecords) await putRecord(bridge, kind, body)
  for (const person of fourPeople) await takePerson(bridge, browser, person)
} finally {
  await browser.close()
  await bridge.close()
  await rm(data, { recursive: true })
}

/** The page of Ada of the sample company, as it looks under a public address. */
async function takePage(from: TestBridge, chromium: Browser): Promise<void> {
  const context = await openAt(chromium, { viewport: wide })
  await context.route(`${publicUrl}/**`, async (route) => {
    const response = await route.fetch({ url: localUrl(from.listensAt, route.request().url()) })
    await route.fulfill({ response })
  })
  const page = await context.newPage()
  await page.goto(
    calendarUrl(await from.createFeed({ userIds: ['usr_ada'] })).replace(/\/[^/]*$/, ''),
  )
  await page.locator('#calendar .state').waitFor({ state: 'detached' })
  await page.screenshot({ path: fileOf('page') })
  console.log(fileOf('page'))
  await context.close()
}

/** Each calendar as month and week, light and dark, and as a list; variants only light, to be compared. */
async function takePerson(
  from: TestBridge,
  chromium: Browser,
  { key, locale, options, variants }: PicturedPerson,
): Promise<void> {
  const usual = schemes.flatMap((scheme) => [month, week].map((view) => ({ ...view, scheme })))
  const light = usual.filter(({ scheme }) => scheme === 'light')
  await take(key, options, [...usual, { ...list, scheme: 'light' }])
  for (const [variant, changed] of Object.entries(variants)) {
    await take(`${key}-${variant}`, changed, light)
  }

  async function take(name: string, asked: object, looks: readonly Look[]): Promise<void> {
    const wanted = looks
      .map((look) => ({ look, file: fileOf(`${name}-${look.name}-${look.scheme}`) }))
      .filter(({ file }) => path.basename(file).includes(part))
    if (wanted.length === 0) return
    const input = { userIds: [`usr_${key}`], locale, options: asked }
    const made = await from.api('POST', '/api/feeds', input)
    if (made.status !== 201) throw new Error(await made.text())
    const url = localUrl(from.listensAt, calendarUrl((await made.json()) as FeedAnswer))
    const events = readEvents(await (await fetch(url)).text())
    for (const { look, file } of wanted) {
      const others = key === 'office' && look.view === week.view ? drawnMeetings() : []
      const context = await openAt(chromium, { viewport: look.viewport })
      const page = await context.newPage()
      await loadCalendar(page, look.scheme)
      const drawn = {
        events: [...events, ...others],
        view: look.view,
        day: new Date(today).toISOString().slice(0, 10),
        // With a 24-hour clock and the day before the month.
        locale: locale === 'en' ? 'en-gb' : locale,
      }
      await page.evaluate(`drawCalendar(${JSON.stringify(drawn)})`)
      await page.screenshot({ path: file })
      console.log(file)
      await context.close()
    }
  }
}

/** An empty page with all that draws a calendar. */
async function loadCalendar(page: Page, scheme: Look['scheme']): Promise<void> {
  await page.setContent(`<html data-color-scheme="${scheme}"><body></body></html>`)
  for (const name of ['skeleton', 'themes/monarch/theme', 'themes/monarch/palettes/blue']) {
    const style = fileURLToPath(import.meta.resolve(`fullcalendar/${name}.css`))
    await page.addStyleTag({ path: style })
  }
  for (const name of ['all', 'themes/monarch', 'locales-all']) {
    const { href } = new URL('global.js', import.meta.resolve(`fullcalendar/${name}`))
    await page.addScriptTag({ path: fileURLToPath(href) })
  }
  await page.addStyleTag({ path: beside('drawn-calendar.css') })
  await page.addScriptTag({ path: beside('drawn-calendar.js') })
}

async function openAt(chromium: Browser, options: BrowserContextOptions) {
  const context = await chromium.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  await context.clock.setFixedTime(today)
  return context
}

function readEvents(text: string): DrawnEvent[] {
  return ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((component) => {
      const { summary, startDate, endDate } = new ICAL.Event(component)
      const value = (name: string): string | undefined =>
        component.getFirstPropertyValue(name)?.toString()
      return {
        title: summary,
        start: startDate.isDate ? startDate.toString() : startDate.toJSDate().toISOString(),
        end: endDate.isDate ? endDate.toString() : endDate.toJSDate().toISOString(),
        allDay: startDate.isDate,
        color: value('color') ?? 'gray',
        isFree: value('transp') === 'TRANSPARENT',
        isTentative: value('status') === 'TENTATIVE',
      }
    })
}

function drawnMeetings(): DrawnEvent[] {
  return meetings.map((meeting) => ({
    ...meeting,
    allDay: false,
    color: meetingColor,
    isFree: false,
    isTentative: false,
  }))
}

async function putRecord(
  { readApiUrl }: TestBridge,
  kind: string,
  body: { readonly id: string },
): Promise<void> {
  const address = `/sandbox/companies/main/${kind}/${encodeURIComponent(body.id)}`
  const response = await fetch(new URL(address, readApiUrl), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

function localUrl(listensAt: string, url: string): string {
  const { pathname, search } = new URL(url)
  return listensAt + pathname + search
}

function fileOf(name: string): string {
  return path.resolve(folder, `${name}.png`)
}

function beside(file: string): string {
  return path.join(import.meta.dirname, 'support/calendar', file)
}
