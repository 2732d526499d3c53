/* What the holder of a link may do with it beside choosing: take another in its place, or end it. */
import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import { calendarUrl, type FeedAnswer } from '../../support/bridge/bridge.ts'
import { it as base, pollNow } from '../../support/bridge/fixtures.ts'
import { readCalendar } from '../../support/calendar/read-calendar.ts'
import { leave } from '../../support/company/people.ts'
import { anyDatabase } from '../../support/database/databases.ts'

type Fields = Readonly<Record<string, string | readonly string[]>>

const addresses = /http:[^"\s<]*cfb_[\w-]{43}[^"\s<]*/g
const replace = { action: 'replace', confirm: 'yes' }
const end = { action: 'end', confirm: 'yes' }

const it = base.extend('ada', ({ bridge }) => async (input: object = {}): Promise<FeedAnswer> => {
  return bridge.createFeed({ userIds: ['usr_ada'], ...input })
})

/** Sends a form of the page of that calendar, as the page does. */
function send(
  calendar: string,
  fields: Fields,
  site = 'same-origin',
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  )
  const headers = { 'Sec-Fetch-Site': site, ...more }
  return fetch(pageOf(calendar), { method: 'POST', body, headers, redirect: 'manual' })
}

function pageOf(calendar: string): string {
  return calendar.replace(/\/[^/]*$/, '')
}

async function pageText(calendar: string): Promise<string> {
  return (await fetch(pageOf(calendar))).text()
}

/** Of the form that takes a new address, as the page has it for who opens it now. */
async function keyOf(calendar: string): Promise<string> {
  return /name="key" value="([\w-]{43})"/.exec(await pageText(calendar))![1]!
}

function switchedOn(kind: string): RegExp {
  return new RegExp(`value="${kind}" checked`)
}

/** The new calendar's address, out of the reply that makes it. */
async function replaced(calendar: string): Promise<string> {
  const reply = await send(calendar, replace)
  expect(reply.status).toBe(200)
  return newAddress(await reply.text())
}

/** Of the calendar. */
function newAddress(reply: string): string {
  return (reply.match(addresses) ?? []).find((found) => found.endsWith('.ics'))!
}

