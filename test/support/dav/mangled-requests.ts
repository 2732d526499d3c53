/* Requests with mangled bodies, headers and paths, and bodies that are expensive to parse or answer. */
import { METHODS } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'

import fc from 'fast-check'

import {
  basic,
  calendarQuery,
  type DavAccount,
  multiget,
  namespaces,
  propfind,
  query,
  sync,
} from './dav-client.ts'

/** Names of what exists, so that requests get past the first checks. */
export interface KnownAccount extends Pick<DavAccount, 'secret' | 'calendar'> {
  readonly event: string
  readonly syncToken: string
}

export interface MangledRequest {
  readonly bytes: Buffer
  /** Whether the body is shorter than its Content-Length. */
  readonly isShort: boolean
}

const junkValues = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '99999999999999999999',
  '1.5',
  '٣',
  'infinity',
  '1,noroot',
  '0, 1',
  '20260101T000000Z',
  '20260101T000000',
  '20260230T250000Z',
  '00000000T000000Z',
  '99999999T999999Z',
  '-20260101T000000Z',
  '2026-01-01T00:00:00Z',
  '20260101',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'DAV:',
  'urn:ietf:params:xml:ns:caldav',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
  'data:,AAAAAAAA.zzzzzzzzz',
  'data:,AAAAAAAA.0.zzzzzzzzz.00000000000000',
  '../../etc/passwd',
  'file:///etc/passwd',
  '&#0;',
  '&#x10FFFF;',
  '&#xD800;',
  '&a;',
  '&amp;',
  '%00',
  '\u2028',
  '\u{1F600}',
  'i;unicode-casemap',
  'VEVENT',
  'VTODO',
  'VALARM',
]
const junkMarkup = [
  '<',
  '>',
  '/>',
  '</',
  '<!',
  '<?',
  ']]>',
  '--',
  '<!-- - -->',
  '<!-- -- -->',
  '<![CDATA[<]]>',
  '<![CDATA[',
  '<?xml version="1.0"?>',
  '<?xml version="1.1"?>',
  '<?xml version="9.9" encoding="x"?>',
  '<?a b?>',
  '<!DOCTYPE a>',
  '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
  '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/"> %b;]>',
  '<!ENTITY a "b">',
  '<a/>',
  '<a:b/>',
  '<xml:a/>',
  '<xmlns:a/>',
  '<a xmlns=""/>',
  '<a xmlns:b=""/>',
  '<a xmlns:xml="b"/>',
  '<a xmlns:xmlns="b"/>',
  '<a b="1" b="2"/>',
  '<a xmlns:b="x" xmlns:c="x" b:d="1" c:d="2"/>',
  ' xmlns="x"',
  ' a=b',
  '\0',
  '\u0001',
  '\u0085',
  '\uFFFE',
  '\uFEFF',
]

const value = fc.constantFrom(...junkValues)

