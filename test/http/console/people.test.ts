/* People in the console: found by name and by what is wrong, exported, and acted on many at once. */
import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeFormKey } from '../../../src/domain/secrets.ts'
import { linkOf, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { createFakeClock, type FakeClock } from '../../support/bridge/fake-clock.ts'
import { startTwoCompanies } from '../../support/bridge/two-companies.ts'
import { type MailServer, refusal, startMailServer } from '../../support/web/mail-server.ts'

const dayMs = 86_400_000
const people = '/console/people'

let clock: FakeClock
let server: MailServer
let bridge: TestBridge
/** What the mail server does with a mail. */
let judge: () => Promise<void> | void
let admin: ConsoleSession

beforeEach(async () => {
  clock = createFakeClock()
  judge = () => undefined
  server = await startMailServer({ judge: () => judge() })
  bridge = await startBridge({ clock, environment: server.environment })
  admin = await enterConsole(bridge)
})

afterEach(async () => {
  await bridge.close()
  await server.close()
})

/** Lets time go by; sessions end meanwhile. */
async function wait(days: number): Promise<void> {
  await clock.advance(days * dayMs)
  admin = await enterConsole(bridge)
}

/** Each row of a table: its cells as text. */
function rowsOf(html: string): readonly (readonly string[])[] {
  const [, body = ''] = html.split('<tbody>')
  const rows = (body.split('</tbody>')[0] ?? '').split('<tr>').slice(1)
  return rows.map((row) =>
    row
      .split(/<\/t[hd]>/)
      .slice(0, -1)
      .map((cell) => textOf(cell)),
  )
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u2068\u2069]+/g, ' ')
    .trim()
}

/** Whom a list shows. */
async function idsIn(query: string, session = admin): Promise<readonly string[]> {
  const html = await session.read(`${people}${query}`)
  return [...html.matchAll(/name="user" value="([^"]*)"/g)].map(([, id = '']) => id)
}

/** Presses a button of the list, and gives the page that asks whether that is meant. */
async function choose(
  act: string,
  userIds: readonly string[],
  query = '',
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const reply = await admin.send(`${people}${query}`, { act, user: userIds, ...more })
  if (reply.status !== 200) throw new Error(`Choosing answered ${reply.status}.`)
  return reply.text()
}

/** The fields of the form on that page. */
function fieldsOf(html: string): Record<string, readonly string[]> {
  const fields: Record<string, readonly string[]> = {}
  for (const [tag] of html.matchAll(/<input [^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? []
    if (name === '' || tag.includes('checkbox')) continue
    const [, value = ''] = /value="([^"]*)"/.exec(tag) ?? []
    fields[name] = [...(fields[name] ?? []), value]
  }
  return fields
}

async function confirm(html: string, typed: Readonly<Record<string, string>> = {}) {
  const reply = await admin.send(people, { ...fieldsOf(html), ...typed })
  const page = await reply.text()
  return { status: reply.status, html: page, rows: rowsOf(page) }
}

async function feedOf({ id }: { readonly id: string }): Promise<Record<string, unknown>> {
  return (await bridge.api('GET', `/api/feeds/${id}`)).json() as Promise<Record<string, unknown>>
}

it('Shows each person’s calendar, program and trouble, and finds people by them', async () => {
  const ada = await bridge.createFeed({ userIds: ['usr_ada'], locale: 'de' })
  await bridge.createFeed({ userIds: ['usr_bob'], name: 'Bob <b>' })
  const { store } = await bridge.node()
  const read = { tokenHash: linkOf(ada).tokenHash, client: 'google', lastStatus: 200 } as const
  const asked = { firstPolledAt: 1, lastPolledAt: clock.now(), polls: 3 }
  await wait(3)
  await store.activity.addActivity([{ ...read, ...asked, hasChangeOf: null }])
  expect(rowsOf(await admin.read(`${people}?search=ada`))).toEqual([
    [
      '',
      'Ada Brandt ada@sample.example',
      'Adas Arbeitskalender',
      'Deutsch',
      '3 days ago',
      'Google',
      '',
    ],
  ])
  expect(rowsOf(await admin.read(`${people}?search=bob&lang=de`))[0]?.slice(2)).toEqual([
    'Bob &lt;b&gt;',
    'English',
    'Nie',
    '',
    'Nie abonniert',
  ])
  await wait(12)
  expect(await idsIn('?group=quiet')).toEqual(['usr_ada'])
  expect(await idsIn('?group=never-subscribed')).toEqual(['usr_bob'])
  expect(await idsIn('?group=no-calendar')).not.toContain('usr_ada')
  expect(await idsIn('?group=quiet&search=bob')).toEqual([])
  expect((await admin.open(`${people}?group=rich`)).status).toBe(400)
})

