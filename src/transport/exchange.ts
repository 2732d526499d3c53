import type { Authentication } from '../domain/connection.ts'
import { credentialHeaders, credentialQuery } from './authentication.ts'
import { acceptEncoding, type Http, type HttpAnswer } from './http.ts'

const redirectsMax = 3
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const keptBytesMax = 8_388_608

/** One GET as this client makes it; fails as `Http` does. */
export type Exchange = (url: URL, signal: AbortSignal) => Promise<HttpAnswer>

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
  return (url, signal) => follow(url, signal, redirectsMax)

  async function follow(url: URL, signal: AbortSignal, redirectsLeft: number): Promise<HttpAnswer> {
    const answer = await revalidate(url, signal)
    const target = redirectTarget(answer, url)
    // The credential is meant for this origin alone.
    const isFollowed = target?.origin === url.origin && redirectsLeft > 0
    return isFollowed ? follow(target, signal, redirectsLeft - 1) : answer
  }

  async function revalidate(url: URL, signal: AbortSignal): Promise<HttpAnswer> {
    const known = kept.find(url)
    const condition = known && { 'if-none-match': known.etag }
    const answer = await http.get(withCredential(url), { ...headers, ...condition }, signal)
    if (known && answer.status === 304) return known.answer
    if (answer.status === 200) kept.keep(url, answer)
    return answer
  }

  function withCredential(url: URL): URL {
    const authenticated = new URL(url)
    for (const [name, value] of query) authenticated.searchParams.set(name, value)
    return authenticated
  }
}

/** Where the answer redirects to (RFC 9110 section 15.4); undefined where it does not, or to no readable address. */
export function redirectTarget({ status, headers }: HttpAnswer, url: URL): URL | undefined {
  const { location } = headers
  if (!redirectStatuses.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, url.href) ?? undefined
}

interface KeptAnswer {
  readonly etag: string
  readonly answer: HttpAnswer
}

interface KeptAnswers {
  /** The answer that may be asked for again by its entity tag (RFC 9110 section 13.1.2). */
  find(url: URL): KeptAnswer | undefined
  /** Keeps a 200 that has an entity tag and may be stored (RFC 9111 section 5.2.2.5). */
  keep(url: URL, answer: HttpAnswer): void
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

  function keep({ href }: URL, answer: HttpAnswer): void {
    drop(href)
    const { etag } = answer.headers
    if (typeof etag !== 'string' || mayNotBeStored(answer)) return
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

  return { find, keep }
}

function mayNotBeStored({ headers }: HttpAnswer): boolean {
  return /\bno-store\b/i.test(String(headers['cache-control'] ?? ''))
}

/** A short body costs its headers and its address too. */
function sizeOf({ body }: HttpAnswer): number {
  return body.length + 1024
}
