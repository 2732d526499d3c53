import type { Authentication } from '../domain/connection.ts'
import { credentialHeaders, credentialQuery } from './authentication.ts'
import { acceptEncoding, type Http, type HttpAnswer } from './http.ts'
import { Redirects } from './redirects.ts'

/** Of all clients together, and of one answer. */
const keptBytesMax = 33_554_432
const answerBytesMax = 8_388_608

interface ExchangeOptions {
  readonly signal: AbortSignal
  /** Whether neither an answer kept here nor a cache on the way may speak for the API (RFC 9111 section 5.2.1.4). */
  readonly anew?: boolean
}

export interface Exchanged {
  readonly answer: HttpAnswer
  /** Told of a 200 whether it could be read: only then it may be asked for again by its tag. */
  readonly settle: (isReadable: boolean) => void
}

/** One GET as this client makes it; fails as `Http` does. */
export type Exchange = (url: URL, options: ExchangeOptions) => Promise<Exchanged>

/** GETs with the credential, asked conditionally where an answer is kept, redirects within the origin followed. */
export function createExchange(
  http: Http,
  authentication: Authentication,
  kept: KeptOfClient = new KeptAnswers().ofClient(),
): Exchange {
  const query = Object.entries(credentialQuery(authentication))
  const headers = {
    accept: 'application/json',
    'accept-encoding': acceptEncoding,
    'user-agent': 'calendar-feed-bridge',
    ...credentialHeaders(authentication),
  }
  /** Of an API that redirects: most do not. */
  let redirects: Redirects | undefined

  return async (asked, options) => {
    const { url, answer } = await arrive(asked, options)
    return { answer, settle: (isReadable) => kept.replace(url, isReadable ? answer : undefined) }
  }

  async function arrive(
    asked: URL,
    options: ExchangeOptions,
  ): Promise<{ readonly url: URL; readonly answer: HttpAnswer }> {
    const ask = (it: URL): Promise<HttpAnswer> => revalidate(it, options)
    if (redirects) return redirects.follow(asked, ask)
    const answer = await ask(asked)
    if (answer.status < 300 || answer.status >= 400) return { url: asked, answer }
    redirects ??= new Redirects(query.map(([name]) => name))
    const answered = [answer]
    return redirects.follow(asked, async (it) => answered.pop() ?? ask(it))
  }

  async function revalidate(url: URL, { signal, anew }: ExchangeOptions): Promise<HttpAnswer> {
    const known = anew ? undefined : kept.find(url)
    const condition = known && { 'if-none-match': known.etag }
    const sent = { ...headers, ...condition, ...(anew && { 'cache-control': 'no-cache' }) }
    const answer = await http.get(withCredential(url), sent, signal)
    return known && answer.status === 304 ? known.answer : answer
  }

  function withCredential(url: URL): URL {
    const authenticated = new URL(url)
    for (const [name, value] of query) authenticated.searchParams.set(name, value)
    return authenticated
  }
}

interface KeptAnswer {
  readonly etag: string
  readonly answer: HttpAnswer
}

/** What is read of an answer's headers that is kept: some send ten thousand characters of others. */
const keptFields = ['etag', 'cache-control', 'content-encoding', 'link'] as const

/** The last answers of one client, one for each address, for the one credential that it has. */
export interface KeptOfClient {
  /** The answer that may be asked for again by its entity tag (RFC 9110 section 13.1.2). */
  find(url: URL): KeptAnswer | undefined
  /** Keeps a 200 in place of the one before, if it has an entity tag and may be stored (RFC 9111 section 5.2.2.5); else none. */
  replace(url: URL, answer: HttpAnswer | undefined): void
}

/** The last answers of all clients of the program, up to a number of bytes of bodies. */
export class KeptAnswers {
  readonly #bytesMax: number
  readonly #kept = new Map<string, KeptAnswer>()
  #bytes = 0
  #clients = 0

  constructor(bytesMax = keptBytesMax) {
    this.#bytesMax = bytesMax
  }

  /** For another client: no other finds what it keeps. */
  ofClient(): KeptOfClient {
    this.#clients += 1
    const client = this.#clients
    const nameOf = ({ href }: URL): string => `${client} ${href}`
    return {
      find: (url) => this.#find(nameOf(url)),
      replace: (url, answer) => this.#replace(nameOf(url), answer),
    }
  }

  #find(name: string): KeptAnswer | undefined {
    const found = this.#kept.get(name)
    if (found && this.#kept.delete(name)) this.#kept.set(name, found)
    return found
  }

  #replace(name: string, answer: HttpAnswer | undefined): void {
    this.#drop(name)
    const etag = answer?.headers['etag']
    if (!answer || typeof etag !== 'string' || mayNotBeStored(answer)) return
    const kept = { etag, answer: withoutOthers(answer) }
    if (sizeOf(name, kept) > Math.min(answerBytesMax, this.#bytesMax)) return
    this.#kept.set(name, kept)
    this.#bytes += sizeOf(name, kept)
    this.#dropOldest()
  }

  #dropOldest(): void {
    for (const name of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.#drop(name)
    }
  }

  #drop(name: string): void {
    const found = this.#kept.get(name)
    if (found && this.#kept.delete(name)) this.#bytes -= sizeOf(name, found)
  }
}

function mayNotBeStored({ headers }: HttpAnswer): boolean {
  return /\bno-store\b/i.test(String(headers['cache-control'] ?? ''))
}

function withoutOthers({ status, headers, body }: HttpAnswer): HttpAnswer {
  const fields = keptFields.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { status, headers: Object.fromEntries(fields), body }
}

/** A short body costs its headers and its address too. */
function sizeOf(name: string, { answer: { headers, body } }: KeptAnswer): number {
  const fields = Object.values(headers).flatMap((value) => value ?? [])
  return fields.reduce((size, { length }) => size + length, body.length + name.length + 1024)
}
