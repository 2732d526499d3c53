/* What RFC 4791, 4918, 6578 and 8144 require of a read-only account, read by a strict parser. */
import { describe, expect } from 'vitest'

import { it as apiIt } from '../support/bridge/test-api.ts'
import {
  accountOf,
  calendarQuery,
  conditionOf,
  type DavAccount,
  type DavAnswer,
  type DavResponse,
  inside,
  multiget,
  namespaces,
  propfind,
  query,
  readMultistatus,
  sync,
} from '../support/dav/dav-client.ts'

/** `it` with Ada's account and her events, shared by the tests of a file. */
const it = apiIt
  .extend('account', { scope: 'file' }, async ({ api }): Promise<DavAccount> => {
    return accountOf(await api.ada(), api.bridge.url)
  })
  .extend('events', { scope: 'file' }, async ({ account }): Promise<readonly CalendarEvent[]> => {
    const data = propfind('<getetag/>', '<getcontentlength/>', '<C:calendar-data/>')
    const answer = await account.ask('PROPFIND', account.calendar, { body: data, ...depth(1) })
    return readMultistatus(answer).responses.slice(1).map(eventOf)
  })

interface CalendarEvent {
  readonly href: string
  readonly etag: string
  readonly length: number
  readonly data: string
}

function eventOf({ href, properties }: DavResponse): CalendarEvent {
  const [etag, length, data] = [...properties[200]!.values()].map(({ text }) => text)
  return { href, etag: etag!, length: Number(length), data: data! }
}

function depth(value: number | string): { readonly headers: Record<string, string> } {
  return { headers: { Depth: String(value) } }
}

function titleOf({ data }: CalendarEvent): string {
  return /^SUMMARY:(.*)\r$/m.exec(data)?.[1] ?? ''
}

/** The titles of the events in an answer. */
function titlesIn(answer: DavAnswer, events: readonly CalendarEvent[]): readonly string[] {
  const titles = new Map(events.map((event) => [event.href, titleOf(event)]))
  return readMultistatus(answer).responses.map(({ href }) => titles.get(href) ?? href)
}

function namesIn(properties: ReadonlyMap<string, unknown> | undefined): readonly string[] {
  return [...(properties?.keys() ?? [])]
}

describe('discovery', () => {
  it.for(['GET', 'OPTIONS', 'PROPFIND', 'REPORT', 'PUT'])(
    '%s at the well-known address leads to the principal, without a password',
    async (method, { account }) => {
      const { status, headers } = await account.ask(method, '/.well-known/caldav', {
        password: null,
      })
      expect([status, headers.location]).toEqual([308, '/dav/'])
    },
  )

  it('leads from nothing but the address to the events', async ({ account, events }) => {
    const read = async (path: string, levels: number): Promise<readonly DavResponse[]> => {
      const answer = await account.ask('PROPFIND', path, depth(levels))
      expect(answer.status).toBe(207)
      expect(answer.headers['dav']).toBe('1, 3, calendar-access')
      return readMultistatus(answer).responses
    }
    const hrefIn = (response: DavResponse, name: string): string =>
      inside(response.properties[200]!.get(name)!, 'DAV: href')[0]!.text
    const [first] = await read('/dav/', 0)
    const principal = hrefIn(first!, 'DAV: current-user-principal')
    const [own] = await read(principal, 0)
    const home = hrefIn(own!, 'urn:ietf:params:xml:ns:caldav calendar-home-set')
    expect([principal, home]).toEqual(['/dav/', '/dav/calendars/'])
    const calendars = (await read(home, 1)).filter(({ properties }) =>
      properties[200]!
        .get('DAV: resourcetype')!
        .children.some(({ name }) => name === 'urn:ietf:params:xml:ns:caldav calendar'),
    )
    expect(calendars.map(({ href }) => href)).toEqual([account.calendar])
    expect((await read(account.calendar, 1)).map(({ href }) => href)).toEqual([
      account.calendar,
      ...events.map(({ href }) => href),
    ])
    expect(events.length).toBeGreaterThan(5)
  })

  it.for([
    ['/dav/', 'OPTIONS, PROPFIND'],
    ['/dav/calendars/', 'OPTIONS, PROPFIND'],
    ['calendar', 'OPTIONS, PROPFIND, REPORT'],
    ['event', 'OPTIONS, GET, HEAD, PROPFIND'],
  ] as const)('OPTIONS of %s allows %s', async ([place, allowed], { account, events }) => {
    const path = { calendar: account.calendar, event: events[0]!.href }[place as string] ?? place
    const { status, headers } = await account.ask('OPTIONS', path)
    expect([status, headers['allow'], headers['dav']]).toEqual([
      200,
      allowed,
      '1, 3, calendar-access',
    ])
    if (place === 'event') return
    const got = await account.ask('GET', path)
    expect([got.status, got.headers['allow']]).toEqual([405, allowed])
  })
})

