/* What the holder of a link may change, tried by hand-made requests. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it as apiIt } from '../../support/bridge/test-api.ts'
import { titlesOf } from '../../support/calendar/read-calendar.ts'
import { leave } from '../../support/company/people.ts'

const allKinds = ['leaves', 'shifts', 'timesheets', 'tasks']

/** `it` with what makes a feed of Ada's, who is moving house, and gives its address. */
const it = apiIt.extend('feedOf', ({ api: { company, bridge } }) => {
  company.records.leaves = { usr_ada: [leave('lv_1', '2026-01-13', { reason: 'Moving house' })] }
  return async (options: object = {}): Promise<string> =>
    calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'], options }))
})

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }

function choose(
  calendar: string,
  fields: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>> = sameOrigin,
): Promise<Response> {
  const body = new URLSearchParams()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of values) body.append(name, value)
  }
  return fetch(pageOf(calendar), { method: 'POST', body, headers, redirect: 'manual' })
}

function pageOf(calendar: string): string {
  return calendar.replace(/\/[^/]*$/, '')
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

describe('allowed choices', () => {
  it('hidden kinds leave the calendar and can come back', async ({ feedOf }) => {
    const url = await feedOf()
    const before = titlesOf(await textOf(url))
    const hidden = await choose(url, { show: ['leaves', 'shifts', 'tasks'] })
    expect(hidden.status).toBe(303)
    expect(hidden.headers.get('location')).toBe(`${new URL(pageOf(url)).pathname}?saved#saved`)
    expect(titlesOf(await textOf(url))).toEqual(
      before.filter((title) => !title.startsWith('Timesheet')),
    )
    await choose(url, { show: allKinds })
    expect(titlesOf(await textOf(url))).toEqual(before)
  })

  it('the detail can be lowered and raised again up to the level set by HR', async ({ feedOf }) => {
    const url = await feedOf({ leaves: { detail: 'full' } })
    expect(await textOf(url)).toContain('Moving house')
    await choose(url, { show: allKinds, detail: ['type'] })
    expect(await textOf(url)).not.toContain('Moving house')
    expect(titlesOf(await textOf(url))).toContain('Leave lv_1')
    await choose(url, { show: allKinds, detail: ['absent'] })
    expect(titlesOf(await textOf(url))).toContain('Away')
    await choose(url, { show: allKinds, detail: ['full'] })
    expect(await textOf(url)).toContain('Moving house')
  })

  it('hiding everything is refused on the form, which keeps the choices, and saves nothing', async ({
    feedOf,
  }) => {
    const url = await feedOf()
    const before = await textOf(url)
    const refused = await choose(url, { locale: ['de'], reminderMinutes: ['30'] })
    const page = await refused.text()
    expect(refused.status).toBe(400)
    expect(page).toContain('Not saved: the calendar would be empty')
    expect(page).toContain('<option value="de" lang="de" selected>')
    expect(page).toContain('<option value="30" selected>')
    expect(page).not.toContain('Everything is switched off')
    expect(await textOf(url)).toBe(before)
    expect(await textOf(pageOf(url))).toContain('<option value="none" selected>')
  })

  it('a form that states its original values changes only what differs from them', async ({
    feedOf,
  }) => {
    const url = await feedOf()
    const made = { detail: ['type'], locale: ['en'], reminderMinutes: ['none'] }
    const [, written = ''] = /name="from" value="([^"]*)"/.exec(await textOf(pageOf(url))) ?? []
    const from = [written.replaceAll('&amp;', '&')]
    const send = (fields: object): Promise<Response> =>
      choose(url, { show: allKinds, ...made, from, ...fields })
    await send({ show: ['leaves', 'shifts', 'tasks'], locale: ['de'] })
    await send({ show: ['leaves', 'shifts', 'timesheets'], reminderMinutes: ['45'] })
    const calendar = await textOf(url)
    expect(calendar).toContain('CATEGORIES:Schicht')
    expect(calendar).toContain('TRIGGER:-PT45M')
    const hidden = titlesOf(calendar).filter((title) => /^(Task|Timesheet)/.test(title))
    expect(hidden).toEqual([])
    expect((await send({ detail: ['full'] })).status).toBe(403)
    expect((await send({ from: ['show=salaries'] })).status).toBe(400)
    expect((await send({ from: [...from, ...from] })).status).toBe(400)
    await send({})
    expect(await textOf(url)).toBe(calendar)
  })

  it('a language can be chosen even where HR shows nothing', async ({ feedOf }) => {
    const off = { show: false }
    const url = await feedOf({ leaves: off, shifts: off, timesheets: off, tasks: off })
    expect((await choose(url, { locale: ['de'] })).status).toBe(303)
    expect(await textOf(pageOf(url))).toContain('Alles ist ausgeschaltet')
  })

  it('a chosen language applies to calendar and page, and to a name that nobody has set', async ({
    feedOf,
  }) => {
    const url = await feedOf()
    await choose(url, { show: allKinds, locale: ['de'] })
    const calendar = await textOf(url)
    expect(calendar).toContain('CATEGORIES:Schicht')
    expect(calendar).toContain('X-WR-CALNAME:Adas Arbeitskalender')
    const page = await textOf(pageOf(url))
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('Adas Arbeitskalender</h1>')
    expect(page).toContain('Speichern')
    await choose(url, { show: allKinds, locale: ['en'] })
    expect(await textOf(url)).toContain('CATEGORIES:Shift')
  })

  it('a reminder applies to every timed event, and “none” removes the reminder set by HR', async ({
    feedOf,
  }) => {
    const url = await feedOf()
    const alarms = async (): Promise<readonly string[]> => [
      ...new Set((await textOf(url)).match(/TRIGGER.*/g)),
    ]
    expect(await alarms()).toEqual([])
    await choose(url, { show: allKinds, reminderMinutes: ['45'] })
    expect(await alarms()).toEqual(['TRIGGER:-PT45M'])
    expect(await textOf(pageOf(url))).toContain('<option value="45" selected>45 minutes before')
    await choose(url, { show: allKinds, reminderMinutes: ['none'] })
    expect(await alarms()).toEqual([])
    const withOne = await feedOf({ reminderMinutes: 15 })
    await choose(withOne, { show: allKinds, reminderMinutes: ['none'] })
    expect(await textOf(withOne)).not.toContain('TRIGGER')
  })

  it('choices are stored for their link alone, and only if they differ from the feed', async ({
    api: { ask, ada },
  }) => {
    const feed = await ada()
    const [, phone] = await ask('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
    expect(phone).toMatchObject({ choices: {} })
    const rest = { detail: ['absent'], locale: ['de'], reminderMinutes: ['5'] }
    await choose(String(Object(phone)['url']), { show: ['leaves', 'shifts'], ...rest })
    const choices = { hide: ['timesheets', 'tasks'], detail: 'absent', locale: 'de' }
    const [, shown] = await ask('GET', `/api/feeds/${feed.id}`)
    expect(shown).toMatchObject({
      locale: 'en',
      links: [
        { label: 'default', choices: {} },
        { label: 'phone', choices: { ...choices, reminderMinutes: 5 } },
      ],
    })
    const back = { detail: ['type'], locale: ['en'], reminderMinutes: ['none'] }
    await choose(String(Object(phone)['url']), { show: allKinds, ...back })
    const [, after] = await ask('GET', `/api/feeds/${feed.id}`)
    expect(after).toMatchObject({ links: [{ choices: {} }, { choices: {} }] })
  })

  it('a link that is about to end can only be viewed', async ({ api: { bridge } }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const url = calendarUrl(feed)
    await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
    const before = titlesOf(await textOf(url))
    expect((await choose(url, { show: ['tasks'] })).status).toBe(403)
    expect(titlesOf(await textOf(url))).toEqual(before)
    expect(await textOf(pageOf(url))).not.toContain('method="post"')
  })

  it('a detail that HR lowers later is lower for everybody', async ({ api: { bridge } }) => {
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      options: { leaves: { detail: 'full' } },
    })
    const url = calendarUrl(feed)
    await choose(url, { show: allKinds, detail: ['type'] })
    const patch = { options: { leaves: { detail: 'absent' } } }
    expect((await bridge.api('PATCH', `/api/feeds/${feed.id}`, patch)).status).toBe(200)
    expect(titlesOf(await textOf(url))).toContain('Away')
  })

  it('a kind that HR hides and shows again stays hidden for holders who hid it', async ({
    api: { bridge, ada },
  }) => {
    const feed = await ada()
    const url = calendarUrl(feed)
    const patch = (show: boolean): Promise<Response> =>
      bridge.api('PATCH', `/api/feeds/${feed.id}`, { options: { tasks: { show } } })
    await choose(url, { show: ['leaves', 'shifts', 'timesheets'] })
    const before = await textOf(url)
    await patch(false)
    await choose(url, { show: ['leaves', 'shifts', 'timesheets'] })
    await patch(true)
    expect(await textOf(url)).toBe(before)
  })
})

