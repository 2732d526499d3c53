/* Tokens in the console: made, shown once, listed and revoked. */
import { expect, it, onTestFinished } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { startTwoCompanies } from '../../support/bridge/two-companies.ts'

async function begin(): Promise<TestBridge> {
  const bridge = await startBridge()
  onTestFinished(() => bridge.close())
  return bridge
}

function tokenIn(html: string): string {
  const [, token = ''] = /<pre id="secret"[^>]*>(cft_[\w-]+)</.exec(html) ?? []
  return token
}

it('Shows a new token once, lists it, and ends its sessions when it is revoked', async () => {
  const bridge = await begin()
  const admin = await enterConsole(bridge)
  expect(await admin.read('/console/tokens')).toContain('There are no tokens yet.')
  const reply = await admin.send('/console/tokens', {
    act: 'make',
    name: ' Pay & roll ',
    role: 'support',
  })
  expect(reply.status).toBe(200)
  const token = tokenIn(await reply.text())
  const support = await enterConsole(bridge, token)
  const list = await admin.read('/console/tokens')
  expect(list).not.toContain(token)
  expect(list).toMatch(/Pay &amp; roll<\/th>\s*<td[^>]*>Support<\/td>/)
  expect(list).not.toContain('You are signed in with this')

  const [, address = ''] = /href="([^"]*revoke=[^"]*)"/.exec(list) ?? []
  const asked = await admin.read(address.replaceAll('&amp;', '&'))
  expect(asked).toContain('Revoke the token “Pay &amp; roll”?')
  expect(asked).toContain('It has the role Support for all companies. Last used: just now.')
  expect((await support.open('/console')).status).toBe(200)
  const form = { act: 'revoke', name: 'Pay & roll', companyId: '' }
  const revoked = await admin.send('/console/tokens', form)
  expect(await admin.read(revoked.headers.get('Location') ?? '')).toContain('The token is revoked.')
  expect((await support.open('/console')).status).toBe(303)
  const again = await admin.send('/console/tokens?lang=de', form)
  expect(again.status).toBe(404)
  expect(await again.text()).toMatch(/<p data-reason>Dieses Token gibt es nicht/)
})

it('Says beside the name what is wrong with it, and keeps what was typed', async () => {
  const bridge = await begin()
  const admin = await enterConsole(bridge)
  const form = { act: 'make', name: 'hr', role: 'admin' }
  await admin.send('/console/tokens', form)
  const taken = await admin.send('/console/tokens?lang=de', form)
  expect(taken.status).toBe(409)
  const html = await taken.text()
  expect(html).toContain('Ein Token mit diesem Namen gibt es schon.')
  expect(html).toMatch(/value="hr" aria-describedby="name-hint name-fault" aria-invalid="true"/)
  expect(html).toContain('value="admin" checked')
  const nameless = await admin.send('/console/tokens', { ...form, name: ' ' })
  expect(nameless.status).toBe(400)
  expect(await nameless.text()).toContain('A name is one line of 1 to 100 characters.')
})

it('Lets staff of one company make, see and revoke only tokens of that company', async () => {
  const two = await startTwoCompanies()
  onTestFinished(two.close)
  await two.token('other', 'reader', 'south')
  await two.token('of all', 'reader')
  const north = await enterConsole(two.bridge, await two.token('boss', 'admin', 'north'))
  const all = await enterConsole(two.bridge)
  const make = { act: 'make', name: 'helper', role: 'admin' }
  expect(await north.read('/console/tokens')).not.toContain('name="companyId"')
  expect((await north.send('/console/tokens', { ...make, companyId: 'south' })).status).toBe(404)
  const made = await north.send('/console/tokens', make)
  const helper = await enterConsole(two.bridge, tokenIn(await made.text()))
  expect(await helper.read('/console/audit')).not.toContain('south')
  const list = await north.read('/console/tokens')
  expect(list).toMatch(/boss <span[^>]*>You are signed in with this<\/span>/)
  expect(list).not.toMatch(/helper <span|other|of all/)
  for (const [name, companyId] of [
    ['other', 'south'],
    ['of all', ''],
  ] as const) {
    const form = { act: 'revoke', name, companyId }
    expect((await north.send('/console/tokens', form)).status).toBe(404)
  }
  const listOfAll = await all.read('/console/tokens')
  expect(listOfAll).toMatch(/other<\/th>/)
  expect(listOfAll).toMatch(/of all<\/th>/)
  expect((await all.send('/console/tokens', { ...make, companyId: 'west' })).status).toBe(400)
})

it('Revokes the token of all companies, and never one of a company with the same name', async () => {
  const two = await startTwoCompanies()
  onTestFinished(two.close)
  const admin = await enterConsole(two.bridge)
  await two.token('night', 'reader')
  // A company may use the name, too.
  const north = await enterConsole(two.bridge, await two.token('boss', 'admin', 'north'))
  await north.send('/console/tokens', { act: 'make', name: 'night', role: 'reader' })
  const form = { act: 'revoke', name: 'night', companyId: '' }
  expect((await admin.send('/console/tokens', form)).status).toBe(303)
  expect((await admin.send('/console/tokens', form)).status).toBe(404)
  expect(await north.read('/console/tokens')).toContain('night')
})