describe('PROPFIND', () => {
  it.for([
    ['infinity', 403],
    ['2', 400],
    ['0, 1', 400],
    ['-0', 400],
    ['', 400],
  ] as const)('Depth: %s is %i', async ([value, status], { account }) => {
    const answer = await account.ask('PROPFIND', account.calendar, depth(value))
    expect(answer.status).toBe(status)
    if (status === 403) expect(conditionOf(answer)).toBe('DAV: propfind-finite-depth')
  })

  it('missing properties are in a propstat of their own, with their namespaces', async ({
    account,
  }) => {
    const strange = [
      'constructor',
      '__proto__',
      'toString',
      'urn:a&amp;b&lt;&quot;&gt;',
      'DAV',
      '',
    ].map((uri) => `<foo xmlns="${uri}"/>`)
    const asked = ['<displayname/>', '<getetag/>', '<xml:foo/>', '<displayname/>', ...strange]
    const body = propfind(...asked)
    const answer = await account.ask('PROPFIND', account.calendar, { body, ...depth(0) })
    const [{ properties }] = readMultistatus(answer).responses as [DavResponse]
    expect(namesIn(properties[200])).toEqual(['DAV: displayname'])
    expect(namesIn(properties[404])).toEqual([
      'DAV: getetag',
      'http://www.w3.org/XML/1998/namespace foo',
      'constructor foo',
      '__proto__ foo',
      'toString foo',
      'urn:a&b<"> foo',
      'DAV foo',
      ' foo',
    ])
  })

  it.for([{ Prefer: 'return=minimal' }, { Prefer: 'wait=5, return="minimal"' }, { Brief: 't' }])(
    'with %o missing properties are left out',
    async (headers, { account }) => {
      const ask = async (...names: string[]): Promise<DavResponse> => {
        const question = { body: propfind(...names), headers: { Depth: '0', ...headers } }
        const answer = await account.ask('PROPFIND', account.calendar, question)
        return readMultistatus(answer).responses[0]!
      }
      const some = await ask('<displayname/>', '<nothing/>')
      expect(Object.keys(some.properties)).toEqual(['200'])
      // A response has at least one propstat (RFC 8144 section 2.1).
      const none = await ask('<nothing/>')
      expect(namesIn(none.properties[200])).toEqual([])
      expect(Object.keys(none.properties)).toEqual(['200'])
    },
  )

  it('propname lists what allprop returns, and properties that are only returned on request', async ({
    account,
  }) => {
    const ask = async (inner: string): Promise<DavResponse> => {
      const body = `<propfind ${namespaces}>${inner}</propfind>`
      const answer = await account.ask('PROPFIND', account.calendar, { body, ...depth(0) })
      return readMultistatus(answer).responses[0]!
    }
    const names = await ask('<propname/>')
    const all = await ask('<allprop/>')
    const more = await ask('<allprop/><include><C:calendar-timezone/><getetag/></include>')
    expect(
      [...names.properties[200]!.values()].every(({ children }) => children.length === 0),
    ).toBe(true)
    const onRequest = ['calendar-timezone', 'supported-calendar-data', 'supported-collation-set']
    expect(namesIn(names.properties[200]).toSorted()).toEqual(
      [
        ...namesIn(all.properties[200]),
        ...onRequest.map((name) => `urn:ietf:params:xml:ns:caldav ${name}`),
      ].toSorted(),
    )
    expect(Object.keys(all.properties)).toEqual(['200'])
    expect(namesIn(more.properties[200])).toContain(
      'urn:ietf:params:xml:ns:caldav calendar-timezone',
    )
    expect(namesIn(more.properties[404])).toEqual(['DAV: getetag'])
  })

  it('lists the reports, components and privileges of a calendar', async ({ account }) => {
    const body = propfind(
      '<supported-report-set/>',
      '<C:supported-calendar-component-set/>',
      '<current-user-privilege-set/>',
      '<resourcetype/>',
    )
    const answer = await account.ask('PROPFIND', account.calendar, { body, ...depth(0) })
    const found = readMultistatus(answer).responses[0]!.properties[200]!
    const [reports, components, privileges, type] = [...found.values()]
    const innermost = reports!.children.map(({ children }) => children[0]!.children[0]!.name)
    expect(innermost).toEqual([
      'urn:ietf:params:xml:ns:caldav calendar-query',
      'urn:ietf:params:xml:ns:caldav calendar-multiget',
      'DAV: sync-collection',
    ])
    expect(components!.children.map(({ attributes }) => attributes['name'])).toEqual(['VEVENT'])
    expect(privileges!.children.map(({ children }) => children[0]!.name)).toEqual([
      'DAV: read',
      'DAV: read-current-user-privilege-set',
    ])
    expect(type!.children.map(({ name }) => name)).toEqual([
      'DAV: collection',
      'urn:ietf:params:xml:ns:caldav calendar',
    ])
  })
})