describe('refused choices', () => {
  it.for([
    ['a higher level', {}, { show: allKinds, detail: ['full'] }],
    [
      'a level above "Away"',
      { leaves: { detail: 'absent' } },
      { show: allKinds, detail: ['type'] },
    ],
    ['a kind that HR hid', { timesheets: { show: false } }, { show: allKinds }],
    ['invoices that HR did not give', {}, { show: [...allKinds, 'invoices'] }],
    ['anything without selfService', { selfService: false }, { show: ['leaves'] }],
    ['nothing without selfService', { selfService: false }, {}],
  ] as const)(
    '%s answers 403 and leaves the calendar unchanged',
    async ([, options, fields], { feedOf }) => {
      const url = await feedOf(options)
      const before = await textOf(url)
      expect((await choose(url, fields)).status).toBe(403)
      expect(await textOf(url)).toBe(before)
    },
  )

  it.for([
    ['an unknown kind', { show: ['salaries'] }],
    ['an unknown level', { show: allKinds, detail: ['everything'] }],
    ['two levels', { show: allKinds, detail: ['absent', 'type'] }],
    ['an unknown field', { show: allKinds, selfService: ['true'] }],
    ['a field of every object', { show: allKinds, constructor: ['x'] }],
    ['an unknown language', { show: allKinds, locale: ['fr'] }],
    ['a reminder that is no number', { show: allKinds, reminderMinutes: ['soon'] }],
    ['a reminder after the start', { show: allKinds, reminderMinutes: ['-5'] }],
    ['a reminder months before', { show: allKinds, reminderMinutes: ['40321'] }],
    ['an unknown action', { show: allKinds, action: ['rotate'] }],
    ['an action of every object', { action: ['constructor'] }],
    ['two actions', { action: ['replace', 'end'], confirm: ['yes'] }],
    ['an end with choices', { action: ['end'], confirm: ['yes'], show: ['leaves'] }],
  ] as const)(
    '%s answers 400 and leaves the calendar unchanged',
    async ([, fields], { feedOf }) => {
      const url = await feedOf()
      const before = await textOf(url)
      expect((await choose(url, fields)).status).toBe(400)
      expect(await textOf(url)).toBe(before)
    },
  )

  it('a body that is too large answers 413', async ({ feedOf }) => {
    const url = await feedOf()
    expect((await choose(url, { show: ['leaves'.repeat(2000)] })).status).toBe(413)
  })

  it('JSON is refused as a form, since it would hide everything else', async ({ feedOf }) => {
    const url = await feedOf()
    const before = await textOf(url)
    const response = await fetch(pageOf(url), {
      method: 'POST',
      headers: { ...sameOrigin, 'Content-Type': 'application/json' },
      body: '{"show":["leaves"]}',
    })
    expect(response.status).toBe(415)
    expect(await textOf(url)).toBe(before)
  })
})

