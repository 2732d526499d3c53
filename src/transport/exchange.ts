import type { Authentication } from '../domain/connection.ts'
import { credentialHeaders, credentialQuery } from './authentication.ts'
import { acceptEncoding, type Http, type HttpAnswer } from './http.ts'
import { Redirects } from './redirects.ts'

const keptBytesMax = 8_388_608

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
export function createExchange(http: Http, authentication: Authentication): Exchange {
  const kept = createKeptAnswers(keptBytesMax)
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

interface KeptAnswers {
  /** The answer that may be asked for again by its entity tag (RFC 9110 section 13.1.2). */
  find(url: URL): KeptAnswer | undefined
  /** Keeps a 200 in place of the one before, if it has an entity tag and may be stored (RFC 9111 section 5.2.2.5); else none. */
  replace(url: URL, answer: HttpAnswer | undefined): void
}

/** The last answers, up to `bytesMax` of bodies; one for each address, for the one credential of its client. */
export function createKeptAnswers(bytesMax: number): KeptAnswers {
  const kept = new Map<string, KeptAnswer>()
  let bytes = 0

  function find({ href }: URL): KeptAnswer | undefined {
    const found = kept.get(href)
    if (found && kept.delete(href)) kept.set(href, found)
    return found
  }

  function replace({ href }: URL, answer: HttpAnswer | undefined): void {
    drop(href)
    const etag = answer?.headers['etag']
    if (!answer || typeof etag !== 'string' || mayNotBeStored(answer)) return
    if (sizeOf(answer) > bytesMax) return
    kept.set(href, { etag, answer })
    bytes += sizeOf(answer)
    dropOldest()
  }

  function dropOldest(): void {
    for (const href of kept.keys()) {
      if (bytes <= bytesMax) return
      drop(href)
    }
  }

  function drop(href: string): void {
    const found = kept.get(href)
    if (found && kept.delete(href)) bytes -= sizeOf(found.answer)
  }

  return { find, replace }
}

function mayNotBeStored({ headers }: HttpAnswer): boolean {
  return /\bno-store\b/i.test(String(headers['cache-control'] ?? ''))
}

/** A short body costs its headers and its address too. */
function sizeOf({ body }: HttpAnswer): number {
  return body.length + 1024
}