describe('an event', () => {
  it('has the same strong ETag, length and bytes however it is fetched', async ({
    account,
    events,
  }) => {
    for (const { href, etag, length, data } of events) {
      const got = await account.ask('GET', href, { headers: { 'Accept-Encoding': 'gzip, br' } })
      expect(got).toMatchObject({ status: 200, text: data.replaceAll(/(?<!\r)\n/g, '\r\n') })
      expect(got.headers).toMatchObject({
        etag,
        'content-length': String(length),
        'content-type': 'text/calendar; charset=utf-8; component=VEVENT',
      })
      expect(got.headers['content-encoding']).toBeUndefined()
      expect(etag).toMatch(/^"[\w-]+"$/)
      const { date: _, ...headers } = got.headers
      const head = await account.ask('HEAD', href)
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers).toMatchObject(headers)
      const again = await account.ask('GET', href, { headers: { 'If-None-Match': etag } })
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
    }
  })

  it('has the same lines as in the .ics', async ({ api, account, events }) => {
    const feed = await api.bridge.api('GET', `/api/feeds/${account.feedId}`)
    expect(feed.status).toBe(200)
    const [, ics] = await api.poll(`${api.bridge.url}/feeds/${account.secret}/a.ics`)
    const vevents = [...ics.matchAll(/^BEGIN:VEVENT\r\n[^]*?^END:VEVENT\r\n/gm)].map(
      ([vevent]) => vevent,
    )
    const of = ({ data }: CalendarEvent): string =>
      /^BEGIN:VEVENT\r?\n[^]*^END:VEVENT\r?\n/m.exec(data)?.[0].replaceAll(/\r?\n/g, '\r\n') ?? ''
    expect(events.map(of).toSorted()).toEqual(vevents.toSorted())
    expect(new Set(events.map(({ href }) => href)).size).toBe(events.length)
    for (const { href, data } of events) {
      expect(href).toMatch(/^\/dav\/calendars\/feed_\w+\/[\da-f]{14}\.ics$/)
      expect(data.match(/^(?:BEGIN|END|METHOD).*/gm)?.map((line) => line.trim())).toEqual([
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'END:VEVENT',
        'END:VCALENDAR',
      ])
    }
  })

  it.for(['00000000000000', 'a', '%00', '..', '%2e%2e', 'é'.normalize('NFD')])(
    'none has the name %s',
    async (name, { account }) => {
      const path = `${account.calendar}${encodeURI(name)}.ics`
      for (const method of ['GET', 'HEAD', 'PROPFIND']) {
        expect((await account.ask(method, path, depth(0))).status).toBe(404)
      }
    },
  )
})