describe('requests from elsewhere', () => {
  it.for([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://elsewhere.example' }],
    ['no page at all', {}],
  ] as const)(
    'a request from %s answers 403 and leaves the calendar unchanged',
    async ([, headers], { feedOf }) => {
      const url = await feedOf()
      const before = await textOf(url)
      expect((await choose(url, { show: ['leaves'] }, headers)).status).toBe(403)
      expect(await textOf(url)).toBe(before)
    },
  )

  it('an older browser is recognized by its Origin header', async ({ feedOf, api: { bridge } }) => {
    const url = await feedOf()
    const headers = { Origin: new URL(bridge.url).origin }
    expect((await choose(url, { show: ['leaves'] }, headers)).status).toBe(303)
  })
})

it('choices can change 50 times a day; beyond that the page says what to do', async ({
  api: { bridge },
  feedOf,
}) => {
  const countChanges = async (): Promise<number> => {
    const answer = await bridge.api('GET', '/api/audit?limit=200')
    const { data } = (await answer.json()) as { data: readonly { action: string }[] }
    return data.filter(({ action }) => action === 'choices_changed').length
  }
  const before = await countChanges()
  const url = await feedOf()
  for (let at = 1; at <= 50; at += 1) {
    const chosen = { show: allKinds, reminderMinutes: [`${at}`] }
    expect((await choose(url, chosen)).status).toBe(303)
    expect((await choose(url, chosen)).status).toBe(303)
  }
  const more = { show: allKinds, reminderMinutes: ['51'] }
  const refused = await choose(url, more)
  const after = Number(refused.headers.get('retry-after'))
  expect([refused.status, after > 80_000, after <= 86_400]).toEqual([429, true, true])
  const said = await refused.text()
  expect(said).toContain('No more for today')
  expect(said).toContain('Try again tomorrow')
  const german = await choose(url, more, { ...sameOrigin, 'Accept-Language': 'de' })
  expect([german.status, await german.text()]).toEqual([
    429,
    expect.stringContaining('Versuchen Sie es morgen wieder'),
  ])
  expect(await countChanges()).toBe(before + 50)
  expect((await fetch(url)).status).toBe(200)
})
