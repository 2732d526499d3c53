/* The page of anyone who has signed in, as hand-made requests use it: what they do not say, nobody says for them. */
import { request } from 'node:http'

import type { SignedIn } from '../../../src/domain/access/staff.ts'
import type { TestNode } from './node.ts'

export interface PageReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export type Fields = Readonly<Record<string, string>>
type Sent = { readonly headers?: Fields; readonly body?: string; readonly method?: string }

/** What a browser says of a form of our own page. */
export const fromOurPage = {
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/x-www-form-urlencoded',
}

/** Somebody's browser. */
export class Visitor {
  readonly cookie: string

  constructor(cookie: string) {
    this.cookie = cookie
  }

  open(at: string, path = '/me', sent: Sent = {}): Promise<PageReply> {
    return ask(`${at}${path}`, { ...sent, headers: { Cookie: this.cookie, ...sent.headers } })
  }

  /** Sends a form of the page, as the page does. */
  send(at: string, fields: Fields, headers: Fields = fromOurPage): Promise<PageReply> {
    const body = new URLSearchParams(fields).toString()
    return this.open(at, '/me', { method: 'POST', body, headers })
  }
}

/** Makes somebody known who works there, and signs them in. */
export async function signInPerson(
  node: TestNode,
  userId: string,
  staff: SignedIn['staff'] = null,
): Promise<Visitor> {
  const { people } = node.store
  await people.seePeople('main', [{ id: userId }], 1)
  const user = { id: userId, firstName: userId.slice(4), lastName: 'Test' }
  const reading = { userId, state: 'active', user, readAt: 2 } as const
  await people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
  return signIn(node, { person: { companyId: 'main', userId }, staff })
}

export async function signIn(node: TestNode, who: SignedIn): Promise<Visitor> {
  return new Visitor(`cfb_session=${await node.access.sessions.begin(who)}`)
}

/** A key as the page's forms have, of that letter. */
export function keyOf(letter: string): string {
  return letter.repeat(43)
}

/** The address of the calendar in a reply that shows a new one; undefined where it shows none. */
export function newAddress({ text }: PageReply): string | undefined {
  return /http:[^"\s<]*cfb_[\w-]{43}[^"\s<]*\.ics/.exec(text)?.[0]
}

/** The sentence of a form that was refused. */
export function refusal({ text }: PageReply): string | undefined {
  return / autofocus>[^]*?<span>([^<]*)<\/span>/.exec(text)?.[1]
}

function ask(url: string, { method = 'GET', headers, body = '' }: Sent): Promise<PageReply> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