describe('calendar-query', () => {
  const leave = 'Leave lv_ada1'
  // Monday the 12th is a whole day in Berlin, from 23:00 of the day before; the shift takes from 08:00 to 16:00.
  it.for([
    ['start="20260111T230000Z" end="20260111T230001Z"', [leave]],
    ['start="20260112T225959Z" end="20260113T080000Z"', [leave]],
    ['start="20260112T230000Z" end="20260113T230000Z"', []],
    ['start="20260111T220000Z" end="20260111T230000Z"', []],
    ['start="20260119T155959Z" end="20260119T160000Z"', ['Day shift']],
    ['start="20260119T160000Z" end="20260119T170000Z"', []],
    ['start="20260119T070000Z" end="20260119T080000Z"', []],
    ['start="20260119T070000Z" end="20260119T080001Z"', ['Day shift']],
    ['start="20270601T000000Z"', []],
    ['end="20240101T000000Z"', []],
  ] as const)('time-range %s finds %j', async ([range, titles], { account, events }) => {
    const body = query(`<C:time-range ${range}/>`)
    const answer = await account.ask('REPORT', account.calendar, { body, ...depth(1) })
    const ignored = /^(?:Timesheet|Due|Submit)/
    expect(titlesIn(answer, events).filter((title) => !ignored.test(title))).toEqual(titles)
  })

  const shifts = 'SHIFT-SCH_DAY'
  it.for([
    [query(''), true, 'everything'],
    [calendarQuery(''), true, 'everything, without a component'],
    [calendarQuery('<C:comp-filter name="VTODO"/>'), false, 'tasks'],
    [calendarQuery('<C:comp-filter name="VJOURNAL"/>'), false, 'journals'],
    [
      calendarQuery('<C:comp-filter name="VTODO"><C:is-not-defined/></C:comp-filter>'),
      true,
      'none',
    ],
    [
      calendarQuery('<C:comp-filter name="VEVENT"><C:is-not-defined/></C:comp-filter>'),
      false,
      'what has no event',
    ],
    [query(textMatch('UID', shifts)), true, 'part of a UID in another case'],
    [query(textMatch('UID', shifts, 'collation="default"')), true, 'the same by name'],
    [query(textMatch('UID', shifts, 'collation="i;octet"')), false, 'the same by bytes'],
    [query(textMatch('uid', 'shift-', 'collation="i;octet"')), true, 'a name in another case'],
    [query(textMatch('UID', shifts, 'negate-condition="yes"')), false, 'none of them'],
    [query('<C:prop-filter name="SUMMARY"/>'), true, 'what has a title'],
    [query('<C:prop-filter name="RRULE"/>'), false, 'what recurs'],
    [
      query('<C:prop-filter name="RRULE"><C:is-not-defined/></C:prop-filter>'),
      true,
      'what does not',
    ],
    [
      query('<C:prop-filter name="UID"><C:is-not-defined/></C:prop-filter>'),
      false,
      'nameless ones',
    ],
    [query('<C:comp-filter name="VALARM"/>'), false, 'alarms'],
    [query('<C:comp-filter name="VALARM"><C:is-not-defined/></C:comp-filter>'), true, 'no alarms'],
  ] as const)('%s finds the shifts: %s (%s)', async ([body, finds], { account, events }) => {
    const answer = await account.ask('REPORT', account.calendar, { body, ...depth(1) })
    expect(answer.status).toBe(207)
    expect(titlesIn(answer, events).includes('Day shift')).toBe(finds)
  })

  const toRefuse: readonly (readonly [filter: string, condition: string])[] = [
    ['<C:time-range/>', 'valid-filter'],
    ['<C:time-range start="20260101"/>', 'valid-filter'],
    ['<C:time-range start="20260101T000000"/>', 'valid-filter'],
    ['<C:time-range start="20260230T000000Z"/>', 'valid-filter'],
    ['<C:time-range start="20260131T240000Z"/>', 'valid-filter'],
    ['<C:time-range start="20260102T000000Z" end="20260101T000000Z"/>', 'valid-filter'],
    ['<C:time-range start="20260101T000000Z" end="20260101T000000Z"/>', 'valid-filter'],
    ['<C:time-range start="2026-01-01T00:00:00Z"/>', 'valid-filter'],
    ['<C:prop-filter/>', 'valid-filter'],
    ['<C:prop-filter name="UID"><C:param-filter name="X"/></C:prop-filter>', 'supported-filter'],
    ['<C:comp-filter name="VALARM"><C:time-range/></C:comp-filter>', 'supported-filter'],
    ['<C:prop-filter name="UID"/>'.repeat(50), 'supported-filter'],
    ...['i;unicode-casemap', 'constructor', '__proto__', 'hasOwnProperty', ''].map(
      (name) => [textMatch('UID', 'x', `collation="${name}"`), 'supported-collation'] as const,
    ),
  ]
  it.for(toRefuse)('refuses %s by %s', async ([filter, condition], { account }) => {
    const answer = await account.ask('REPORT', account.calendar, { body: query(filter) })
    expect(answer.status).toBe(403)
    expect(conditionOf(answer)).toBe(`urn:ietf:params:xml:ns:caldav ${condition}`)
  })

  it('finds nothing in the calendar itself', async ({ account }) => {
    const answer = await account.ask('REPORT', account.calendar, { body: query(''), ...depth(0) })
    expect(readMultistatus(answer).responses).toEqual([])
  })
})

