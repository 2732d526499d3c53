/* A CalDAV client that sends requests as they are given, and reads answers with a strict parser. */
import { type IncomingHttpHeaders, request } from 'node:http'

import { SaxesParser } from 'saxes'

import { calendarUrl, type FeedAnswer } from '../bridge/bridge.ts'

const caldav = 'urn:ietf:params:xml:ns:caldav'
/** Namespace declarations for bodies. */
export const namespaces = `xmlns="DAV:" xmlns:C="${caldav}" xmlns:CS="http://calendarserver.org/ns/"`

export interface DavAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface DavQuestion {
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** null sends none; the default is the account's. */
  readonly password?: string | null
  readonly user?: string
  /** The server's URL; the default is the bridge's own. */
  readonly at?: string
}

export interface DavAccount {
  readonly secret: string
  readonly feedId: string
  /** The path of its calendar. */
  readonly calendar: string
  ask(method: string, path: string, question?: DavQuestion): Promise<DavAnswer>
}

/** The account of the link with that address; by default the feed's first. */
export function accountOf(feed: FeedAnswer, url: string, address = calendarUrl(feed)): DavAccount {
  const [secret = ''] = /cfb_[\w-]{43}/.exec(address) ?? []
  const { id: feedId } = feed
  return {
    secret,
    feedId,
    calendar: `/dav/calendars/${feedId}/`,
    ask: (method, path, { password = secret, user = 'anybody', at = url, ...question } = {}) =>
      send(at, method, path, {
        ...question,
        headers: {
          ...(password === null ? {} : { Authorization: basic(user, password) }),
          ...question.headers,
        },
      }),
  }
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Does not normalise the path. */
function send(
  url: string,
  method: string,
  path: string,
  { body = '', headers = {} }: Pick<DavQuestion, 'body' | 'headers'>,
): Promise<DavAnswer> {
  const { hostname, port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = body.length === 0 ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const asked = request(
      { hostname, port, path, method, headers: { Host: host, ...length, ...headers } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0 } = response
          resolve({ status, headers: response.headers, text: Buffer.concat(parts).toString() })
        })
      },
    )
    asked.on('error', reject).end(body)
  })
}

export interface XmlNode {
  /** The namespace, a space, and the local name. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
}

/** Fails if it is not well-formed with its namespaces. */
function readXml(text: string): XmlNode {
  type Open = XmlNode & { children: XmlNode[]; text: string }
  const top: Open = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const values = Object.values(attributes).map((it) => [it.local, it.value] as const)
    const name = `${uri} ${local}`
    const node: Open = { name, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  parser.on('text', (part) => {
    const node = open.at(-1)
    if (node) node.text += part
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(text).close()
  return top.children[0]!
}

/** The children with that name. */
export function inside(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name)
}

export interface DavResponse {
  readonly href: string
  /** Of the whole resource, unless it has propstats. */
  readonly status: number | undefined
  /** The names of the conditions in its error element. */
  readonly conditions: readonly string[]
  /** By status of their propstat, then by name. */
  readonly properties: Readonly<Record<number, ReadonlyMap<string, XmlNode>>>
}

/** Fails unless it is a multistatus as RFC 4918 section 14.16 defines it. */
export function readMultistatus({ text, headers }: DavAnswer): {
  readonly responses: readonly DavResponse[]
  readonly syncToken: string | undefined
} {
  if (headers['content-type'] !== 'application/xml; charset=utf-8') throw new Error(text)
  const root = readXml(text)
  const others = root.children.filter(({ name }) => !/^DAV: (?:response|sync-token)$/.test(name))
  if (root.name !== 'DAV: multistatus' || others.length > 0) throw new Error(text)
  const responses = inside(root, 'DAV: response').map(readResponse)
  return { responses, syncToken: inside(root, 'DAV: sync-token')[0]?.text }
}

/** `(href, (status | propstat+), error?)` */
function readResponse(node: XmlNode): DavResponse {
  const order = node.children.map(({ name }) => name.replace('DAV: ', '')).join(' ')
  if (!/^href (?:status|propstat(?: propstat)*)(?: error)?$/.test(order)) throw new Error(order)
  const [status] = inside(node, 'DAV: status')
  const properties = inside(node, 'DAV: propstat').map((stat) => {
    const parts = stat.children.map(({ name }) => name).join(' ')
    if (parts !== 'DAV: prop DAV: status') throw new Error(parts)
    const found = stat.children[0]!.children.map((it) => [it.name, it] as const)
    return [statusIn(stat.children[1]!), new Map(found)] as const
  })
  return {
    href: inside(node, 'DAV: href')[0]!.text,
    status: status && statusIn(status),
    conditions: inside(node, 'DAV: error').flatMap((it) => it.children.map(({ name }) => name)),
    properties: Object.fromEntries(properties),
  }
}

function statusIn({ text }: XmlNode): number {
  const [, status] = /^HTTP\/1\.1 (\d{3}) [A-Z][A-Za-z -]+$/.exec(text) ?? []
  if (status === undefined) throw new Error(text)
  return Number(status)
}

/** The name of the failed precondition in an answer (RFC 4918 section 16). */
export function conditionOf({ text }: DavAnswer): string | undefined {
  const root = readXml(text)
  return root.name === 'DAV: error' ? root.children[0]?.name : undefined
}

/** The body of a PROPFIND for these properties, such as `<getetag/>`. */
export function propfind(...properties: readonly string[]): string {
  return `<propfind ${namespaces}><prop>${properties.join('')}</prop></propfind>`
}

/** A calendar-query with this filter in the comp-filter of VEVENT; it asks for ETags. */
export function query(filter: string): string {
  return calendarQuery(`<C:comp-filter name="VEVENT">${filter}</C:comp-filter>`)
}

/** A calendar-query with this filter in the comp-filter of VCALENDAR. */
export function calendarQuery(filter: string): string {
  const within = `<C:filter><C:comp-filter name="VCALENDAR">${filter}</C:comp-filter></C:filter>`
  return `<C:calendar-query ${namespaces}><prop><getetag/></prop>${within}</C:calendar-query>`
}

export function multiget(hrefs: readonly string[], properties = '<getetag/>'): string {
  const all = hrefs.map((href) => `<href>${href}</href>`).join('')
  return `<C:calendar-multiget ${namespaces}><prop>${properties}</prop>${all}</C:calendar-multiget>`
}

/** A sync-collection since that token, which may be empty. */
export function sync(token: string, limit?: string): string {
  const most = limit === undefined ? '' : `<limit><nresults>${limit}</nresults></limit>`
  const level = '<sync-level>1</sync-level>'
  return `<sync-collection ${namespaces}><sync-token>${token}</sync-token>${level}${most}<prop><getetag/></prop></sync-collection>`
}

/** The account's sync token. */
export async function tokenOf(account: DavAccount): Promise<string> {
  const answer = await account.ask('REPORT', account.calendar, { body: sync('') })
  return readMultistatus(answer).syncToken!
}

/** The paths of the account's events. */
export async function eventsOf(account: DavAccount): Promise<readonly string[]> {
  const answer = await account.ask('REPORT', account.calendar, { body: query('') })
  return readMultistatus(answer).responses.map(({ href }) => href)
}
