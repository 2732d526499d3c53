/* An account shows only the calendar of its own link, until the link ends. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { describe, expect } from 'vitest'

import { closeFeeds } from '../../src/people/own-feeds.ts'
import { departureOf } from '../store/fixtures.ts'
import { calendarUrl, type FeedAnswer, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { recordedLog } from '../support/bridge/recorded-log.ts'
import { it as apiIt } from '../support/bridge/test-api.ts'
import {
  accountOf,
  conditionOf,
  type DavAccount,
  type DavAnswer,
  eventsOf,
  multiget,
  namespaces,
  propfind,
  query,
  readMultistatus,
  sync,
  tokenOf,
} from '../support/dav/dav-client.ts'

const dayMs = 86_400_000
const deep = { Depth: '1' }

interface TwoPeople {
  readonly ada: DavAccount
  readonly adasPhone: DavAccount
  readonly bob: DavAccount
}

const people = apiIt.extend('people', { scope: 'file' }, async ({ api }): Promise<TwoPeople> => {
  const { bridge } = api
  const ada = await api.ada()
  const bob = await bridge.createFeed({ userIds: ['usr_bob'] })
  const adasPhone = await phoneOf(bridge, ada)
  return { ada: accountOf(ada, bridge.url), adasPhone, bob: accountOf(bob, bridge.url) }
})

async function phoneOf(bridge: TestBridge, feed: FeedAnswer): Promise<DavAccount> {
  const made = await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
  return accountOf(feed, bridge.url, ((await made.json()) as { url: string }).url)
}

/** What only Bob's calendar says. */
const theirs = /_bob|Bob's/

const everything = propfind('<displayname/>', '<getetag/>', '<C:calendar-data/>')