function textMatch(name: string, text: string, attributes = ''): string {
  return `<C:prop-filter name="${name}"><C:text-match ${attributes}>${text}</C:text-match></C:prop-filter>`
}

describe('calendar-multiget', () => {
  it('answers each href as it was written, with 404 if it names no event', async ({
    account,
    events,
  }) => {
    const { href } = events[0]!
    const spelt = href.replace(
      /[\da-f](?=[\da-f]*\.ics)/,
      (digit) => `%${digit.charCodeAt(0).toString(16)}`,
    )
    const hrefs = [
      href,
      `${href}x`,
      `http://127.0.0.1${href}`,
      spelt,
      account.calendar,
      '/',
      '../a',
    ]
    const answer = await account.ask('REPORT', account.calendar, { body: multiget(hrefs) })
    const { responses } = readMultistatus(answer)
    expect(responses.map(({ href: answered }) => answered)).toEqual(hrefs)
    expect(responses.map(({ status }) => status)).toEqual([
      undefined,
      404,
      undefined,
      undefined,
      404,
      404,
      404,
    ])
  })

  it('refuses other formats of calendar-data', async ({ account, events }) => {
    const data = '<C:calendar-data content-type="application/calendar+json"/>'
    const body = multiget([events[0]!.href], data)
    const answer = await account.ask('REPORT', account.calendar, { body })
    expect(conditionOf(answer)).toBe('urn:ietf:params:xml:ns:caldav supported-calendar-data')
  })
})

