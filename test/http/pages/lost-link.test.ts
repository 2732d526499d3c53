/* Anyone who has lost their link: the same answer to everybody, and a new link to one person only. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'

import {
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../../support/bridge/bridge.ts'
import { createSkippingClock } from '../../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { type CompanyServer, startCompanyServer } from '../../support/company/company-server.ts'
import { sharedChromium } from '../../support/web/chromium.ts'
import { type MailServer, refusal, startMailServer } from '../../support/web/mail-server.ts'
import { fieldOf, readMail } from '../../support/web/read-mail.ts'
import { violations, visit } from '../../support/web/visit.ts'

const clock = createSkippingClock(Date.now())
const log: LogLine[] = []
const known = 'grace@lost.example'
const twoDaysMs = 2 * 86_400_000
let refuses: number | undefined
let company: CompanyServer
let server: MailServer
let bridge: TestBridge
let feed: FeedAnswer
let asked = 0
let lasts = 0

beforeAll(async () => {
  company = await startCompanyServer()
  server = await startMailServer({
    onRcptTo: ({ address }, _session, answer) =>
      answer(refuses !== undefined && address === known ? refusal(refuses, 'Not now') : null),
  })
  const environment = { ...server.environment, ...readsFrom(company.url), TRUST_PROXY: '1' }
  bridge = await startBridge({ environment, clock, log: recordedLog(log) })
  feed = await person('usr_grace', known)
  await person('usr_twin_a', 'twin@lost.example')
  await person('usr_twin_b', 'Twin@Lost.example')
  await person('usr_left', 'left@lost.example', 'user_inactive')
  await person('usr_bare', 'bare@lost.example')
  const bare = await bridge.api('GET', '/api/feeds?userId=usr_bare')
  const { data } = (await bare.json()) as { data: { id: string }[] }
  await bridge.api('DELETE', `/api/feeds/${data[0]?.id}`)
})

afterAll(async () => {
  await bridge.close()
  await server.close()
  await company.close()
})

// Nobody is mailed more than three times a day.
beforeEach(async () => {
  refuses = undefined
  await clock.sleep(twoDaysMs)
})

/** Somebody whom the directory knows, with a calendar of their own. */
async function person(
  id: string,
  email: string,
  state: 'active' | 'user_inactive' = 'active',
): Promise<FeedAnswer> {
  const user = { id, firstName: 'Grace', lastName: 'Hopper', email }
  company.records.users.push({ ...user, isActive: true })
  const { store } = await bridge.node()
  const made = await bridge.createFeed({ userIds: [id] })
  await store.people.seePeople('main', [user], clock.now())
  const reading = { userId: id, state, user, readAt: clock.now() } as const
  await store.people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
  return made
}

/** Presses the button, from an address of its own unless one is given. */
function ask(email: string | null, from?: string): Promise<Response> {
  asked += 1
  const ownAddress = `198.${18 + (asked >> 16)}.${(asked >> 8) & 255}.${asked & 255}`
  return fetch(new URL('/lost-link', bridge.listensAt), {
    method: 'POST',
    headers: { Origin: bridge.url, 'X-Forwarded-For': from ?? ownAddress },
    body: new URLSearchParams(email === null ? {} : { email }),
  })
}

/** Resolves once all that was asked for is done: it is done one after another. */
async function allDone(): Promise<void> {
  const last = `last${(lasts += 1)}@lost.example`
  await person(`usr_last${lasts}`, last)
  await ask(last)
  await server.receivedFor(last)
}

const mailsToKnown = (): readonly string[] =>
  server.mails.filter(({ to }) => to[0] === known).map(({ raw }) => raw)

async function openLabels({ id } = feed): Promise<readonly string[]> {
  const answer = await bridge.api('GET', `/api/feeds/${id}`)
  const { links } = (await answer.json()) as { links: { label: string; endsAt: string | null }[] }
  return links.filter(({ endsAt }) => endsAt === null).map(({ label }) => label)
}

