/* A CalDAV client as in RFC 6578: it holds events by name, and the token of its last answer. */
import { expect } from 'vitest'

import { childrenOf, dav, caldav, parseXml, type XmlElement } from '../../../src/dav/xml.ts'

/** A link as an account. */
export interface Account {
  readonly feedId: string
  readonly secret: string
}

/** How a client fetches changed events. */
export const readings = ['inline', 'multiget', 'get'] as const
export type Reading = (typeof readings)[number]

interface Held {
  readonly etag: string
  readonly vevent: string
}

export interface ClientState {
  readonly held: ReadonlyMap<string, Held>
  readonly token: string
}

export const nothing: ClientState = { held: new Map(), token: '' }

/** One answer to a sync-collection. */
export interface Page {
  readonly state: ClientState
  /** ETags by name; null for removed events. */
  readonly reported: ReadonlyMap<string, string | null>
  readonly isCutOff: boolean
}

/** Why a client gets no changes. */
export type Refusal = 'token refused' | 'ended' | 'unavailable'

export interface Asked {
  /** Of a node. */
  readonly url: string
  readonly account: Account
  readonly reading: Reading
  readonly limit: number | null
}

/** Asks for changes once, and fetches the changed events. */
export async function readPage(
  asked: Asked,
  { held, token }: ClientState,
): Promise<Page | Refusal> {
  const { reading, limit } = asked
  const data = reading === 'inline' ? '<c:calendar-data/>' : ''
  const most = limit === null ? '' : `<d:limit><d:nresults>${limit}</d:nresults></d:limit>`
  const answer = await send(
    asked,
    'REPORT',
    `<d:sync-collection xmlns:d="DAV:" xmlns:c="${caldav}"><d:sync-token>${token}</d:sync-token>
      <d:sync-level>1</d:sync-level>${most}<d:prop><d:getetag/>${data}</d:prop></d:sync-collection>`,
  )
  if (answer.status === 401) return 'ended'
  if (answer.status === 503) return 'unavailable'
  if (answer.status === 403) {
    expect(answer.text).toContain('valid-sync-token')
    expect(token).not.toBe('')
    return 'token refused'
  }
  expect([answer.status, answer.text]).toEqual([207, answer.text])
  const root = parseXml(Buffer.from(answer.text))
  const responses = childrenOf(root, dav, 'response').map(readResponse)
  const own = responses.filter(({ name }) => name !== '')
  const [cutOff, ...others] = responses.filter(({ name }) => name === '')
  expect(others).toEqual([])
  if (cutOff) expect(cutOff.status).toBe(507)
  if (limit !== null) expect(own.length).toBeLessThanOrEqual(limit)
  const reported = new Map(
    own.map(({ name, etag, status }) => [name, status === 404 ? null : etag]),
  )
  expect(reported.size).toBe(own.length)
  const changed = own.filter(({ status }) => status === 200)
  const texts = await readEvents(asked, changed)
  const next = new Map(held)
  for (const { name, status } of own) if (status === 404) next.delete(name)
  for (const { name, etag } of changed) next.set(name, { etag, vevent: veventOf(texts.get(name)) })
  const state = { held: next, token: textIn(root, 'sync-token') }
  return { state, reported, isCutOff: cutOff !== undefined }
}

/** The token in a PROPFIND. */
export async function readCurrentToken(asked: Asked): Promise<string> {
  const body = '<d:propfind xmlns:d="DAV:"><d:prop><d:sync-token/></d:prop></d:propfind>'
  const { text } = await send(asked, 'PROPFIND', body)
  return /<d:sync-token>([^<]*)</.exec(text)?.[1] ?? text
}

interface Named {
  /** Empty for the calendar itself. */
  readonly name: string
  readonly status: number
  readonly etag: string
  readonly data: string | undefined
}

function readResponse(response: XmlElement): Named {
  const [propstat, ...others] = childrenOf(response, dav, 'propstat')
  expect(others).toEqual([])
  const href = textIn(response, 'href')
  const prop = propstat && childrenOf(propstat, dav, 'prop')[0]
  return {
    name: /([^/]*?)(?:\.ics)?$/.exec(href)?.[1] ?? '',
    status: Number(textIn(propstat ?? response, 'status').split(' ')[1]),
    etag: prop ? textIn(prop, 'getetag') : '',
    data: prop && childrenOf(prop, caldav, 'calendar-data')[0]?.text,
  }
}

function textIn(element: XmlElement, local: string): string {
  const [child] = childrenOf(element, dav, local)
  return child?.text ?? ''
}

async function readEvents(
  asked: Asked,
  events: readonly Named[],
): Promise<ReadonlyMap<string, string | undefined>> {
  if (asked.reading === 'inline') return new Map(events.map(({ name, data }) => [name, data]))
  if (asked.reading === 'get') {
    const texts = events.map(async ({ name, etag }) => {
      const answer = await send(asked, 'GET', undefined, `${name}.ics`)
      expect([answer.status, answer.etag]).toEqual([200, etag])
      return [name, answer.text] as const
    })
    return new Map(await Promise.all(texts))
  }
  if (events.length === 0) return new Map()
  const hrefs = events.map(({ name }) => `<d:href>${pathOf(asked)}${name}.ics</d:href>`).join('')
  const body = `<c:calendar-multiget xmlns:d="DAV:" xmlns:c="${caldav}"><d:prop><d:getetag/>
    <c:calendar-data/></d:prop>${hrefs}</c:calendar-multiget>`
  const { text } = await send(asked, 'REPORT', body)
  const found = childrenOf(parseXml(Buffer.from(text)), dav, 'response').map(readResponse)
  expect(found.map(({ name, etag }) => [name, etag])).toEqual(
    events.map(({ name, etag }) => [name, etag]),
  )
  return new Map(found.map(({ name, data }) => [name, data]))
}

function veventOf(text = ''): string {
  const vevents = veventsIn(text)
  expect([vevents.length, text]).toEqual([1, text])
  return vevents[0] ?? ''
}

export function veventsIn(text: string): readonly string[] {
  return text.match(/BEGIN:VEVENT\r\n.*?END:VEVENT\r\n/gs) ?? []
}

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly text: string
}

async function send(asked: Asked, method: string, body?: string, name = ''): Promise<Answer> {
  const { url, account } = asked
  const response = await fetch(url + pathOf(asked) + name, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`x:${account.secret}`).toString('base64')}`,
      Depth: method === 'PROPFIND' ? '0' : '1',
    },
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    etag: response.headers.get('ETag'),
    text: await response.text(),
  }
}

function pathOf({ account }: Asked): string {
  return `/dav/calendars/${account.feedId}/`
}