describe('sync-collection', () => {
  it('returns everything at first, then nothing and the same token, with any Depth but infinity', async ({
    account,
    events,
  }) => {
    const ask = (token: string, headers = {}): Promise<DavAnswer> =>
      account.ask('REPORT', account.calendar, { body: sync(token), headers })
    const first = readMultistatus(await ask('', { Depth: '0' }))
    expect(first.responses.map(({ href }) => href).toSorted()).toEqual(
      events.map(({ href }) => href).toSorted(),
    )
    for (const headers of [{}, { Depth: '0' }, { Depth: '1' }]) {
      const again = readMultistatus(await ask(first.syncToken!, headers))
      expect(again).toEqual({ responses: [], syncToken: first.syncToken })
    }
    expect((await ask('', { Depth: 'infinity' })).status).toBe(400)
    const body = propfind('<sync-token/>', '<CS:getctag/>')
    const asked = await account.ask('PROPFIND', account.calendar, { body, ...depth(0) })
    const found = [...readMultistatus(asked).responses[0]!.properties[200]!.values()]
    expect(found.map(({ text }) => text)).toEqual([first.syncToken, first.syncToken])
    expect(URL.canParse(first.syncToken!)).toBe(true)
  })

  it('continues a truncated answer', async ({ account, events }) => {
    const seen: string[] = []
    let token = ''
    for (let round = 0; round <= events.length; round += 1) {
      const body = sync(token, '3')
      const answer = readMultistatus(await account.ask('REPORT', account.calendar, { body }))
      const cut = answer.responses.filter(({ status }) => status === 507)
      const got = answer.responses.filter(({ status }) => status === undefined)
      seen.push(...got.map(({ href }) => href))
      token = answer.syncToken!
      if (cut.length === 0) break
      expect(got).toHaveLength(3)
      expect(cut.map(({ href, conditions }) => [href, conditions])).toEqual([
        [account.calendar, ['DAV: number-of-matches-within-limits']],
      ])
    }
    expect(seen.toSorted()).toEqual(events.map(({ href }) => href).toSorted())
    const end = await account.ask('REPORT', account.calendar, { body: sync(token) })
    expect(readMultistatus(end)).toEqual({ responses: [], syncToken: token })
  })

  it.for(['x', 'http://example.com/1', 'data:,', 'data:,AAAAAAAA.tp7td2', '-1', '&#128512;'])(
    'refuses the token %s',
    async (token, { account }) => {
      const answer = await account.ask('REPORT', account.calendar, { body: sync(token) })
      expect([answer.status, conditionOf(answer)]).toEqual([403, 'DAV: valid-sync-token'])
    },
  )

  it.for(['0', '-1', '1.5', '', 'all', '1e3', '99999999999999999999', '0x10', '١'])(
    'a limit of %j is refused',
    async (limit, { account }) => {
      const body = sync('', limit)
      expect((await account.ask('REPORT', account.calendar, { body })).status).toBe(400)
    },
  )
})