async function audited(): Promise<readonly { action: string; actor: string }[]> {
  const answer = await bridge.api('GET', `/api/audit?feedId=${feed.id}`)
  return ((await answer.json()) as { data: { action: string; actor: string }[] }).data
}

/** Whether the link that the mail names is kept and goes on; what stands behind it is another matter. */
async function isOpen(raw: string): Promise<boolean> {
  const [page] = /http:\S+\/feeds\/cfb_[\w-]{43}/.exec(readMail(raw).parts[0]?.text ?? '') ?? []
  if (page === undefined) throw new Error('The mail names no page.')
  const { status } = await fetch(page)
  return status !== 404 && status !== 410
}

describe('a lost link', () => {
  it('a new link is mailed to the address in the directory, and the old one works for a while', async () => {
    const before = mailsToKnown().length
    await ask('GRACE@Lost.example')
    await allDone()
    const [first = ''] = mailsToKnown().slice(before)
    expect(fieldOf(readMail(first), 'subject')).toBe('Your new link to your work calendar')
    expect(await openLabels()).toEqual(['default', 'mail'])
    expect(await isOpen(first)).toBe(true)
    await ask(known)
    await allDone()
    const [, second = ''] = mailsToKnown().slice(before)
    expect([await isOpen(first), await isOpen(second)]).toEqual([true, true])
    expect(await openLabels()).toEqual(['default', 'mail'])
    const auditEvents = await audited()
    const actions = auditEvents.slice(0, 4).map(({ action }) => action)
    expect(actions.toSorted()).toEqual(['link_created', 'link_rotated', 'mail_sent', 'mail_sent'])
    expect(new Set(auditEvents.slice(0, 4).map(({ actor }) => actor))).toEqual(new Set(['bridge']))
    expect(JSON.stringify(log)).not.toContain(known)
  })

  it('the new link is called mail, and an earlier link with that label is renamed', async () => {
    const address = 'joan@lost.example'
    const joans = await person('usr_joan', address)
    const made = await bridge.api('POST', `/api/feeds/${joans.id}/links`, { label: 'mail' })
    const { page } = (await made.json()) as { page: string }
    for (let count = 0; count < 2; count += 1) {
      await ask(address)
      await allDone()
      const renamed = expect.stringMatching(/^mail \(rotated [\d-]{10}\)$/)
      expect(await openLabels(joans)).toEqual(['default', renamed, 'mail'])
    }
    const mails = server.mails.filter(({ to }) => to[0] === address).map(({ raw }) => raw)
    expect(await Promise.all(mails.map(isOpen))).toEqual([true, true])
    expect((await fetch(page)).status).not.toBe(410)
  })

  it('the new link is dropped if the mail is refused, and the old one keeps working', async () => {
    await ask(known)
    await allDone()
    const before = mailsToKnown().at(-1) ?? ''
    refuses = 550
    const { length } = mailsToKnown()
    await ask(known)
    await allDone()
    expect([mailsToKnown().length, await isOpen(before)]).toEqual([length, true])
    expect((await audited())[0]?.action).toBe('mail_refused')
    expect(log.find(({ event }) => event === 'mail_failed')?.data).toMatchObject({
      fault: 'refused',
      status: 550,
    })
  })

  it('the new link is mailed once the mail server works, however often it refused before', async () => {
    const { length } = mailsToKnown()
    refuses = 451
    for (let count = 0; count < 4; count += 1) {
      await ask(known)
      await allDone()
    }
    expect(mailsToKnown()).toHaveLength(length)
    refuses = undefined
    for (let count = 0; count < 4; count += 1) {
      await ask(known)
      await allDone()
    }
    expect(mailsToKnown()).toHaveLength(length + 3)
  })

  it.each([
    'twin@lost.example',
    'left@lost.example',
    'bare@lost.example',
    'a@b, grace@lost.example',
    `${known}\r\nBcc: x@y.z`,
    '\0',
    '',
  ])('no link is mailed for %j', async (email) => {
    const { length } = server.mails
    await ask(email)
    await allDone()
    expect(server.mails.slice(length).map(({ to }) => to[0]?.startsWith('last'))).toEqual([true])
  })

  it('no link is mailed for a client that asks more than ten times an hour', async () => {
    const { length } = mailsToKnown()
    const often = '203.0.113.7'
    const told = log.length
    const answers: Response[] = []
    for (let count = 0; count < 11; count += 1)
      answers.push(await ask(count < 10 ? 'x@lost.example' : known, often))
    await allDone()
    expect(mailsToKnown()).toHaveLength(length)
    expect(new Set(await Promise.all(answers.map(asBytes))).size).toBe(1)
    expect(JSON.stringify(log.slice(told))).toContain('lost_link_dropped')
    await ask(known)
    await allDone()
    expect(mailsToKnown()).toHaveLength(length + 1)
  })
})

