/* A link made to say only "Away" says nothing else, whatever its holder sends and whoever replaces it; and what is read of forms from elsewhere. */
import { expect } from 'vitest'

import { startBridge } from '../../../support/bridge/bridge.ts'
import { it, pollNow } from '../../../support/bridge/fixtures.ts'
import { keyOf, newAddress, signInPerson } from '../../../support/bridge/own-page.ts'

const label = 'family'
const away = { action: 'link', label, key: keyOf('a'), onlyAway: 'yes' }

/** What a holder who wants to see more may send. */
const sneaky: readonly (readonly [string, string][])[] = [
  [
    ['show', 'leaves'],
    ['show', 'shifts'],
    ['show', 'tasks'],
    ['detail', 'full'],
  ],
  [['show', 'timesheets']],
  [['detail', 'type']],
  [
    ['show', 'leaves'],
    ['onlyAway', ''],
  ],
  [
    ['from', 'show=leaves&detail=full'],
    ['show', 'leaves'],
    ['detail', 'full'],
  ],
]

/** What of the calendar is not "Away", whatever is sent to its page. */
async function raised(address: string): Promise<readonly string[]> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const seen: string[] = []
  for (const form of sneaky) {
    const body = new URLSearchParams(form.map(([name, value]): [string, string] => [name, value]))
    await fetch(address.replace(/\/[^/]*$/, ''), { method: 'POST', body, headers })
    const { status, titles } = await pollNow(address)
    expect([status, titles.length > 0]).toEqual([200, true])
    seen.push(...titles)
  }
  return seen.filter((title) => !/^Away\b/.test(title))
}

it('an “Away” link stays so after its holder, its person and HR have each replaced it', async ({
  bridge,
  node,
}) => {
  const ada = await signInPerson(node, 'usr_ada')
  const { id } = await bridge.createFeed({ userIds: ['usr_ada'] })
  const made = await ada.send(bridge.url, { ...away, feed: id })
  const first = newAddress(made) ?? ''
  expect(await raised(first)).toEqual([])
  const replace = { action: 'replace', feed: id, label, key: keyOf('b'), confirm: 'yes' }
  const second = newAddress(await ada.send(bridge.url, replace)) ?? ''
  expect(await raised(second)).toEqual([])
  const byHolder = await fetch(second.replace(/\/[^/]*$/, ''), {
    method: 'POST',
    body: new URLSearchParams({ action: 'replace', confirm: 'yes' }),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  const third = newAddress({ status: 200, headers: {}, text: await byHolder.text() }) ?? ''
  expect(await raised(third)).toEqual([])
  const rotated = await bridge.api('POST', `/api/feeds/${id}/rotations`, { label })
  const { url: fourth } = (await rotated.json()) as { readonly url: string }
  for (const selfService of [true, false, true]) {
    await bridge.api('PATCH', `/api/feeds/${id}`, { options: { selfService } })
    expect(await raised(fourth)).toEqual([])
  }
  expect(new Set([first, second, third, fourth]).size).toBe(4)
})

it('a form from elsewhere is refused before it is read', async ({ bridge, node }) => {
  const ada = await signInPerson(node, 'usr_ada')
  const large = { action: 'x'.repeat(9000) }
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  expect((await ada.send(bridge.url, large, type)).status).toBe(403)
  expect((await ada.send(bridge.url, large)).status).toBe(413)
})

it('the page of a link says how to get another link', async ({ bridge, environment }) => {
  const provider = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a' }
  const settings = { ...environment, ...provider, OIDC_CLIENT_SECRET: 'b' }
  const signing = await startBridge({ environment: settings })
  try {
    const own = { userIds: ['usr_ada'] }
    const others = { userIds: ['usr_ada'], audience: 'others', options: { selfService: true } }
    const told: string[] = []
    for (const [at, feed] of [
      [bridge, own],
      [signing, own],
      [signing, others],
    ] as const) {
      const { links } = await at.createFeed(feed)
      const page = await fetch(links[0]!.url.replace(/\/[^/]*$/, ''))
      const text = await page.text()
      const bySignIn = text.includes('You can create another link yourself: sign in.')
      const fromHr = text.includes('Only HR can give you another link.')
      told.push(`${bySignIn ? 'sign-in' : ''}${fromHr ? 'HR' : ''}`)
    }
    expect(told).toEqual(['HR', 'sign-in', 'HR'])
  } finally {
    await signing.close()
  }
})
