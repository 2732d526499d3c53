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

/** Size limits of the cache: of all clients together, and of one response. */
export const keptBytesMax = 33_554_432
const answerBytesMax = 8_388_608
const redirectsMax = 3

interface ExchangeOptions extends GetOptions {
  /** Whether to bypass our cache and any on the way (RFC 9111 section 5.2.1.4). */
  readonly bypassCache?: boolean
}

export interface Exchanged {
  readonly answer: HttpAnswer
  /** Reports whether a 200 could be read: only then it may be cached and requested again by its tag. */
  readonly settle: (isReadable: boolean) => void
}

/** Sends one GET; fails like `Http`. */
export type Exchange = (url: URL, options: ExchangeOptions) => Promise<Exchanged>

/**
 * Creates an exchange that adds the credential, asks conditionally if a response is cached, and follows redirects within
 * the origin.
 */
export function createExchange(
  http: Http,
  authentication: Authentication,
  kept: KeptAnswers = new Recent(keptBytesMax),
): Exchange {
  /** Clients never share cached responses, since their credentials may differ. */
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

/** The latest responses of all clients that can be revalidated by their entity tags (RFC 9110 section 13.1.2). */
export type KeptAnswers = Recent<{ readonly etag: string; readonly answer: HttpAnswer }>

/** The header fields we use and therefore store. Some servers send ten thousand characters of others. */
const keptFields = ['etag', 'cache-control', 'content-encoding', 'link'] as const

/** Replaces the cached response by a 200 with an entity tag that may be stored (RFC 9111 section 5.2.2.5), or by nothing. */
function keepAnswer(kept: KeptAnswers, name: string, answer: HttpAnswer | undefined): void {
  kept.forget(name)
  if (!answer) return
  const { status, body } = answer
  const fields = keptFields.map((field) => [field, answer.headers[field]] as const)
  const headers = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  const { etag } = headers
  const mayBeStored = !/\bno-store\b/i.test(String(headers['cache-control']))
  if (typeof etag !== 'string' || !mayBeStored) return
  // For short bodies, the headers and the address matter, too.
  const texts = [name, ...Object.values(headers).flatMap((value) => value ?? [])]
  const bytes = texts.reduce((size, { length }) => size + length, body.length + 1024)
  if (bytes <= answerBytesMax) kept.keep(name, { etag, answer: { status, headers, body } }, bytes)
}

/**
 * Returns the response after redirects to the same resource within the origin; the credential is meant for no other. Drops
 * credential parameters from redirect targets, since each request adds them anyway.
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

/** Whether both are the same list or record with the same filters: any other would be mistaken for the requested one. */
function isSameResource(target: URL, asked: URL): boolean {
  return (
    target.origin === asked.origin &&
    pathOf(target) === pathOf(asked) &&
    queryOf(target) === queryOf(asked)
  )
}

/** Decodes each segment and drops slashes at the end. */
function pathOf({ pathname }: URL): string {
  const segments = pathname.replace(/\/+$/, '').split('/')
  return JSON.stringify(segments.map(decoded))
}

function queryOf({ searchParams }: URL): string {
  const sorted = new URLSearchParams(searchParams)
  sorted.sort()
  return sorted.toString()
}

/** Leaves invalid percent-encoding unchanged (URL standard, form parsing). */
function decoded(segment: string): string {
  const written = segment.replaceAll('+', '%2B').replaceAll('&', '%26')
  return new URLSearchParams(`segment=${written}`).get('segment') ?? ''
}
