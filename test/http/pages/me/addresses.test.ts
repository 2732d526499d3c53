/* Where the links of the page lead: to the same calendar, in the same language. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startBridge, type TestBridge } from '../../../support/bridge/bridge.ts'
import {
  fromOurPage,
  keyOf,
  signIn,
  signInPerson,
  Visitor,
} from '../../../support/bridge/own-page.ts'

let bridge: TestBridge
let ada: Visitor
let first: string
let second: string

beforeAll(async () => {
  const oidc = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'bridge', OIDC_ADMIN: 'g=hr' }
  bridge = await startBridge({ environment: oidc })
  const node = await bridge.node()
  ada = await signInPerson(node, 'usr_ada')
  first = (await bridge.createFeed({ userIds: ['usr_ada'], name: 'First' })).id
  second = (await bridge.createFeed({ userIds: ['usr_ada'], name: 'Second & last' })).id
})

afterAll(() => bridge.close())

const html = { Accept: 'text/html,*/*;q=0.8' }

/** Every address of a page of that path, as the page writes them. */
function linksTo(path: string, text: string): readonly string[] {
  const found = text.matchAll(/(?:href|action)="([^"]*)"/g)
  const all = [...found].map(([, address = '']) => address.replaceAll('&amp;', '&'))
  return [...new Set(all.filter((one) => one.split('?')[0] === path))].toSorted()
}

it('the language link keeps the chosen calendar, and the calendar links keep the language', async () => {
  const { text } = await ada.open(bridge.url, `/me?feed=${second}&lang=en`)
  expect(linksTo('', text)).toEqual([`?feed=${second}&lang=de`])
  expect(linksTo('/me', text)).toEqual(
    [
      ...[first, second].map((id) => `/me?feed=${id}&lang=en`),
      // The two views of the preview.
      ...['#preview', '&view=others#preview'].map((view) => `/me?feed=${second}&lang=en${view}`),
    ].toSorted(),
  )
  const german = await ada.open(bridge.url, `/me?feed=${second}&lang=de`)
  expect(german.text).toContain('<html lang="de">')
  expect(german.text).toMatch(/<h1[^>]*>Second &amp; last</)
  expect(linksTo('', (await ada.open(bridge.url)).text)).toEqual(['?lang=de'])
  const asked = await ada.open(bridge.url, `/me?feed=${second}&day=2026-01-05&lang=en`)
  expect(linksTo('', asked.text)).toEqual([`?feed=${second}&day=2026-01-05&lang=de`])
})

it('a refused form, the page of a new address and the redirect after a form keep both', async () => {
  const at = `/me?lang=de`
  const send = (fields: Record<string, string>): ReturnType<Visitor['open']> => {
    const body = new URLSearchParams({ feed: second, ...fields }).toString()
    return ada.open(bridge.url, at, { method: 'POST', headers: fromOurPage, body })
  }
  const refused = await send({ action: 'link', label: '', key: keyOf('a') })
  expect([refused.status, linksTo('', refused.text)]).toEqual([400, [`?feed=${second}&lang=en`]])
  expect(linksTo('/me', refused.text)).toContain(`/me?feed=${second}&lang=de`)
  const made = await send({ action: 'link', label: 'phone', key: keyOf('b') })
  expect([made.status, linksTo('/me', made.text)]).toEqual([200, [`/me?feed=${second}&lang=de`]])
  const ended = await send({ action: 'end', label: 'phone', confirm: 'yes' })
  expect(ended.headers['location']).toBe(`/me?feed=${second}&lang=de&saved#saved`)
})

it('the calendar of the page, opened in a browser, redirects to the page or to sign-in', async () => {
  const path = `/me/calendar.ics?feed=${second}&lang=de`
  const opened = await ada.open(bridge.url, path, { headers: html })
  const page = `/me?feed=${second}&lang=de`
  expect([opened.status, opened.headers['location']]).toEqual([303, page])
  expect(opened.headers['cache-control']).toBe('no-store')
  const staff = { actor: 'staff:boss@sample.example', role: 'admin' } as const
  const boss = await signIn(await bridge.node(), { person: null, staff })
  for (const [visitor, place] of [
    [new Visitor('a=b'), '/sign-in'],
    [boss, '/console'],
  ] as const) {
    const led = await visitor.open(bridge.url, path, { headers: html })
    expect([led.status, led.headers['location']]).toEqual([303, place])
    for (const Accept of ['*/*', 'text/calendar', 'application/json']) {
      expect((await visitor.open(bridge.url, path, { headers: { Accept } })).status).toBe(401)
    }
  }
})

it('a visitor without access is told so, without a note that nothing was changed', async () => {
  const { status, text } = await ada.open(bridge.url, '/console', { headers: html })
  expect([status, text.includes('You have no access to this page')]).toEqual([403, true])
  expect(text).not.toContain('Nothing was changed')
})