it('Leads page by page through everybody, and exports all that it shows, safely and audited', async () => {
  const { store } = await bridge.node()
  const many = Array.from({ length: 60 }, (_, number) => ({
    id: `usr_many_${String(number).padStart(2, '0')}`,
    firstName: number === 0 ? '=1+1' : `Many${number}`,
  }))
  await store.people.seePeople('main', many, 1)
  const first = await admin.read(`${people}?search=usr_many`)
  const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first) ?? []
  const second = rowsOf(await admin.read(next.replaceAll('&amp;', '&')))
  expect([rowsOf(first).length, second.length]).toEqual([50, 10])

  const reply = await admin.open('/console/people.csv?search=usr_many&lang=de')
  expect(reply.headers.get('Content-Disposition')).toBe('attachment; filename=people.csv')
  const lines = (await reply.text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(61)
  expect(lines[0]).toContain('Name;Mailadresse;Benutzer-ID;Kalender;Sprache;Zuletzt abgerufen')
  expect(lines[1]).toBe("'=1+1;;usr_many_00;;;;;Noch nicht gelesen")
  expect(await admin.read('/console/audit?action=people_exported')).toContain('Admin token')
})

it('Revokes the calendars of the ticked people once it was confirmed, and names those without one', async () => {
  const [ada, bob] = [
    await bridge.createFeed({ userIds: ['usr_ada'] }),
    await bridge.createFeed({ userIds: ['usr_bob'] }),
  ]
  const { store } = await bridge.node()
  await store.people.seePeople('main', [{ id: 'usr_cleo', firstName: 'Cleo' }], 1)
  const page = await choose('revoke', ['usr_ada', 'usr_cleo'])
  expect(page).toContain('>Revoke 1 calendar</button>')
  expect(textOf(page)).toContain('Cleo has no calendar')
  expect((await feedOf(ada))['revokedAt']).toBeNull()
  const done = await confirm(page)
  expect(done.rows).toEqual([['Ada Brandt', 'Done']])
  expect((await feedOf(ada))['revokedAt']).not.toBeNull()
  expect((await feedOf(bob))['revokedAt']).toBeNull()
  expect((await confirm(page)).rows).toEqual([['Ada Brandt', 'Done']])
})

it('Goes on to hand out with those who have no calendar', async () => {
  await bridge.createFeed({ userIds: ['usr_ada'] })
  const { store } = await bridge.node()
  await store.people.seePeople('main', [{ id: 'usr_cleo', firstName: 'Cleo' }], 1)
  const page = await choose('handOut', ['usr_ada', 'usr_cleo'])
  expect(textOf(page)).toContain('Ada Brandt has a calendar already')
  const fields = fieldsOf(page)
  expect(fields).toEqual({ act: ['check'], people: ['usr_cleo'] })
  const options = await admin.send('/console/hand-out', fields)
  expect(await options.text()).toContain('Hand out to 1 person')
})

it('Replaces links once, however often the button is pressed, and shows the new ones in that reply', async () => {
  const ada = await bridge.createFeed({ userIds: ['usr_ada'] })
  const page = await choose('rotate', ['usr_ada'])
  expect((await confirm(page, { graceDays: 'ten' })).status).toBe(400)
  const both = await Promise.all([confirm(page), confirm(page)])
  const pages = both.map(({ rows }) => rows[0]?.[2])
  expect(pages[0]).toMatch(/\/feeds\/cfb_[\w-]{43} Copy$/)
  expect(pages[1]).toBe(pages[0])
  const { links } = (await feedOf(ada)) as { links: readonly { label: string }[] }
  expect(links).toHaveLength(2)
  const again = await confirm(page)
  expect(again.rows).toEqual([['Ada Brandt', 'Done']])
  expect(((await feedOf(ada)) as { links: unknown[] }).links).toHaveLength(2)
})