function attribute(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function timeRange(start: string | null, end: string | null): string {
  const from = start === null ? '' : ` start="${attribute(start)}"`
  const until = end === null ? '' : ` end="${attribute(end)}"`
  return `<C:time-range${from}${until}/>`
}

const maybe = fc.option(value)

/** Bodies as clients send them, with any value in one place. */
function sensible({ calendar, event, syncToken }: KnownAccount): fc.Arbitrary<string> {
  const inFilter = fc.oneof(
    fc.tuple(maybe, maybe).map(([start, end]) => timeRange(start, end)),
    fc
      .tuple(value, value, value)
      .map(
        ([name, collation, text]) =>
          `<C:prop-filter name="${attribute(name)}"><C:text-match collation="${attribute(collation)}" negate-condition="${attribute(text)}">${attribute(text)}</C:text-match></C:prop-filter>`,
      ),
    value.map(
      (name) => `<C:comp-filter name="${attribute(name)}"><C:is-not-defined/></C:comp-filter>`,
    ),
    value.map(
      (name) => `<C:comp-filter name="${attribute(name)}">${timeRange('', '')}</C:comp-filter>`,
    ),
  )
  return fc.oneof(
    fc.constantFrom(
      propfind('<displayname/>', '<CS:getctag/>', '<sync-token/>', '<C:calendar-timezone/>'),
      `<propfind ${namespaces}><allprop/><include><C:calendar-data/></include></propfind>`,
      `<propfind ${namespaces}><propname/></propfind>`,
      sync(''),
      sync(syncToken),
      multiget([event, `${event}x`], '<getetag/><C:calendar-data/>'),
      query(timeRange('20260101T000000Z', '20261231T000000Z')),
    ),
    value.map((uri) => propfind(`<a xmlns="${attribute(uri)}"/>`)),
    inFilter.map(query),
    inFilter.map(calendarQuery),
    fc.tuple(value, maybe).map(([token, limit]) => sync(attribute(token), limit ?? undefined)),
    value.map((limit) => sync(syncToken, attribute(limit))),
    value.map((href) => multiget([attribute(href), calendar + attribute(href), event])),
  )
}

/** Removes, repeats and inserts text anywhere. */
function mangled(body: string): fc.Arbitrary<string> {
  const place = fc.nat(body.length)
  const junk = fc.oneof(value, fc.constantFrom(...junkMarkup))
  const once = fc.tuple(fc.constantFrom('cut', 'double', 'put', 'end'), place, place, junk)
  return fc.array(once, { maxLength: 3 }).map((changes) => {
    let text = body
    for (const [how, a, b, put] of changes) {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      if (how === 'cut') text = text.slice(0, from) + text.slice(to)
      if (how === 'double') text = text.slice(0, to) + text.slice(from)
      if (how === 'put') text = text.slice(0, from) + put + text.slice(from)
      if (how === 'end') text = text.slice(0, to)
    }
    return text
  })
}

/** Bodies of that length that could cost an XML parser, or the code behind it, far more than others. */
export function bombs(bytes: number, { event }: Pick<KnownAccount, 'event'>): readonly string[] {
  const many = (part: (index: number) => string, around: (all: string) => string): string => {
    const room = bytes - around('').length
    let all = ''
    for (let index = 0; all.length < room; index += 1) all += part(index)
    return around(all.slice(0, all.lastIndexOf(part(0).at(-1)!) + 1))
  }
  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
  )
  const attributes = (all: string): string => `<propfind xmlns="DAV:"${all}><allprop/></propfind>`
  const inProp = (all: string): string => propfind(all)
  const half = 'a'.repeat(Math.floor(bytes / 2))
  return [
    many(() => '<a>', String),
    many(
      () => '<a>',
      (all) => propfind(all + all.replaceAll('<', '</')),
    ),
    many((index) => ` a${index}=""`, attributes),
    many((index) => ` xmlns:a${index}="b"`, attributes),
    many(
      (index) => ` xmlns:a${index}="b"`,
      (all) => `<propfind xmlns="DAV:"${all}><prop>${'<a/>'.repeat(900)}</prop></propfind>`,
    ),
    many(() => '<a/>', inProp),
    many((index) => `<a${index}/>`, inProp),
    `<propfind xmlns="DAV:" xmlns:b="${half}"><prop>${Array.from({ length: 990 }, (_, n) => `<b:a${n}/>`).join('')}</prop></propfind>`,
    propfind(
      ...Array.from({ length: 990 }, (_, n) => `<a${n} xmlns="${'b'.repeat(bytes / 1100)}"/>`),
    ),
    propfind(...Array.from({ length: 990 }, (_, n) => `<a${n}/>`)),
    `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs.join('')}]>${propfind('&l9;')}`,
    `<!DOCTYPE a [<!ENTITY b "${half}">]>${propfind('&b;'.repeat(100))}`,
    many(() => '<![CDATA[]]>', inProp),
    many(() => '<!---->', inProp),
    many(() => '<?a?>', inProp),
    many(() => '&amp;', inProp),
    many(
      () => '&amp;',
      (all) => propfind(`<a xmlns="${all}"/>`),
    ),
    many(() => '\n', inProp),
    many(() => '\u{1F600}', inProp),
    many(() => '<', String),
    many(() => '&', String),
    many(
      () => ']',
      (all) => propfind(`<![CDATA[${all}]]>`),
    ),
    many(
      () => '-',
      (all) => propfind(`<!--${all}`),
    ),
    `<${half}${half}`,
    propfind(`<${half}/>`),
    many(
      () => `<href>${event}</href>`,
      (all) => multiget([]).replace('</C:c', `${all}</C:c`),
    ),
    multiget(
      Array.from({ length: 900 }, () => event),
      '<getetag/><C:calendar-data/>',
    ),
    multiget([half]),
    many(
      () =>
        '<C:prop-filter name="SUMMARY"><C:text-match negate-condition="yes">q</C:text-match></C:prop-filter>',
      query,
    ),
    query(
      '<C:prop-filter name="DESCRIPTION"><C:text-match negate-condition="yes">q</C:text-match></C:prop-filter>'.repeat(
        22,
      ),
    ),
    query(`<C:prop-filter name="UID"><C:text-match>${half}</C:text-match></C:prop-filter>`),
    sync(half),
    sync('', '9'.repeat(bytes / 2)),
  ]
}

/** The same text in other character encodings and content codings, or declared as one. */
function coded(text: string): fc.Arbitrary<{ readonly bytes: Buffer; readonly coding?: string }> {
  const plain = fc.constant({ bytes: Buffer.from(text) })
  const others = [
    { bytes: Buffer.from(`\uFEFF${text}`) },
    { bytes: Buffer.from(`\uFEFF${text}`, 'utf16le') },
    { bytes: Buffer.from(text, 'utf16le').swap16() },
    { bytes: Buffer.from(`${text}\u00E9\u00FF`, 'latin1') },
    { bytes: Buffer.from(`<?xml version="1.0" encoding="latin1"?>${text}`, 'latin1') },
    { bytes: Buffer.concat([Buffer.from(text), Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80])]) },
    { bytes: Buffer.concat([Buffer.alloc(64), Buffer.from(text)]) },
    { bytes: gzipSync(text), coding: 'gzip' },
    { bytes: deflateSync(text), coding: 'deflate' },
    { bytes: Buffer.from(text), coding: 'gzip' },
    { bytes: Buffer.from(text), coding: 'identity' },
    { bytes: Buffer.from(text), coding: 'br, gzip, gzip' },
  ]
  return fc.oneof(
    { weight: 8, arbitrary: plain },
    { weight: 3, arbitrary: fc.constantFrom(...others) },
  )
}

