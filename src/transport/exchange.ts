import type { Authentication } from '../domain/connection.ts'
import { credentialHeaders, credentialUrl } from './authentication.ts'
import { ACCEPT_ENCODING } from './content-coding.ts'
import type { Http, HttpAnswer } from './http.ts'
import { redirectTarget, REDIRECTS_MAX } from './redirects.ts'
import { createRevalidation } from './revalidation.ts'

/** One GET as this client makes it; fails as `Http` does. */
export type Exchange = (url: URL, signal: AbortSignal) => Promise<HttpAnswer>

const REVALIDATION_BYTES_MAX = 8_388_608

/** GETs with the credential, asked conditionally where an answer is kept, redirects within the origin followed. */
export function createExchange(http: Http, authentication: Authentication): Exchange {
  const revalidation = createRevalidation(REVALIDATION_BYTES_MAX)
  const headers = {
    accept: 'application/json',
    'accept-encoding': ACCEPT_ENCODING,
    'user-agent': 'calendar-feed-bridge',
    ...credentialHeaders(authentication),
  }
  return (url, signal) => follow(url, signal, REDIRECTS_MAX)

  async function follow(url: URL, signal: AbortSignal, redirectsLeft: number): Promise<HttpAnswer> {
    const answer = await revalidate(url, signal)
    const target = redirectTarget(answer, url)
    // The credential is meant for this origin alone.
    const isFollowed = target?.origin === url.origin && redirectsLeft > 0
    return isFollowed ? follow(target, signal, redirectsLeft - 1) : answer
  }

  async function revalidate(url: URL, signal: AbortSignal): Promise<HttpAnswer> {
    const kept = revalidation.find(url)
    const condition = kept && { 'if-none-match': kept.etag }
    const asked = credentialUrl(authentication, url)
    const answer = await http.get(asked, { ...headers, ...condition }, signal)
    if (kept && answer.status === 304) return kept.answer
    if (answer.status === 200) revalidation.keep(url, answer)
    return answer
  }
}
