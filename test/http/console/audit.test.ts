/* The audit log in the console: filters, pages, and its export. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { startTwoCompanies } from '../../support/bridge/two-companies.ts'

let bridge: TestBridge
let admin: ConsoleSession
const clock = createFakeClock()

beforeAll(async () => {
  bridge = await startBridge({ clock })
  admin = await enterConsole(bridge)
})

afterAll(() => bridge.close())

/** The cells of each row, as text. */
function rowsOf(html: string): readonly (readonly string[])[] {
  const [, body = ''] = html.split('<tbody>')
  return body
    .split('<tr>')
    .slice(1)
    .map((row) =>
      row
        .split('</td>')
        .slice(0, -1)
        .map((cell) => cell.replaceAll(/<[^>]*>/g, '').trim()),
    )
}

async function audited(query: string): Promise<readonly (readonly string[])[]> {
  return rowsOf(await admin.read(`/console/audit${query}`))
}

it('Says who did what to whom, newest first, in the reader’s language', async () => {
  await clock.advance(1)
  await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  await clock.advance(1)
  await bridge.api('POST', '/api/tokens', { name: '=cmd', role: 'reader' })
  const [token, feed] = await audited('')
  expect(token?.slice(1)).toEqual(['Admin token', 'Made a token', '', '=cmd'])
  expect(feed?.slice(1)).toEqual([
    'Admin token',
    'Made a calendar',
    'Ada Brandt, Bob Fischer',
    'First link',
  ])
  const [inGerman] = await audited('?lang=de')
  expect(inGerman?.slice(1, 3)).toEqual(['Admin-Token', 'Token erstellt'])
})

it('Finds entries by person, actor, action and calendar', async () => {
  const { id } = await bridge.createFeed({ userIds: ['usr_cleo'] })
  await clock.advance(1)
  await bridge.api('PATCH', `/api/feeds/${id}`, { name: 'Cleo' })
  const made = await bridge.api('POST', '/api/tokens', { name: 'night', role: 'support' })
  const { token } = (await made.json()) as { token: string }
  const night = await enterConsole(bridge, token)
  await night.open('/console')
  const whatOf = async (query: string) => (await audited(query)).map(([, , what]) => what)
  expect(await whatOf('?userId=usr_cleo')).toEqual(['Changed a calendar', 'Made a calendar'])
  expect(await whatOf(`?feedId=${id}&action=feed_changed`)).toEqual(['Changed a calendar'])
  expect(await whatOf('?actor=night')).toEqual(['Signed in'])
  expect(await whatOf('?actor=Admin%20token&action=token_created&userId=usr_cleo')).toEqual([])
  const meant = await admin.open('/console/audit?userId=Cleo&action=feed_created')
  expect([meant.status, meant.headers.get('Location')]).toEqual([
    303,
    '/console/audit?userId=usr_cleo&action=feed_created',
  ])
  const none = await admin.read('/console/audit?userId=usr_cleo&action=feed_closed')
  expect(none).toContain('No entry matches the filters.')
  const several = await admin.read('/console/audit?userId=sample.example')
  expect(several).toMatch(/href="\/console\/audit\?userId=usr_cleo">Cleo /)
})

it('Counts a day from midnight to midnight in the company’s time zone', async () => {
  const make = async (name: string, at: string) => {
    await clock.advance(Date.parse(at) - clock.now())
    await bridge.api('POST', '/api/tokens', { name, role: 'reader' })
  }
  await make('before midnight', '2026-01-05T22:30:00Z')
  await make('after midnight', '2026-01-05T23:30:00Z')
  const labels = async (query: string) => (await audited(query)).map(([, , , , label]) => label)
  const of = '?action=token_created&'
  expect(await labels(`${of}since=2026-01-06`)).toEqual(['after midnight'])
  expect(await labels(`${of}until=2026-01-05`)).toContain('before midnight')
  expect(await labels(`${of}until=2026-01-05`)).not.toContain('after midnight')
  const wrong = await admin.open('/console/audit?since=yesterday&userId=usr_ada')
  expect(wrong.status).toBe(400)
  const html = await wrong.text()
  expect(html).toMatch(/name="since" value="yesterday" aria-invalid="true"/)
  expect(html).toContain('value="usr_ada"')
})

it('Leads page by page through all entries, and exports all that match', async () => {
  const feed = await bridge.createFeed({ userIds: ['usr_mia'], name: 'Mia' })
  for (let number = 0; number < 60; number += 1) {
    await clock.advance(1)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { name: `Mia ${number}` })
  }
  await clock.advance(1)
  await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: '=1+1' })
  const first = await admin.read('/console/audit?userId=usr_mia')
  await clock.advance(1)
  const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first) ?? []
  const second = rowsOf(await admin.read(older.replaceAll('&amp;', '&')))
  expect([rowsOf(first).length, second.length]).toEqual([50, 12])
  expect(second.at(-1)?.[2]).toBe('Made a calendar')

  const reply = await admin.open('/console/audit.csv?userId=usr_mia&lang=de')
  expect(reply.headers.get('Content-Disposition')).toBe('attachment; filename=audit.csv')
  const lines = (await reply.text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(64)
  expect(lines[0]).toBe('Wann (Europe/Berlin);Wer;Was;Unternehmen;Für wen;Kalender;Link oder Grund')
  expect(lines[1]).toContain(';Admin-Token;Protokoll exportiert;main;usr_mia;;')
  expect(lines[2]).toBe(
    `2026-01-06 00:30:00;Admin-Token;Link hinzugefügt;main;usr_mia;${feed.id};'=1+1`,
  )
  const [exported] = await audited('?userId=usr_mia')
  expect(exported?.slice(1, 4)).toEqual(['Admin token', 'Exported the audit log', 'Mia Wagner'])
})

it('Shows staff of one company nothing of others, and the entries of all only to staff of all', async () => {
  const two = await startTwoCompanies()
  await two.bridge.createFeed({ userIds: ['usr_ada'], companyId: 'north' })
  await two.clock.advance(1)
  await two.bridge.createFeed({ userIds: ['usr_zoe'], companyId: 'south' })
  const south = await enterConsole(two.bridge, await two.token('hr', 'reader', 'south'))
  const all = await enterConsole(two.bridge)
  const peopleIn = async (session: ConsoleSession, query: string) =>
    rowsOf(await session.read(`/console/audit${query}`)).map(([, , , whom]) => whom)
  expect(await peopleIn(south, '?action=feed_created')).toEqual(['Zoe Lovelace'])
  expect(await peopleIn(south, '?action=feed_created&scope=all')).toEqual(['Zoe Lovelace'])
  expect(await (await south.open('/console/audit.csv?scope=all')).text()).not.toContain('usr_ada')
  expect(await peopleIn(all, '?action=feed_created')).toEqual(['Ada Lovelace'])
  expect(await peopleIn(all, '?action=feed_created&company=south')).toEqual(['Zoe Lovelace'])
  expect(await peopleIn(all, '?action=feed_created&scope=all')).toEqual([
    'Zoe Lovelace',
    'Ada Lovelace',
  ])
  await two.close()
})
