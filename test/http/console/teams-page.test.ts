/* Teams in the console: managers, members, who is away in a month, and a calendar of the team. */
import { describe, expect } from 'vitest'

import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { it as base } from '../../support/bridge/fixtures.ts'
import { readDirectory } from '../../support/bridge/node.ts'
import { leave } from '../../support/company/people.ts'

const address = '/console/teams/usr_mia'

/** Ada, Bob and Cleo report to Mia, Dan to Bob; Eve reports to Mia, but has left. */
const people = [
  ['usr_ada', 'Ada', 'usr_mia'],
  ['usr_bob', 'Bob', 'usr_mia'],
  ['usr_cleo', 'Cleo', 'usr_mia'],
  ['usr_dan', 'Dan', 'usr_bob'],
  ['usr_eve', 'Eve', 'usr_mia'],
  ['usr_mia', 'Mia', null],
] as const

const it = base
  .extend('settings', { DIRECTORY_FRESH_SECONDS: '3600' })
  .extend('records', ({ records }) => {
    const users = people.map(([id, firstName, assignedManagerId]) => ({
      id,
      firstName,
      lastName: 'Of Acme',
      email: `${id}@example.com`,
      isActive: id !== 'usr_eve',
      ...(assignedManagerId && { assignedManagerId }),
    }))
    return {
      ...records,
      users,
      tasks: { prj_web: [{ id: 'tsk_all', title: 'All', assignees: users }] },
      leaves: {
        usr_ada: [leave('lv_1', '2026-01-12'), leave('lv_2', '2026-01-26', { days: 0.5 })],
        usr_bob: [leave('lv_3', '2026-01-12')],
        usr_cleo: [leave('lv_4', '2026-01-19', { status: 'PENDING' })],
      },
    }
  })
  .extend('console', async ({ bridge, node, clock }): Promise<ConsoleSession> => {
    // The first reading sees who is named in tasks, the second who reports to whom.
    await readDirectory(node)
    await clock.advance(3_700_000)
    await readDirectory(node)
    return enterConsole(bridge)
  })