describe('another account', () => {
  const forms: readonly ((other: string, own: string) => string)[] = [
    (other) => `/dav/calendars/${other}/`,
    (other) => `/dav/calendars/${other}`,
    (other) => `/%64av/c%61lendars/${other}/`,
    (other) => `/dav/calendars/${other.replace('_', '%5F')}/`,
    (other) => `http://127.0.0.1/dav/calendars/${other}/`,
    (other) => `http://user:pass@example.com:1/dav/calendars/${other}/`,
    (other, own) => `/dav/calendars/${own}/../${other}/`,
    (other, own) => `/dav/calendars/${own}/%2e%2e/${other}/`,
    (other, own) => `/dav/calendars/${own}/%252e%252e/${other}/`,
    (other, own) => `/dav/calendars/${own}/..%2f${other}/`,
    (other, own) => `/dav/calendars/${own}%2f..%2f${other}/`,
    (other, own) => `/dav/calendars/${own}/..\\${other}/`,
    (other, own) => `/dav/calendars/${own}\\..\\${other}\\`,
    (other, own) => `/dav/calendars/${own}/%5c..%5c${other}/`,
    (other, own) => `/dav/calendars/${own}/..;/${other}/`,
    (other, own) => `/dav/calendars/${own}//${other}/`,
    (other, own) => `/dav/calendars/${own}/${other}/`,
    (other, own) => `/dav/calendars/${own},${other}/`,
    (other, own) => `/dav/calendars/${own}%00${other}/`,
    (other, own) => `/dav/calendars/${own}/?feedId=${other}`,
    (other, own) => `/dav/calendars/${own}/#/dav/calendars/${other}/`,
    (other) => `/dav/calendars//${other}/`,
    (other) => `//dav/calendars/${other}/`,
    (other) => `//127.0.0.1/dav/calendars/${other}/`,
    (other) => `/dav/./calendars/${other}/`,
    (other) => `/./dav/calendars/${other}/`,
    (other) => `/DAV/calendars/${other}/`,
    (other) => `/dav/CALENDARS/${other}/`,
    (other) => `/dav/calendars/${other.toUpperCase()}/`,
    (other) => `/dav/calendars/${other}/.`,
    (other) => `/dav/calendars/${other}/;x`,
    (other) => `/dav/calendars/*/${other}/`,
    (other) => `/dav/calendars/*${other.slice(-2)}/`,
    (other) => `/dav/${other}/`,
    (other) => `/.well-known/caldav/../../dav/calendars/${other}/`,
    (other) => `/feeds/../dav/calendars/${other}/`,
    () => '/dav/principals/bob/',
    () => '/dav/calendars/*/',
    () => '/dav/calendars/%/',
    () => '/dav/calendars/%ff/',
  ]
  const questions: readonly (readonly [method: string, body: string])[] = [
    ['PROPFIND', everything],
    ['REPORT', query('').replace('<getetag/>', '<C:calendar-data/>')],
    ['REPORT', sync('')],
    ['GET', ''],
    ['COPY', ''],
  ]

  people('cannot be reached by any spelling of its path', async ({ people: { ada, bob } }) => {
    const shown = await bob.ask('PROPFIND', bob.calendar, { body: everything, headers: deep })
    expect(shown.text).toMatch(/lv_bob1[^]*Bob's|Bob's[^]*lv_bob1/)
    const event = (await eventsOf(bob))[0]!.split('/').at(-1)!
    for (const form of forms) {
      const calendar = form(bob.feedId, ada.feedId)
      const ofEvent = ['GET', '', calendar.replace(/\/?$/, `/${event}`)] as const
      const asked = [...questions.map((question) => [...question, calendar] as const), ofEvent]
      for (const [method, body, path] of asked) {
        const answer = await ada.ask(method, path, { body, headers: { ...deep, Destination: '/' } })
        expect([path, method, answer.text]).toEqual([
          path,
          method,
          expect.not.stringMatching(theirs),
        ])
        expect(answer.status).toBeLessThan(500)
      }
    }
  })

  people.for([
    ['If', '(["x"])'],
    ['If', '<http://127.0.0.1{other}> (["x"])'],
    ['If-Match', '*'],
    ['Destination', '{other}'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Method-Override', 'PUT'],
    ['X-Original-URL', '{other}'],
    ['X-Rewrite-URL', '{other}'],
    ['X-Forwarded-Prefix', '{other}'],
    ['X-Forwarded-Host', 'example.com'],
    ['Forwarded', 'for=1.2.3.4;host=example.com;proto=https'],
    ['Content-Location', '{other}'],
    ['Range', 'bytes=0-9'],
    ['Host', 'localhost'],
  ])('cannot be reached by the header %s: %s', async ([name, value], { people: { ada, bob } }) => {
    const headers = { ...deep, [name!]: value!.replace('{other}', bob.calendar) }
    const answer = await ada.ask('PROPFIND', ada.calendar, { body: everything, headers })
    // A request that a proxy may have forwarded is not known to be from this machine.
    const isForwarded = /forward/i.test(name!)
    expect(answer.status).toBe(isForwarded ? 403 : 207)
    expect(answer.text).not.toMatch(theirs)
    expect(/lv_ada1/.test(answer.text)).toBe(!isForwarded)
  })

  people(
    'is not confused with one that has an event of the same name',
    async ({ people: { ada, bob } }) => {
      const hrefs = (await eventsOf(bob)).map((href) => href.replace(bob.feedId, ada.feedId))
      const body = multiget(hrefs, '<getetag/><C:calendar-data/>')
      const answer = await ada.ask('REPORT', ada.calendar, { body })
      const found = readMultistatus(answer).responses.filter(({ status }) => status === undefined)
      // The task that both have.
      expect(found).toHaveLength(1)
      expect(answer.text).not.toMatch(theirs)
    },
  )

  people(
    'cannot be reached by its hrefs, whatever host they name',
    async ({ people: { ada, bob } }) => {
      const hrefs = (await eventsOf(bob)).flatMap((href) => [
        href,
        `http://127.0.0.1${href}`,
        `https://example.com${href}`,
        `http://user:pass@example.com:1${href}`,
        `//example.com${href}`,
        href.replace(bob.feedId, `${ada.feedId}/../${bob.feedId}`),
        href.slice(1),
      ])
      const body = multiget(hrefs, '<getetag/><C:calendar-data/>')
      const answer = await ada.ask('REPORT', ada.calendar, { body })
      const { responses } = readMultistatus(answer)
      expect(responses.map(({ href }) => href)).toEqual(hrefs)
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]))
    },
  )

  people(
    'has sync tokens of its own, even if it is a link of the same feed',
    async ({ people: { ada, adasPhone, bob } }) => {
      const tokens = await Promise.all([tokenOf(bob), tokenOf(adasPhone)])
      for (const token of tokens) {
        const answer = await ada.ask('REPORT', ada.calendar, { body: sync(token) })
        expect([answer.status, conditionOf(answer)]).toEqual([403, 'DAV: valid-sync-token'])
      }
      expect(new Set([await tokenOf(ada), ...tokens]).size).toBe(3)
    },
  )

  people('is not found by principal searches', async ({ people: { ada } }) => {
    const asked = `<principal-property-search ${namespaces}><property-search><prop><displayname/></prop><match>Bob</match></property-search><prop><displayname/></prop></principal-property-search>`
    const expanded = `<expand-property ${namespaces}><property name="owner"><property name="displayname"/></property></expand-property>`
    for (const path of ['/dav/', '/dav/calendars/', ada.calendar]) {
      for (const body of [asked, expanded]) {
        expect(conditionOf(await ada.ask('REPORT', path, { body }))).toBe('DAV: supported-report')
      }
      expect((await ada.ask('SEARCH', path, { body: asked })).status).toBe(403)
    }
  })

  people('stays apart when requests share a connection', async ({ api, people: { ada, bob } }) => {
    const { hostname, port } = new URL(api.bridge.url)
    const answersTo = async (requests: readonly string[]): Promise<readonly string[]> => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.write(requests.join(''))
      const answers = (await text(socket)).split(/(?<!<d:status>)(?=HTTP\/1\.1 \d{3} )/)
      return answers.map(
        (answer) => `${answer.slice(9, 12)} ${/<d:displayname>(\w+)/.exec(answer)?.[1] ?? ''}`,
      )
    }
    const written = (
      account: DavAccount,
      more: readonly string[] = [],
      body = everything,
    ): string =>
      [
        `PROPFIND ${account.calendar} HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Basic ${btoa(`x:${account.secret}`)}`,
        'Depth: 0',
        ...(more.length > 0 ? more : [`Content-Length: ${body.length}`]),
        '',
        body,
      ].join('\r\n')
    const chunk = `${everything.length.toString(16)}\r\n${everything}\r\n0\r\n\r\n`
    const both = ['Content-Length: 5', 'Transfer-Encoding: chunked']
    const last = ['Connection: close', `Content-Length: ${everything.length}`]
    const all = [written(ada), written(bob), written(ada, both.slice(1), chunk), written(bob, last)]
    expect(await answersTo(all)).toEqual(['207 Ada', '207 Bob', '207 Ada', '207 Bob'])
    // A request with two lengths is refused (RFC 9112 section 6.3), and what follows is not read as another.
    expect(await answersTo([written(ada, both, `0\r\n\r\n${written(bob)}`)])).toEqual(['400 '])
  })
})