it('Changes what is chosen of everybody’s options in the list, and nothing else', async () => {
  const ada = await bridge.createFeed({ userIds: ['usr_ada'], options: { reminderMinutes: 5 } })
  const bob = await bridge.createFeed({ userIds: ['usr_bob'], name: 'Bob' })
  const page = await choose('options', [], '?search=sample.example', { all: 'yes' })
  const wrong = await confirm(page)
  expect([wrong.status, wrong.html.includes('Choose at least one change.')]).toEqual([400, true])
  const change = { locale: 'de', 'leaves.detail': 'absent', reminderMinutes: 'usual' }
  const done = await confirm(page, change)
  expect(done.rows.map(([name, outcome]) => [name, outcome])).toEqual([
    ['Ada Brandt', 'Done'],
    ['Bob Fischer', 'Done'],
  ])
  const [changed, other] = [await feedOf(ada), await feedOf(bob)]
  expect(changed).toMatchObject({ locale: 'de', ownOptions: { leaves: { detail: 'absent' } } })
  expect(changed['ownOptions']).not.toHaveProperty('reminderMinutes')
  expect(other).toMatchObject({ locale: 'de', name: 'Bob' })
})

it('Mails a new link, and reminds only those who never subscribed, nobody twice a day', async () => {
  await bridge.createFeed({ userIds: ['usr_ada'] })
  const bob = await bridge.createFeed({ userIds: ['usr_bob'] })
  const { store } = await bridge.node()
  const poll = { tokenHash: linkOf(bob).tokenHash, client: 'apple', lastStatus: 200 } as const
  const asked = { firstPolledAt: 1, lastPolledAt: clock.now(), polls: 9, hasChangeOf: null }
  await store.activity.addActivity([{ ...poll, ...asked }])
  const reminding = await choose('remind', ['usr_ada', 'usr_bob'])
  expect(reminding).toContain('>Remind 1 person</button>')
  expect(textOf(reminding)).toContain('Bob Fischer has subscribed already')
  expect((await confirm(reminding)).rows).toEqual([['Ada Brandt', 'Done']])
  const mailing = await choose('mail', ['usr_ada', 'usr_bob'])
  expect((await confirm(mailing)).rows).toEqual([
    ['Ada Brandt', 'Left out They were mailed a link within a day, or may have been.'],
    ['Bob Fischer', 'Done'],
  ])
  expect(server.mails.map(({ to }) => to[0])).toEqual(['ada@sample.example', 'bob@sample.example'])
  expect(server.mails[0]?.raw).toContain('waiting for you')
})

it('Reminds nobody of a calendar that was mailed today', async () => {
  const wanted = { people: 'usr_ada', options: '1', show: 'leaves', delivery: 'mail' }
  const handedOut = { ...wanted, act: 'make', key: makeFormKey() }
  expect((await admin.send('/console/hand-out', handedOut)).status).toBe(200)
  expect(server.mails).toHaveLength(1)
  const reminded = await confirm(await choose('remind', ['usr_ada']))
  expect(reminded.rows).toEqual([
    ['Ada Brandt', 'Left out They were mailed a link within a day, or may have been.'],
  ])
  await wait(2)
  expect((await confirm(await choose('remind', ['usr_ada']))).rows).toEqual([
    ['Ada Brandt', 'Done'],
  ])
  expect(server.mails).toHaveLength(2)
})

it('Searches for what was copied from a table, however long it is', async () => {
  await bridge.createFeed({ userIds: ['usr_ada'] })
  expect(await idsIn('?search=ada%09brandt')).toEqual(['usr_ada'])
  const long = `${'x'.repeat(199)}\u{1F600}`
  expect(await idsIn(`?search=${encodeURIComponent(long)}`)).toEqual([])
})

it('Does nothing, and says so, where others have ended all calendars meanwhile', async () => {
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  const page = await choose('revoke', ['usr_ada'])
  await bridge.api('DELETE', `/api/feeds/${feed.id}`)
  const { html } = await confirm(page)
  expect(textOf(html)).toContain('Done 0')
  expect(html).not.toContain('role="alert"')
})