const oddLines = fc
  .array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom('Depth', 'Depth', 'Prefer', 'Brief', 'If', 'Range', 'Content-Type'),
        fc.oneof(value, fc.constantFrom('0', '1')),
      ),
      fc.constantFrom(
        ['Prefer', 'return=minimal'],
        ['Prefer', 'return=representation;;=,"'],
        ['If', '(<'.repeat(2000)],
        ['If', '(["a"] [W/"b"] Not <urn:x>)'],
        ['If-None-Match', '*'],
        ['If-None-Match', '"'.repeat(3000)],
        ['If-Match', '"x"'],
        ['Range', 'bytes=0-,-1,5-2'],
        ['Content-Type', 'application/json; charset=utf-16'],
        ['Content-Type', 'multipart/form-data; boundary='],
        ['Accept-Encoding', 'gzip;q=0, identity;q=0, *;q=0'],
        ['Expect', '100-continue'],
        ['Expect', 'x'],
        ['Upgrade', 'h2c'],
        ['Transfer-Encoding', 'gzip, chunked'],
        ['Content-Length', '-1'],
        ['Content-Length', '9999999999999999999999'],
        ['Destination', 'http://example.com/'],
        ['X-Forwarded-Proto', 'https'],
        ['Host', 'x'],
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) => all.map(([name, text]) => `${name}: ${Buffer.from(text).toString('latin1')}`))

const headerLines = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: oddLines },
)

const methods = fc.oneof(
  { weight: 4, arbitrary: fc.constant('PROPFIND') },
  { weight: 8, arbitrary: fc.constant('REPORT') },
  { weight: 2, arbitrary: fc.constantFrom(...METHODS) },
  { weight: 1, arbitrary: fc.constantFrom('BREW', 'propfind', 'PROPFIND\t', '') },
)

function targets({ calendar, event }: KnownAccount): fc.Arbitrary<string> {
  const spelt = fc.constantFrom(
    '/dav',
    '/dav/',
    '/dav/calendars',
    '/dav/calendars/',
    '/dav/%',
    '/dav/%00',
    '/dav/%2e%2e/',
    '/dav//',
    '/dav/calendars/__proto__/',
    `${calendar}__proto__.ics`,
    `${calendar}%ff.ics`,
    `${calendar}?${'a'.repeat(1900)}`,
    calendar + 'a'.repeat(3000),
    calendar.slice(0, -1),
    `http://127.0.0.1${calendar}`,
    'http://[/dav/',
    '/.well-known/caldav',
    '*',
  )
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(calendar) },
    { weight: 2, arbitrary: fc.constant(event) },
    { weight: 2, arbitrary: spelt },
  )
}

/** `bombBytes` is the length of the expensive bodies. */
export function mangledRequest(
  known: KnownAccount,
  bombBytes: number,
): fc.Arbitrary<MangledRequest> {
  const bodies = fc.oneof(
    { weight: 4, arbitrary: sensible(known).chain(mangled) },
    { weight: 6, arbitrary: sensible(known) },
    { weight: 1, arbitrary: fc.constantFrom(...bombs(bombBytes, known)) },
    { weight: 1, arbitrary: fc.constant('') },
  )
  const authorization = fc.oneof(
    { weight: 12, arbitrary: fc.constant(basic('x', known.secret)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'Basic',
        'Basic \u00FF',
        'Bearer x',
        basic('x', 'y'),
        'Basic Og==',
      ),
    },
  )
  return fc
    .tuple(
      methods,
      targets(known),
      authorization,
      headerLines,
      bodies.chain(coded),
      fc.constantFrom(
        ...Array.from({ length: 8 }, () => 'length' as const),
        'chunks',
        'short',
        'long',
        'none',
      ),
    )
    .map(([method, target, sent, lines, { bytes, coding }, framing]) => {
      const head = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close']
      head.push(`Authorization: ${sent}`, ...lines)
      if (coding !== undefined) head.push(`Content-Encoding: ${coding}`)
      const length = { length: bytes.length, short: bytes.length + 9, long: bytes.length >> 1 }
      if (framing === 'chunks') head.push('Transfer-Encoding: chunked')
      else if (framing !== 'none') head.push(`Content-Length: ${length[framing]}`)
      const body = framing === 'chunks' ? chunked(bytes) : bytes
      const sentHead = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
      return { bytes: Buffer.concat([sentHead, body]), isShort: framing === 'short' }
    })
}

function chunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 1000) {
    const part = bytes.subarray(at, at + 1000)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
