/* The company's defaults in the console: what holds, what a change would reach, and saving it. */
import { expect } from 'vitest'

import { enFrame } from '../../../src/http/console/words/frame.ts'
import type { TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { it } from '../../support/bridge/fixtures.ts'

const address = '/console/defaults'

async function defaultsOf(bridge: TestBridge): Promise<Record<string, unknown>> {
  const answer = await bridge.api('GET', '/api/companies/main')
  return ((await answer.json()) as { defaults: Record<string, unknown> }).defaults
}

/** The hidden fields of that form. */
function hiddenIn(html: string, form: string): Record<string, string> {
  const [, part = ''] = html.split(`name="act" value="${form}">`)
  const found = [
    ...(part.split('</form>')[0] ?? '').matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g),
  ]
  const texts = found.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')])
  return { act: form, ...Object.fromEntries(texts) }
}

/** Fills the form as the page has it and presses Check. */
async function check(
  console: ConsoleSession,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly html: string }> {
  const made = hiddenIn(await console.read(address), 'check')
  const answer = await console.send(address, { ...made, ...fields })
  return { status: answer.status, html: await answer.text() }
}

it('says whom a change reaches before it is saved, and saves just that', async ({ bridge }) => {
  await bridge.createFeed({ userIds: ['usr_ada'] })
  await bridge.createFeed({ userIds: ['usr_bob'] })
  await bridge.createFeed({ userIds: ['usr_ada'], options: { leaves: { detail: 'type' } } })
  await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  const ended = await bridge.createFeed({ userIds: ['usr_bob'] })
  await bridge.api('DELETE', `/api/feeds/${ended.id}`)
  const console = await enterConsole(bridge)
  const { html } = await check(console, {
    'own.leaves.detail': 'full',
    'others.leaves.privateCategories.none': 'on',
  })
  expect(html).toContain('This change reaches 3 of 4 open calendars.')
  expect(html).toContain('Save for 3 calendars')
  expect(await defaultsOf(bridge)).toMatchObject({ own: {}, others: {} })
  const saved = await console.send(address, hiddenIn(html, 'save'))
  expect([saved.status, saved.headers.get('location')]).toEqual([
    303,
    `${address}?done=defaultsSaved`,
  ])
  const defaults = {
    own: { leaves: { detail: 'full' } },
    others: { leaves: { privateCategories: [] } },
  }
  expect(await defaultsOf(bridge)).toMatchObject(defaults)
  const again = await check(console, { 'own.leaves.detail': 'full' })
  expect(again.html).toContain('Usual: *, !ANNUAL')
})

it('changes what was changed in the form alone, though somebody else has saved meanwhile', async ({
  bridge,
}) => {
  await bridge.createFeed({ userIds: ['usr_ada'] })
  const console = await enterConsole(bridge)
  const { html } = await check(console, { name: 'Work of {firstName}' })
  const other = { own: { colors: false, shifts: { as: 'day' } } }
  await bridge.api('PATCH', '/api/companies/main', { defaults: other })
  const refused = await console.send(address, hiddenIn(html, 'save'))
  const page = await refused.text()
  expect([refused.status, page.includes('Somebody else has changed')]).toEqual([409, true])
  expect(await defaultsOf(bridge)).toMatchObject({ name: null, ...other })
  const saved = await console.send(address, hiddenIn(page, 'save'))
  expect(saved.status).toBe(303)
  expect(await defaultsOf(bridge)).toMatchObject({ name: 'Work of {firstName}', ...other })
})

it('puts each fault beside its field and keeps what was typed', async ({ bridge }) => {
  const console = await enterConsole(bridge)
  const { status, html } = await check(console, {
    name: '{lastName}',
    'own.window.pastDays': '4000',
    'others.leaves.privateCategories': '!SICK',
    'own.shifts.scheduleIds': 'sch_nowhere',
    'own.shifts.rotation': 'sch_day\nsch_night',
    'own.shifts.rotation.from': '2026-01-06',
  })
  expect(status).toBe(400)
  const faults = [...html.matchAll(/class="fault" id="([\w.-]+)-fault"/g)].map(([, id]) => id)
  expect(faults).toEqual([
    'name',
    'own.window.pastDays',
    'others.leaves.privateCategories',
    'own.shifts.rotation',
  ])
  for (const typed of ['{lastName}', '4000', '!SICK', 'sch_day\nsch_night']) {
    expect(html).toContain(typed)
  }
  expect(await defaultsOf(bridge)).toMatchObject({ name: null, own: {}, others: {} })
  const unknown = await check(console, { 'own.shifts.scheduleIds': 'sch_nowhere' })
  expect(unknown.html).toContain('There is no schedule sch_nowhere.')
})

it.for(['', '{', 'null'])('saves no change that reads %j', async (patch, { bridge }) => {
  const console = await enterConsole(bridge)
  const refused = await console.send(address, { act: 'save', patch, revision: '0' })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain(enFrame.refused.incomplete)
})

it('shows readers what holds, and offers no change', async ({ bridge }) => {
  await bridge.api('PATCH', '/api/companies/main', {
    defaults: { own: { leaves: { detail: 'full' } } },
  })
  const made = await bridge.api('POST', '/api/tokens', { name: 'eyes', role: 'reader' })
  const { token } = (await made.json()) as { token: string }
  const console = await enterConsole(bridge, token)
  const html = await console.read(address)
  expect(html).toMatch(/Kind and reason<\/span> <span class="badge">set here/)
  expect(html).not.toMatch(/<select name="own|>Check</)
  expect((await console.send(address, { act: 'check' })).status).toBe(403)
})
