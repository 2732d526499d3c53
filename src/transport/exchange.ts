import { randomUUID } from 'node:crypto'

import type { Authentication } from '../domain/connection.ts'
import { Recent } from '../domain/memo.ts'
import { credentialHeaders, credentialQuery } from './authentication.ts'
import {
  acceptEncoding,
  type GetOptions,
  type Http,
  type HttpAnswer,
  redirectTarget,
} from './http.ts'

/** Of all clients together, and of one answer. */
export const keptBytesMax = 33_554_432
const answerBytesMax = 8_388_608
const redirectsMax = 3

interface ExchangeOptions extends GetOptions {
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

  return async (asked, options) => {
    const ask = (it: URL): Promise<HttpAnswer> => revalidate(it, options)
    const names = query.map(([name]) => name)
    const { url, answer } = await followRedirects(asked, ask, names)
    const settle = (isReadable: boolean): void =>
      keepAnswer(kept, nameOf(url), isReadable ? answer : undefined)
    return { answer, settle }
  }

  async function revalidate(
    url: URL,
    { bypassCache, ...options }: ExchangeOptions,
  ): Promise<HttpAnswer> {
    const known = bypassCache ? undefined : kept.find(nameOf(url))
    const condition = known && { 'if-none-match': known.etag }
    const sent = { ...headers, ...condition, ...(bypassCache && { 'cache-control': 'no-cache' }) }
    const authenticated = new URL(url)
    for (const [name, value] of query) authenticated.searchParams.set(name, value)
    const answer = await http.get(authenticated, sent, options)
    return known && answer.status === 304 ? known.answer : answer
  }
}

/** The last answers of all clients of the program that may be asked for again by their entity tags (RFC 9110 section 13.1.2). */
export type KeptAnswers = Recent<{ readonly etag: string; readonly answer: HttpAnswer }>

/** What is read of an answer's headers that is kept: some send ten thousand characters of others. */
const keptFields = ['etag', 'cache-control', 'content-encoding', 'link'] as const

/** Keeps a 200 in place of the one before if it has an entity tag and may be stored (RFC 9111 section 5.2.2.5); else none. */
function keepAnswer(kept: KeptAnswers, name: string, answer: HttpAnswer | undefined): void {
  kept.forget(name)
  if (!answer) return
  const { status, body } = answer
  const fields = keptFields.map((field) => [field, answer.headers[field]] as const)
  const headers = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  const { etag } = headers
  const mayBeStored = !/\bno-store\b/i.test(String(headers['cache-control']))
  if (typeof etag !== 'string' || !mayBeStored) return
  // A short body costs its headers and its address too.
  const texts = [name, ...Object.values(headers).flatMap((value) => value ?? [])]
  const bytes = texts.reduce((size, { length }) => size + length, body.length + 1024)
  if (bytes <= answerBytesMax) kept.keep(name, { etag, answer: { status, headers, body } }, bytes)
}

/**
 * The answer at the end of the redirects to the same resource within the origin, for which alone the credential is meant. What
 * a redirect says of its query parameters is left out: each request has them anyway.
 */
export async function followRedirects(
  asked: URL,
  ask: (url: URL) => Promise<HttpAnswer>,
  credentialNames: readonly string[] = [],
): Promise<{ readonly url: URL; readonly answer: HttpAnswer }> {
  let url = asked
  let answer = await ask(url)
  for (let followed = 0; followed < redirectsMax; followed += 1) {
    const target = redirectTarget(answer, url)
    for (const name of credentialNames) target?.searchParams.delete(name)
    if (!target || target.href === url.href || !isSameResource(target, asked)) break
    url = target
    answer = await ask(url)
  }
  return { url, answer }
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

/** What is no percent-encoding is itself (as the URL standard reads forms). */
function decoded(segment: string): string {
  const written = segment.replaceAll('+', '%2B').replaceAll('&', '%26')
  return new URLSearchParams(`segment=${written}`).get('segment') ?? ''
}