describe('a body', () => {
  const nested = (levels: number): string =>
    `<propfind xmlns="DAV:"><prop>${'<a>'.repeat(levels - 2)}${'</a>'.repeat(levels - 2)}</prop></propfind>`
  const filled = (bytes: number): string => {
    const body = propfind('<displayname/>')
    return body + ' '.repeat(bytes - body.length)
  }
  const elements = (count: number): string =>
    propfind(...Array.from({ length: count - 2 }, (_, index) => `<a${index}/>`))
  const plain = propfind('<displayname/>')
  const entity = '<!DOCTYPE a [<!ENTITY b "c">]>'
  it.for([
    ['50 levels', nested(50), 207],
    ['51 levels', nested(51), 400],
    ['1,000 elements', elements(1000), 207],
    ['1,001 elements', elements(1001), 400],
    ['256 KiB', filled(256 * 1024), 207],
    ['one byte more', filled(256 * 1024 + 1), 413],
    ['a byte order mark', `\uFEFF${plain}`, 207],
    ['a declaration', `<?xml version="1.0" encoding="UTF-8"?>${plain}`, 207],
    ['another encoding', `<?xml version="1.0" encoding="latin1"?>${plain}`, 400],
    ['UTF-16', Buffer.from(`\uFEFF${plain}`, 'utf16le'), 400],
    ['bytes that are no UTF-8', Buffer.from(propfind('<\u00E9/>'), 'latin1'), 400],
    ['a document type', `<!DOCTYPE propfind>${plain}`, 400],
    ['an entity', entity + plain.replace('<displayname/>', '&b;'), 400],
    ['an unknown entity', propfind('&b;'), 400],
    ['an unknown prefix', propfind('<x:a/>'), 400],
    ['the same attribute twice', '<propfind xmlns="DAV:" a="1" a="2"><allprop/></propfind>', 400],
    ['two roots', plain + plain, 400],
    ['half of it', plain.slice(0, -5), 400],
    ['JSON', '{}', 400],
    ['white space', '\r\n', 400],
    ['nothing asked', '<propfind xmlns="DAV:"/>', 400],
    ['another namespace', '<propfind xmlns="DAV"><allprop/></propfind>', 400],
    ['another root', '<propertyupdate xmlns="DAV:"/>', 400],
  ] as const)('of %s', async ([, body, status], { account }) => {
    const answer = await account.ask('PROPFIND', account.calendar, { body, ...depth(0) })
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
  })

  it.for(['gzip', 'deflate', 'br', 'x'])(
    'in the coding %s is refused',
    async (coding, { account }) => {
      const headers = { 'Content-Encoding': coding }
      const answer = await account.ask('PROPFIND', account.calendar, { body: plain, headers })
      expect(answer.status).toBe(415)
    },
  )

  it.for([
    ['<expand-property xmlns="DAV:"/>'],
    ['<principal-property-search xmlns="DAV:"/>'],
    ['<acl-principal-prop-set xmlns="DAV:"/>'],
    ['<free-busy-query xmlns="urn:ietf:params:xml:ns:caldav"/>'],
    ['<calendar-query xmlns="DAV:"/>'],
    ['<sync-collection xmlns="urn:ietf:params:xml:ns:caldav"/>'],
  ])('%s is no report of the calendar', async ([body], { account }) => {
    const answer = await account.ask('REPORT', account.calendar, { body: body! })
    expect([answer.status, conditionOf(answer)]).toEqual([403, 'DAV: supported-report'])
  })

  it('that multiplies long names in the answer is refused', async ({ account }) => {
    const names = Array.from({ length: 990 }, (_, index) => `<X:p${index}/>`).join('')
    const body = `<propfind xmlns="DAV:" xmlns:X="${'a'.repeat(200_000)}"><prop>${names}</prop></propfind>`
    const answer = await account.ask('PROPFIND', account.calendar, { body, ...depth(0) })
    expect([answer.status, conditionOf(answer)]).toEqual([
      403,
      'DAV: number-of-matches-within-limits',
    ])
  })
})

describe('a method that writes', () => {
  const methods =
    'PUT DELETE POST PATCH PROPPATCH MKCOL MKCALENDAR COPY MOVE LOCK UNLOCK ACL BIND REBIND LINK'
  it.for(methods.split(' '))(
    '%s is refused with need-privileges',
    async (method, { account, events }) => {
      const places = ['/dav/', '/dav/calendars/', account.calendar, `${account.calendar}new.ics`]
      for (const path of [...places, events[0]!.href]) {
        const headers = { Destination: `${account.calendar}other.ics`, 'If-Match': '*' }
        const answer = await account.ask(method, path, { headers })
        expect([answer.status, conditionOf(answer)]).toEqual([403, 'DAV: need-privileges'])
      }
    },
  )
})
