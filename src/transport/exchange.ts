import { randomUUID } from 'node:crypto'

import type { Authentication } from '../domain/connection.ts'
import { Recent } from '../domain/memo.ts'
import { credentialHeaders, credentialQuery } from './authentication.ts'
import { acceptEncoding, type Http, type HttpAnswer, redirectTarget } from './http.ts'

/** Of all clients together, and of one answer. */
export const keptBytesMax = 33_554_432
const answerBytesMax = 8_388_608

interface ExchangeOptions {
  readonly signal: AbortSignal
  /** Whether neither an answer kept here nor a cache on the way may speak for the API (RFC 9111 section 5.2.1.4). */
  readonly bypassCache?: boolean
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
  kept: KeptAnswers = new Recent(keptBytesMax),
): Exchange {
  /** No other client finds what this one keeps: its credential may be another. */
  const client = randomUUID()
  const nameOf = ({ href }: URL): string => `${client} ${href}`
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
    const settle = (isReadable: boolean): void =>
      keepAnswer(kept, nameOf(url), isReadable ? answer : undefined)
    return { answer, settle }
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

  async function revalidate(
    url: URL,
    { signal, bypassCache }: ExchangeOptions,
  ): Promise<HttpAnswer> {
    const known = bypassCache ? undefined : kept.find(nameOf(url))
    const condition = known && { 'if-none-match': known.etag }
    const sent = { ...headers, ...condition, ...(bypassCache && { 'cache-control': 'no-cache' }) }
    const answer = await http.get(withCredential(url), sent, signal)
    return known && answer.status === 304 ? known.answer : answer
  }

  function withCredential(url: URL): URL {
    const authenticated = new URL(url)
    for (const [name, value] of query) authenticated.searchParams.set(name, value)
    return authenticated
  }
}

/** The last answers of all clients of the program that may be asked for again by their entity tags (RFC 9110 section 13.1.2). */
export type KeptAnswers = Recent<KeptAnswer>

interface KeptAnswer {
  readonly etag: string
  readonly answer: HttpAnswer
}

/** What is read of an answer's headers that is kept: some send ten thousand characters of others. */
const keptFields = ['etag', 'cache-control', 'content-encoding', 'link'] as const

/** Keeps a 200 in place of the one before if it has an entity tag and may be stored (RFC 9111 section 5.2.2.5); else none. */
function keepAnswer(kept: KeptAnswers, name: string, answer: HttpAnswer | undefined): void {
  const etag = answer?.headers['etag']
  const mayBeStored = !/\bno-store\b/i.test(String(answer?.headers['cache-control'] ?? ''))
  kept.forget(name)
  if (!answer || typeof etag !== 'string' || !mayBeStored) return
  const fields = keptFields.flatMap((field) => {
    const value = answer.headers[field]
    return value === undefined ? [] : [[field, value] as const]
  })
  const headers = Object.fromEntries(fields)
  // A short body costs its headers and its address too.
  const texts = [name, ...Object.values(headers).flat()]
  const bytes = texts.reduce((size, { length }) => size + length, answer.body.length + 1024)
  if (bytes <= answerBytesMax) {
    kept.keep(name, { etag, answer: { status: answer.status, headers, body: answer.body } }, bytes)
  }
}

const redirectsMax = 3
const deadEndsMax = 10_000

/** An answer, and the address that it is of. */
export interface Arrival {
  readonly url: URL
  readonly answer: HttpAnswer
  /** Where the first redirect led, if there was one that was followed. */
  readonly first?: URL
}

type Ask = (url: URL) => Promise<HttpAnswer>

/** Where a redirect that brought nothing led first, and at last. */
interface DeadEnd {
  readonly first: URL
  readonly last: URL
  /** Whether it is asked for next, and not the address that led there. */
  isNext: boolean
}

/**
 * Follows redirects to the same resource within the origin, for which alone a credential is meant; those in vain only once.
 * What a query says of the credential makes no difference: each request has it again.
 */
export class Redirects {
  readonly #deadEnds = new Map<string, DeadEnd>()
  readonly #credentialNames: readonly string[]

  constructor(credentialNames: readonly string[] = []) {
    this.#credentialNames = credentialNames
  }

  /** The answer at the end of the redirects. After some in vain one address is asked for at a time, the last and the first in turns. */
  async follow(url: URL, ask: Ask): Promise<Arrival> {
    const known = this.#deadEnds.get(url.href)
    const arrival = known ? await askInTurns(known, url, ask) : await this.#followFrom(url, ask)
    const { answer, first, url: last } = arrival
    if (answer.status === 200 || (known && this.#leadsElsewhere(known, arrival))) {
      this.#deadEnds.delete(url.href)
    } else if (first) this.#note(url, { first, last, isNext: true })
    return arrival
  }

  async #followFrom(
    url: URL,
    ask: Ask,
    { asked = url, redirectsLeft = redirectsMax } = {},
  ): Promise<Arrival> {
    const answer = await ask(url)
    const first = this.#targetOf(answer, url)
    const isFollowed = first && first.href !== url.href && isSameResource(first, asked)
    if (!isFollowed || redirectsLeft === 0) return { url, answer }
    const next = { asked, redirectsLeft: redirectsLeft - 1 }
    return { ...(await this.#followFrom(first, ask, next)), first }
  }

  #targetOf(answer: HttpAnswer, url: URL): URL | undefined {
    const target = redirectTarget(answer, url)
    for (const name of this.#credentialNames) target?.searchParams.delete(name)
    return target
  }

  /** Whether the address that led there redirects to another place by now: it is followed next time. */
  #leadsElsewhere({ first, last }: DeadEnd, { url, answer }: Arrival): boolean {
    return url.href !== last.href && this.#targetOf(answer, url)?.href !== first.href
  }

  #note(url: URL, deadEnd: DeadEnd): void {
    if (this.#deadEnds.size >= deadEndsMax) this.#deadEnds.clear()
    this.#deadEnds.set(url.href, deadEnd)
  }
}

async function askInTurns(known: DeadEnd, url: URL, ask: Ask): Promise<Arrival> {
  const begin = known.isNext ? known.last : url
  known.isNext = !known.isNext
  return { url: begin, answer: await ask(begin) }
}

/** Whether both name the same list or record, filtered alike, however written: anything else that came would be taken for it. */
function isSameResource(target: URL, asked: URL): boolean {
  return (
    target.origin === asked.origin &&
    pathOf(target) === pathOf(asked) &&
    queryOf(target) === queryOf(asked)
  )
}

/** Without slashes at its end, each segment decoded. */
function pathOf({ pathname }: URL): string {
  const segments = pathname.replace(/\/+$/, '').split('/')
  return JSON.stringify(segments.map(decoded))
}

function queryOf({ searchParams }: URL): string {
  const sorted = new URLSearchParams(searchParams)
  sorted.sort()
  return sorted.toString()
}

/** What is no percent-encoding stands for itself (as the URL standard reads forms). */
function decoded(segment: string): string {
  const written = segment.replaceAll('+', '%2B').replaceAll('&', '%26')
  return new URLSearchParams(`segment=${written}`).get('segment') ?? ''
}