describe('a leaked address', () => {
  it('a leaked address is replaced, and only that reply shows the new one', async ({
    ada,
    bridge,
    logged,
    poll,
  }) => {
    const feed = await ada()
    const old = calendarUrl(feed)
    const before = await poll(old)
    const reply = await send(old, replace)
    const text = await reply.text()
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect([...reply.headers].join()).not.toMatch(/cfb_/)
    const tokens = new Set(text.match(/cfb_[\w-]{43}/g))
    expect(tokens.size).toBe(1)
    const [token] = tokens
    expect(old).not.toContain(token)
    expect(text).toContain(`${bridge.url}/feeds/${token}"`)
    expect(text).toContain('Add the new address now')
    expect(text).toContain(`webcal://`)
    const address = newAddress(text)
    expect(await pollNow(address)).toMatchObject({ status: 200, text: before.text })
    expect((await pollNow(old)).status).toBe(410)
    expect((await fetch(pageOf(old))).status).toBe(410)
    expect((await fetch(pageOf(address))).status).toBe(200)
    expect(JSON.stringify(logged)).not.toContain(token)
    const words = logged.filter(({ event }) => event === 'link_replaced')
    expect(words).toMatchObject([{ data: { company: 'main', feed: feed.id, link: 'default' } }])
    const shown = await (await bridge.api('GET', `/api/feeds/${feed.id}`)).text()
    expect(shown).not.toContain('cfb_')
  })

  it('an address can be replaced ten times a day; after that it stays as it is', async ({
    ada,
    clock,
  }) => {
    let address = calendarUrl(await ada())
    for (let times = 0; times < 10; times += 1) address = await replaced(address)
    const refused = await send(address, replace)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400'])
    expect((await pollNow(address)).status).toBe(200)
    await clock.advance(86_400_000)
    expect((await pollNow(await replaced(address))).status).toBe(200)
  })

  it('an address is replaced once, and the old address has no power over the new one', async ({
    ada,
  }) => {
    const old = calendarUrl(await ada())
    const replies = await Promise.all([1, 2, 3].map(() => send(old, replace)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
    const made = replies.find(({ status }) => status === 200)!
    const address = newAddress(await made.text())
    for (const fields of [replace, end, { show: ['leaves'] }]) {
      expect((await send(old, fields)).status).toBe(410)
    }
    expect((await pollNow(address)).status).toBe(200)
  })

  it('two presses of one button replace an address once, and another page cannot repeat it', async ({
    ada,
    clock,
    logged,
  }) => {
    const old = calendarUrl(await ada())
    const [mine, other] = [await keyOf(old), await keyOf(old)]
    expect(mine).not.toBe(other)
    const both = await Promise.all([1, 2].map(() => send(old, { ...replace, key: mine })))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const texts = await Promise.all(both.map((reply) => reply.text()))
    const [address, ...others] = new Set(texts.map(newAddress))
    expect(others).toEqual([])
    expect((await pollNow(address!)).status).toBe(200)
    expect(logged.filter(({ event }) => event === 'link_replaced')).toHaveLength(1)
    const again = await send(old, { ...replace, key: mine })
    expect([newAddress(await again.text()), again.headers.get('cache-control')]).toEqual([
      address,
      'no-store',
    ])
    const { token } = /(?<token>cfb_[\w-]{43})/.exec(old)!.groups!
    const strangers = [
      {},
      { key: other },
      { key: token!.slice(4) },
      { key: 'x' },
      { key: ['a', 'b'] },
    ]
    for (const fields of strangers) {
      const reply = await send(old, { ...replace, ...fields })
      expect(reply.status).toBe(410)
      expect(await reply.text()).not.toContain('cfb_')
    }
    expect((await send(old, { ...end, key: mine })).status).toBe(410)
    const feed = await ada({ userIds: ['usr_bob'] })
    const bobs = await send(calendarUrl(feed), { ...replace, key: mine })
    expect(newAddress(await bobs.text())).not.toContain(address!.split('/')[4])
    await clock.advance(600_001)
    expect((await send(old, { ...replace, key: mine })).status).toBe(410)
    expect((await pollNow(address!)).status).toBe(200)
    expect((await send(address!, { ...replace, key: 'short' })).status).toBe(400)
  })

  it('a new address keeps the choices of the old one, and no SEQUENCE decreases', async ({
    ada,
    company,
    poll,
  }) => {
    const old = calendarUrl(await ada())
    const sequences = async (address: string): Promise<ReadonlyMap<string, number>> => {
      const { text } = await poll(address)
      const entries = [...readCalendar(text)]
      return new Map(entries.map(([uid, { sequence }]) => [uid, sequence]))
    }
    const rename = (name: string): void => {
      const renamed = leave('lv_1', '2026-01-12', { leaveType: { name } })
      company.records.leaves['usr_ada'] = [renamed]
    }
    for (const word of ['One', 'Two', 'Three']) {
      rename(word)
      await poll(old)
    }
    const before = await sequences(old)
    await send(old, { show: ['shifts', 'timesheets', 'tasks'], locale: 'de' })
    const hidden = await poll(old)
    expect(hidden.titles).not.toContain('Three')
    const address = await replaced(old)
    expect((await poll(address)).titles).toEqual(hidden.titles)
    await send(address, { show: ['leaves', 'shifts', 'timesheets', 'tasks'] })
    const after = await sequences(address)
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
    for (const [uid, sequence] of before) {
      expect(after.get(uid)).toBeGreaterThanOrEqual(sequence)
    }
  })
})

it('on a phone, the way to Google goes through the page of the new address, as text and link', async ({
  ada,
}) => {
  const calendar = calendarUrl(await ada())
  const reply = await send(calendar, replace, 'same-origin', { 'User-Agent': 'iPhone' })
  const text = await reply.text()
  const page = pageOf(newAddress(text))
  expect(text).toContain(`yourself, for example by email: <a href="${page}">${page}</a>`)
  expect(text).not.toContain('Send this page')
  expect(text).toContain('cannot reach this address')
})

describe('the end of a link', () => {
  it('ending a link ends this link only and shows a page about what to do next', async ({
    ada,
    bridge,
    logged,
  }) => {
    const feed = await ada()
    const other = await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
    const { url } = (await other.json()) as { url: string }
    const reply = await send(calendarUrl(feed), end)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const text = await reply.text()
    expect(text).toContain('This link has ended')
    expect(text).not.toContain('cfb_')
    expect((await pollNow(calendarUrl(feed))).status).toBe(410)
    expect((await pollNow(url)).status).toBe(200)
    expect((await send(calendarUrl(feed), end)).status).toBe(410)
    expect(logged.filter(({ event }) => event === 'link_ended')).toHaveLength(1)
  })

  it('the end is confirmed in the language of the page', async ({ ada }) => {
    const url = calendarUrl(await ada())
    const all = ['leaves', 'shifts', 'timesheets', 'tasks']
    await send(url, { show: all, locale: 'de' })
    expect(await (await send(url, end)).text()).toContain('Dieser Link ist abgeschaltet')
  })
})

describe('refused replacements and ends', () => {
  it.for([
    ['replace', { action: 'replace' }],
    ['end', { action: 'end' }],
    ['end', { action: 'end', confirm: 'no' }],
  ] as const)(
    'a form is refused unless the box is ticked: %s',
    async ([action, fields], { ada, logged }) => {
      const url = calendarUrl(await ada())
      const reply = await send(url, fields)
      const text = await reply.text()
      expect(reply.status).toBe(400)
      expect(text).toContain('Nothing was changed: tick the box first.')
      expect(text).toContain(`<input type="hidden" name="action" value="${action}">`)
      expect((await pollNow(url)).status).toBe(200)
      expect(logged.filter(({ event }) => event.startsWith('link_'))).toEqual([])
    },
  )

  it('forms from elsewhere, of ending links and of readers without a choice are refused', async ({
    ada,
    bridge,
  }) => {
    const leaked = await ada()
    await bridge.api('POST', `/api/feeds/${leaked.id}/rotations`, { graceDays: 7 })
    const team = await ada({ userIds: ['usr_ada', 'usr_bob'] })
    for (const form of [replace, end]) {
      for (const feed of [leaked, team]) {
        const url = calendarUrl(feed)
        expect((await send(url, form)).status).toBe(403)
        expect((await pollNow(url)).status).toBe(200)
        expect(await (await fetch(pageOf(url))).text()).not.toContain('name="action"')
      }
      const url = calendarUrl(await ada())
      for (const site of ['cross-site', 'same-site']) {
        expect((await send(url, form, site)).status).toBe(403)
      }
      expect((await pollNow(url)).status).toBe(200)
    }
  })
})

it('a person without self-service may still replace the address of their own calendar', async ({
  ada,
}) => {
  const old = calendarUrl(await ada({ options: { selfService: false } }))
  expect(await (await fetch(pageOf(old))).text()).toContain('value="replace"')
  expect((await pollNow(await replaced(old))).status).toBe(200)
})

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('forms of one page sent at the same time, as from several tabs, all take effect', async ({
    ada,
    bridge,
  }) => {
    const made = { show: ['leaves', 'shifts', 'timesheets', 'tasks'], detail: 'type', locale: 'en' }
    const without = (kind: string): object => ({ show: made.show.filter((one) => one !== kind) })
    const changes = [
      { form: without('tasks'), kept: { hide: ['tasks'] } },
      { form: without('shifts'), kept: { hide: ['shifts'] } },
      { form: without('timesheets'), kept: { hide: ['timesheets'] } },
      { form: { detail: 'absent' }, kept: { detail: 'absent' } },
      { form: { locale: 'de' }, kept: { locale: 'de' } },
      { form: { reminderMinutes: '15' }, kept: { reminderMinutes: 15 } },
    ]
    const kinds = ['leaves', 'shifts', 'timesheets', 'tasks', 'invoices']
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(changes, { minLength: 2 }), async (chosen) => {
        const feed = await ada()
        const url = calendarUrl(feed)
        const [, written = ''] = /name="from" value="([^"]*)"/.exec(await pageText(url)) ?? []
        const from = written.replaceAll('&amp;', '&')
        const replies = await Promise.all(
          chosen.map(({ form }) => send(url, { ...made, reminderMinutes: 'none', ...form, from })),
        )
        expect(replies.map(({ status }) => status)).toEqual(chosen.map(() => 303))
        const hide = chosen.flatMap(({ kept }) => kept.hide ?? [])
        const inOrder = kinds.filter((kind) => hide.includes(kind))
        const others = Object.assign({}, ...chosen.map(({ kept }) => kept))
        const choices = { ...others, ...(inOrder.length > 0 ? { hide: inOrder } : {}) }
        const shown = await bridge.api('GET', `/api/feeds/${feed.id}`)
        expect(await shown.json()).toMatchObject({ links: [{ choices }] })
        const page = await pageText(url)
        for (const kind of hide) expect(page).not.toMatch(switchedOn(kind))
      }),
      { numRuns: inject('isThorough') ? 100 : 4, endOnFailure: true },
    )
  })

  it('nothing sent by the holder of one link changes a byte or validator of another link', async ({
    ada,
    bridge,
    poll,
  }) => {
    const feed = await ada()
    const made = await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
    const { url: phone } = (await made.json()) as { url: string }
    const { url: old } = (await (
      await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'old' })
    ).json()) as { url: string }
    await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { label: 'old', graceDays: 300 })
    const seen = async (address: string): Promise<unknown> => {
      const { status, text, headers } = await poll(address)
      return [status, text, headers.get('etag'), headers.get('last-modified')]
    }
    const before = [await seen(phone), await seen(old)]
    let mine = calendarUrl(feed)
    const forms = fc.oneof(
      fc.record(
        {
          show: fc.subarray(['leaves', 'shifts', 'timesheets', 'tasks']),
          detail: fc.constantFrom('absent', 'type', 'full'),
          locale: fc.constantFrom('en', 'de'),
          reminderMinutes: fc.constantFrom('none', '0', '15'),
        },
        { requiredKeys: [] },
      ),
      fc.constant(replace),
    )
    await fc.assert(
      fc.asyncProperty(forms, async (form) => {
        if (form === replace) mine = await replaced(mine)
        else await send(mine, form)
        expect((await poll(mine)).status).toBe(200)
        expect([await seen(phone), await seen(old)]).toEqual(before)
      }),
      { numRuns: inject('isThorough') ? 100 : 4, endOnFailure: true },
    )
    expect((await send(mine, end)).status).toBe(200)
    expect([await seen(phone), await seen(old)]).toEqual(before)
  })
})
