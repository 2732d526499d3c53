/* Companies in the console: the last examination finding by finding, and a new one that nobody has to wait for. */
import { expect } from 'vitest'

import { readsFrom, startBridge } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { it } from '../../support/bridge/fixtures.ts'
import { startTwoCompanies } from '../../support/bridge/two-companies.ts'
import { foreignApi } from '../../support/company/foreign-api.ts'

const address = '/console/companies'

it('begins one examination at a time, shows that it runs, and then what it found', async ({
  bridge,
  company,
}) => {
  const console = await enterConsole(bridge)
  const before = await console.read(address)
  expect(before).toContain('This company has not been examined yet.')
  company.hold()
  const [first, second] = [await console.send(address, {}), await console.send(address, {})]
  const running = first.headers.get('location') ?? ''
  expect([first.status, second.headers.get('location')]).toEqual([303, running])
  const [watched, unwatched] = [
    await console.read(running),
    await console.read(`${running}&look=off`),
  ]
  for (const html of [watched, unwatched]) {
    expect(html).toContain('The examination is running.')
    expect(html).not.toContain('Examine again')
  }
  expect([watched, unwatched].map((html) => html.includes('data-refresh="5000"'))).toEqual([
    true,
    false,
  ])
  company.release()
  await expect.poll(() => console.read(running)).toContain('The examination is done.')
  const html = await console.read(running)
  expect(html).not.toContain('data-refresh')
  expect(html).toMatch(/Credential<\/strong> <code>credentials/)
  expect(html).toContain('Examine again')
})

it('names the settings to write, and marks English findings on a German page', async ({
  onTestFinished,
}) => {
  const authentication = { scheme: 'bearer', token: 'secret' } as const
  const { url } = await foreignApi({ authentication, challenge: 'Bearer' })
  const bridge = await startBridge({ environment: readsFrom(url) })
  onTestFinished(() => bridge.close())
  const console = await enterConsole(bridge)
  const begun = await console.send(`${address}?lang=de`, {})
  const page = begun.headers.get('location') ?? ''
  await expect.poll(() => console.read(page)).toContain('Die Prüfung ist fertig.')
  const html = await console.read(page)
  expect(html).toContain('Kalender können nicht vollständig ausgeliefert werden.')
  expect(html).toMatch(/<pre id="lines"[^>]*>WORKFORCE_AUTH=bearer:TOKEN<\/pre>/)
  expect(html).toMatch(/<strong>Zugangsdaten<\/strong>[^]*?<p lang="en">What is set \(none\)/)
})

it('shows staff of one company no other, and lets readers start nothing', async ({
  onTestFinished,
}) => {
  const running = await startTwoCompanies()
  onTestFinished(() => running.close())
  const south = await enterConsole(running.bridge, await running.token('r', 'reader', 'south'))
  const html = await south.read(address)
  expect(html).toContain('<code>south</code>')
  expect(html).not.toMatch(/north|>Examine/)
  expect((await south.send(address, {})).status).toBe(403)
  expect((await south.open(`${address}?company=north`)).status).toBe(404)
  const all = await (await enterConsole(running.bridge)).read(`${address}?company=south`)
  for (const id of ['north', 'south']) expect(all).toContain(`<span class="quiet">${id}</span>`)
})