/** All of an answer but the time of day. */
async function asBytes(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== 'date')
  return JSON.stringify([answer.status, headers, await answer.text()])
}

it('the answer is the same in every byte whatever is entered, and reveals no known address', async () => {
  const tries = inject('isThorough') ? 1000 : 60
  const { length } = mailsToKnown()
  const bytes = new Set<string>()
  for (let count = 0; count < tries; count += 1) {
    for (const email of [known, `unknown${count}@lost.example`])
      bytes.add(await asBytes(await ask(email)))
    if (count < 4) await allDone()
  }
  for (const email of [null, '', 'no address', 'x'.repeat(3000)])
    bytes.add(await asBytes(await ask(email)))
  expect(bytes.size).toBe(1)
  expect([...bytes][0]).toContain('a new link is on its way')
  await allDone()
  expect(mailsToKnown()).toHaveLength(length + 3)
})

describe('POST /lost-link', () => {
  it.each([{}, { Origin: 'https://evil.example.com' }, { 'Sec-Fetch-Site': 'cross-site' }])(
    'a form that does not come from one of our pages is refused: %j',
    async (headers) => {
      const { length } = mailsToKnown()
      const body = new URLSearchParams({ email: known })
      const answer = await fetch(new URL('/lost-link', bridge.listensAt), {
        method: 'POST',
        headers,
        body,
      })
      await allDone()
      expect([answer.status, mailsToKnown().length]).toEqual([403, length])
    },
  )

  it('the route accepts only POST and does not exist without a mail server', async () => {
    const got = await fetch(new URL('/lost-link', bridge.listensAt))
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    const other = await startBridge({ environment: readsFrom(company.url) })
    const headers = { Origin: other.url }
    const answer = await fetch(new URL('/lost-link', other.listensAt), { method: 'POST', headers })
    expect(answer.status).toBe(404)
    expect(await (await fetch(other.listensAt)).text()).not.toContain('<form')
    await other.close()
  })
})

it('the form is on the front page and works without scripts', async () => {
  const browser = await sharedChromium()
  const viewport = { width: 320, height: 700 }
  const front = await visit(browser, `${bridge.url}/`, { viewport, javaScriptEnabled: false })
  const { length } = mailsToKnown()
  await front.page.getByLabel('Your work email address').fill(known)
  await front.page.getByRole('button', { name: 'Email me a new link' }).click()
  await front.page.getByRole('heading', { name: 'Check your email and spam' }).waitFor()
  await allDone()
  expect(mailsToKnown()).toHaveLength(length + 1)
  const seen = await visit(browser, `${bridge.url}/`, { viewport, colorScheme: 'light' })
  expect(await violations(seen.page)).toEqual([])
  expect(
    await seen.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
  ).toBe(true)
  await seen.page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(seen.page, 'colours')).toEqual([])
  for (const one of [front, seen]) await one.close()
})