/** The text of the page, as a reader gets it. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(?:script|style|nav)[^]*?<\/(?:script|style|nav)>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

describe('the list of teams', () => {
  it('has each manager with how many report directly and are here', async ({ console }) => {
    const html = await console.read('/console/teams')
    const rows = [...html.matchAll(/<a href="\/console\/teams\/(\w+)">[^]*?class="number">(\d+)</g)]
    expect(rows.map(([, id, count]) => [id, count])).toEqual([
      ['usr_bob', '1'],
      ['usr_mia', '3'],
    ])
    expect(await console.read('/console/teams?search=mia')).not.toContain('/console/teams/usr_bob"')
    expect(await console.read('/console/teams?search=zzz')).toContain('No manager fits')
    expect((await console.open('/console/teams/usr_dan')).status).toBe(200)
    expect((await console.open('/console/teams/usr_nobody')).status).toBe(404)
  })
})

describe('a team', () => {
  it('has its members directly or at any depth, without people who have left', async ({
    console,
  }) => {
    const direct = await console.read(address)
    expect(textOf(direct)).toContain('Page of Mia Of Acme')
    expect(textOf(direct)).toMatch(/Members: 3 .* Ada Of Acme .* Bob Of Acme .* Cleo Of Acme/)
    expect(direct).not.toMatch(/Dan Of Acme|Eve Of Acme/)
    expect(textOf(await console.read(`${address}?depth=all`))).toMatch(/Members: 4 .* Dan Of Acme/)
  })

  it('shows who is away on each day of a month, and the days on which few are there', async ({
    bridge,
    console,
  }) => {
    const month = { depth: 'direct', month: '2026-01-01', threshold: '50', reason: 'Planning' }
    const answer = await console.send(`${address}/month`, month)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    const cells = [...html.matchAll(/<td data-away(.*?)>([^]*?)<\/td>/g)].map(([, thin, cell]) => [
      /datetime="(.*?)"/.exec(cell ?? '')?.[1],
      thin?.trim(),
      textOf(/<ul>[^]*<\/ul>/.exec(cell ?? '')?.[0] ?? '').trim(),
    ])
    expect(cells).toEqual([
      ['2026-01-12', 'data-thin', 'Ada Of Acme Bob Of Acme'],
      ['2026-01-19', '', 'Cleo Of Acme (pending)'],
      ['2026-01-26', '', 'Ada Of Acme (part of the day)'],
    ])
    expect(textOf(html)).toMatch(/Thin days: 1 Monday 12 January : 1 of 3 present/)
    const strict = await console.send(`${address}/month`, { ...month, threshold: '80' })
    expect(textOf(await strict.text())).toContain('Thin days: 2')
    const audit = (await (await bridge.api('GET', '/api/audit')).json()) as { data: object[] }
    expect(audit.data).toContainEqual(
      expect.objectContaining({
        action: 'calendar_viewed',
        userIds: ['usr_ada', 'usr_bob', 'usr_cleo'],
        label: 'Planning',
      }),
    )
  })

  it('names people with leave that cannot be read, and counts the others', async ({
    company,
    console,
    node,
    clock,
  }) => {
    // Leave of an id that may be somebody else's by now is not asked for.
    const held = { companyId: 'main', userId: 'usr_cleo', since: clock.now(), readAt: clock.now() }
    await node.store.newcomers.addNewcomer({ ...held, confirmedAt: clock.now() })
    const month = { month: '2026-01-01', reason: 'Planning' }
    const text = textOf(await (await console.send(`${address}/month`, month)).text())
    expect(text).toContain('It is not known when these people are away: Cleo Of Acme.')
    expect(text).toContain('At most 1 of 3 present')
    // What was read is shown until it can be read again.
    company.faults.set('leaves?', 500)
    const again = textOf(await (await console.send(`${address}/month`, month)).text())
    expect(again).toContain('At most 1 of 3 present')
  })

  it('says that the leave of a team cannot be read', async ({ company, console }) => {
    company.faults.set('leaves?', 500)
    const month = { month: '2026-01-01', reason: 'Planning' }
    const failed = await (await console.send(`${address}/month`, month)).text()
    expect(failed).toContain('The leave of this team cannot be read now.')
  })

  it('asks for a reason, and says that a month is beyond the calendars', async ({
    bridge,
    console,
  }) => {
    const refused = await console.send(`${address}/month`, { month: '2026-01-01', reason: 'x' })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Enter a reason of at least 3 characters.'),
    ])
    const beyond = { month: '2031-05-01', reason: 'Planning' }
    const html = await (await console.send(`${address}/month?lang=de`, beyond)).text()
    expect(html).toContain('Die Kalender dieses Unternehmens reichen vom 1. Okt. 2025 bis zum')
    expect(html).not.toContain('month-grid')
    const audit = await (await bridge.api('GET', '/api/audit')).text()
    expect(audit).not.toContain('calendar_viewed')
  })
})

describe('a calendar of a team', () => {
  it('is made in two steps, its address shown once, and found afterwards', async ({
    bridge,
    console,
  }) => {
    expect(await console.read(address)).toContain('There is no calendar of this team yet.')
    const form = await console.read(`${address}?make=on&depth=all`)
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(form) ?? []
    const wanted = { act: 'make', key, depth: 'all', name: 'Mia’s people' }
    const made = await console.send(address, wanted)
    const html = await made.text()
    const [, page = ''] = /id="page-address">([^<]+)</.exec(html) ?? []
    expect(made.status).toBe(200)
    expect((await fetch(page)).status).toBe(200)
    const again = await console.send(address, wanted)
    expect([again.status, again.headers.get('location')]).toEqual([303, `${address}?done=teamMade`])
    const after = await console.read(`${address}?done=teamMade`)
    expect(textOf(after)).toMatch(/Mia’s people .*at any depth · People in it: 4/)
    expect(after).not.toContain('cfb_')
    const list = (await (await bridge.api('GET', '/api/feeds')).json()) as { data: object[] }
    expect(list.data).toHaveLength(1)
  })

  it('gets a further address, is revoked, and is reopened at once', async ({ bridge, console }) => {
    const team = { managerId: 'usr_mia', depth: 'direct' }
    const { id: feed, links } = await bridge.createFeed({ team })
    const calendar = links[0]?.url ?? ''
    const added = await console.send(address, { act: 'link', feed, label: 'wall' })
    const [, page = ''] = /id="page-address">([^<]+)</.exec(await added.text()) ?? []
    expect((await fetch(page)).status).toBe(200)
    const twice = await console.send(address, { act: 'link', feed, label: 'wall' })
    expect([twice.status, textOf(await twice.text())]).toEqual([
      400,
      expect.stringContaining('There is a link with this name already'),
    ])
    const revoked = await console.send(address, { act: 'revoke', feed })
    expect((await fetch(calendar)).status).toBe(410)
    const next = await console.read(revoked.headers.get('location') ?? '')
    expect(textOf(next)).toContain('Reopen the calendar')
    await console.send(address, { act: 'reopen', feed })
    expect((await fetch(calendar)).status).toBe(200)
    const ofPerson = await bridge.createFeed({ userIds: ['usr_ada'] })
    const other = await console.send(address, { act: 'revoke', feed: ofPerson.id })
    expect(other.status).toBe(404)
  })

  it('is offered and allowed to support and admins only', async ({ bridge, console: _ }) => {
    const made = await bridge.api('POST', '/api/tokens', { name: 'eyes', role: 'reader' })
    const { token } = (await made.json()) as { token: string }
    const reader = await enterConsole(bridge, token)
    const html = await reader.read(`${address}?make=on`)
    expect(html).toContain('Show the month')
    expect(html).not.toMatch(/Make a team calendar|Make the calendar/)
    expect((await reader.send(address, { depth: 'direct' })).status).toBe(403)
  })
})
