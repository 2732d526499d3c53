/* What takes one press: a link for this device, and one to share. And what each link then says of itself. */
import { describe, expect, it as bareIt } from 'vitest'

import { deviceOf } from '../../../../src/http/pages/device.ts'
import { it as base, pollNow } from '../../../support/bridge/fixtures.ts'
import {
  type Fields,
  fromOurPage,
  keyOf,
  newAddress,
  type PageReply,
  signInPerson,
} from '../../../support/bridge/own-page.ts'

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Gecko/20100101 Firefox/140.0'

bareIt.each([
  ['iPhone', iPhone],
  ['iPad', 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15'],
  ['Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15'],
  ['Android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36'],
  ['Windows', windows],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Computer', 'curl/8.0'],
])('the device is told by its browser: %s', (device, userAgent) => {
  expect(deviceOf({ headers: { 'user-agent': userAgent } })).toBe(device)
  expect(deviceOf({ headers: {} })).toBe('Computer')
  const reported = { 'sec-ch-ua-platform': '"Android"', 'user-agent': userAgent }
  expect(deviceOf({ headers: reported })).toBe('Android')
})

const it = base.extend('ada', async ({ bridge, node }) => {
  const { id: feed } = await bridge.createFeed({ userIds: ['usr_ada'] })
  const visitor = await signInPerson(node, 'usr_ada')
  return {
    feed,
    open: (userAgent: string): Promise<PageReply> =>
      visitor.open(bridge.url, '/me', { headers: { 'User-Agent': userAgent } }),
    send: (fields: Fields, userAgent: string): Promise<PageReply> =>
      visitor.send(bridge.url, fields, { ...fromOurPage, 'User-Agent': userAgent }),
  }
})

/** The fields of the page's form that begins with that button's card. */
function fieldsOf({ text }: PageReply, start: string): Fields {
  const form = text.slice(text.indexOf(start)).split('</form>')[0] ?? ''
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}

describe('a link by one press', () => {
  it('is labelled by the device, and the page shows the way for that device first', async ({
    ada,
  }) => {
    const fields = fieldsOf(await ada.open(iPhone), 'id="device"')
    expect(fields).toMatchObject({ action: 'link', label: 'iPhone' })
    const made = await ada.send(fields, iPhone)
    expect(made.status).toBe(200)
    expect(made.text).toContain('<h1>Add it to this iPhone</h1>')
    const [first = '', folded] = made.text.split('<details class="card further">')
    expect([first.includes('href="webcal:'), folded?.includes('href="webcal:')]).toEqual([
      true,
      false,
    ])
    expect((await pollNow(newAddress(made)!)).status).toBe(200)
    const again = await ada.open(iPhone)
    expect(again.text).toContain('You already have a link “iPhone”.')
    const second = fieldsOf(again, 'id="device"')
    expect(second['label']).toBe('iPhone 2')
    expect((await ada.send(second, iPhone)).text).toContain('<h1>Add it to this iPhone</h1>')
    expect(fieldsOf(await ada.open(windows), 'id="device"')['label']).toBe('Windows')
  })

  it('to share shows only “Away”, and its page is not about adding it oneself', async ({ ada }) => {
    const me = await ada.open(windows)
    const before = me.text.slice(0, me.text.indexOf('id="share"'))
    expect(before.split('<details').length).toBe(before.split('</details>').length)
    const fields = fieldsOf(me, 'id="share"')
    expect(fields).toMatchObject({ label: 'Family', onlyAway: 'yes' })
    const { status, text } = await ada.send(fields, windows)
    expect([status, text.includes('<h1>Share it now</h1>')]).toEqual([200, true])
    const page = /data-share data-address="([^"]+)"/.exec(text)?.[1]
    expect(page).toMatch(/\/feeds\/cfb_[\w-]{43}$/)
    expect(text).not.toMatch(/webcal:|outlook|calendar\.google/i)
    const seen = await pollNow(`${page}/x.ics`)
    expect([seen.status, seen.titles.filter((title) => !/^Away\b/.test(title))]).toEqual([200, []])
  })

  it('of another name leads to the other device', async ({ ada }) => {
    const form = { action: 'link', feed: ada.feed, key: keyOf('o'), label: 'work phone' }
    const { text } = await ada.send(form, iPhone)
    expect(text).toContain('<h1>Open it on your other device</h1>')
    expect(text.indexOf('aria-label="QR code')).toBeLessThan(text.indexOf('href="webcal:'))
  })
})

it('each link says when which program synced it last', async ({ ada, clock, node }) => {
  const status = async (): Promise<readonly (string | undefined)[]> => {
    const { text } = await ada.open(windows)
    return /data-state="(\w+)">([^<]+)</.exec(text)?.slice(1) ?? []
  }
  expect(await status()).toEqual(['waiting', 'Waiting for the first sync'])
  const [link] = await node.store.links.listLinks([ada.feed])
  const at = clock.now()
  const polled = { firstPolledAt: at, lastPolledAt: at, lastStatus: 200, polls: 1 }
  const { tokenHash } = link!
  await node.store.activity.addActivity([
    { tokenHash, client: 'apple', hasChangeOf: at, ...polled },
  ])
  expect(await status()).toEqual(['synced', 'Synced just now · Apple'])
  await clock.advance(2 * 3_600_000)
  expect(await status()).toEqual(['synced', 'Synced 2 hours ago · Apple'])
})
