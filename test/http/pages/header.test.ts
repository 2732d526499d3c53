/* The header of every page: whose it is, and the way to the other language. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { calendarUrl, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import {
  type Fields,
  fromOurPage,
  keyOf,
  type PageReply,
  signInPerson,
  Visitor,
} from '../../support/bridge/own-page.ts'

const anybody = new Visitor('a=b')
const html = { Accept: 'text/html,*/*;q=0.8' }

let bridge: TestBridge
let ada: Visitor
let bob: Visitor
/** By what the holder does with it. */
let links: Readonly<Record<'kept' | 'replaced' | 'ended', string>>

beforeAll(async () => {
  const environment = {
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'bridge',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'calendar@sample.example',
  }
  bridge = await startBridge({ environment })
  const node = await bridge.node()
  const staff = { actor: 'staff:ada@sample.example', role: 'admin', companyId: null } as const
  ada = await signInPerson(node, 'usr_ada', staff)
  bob = await signInPerson(node, 'usr_bob')
  const feed = async (userId: string): Promise<string> => {
    const made = calendarUrl(await bridge.createFeed({ userIds: [userId] }))
    return new URL(made).pathname.replace(/\/[^/]*$/, '')
  }
  const kept = await feed('usr_ada')
  links = { kept, replaced: await feed('usr_cleo'), ended: await feed('usr_cleo') }
})

afterAll(() => bridge.close())

/** `ada` has a calendar and is staff, `bob` has none. */
type Who = 'anybody' | 'ada' | 'bob'
type Opened = readonly [name: string, who: Who, path: () => string, sent: Fields | null]

const confirm = 'yes'
const pages: readonly Opened[] = [
  ['the front page', 'anybody', () => '/', null],
  ['a lost link that was asked for', 'anybody', () => '/lost-link', { email: 'a@b.example' }],
  ['an unknown page', 'anybody', () => '/nothing', null],
  ['an unknown page that was sent a form', 'anybody', () => '/nothing', {}],
  ['an unknown link', 'anybody', () => '/feeds/cfb_unknown', null],
  ['a refused sign-in', 'anybody', () => '/sign-in/callback?code=x&state=y', null],
  ['the page of a link', 'anybody', () => links.kept, null],
  ['a refused form of a link', 'anybody', () => links.kept, { action: 'end' }],
  ['a form of a link that is wrong', 'anybody', () => links.kept, { action: 'x' }],
  ['a replaced link', 'anybody', () => links.replaced, { action: 'replace', confirm }],
  ['a link that its holder ends', 'anybody', () => links.ended, { action: 'end', confirm }],
  ['one’s own page', 'ada', () => '/me', null],
  ['a new link', 'ada', () => '/me', { action: 'link', feed: '', label: 'phone', key: keyOf('a') }],
  ['no calendar yet', 'bob', () => '/me', null],
  ['the console', 'ada', () => '/console', null],
  ['a console that is not open', 'bob', () => '/console', null],
]

async function open(who: Who, path: string, lang: string, sent: Fields | null): Promise<PageReply> {
  const visitor = { anybody, ada, bob }[who]
  const headers = { ...html, 'Accept-Language': lang }
  if (!sent) {
    const asked = path.startsWith('/feeds/') ? `${path}?lang=${lang}` : path
    return visitor.open(bridge.url, asked, { headers })
  }
  const feed = sent['feed'] === '' && { feed: await ownFeed() }
  const body = new URLSearchParams({ ...sent, ...feed }).toString()
  const asked = { method: 'POST', headers: { ...headers, ...fromOurPage }, body }
  return visitor.open(bridge.url, `${path}?lang=${lang}`, asked)
}

async function ownFeed(): Promise<string> {
  const { text } = await ada.open(bridge.url)
  return /name="feed" value="([^"]*)"/.exec(text)?.[1] ?? ''
}

interface Header {
  readonly language: string | undefined
  readonly name: string | undefined
  readonly front: string | undefined
  readonly others: readonly string[]
}

function headerOf({ text }: PageReply): Header {
  const [, header = ''] = /<header class="site">(.*?)<\/header>/s.exec(text) ?? []
  const [, front, inside = ''] = /<a class="brand" href="([^"]*)">(.*?)<\/a>/s.exec(header) ?? []
  const others = header.matchAll(/<a class="language" href="([^"]*)"/g)
  return {
    language: /<html lang="(\w+)"/.exec(text)?.[1],
    name: />([^<]+)<\/span>/.exec(inside)?.[1],
    front,
    others: [...others].map(([, address = '']) => address.replaceAll('&amp;', '&')),
  }
}

describe('the header', () => {
  it.each(pages)(
    '%s: names the bridge and leads to the other language',
    async (_, who, at, sent) => {
      const path = at()
      const reply = await open(who, path, 'de', sent)
      const { others, ...header } = headerOf(reply)
      expect(header).toEqual({ language: 'de', name: 'Arbeitskalender', front: '/?lang=de' })
      expect(others).toHaveLength(1)
      const { pathname, search } = new URL(others[0] ?? '', bridge.url + path)
      const visitor = { anybody, ada, bob }[who]
      const english = await visitor.open(bridge.url, pathname + search, { headers: html })
      expect(headerOf(english)).toMatchObject({ language: 'en', name: 'Work calendars' })
      const was = /<h1[^>]*>([^<]*)/
      if (!sent) expect([english.status, was.test(english.text)]).toEqual([reply.status, true])
      else expect(english.text).not.toContain('does not take')
    },
  )

  it('after a replacement and for a new link, the other language is on the new page', async () => {
    const made = await open('ada', '/me', 'en', {
      action: 'link',
      feed: '',
      label: 'tablet',
      key: keyOf('b'),
    })
    const [address = ''] = headerOf(made).others
    expect(made.text).toContain(`${address.split('?')[0]}`)
    expect(address).toMatch(/^\/feeds\/cfb_[\w-]{43}\?lang=de$/)
  })

  it('the documentation is in English only', async () => {
    const { others, front } = headerOf(await anybody.open(bridge.url, '/docs'))
    expect([others, front]).toEqual([[], '/'])
  })

  it('signed-in people keep their language when they go to the front page', async () => {
    const { headers } = await ada.open(bridge.url, '/?lang=de')
    expect(headers['location']).toBe('/me?lang=de')
  })

  it('a refusal that does not exist is an unknown page', async () => {
    const asked = await anybody.open(bridge.url, '/sign-in/refused?cause=toString', {
      headers: html,
    })
    expect(asked.status).toBe(404)
  })
})