it('Reads no form with so many fields that others would wait', async () => {
  const fields = Array.from({ length: 25_000 }, () => 'a')
  expect((await admin.send(people, { act: 'revoke', user: fields })).status).toBe(413)
})

it('Says how far a long run is, names them for 15 minutes, and finds whom the mail server refused', async () => {
  await bridge.createFeed({ userIds: ['usr_ada'] })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  judge = () => {
    asked.resolve()
    return answer.promise
  }
  const page = await choose('mail', ['usr_ada'])
  const confirmed = confirm(page)
  await asked.promise
  const run = `${people}?run=${fieldsOf(page)['key']?.[0]}&of=mail`
  expect(textOf(await admin.read(run))).toContain('0 of 1 are done')
  answer.reject(refusal(550, 'No such mailbox'))
  expect((await confirmed).rows[0]?.[1]).toMatch(/^Failed .*No such mailbox/)
  expect(await admin.read(run)).toContain('No such mailbox')
  const reader = await bridge.api('POST', '/api/tokens', { name: 'look', role: 'reader' })
  const { token } = (await reader.json()) as { token: string }
  expect((await (await enterConsole(bridge, token)).open(run)).status).toBe(404)
  await clock.advance(14 * 60_000)
  expect(await admin.read(run)).toContain('No such mailbox')
  await clock.advance(60_000)
  expect((await admin.open(run)).status).toBe(404)
  expect(await idsIn('?group=trouble')).toEqual(['usr_ada'])
  expect(await admin.read(`${people}?group=trouble`)).toContain('Mail refused')
})

it('Refuses to act on nobody, on more than five hundred, and for what is not offered', async () => {
  const { store } = await bridge.node()
  const many = Array.from({ length: 501 }, (_, number) => ({ id: `usr_many_${number}` }))
  await store.people.seePeople('main', many, 1)
  const sent = async (fields: Readonly<Record<string, string>>, query = '') => {
    const reply = await admin.send(`${people}${query}`, fields)
    return [reply.status, textOf(await reply.text())] as const
  }
  const [none, whom] = await sent({ act: 'revoke' })
  expect([none, whom]).toEqual([400, expect.stringContaining('Tick somebody first')])
  const [tooMany, sentence] = await sent({ act: 'revoke', all: 'yes' }, '?search=usr_many&lang=de')
  expect([tooMany, sentence]).toEqual([400, expect.stringContaining('mehr als 500 Personen')])
  expect((await sent({ act: 'dismiss', user: 'usr_ada' }))[0]).toBe(400)
  const bare = await startBridge()
  const other = await enterConsole(bare)
  expect(await other.read(people)).not.toContain('value="remind"')
  expect((await other.send(people, { act: 'remind', user: 'usr_ada' })).status).toBe(409)
  await bare.close()
})

it('Shows readers no way to act, and staff of one company nobody of another', async () => {
  const two = await startTwoCompanies()
  const { store } = await two.bridge.node()
  await store.people.seePeople('north', [{ id: 'usr_nora', firstName: 'Nora' }], 1)
  await two.bridge.createFeed({ userIds: ['usr_zoe'], companyId: 'south' })
  const north = await two.bridge.createFeed({ userIds: ['usr_ada'], companyId: 'north' })
  const reader = await enterConsole(two.bridge, await two.token('look', 'reader', 'north'))
  const html = await reader.read(people)
  expect(html).toContain('Nora')
  expect(html).not.toMatch(/type="checkbox"|name="act"/)
  expect((await reader.send(people, { act: 'revoke', user: 'usr_nora' })).status).toBe(403)
  const south = await enterConsole(two.bridge, await two.token('hr', 'support', 'south'))
  expect(await south.read(people)).not.toContain('Nora')
  expect((await south.open(`${people}?company=north`)).status).toBe(404)
  const forged = { act: 'confirm', kind: 'revoke', key: 'a-key-of-sixteen-or-more' }
  await south.send(people, { ...forged, calendar: `${north.id} usr_ada` })
  const kept = await two.bridge.api('GET', `/api/feeds/${north.id}`)
  expect(((await kept.json()) as { revokedAt: unknown }).revokedAt).toBeNull()
  await two.close()
})