describe('an ended link', () => {
  type End = (feed: FeedAnswer, bridge: TestBridge) => Promise<unknown>
  const send =
    (method: string, pathOf: (feed: FeedAnswer) => string, body?: object): End =>
    (feed, bridge) =>
      bridge.api(method, pathOf(feed), body)
  const ofFeed =
    (ending: string) =>
    ({ id }: FeedAnswer): string =>
      `/api/feeds/${id}${ending}`
  const ends: readonly (readonly [how: string, end: End, laterMs: number])[] = [
    ['ended', send('DELETE', ofFeed('/links/default')), 0],
    ['purged', send('DELETE', ofFeed('/links/default?purge')), 0],
    ['purged long ago', send('DELETE', ofFeed('/links/default?purge')), 31 * dayMs],
    ['of a revoked feed', send('DELETE', ofFeed('')), 0],
    ['of a purged feed', send('DELETE', ofFeed('?purge')), 0],
    ['rotated', send('POST', ofFeed('/rotations'), {}), 0],
    [
      'rotated with grace that is over',
      send('POST', ofFeed('/rotations'), { graceDays: 1 }),
      dayMs,
    ],
    [
      'replaced on its page',
      (feed) =>
        fetch(calendarUrl(feed).replace(/\/[^/]*$/, ''), {
          method: 'POST',
          headers: { 'Sec-Fetch-Site': 'same-origin' },
          body: new URLSearchParams({ action: 'replace', confirm: 'yes' }),
        }),
      0,
    ],
    [
      'of somebody who left',
      async (_, bridge) => {
        const { store } = await bridge.node()
        const node = { ...store, clock: createFakeClock(), log: recordedLog([]) }
        await closeFeeds(node, departureOf('main', 'usr_ada'))
      },
      0,
    ],
    // Last, since nobody is left who could have a feed.
    [
      'of somebody erased',
      send('POST', () => '/api/erasures', { companyId: 'main', userId: 'usr_ada' }),
      0,
    ],
  ]

  people(
    'does not affect other links of its feed, and its sync token stays valid for the next link',
    async ({ api: { bridge } }) => {
      const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
      const token = await tokenOf(accountOf(feed, bridge.url))
      const phone = await phoneOf(bridge, feed)
      const rotation = await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, {
        label: 'default',
        graceDays: 1,
      })
      const next = accountOf(feed, bridge.url, ((await rotation.json()) as { url: string }).url)
      const body = sync(token)
      for (const account of [accountOf(feed, bridge.url), next]) {
        const answer = await account.ask('REPORT', account.calendar, { body })
        expect(answer.status).toBe(207)
      }
      expect((await phone.ask('PROPFIND', phone.calendar)).status).toBe(207)
    },
  )

  people.for(ends)(
    'that is %s opens nothing',
    async ([, end, laterMs], { api: { bridge, clock } }) => {
      const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
      const account = accountOf(feed, bridge.url)
      const token = await tokenOf(account)
      const [event = ''] = await eventsOf(account)
      const ask = async (): Promise<readonly DavAnswer[]> => [
        await account.ask('PROPFIND', '/dav/'),
        await account.ask('PROPFIND', account.calendar, {
          body: propfind('<sync-token/>'),
          headers: { Depth: '0' },
        }),
        await account.ask('REPORT', account.calendar, { body: sync(token) }),
        await account.ask('REPORT', account.calendar, { body: sync('') }),
        await account.ask('GET', event),
        await account.ask('OPTIONS', account.calendar),
      ]
      expect((await ask()).map(({ status }) => status)).toEqual([207, 207, 207, 207, 200, 200])
      await end(feed, bridge)
      await clock.advance(laterMs)
      for (const { status, headers, text: body } of await ask()) {
        expect([status, headers['www-authenticate'], headers['dav']]).toEqual([
          401,
          'Basic realm="Calendars", charset="UTF-8"',
          '1, 3, calendar-access',
        ])
        expect(body).not.toMatch(/Ada|VEVENT|feed_/)
      }
      expect((await account.ask('PUT', event)).status).toBe(401)
    },
  )
})
