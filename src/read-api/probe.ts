import type { Authentication, ConnectionSettings } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import type {
  ExaminationProbe,
  ProbeAnswer,
  ProbeCredential,
  ProbeQuestion,
} from '../domain/examination.ts'
import { withoutSecrets } from '../transport/authentication.ts'
import { createExchange } from '../transport/exchange.ts'
import {
  createHttp,
  decodeBody,
  fieldOf,
  nextLink,
  type HttpAnswer,
  redirectTarget,
  type Way,
} from '../transport/http.ts'
import { exchangeWithin } from '../transport/requester.ts'
import { apiUrl } from './client.ts'
import { Decoder } from './decoding.ts'

export interface ReadApiProbe extends ExaminationProbe {
  /** Closes the connections and cuts off requests under way. */
  close(): Promise<void>
}

/**
 * Creates a probe that asks the Read API in other ways than configured. It has its own waits and pauses, so that its
 * failures do not affect feeds.
 */
export function createReadApiProbe(settings: ConnectionSettings, way: Way = {}): ReadApiProbe {
  const { authentication, baseUrl, bodyBytesMax: bytesMax, timeoutMs } = settings
  const http = createHttp(settings, way)
  const decoder = new Decoder()

  async function ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer> {
    const url = questionUrl(baseUrl, question)
    const exchange = createExchange(http, resent(authentication, question.credential))
    return exchangeWithin({ url, ms: timeoutMs, signal }, async (either) => {
      const { answer } = await exchange(url, { signal: either })
      return describe(answer, url, either)
    })
  }

  async function describe(answer: HttpAnswer, url: URL, either: AbortSignal): Promise<ProbeAnswer> {
    const { status } = answer
    const body = status === 200 ? await decodeBody(answer, { url, bytesMax }) : null
    return {
      status,
      records: body && (await recordsIn(body, url, either)),
      hasNext: nextLink(fieldOf(answer, 'link')) !== undefined,
      challenge: fieldOf(answer, 'www-authenticate'),
      redirectsTo: placeOf(redirectTarget(answer, url), url),
    }
  }

  /** Null if the body is no list or exceeds the limits. */
  async function recordsIn(
    body: Buffer,
    url: URL,
    signal: AbortSignal,
  ): Promise<readonly unknown[] | null> {
    try {
      const { records } = await decoder.readList(body, { kind: 'raw', url, signal })
      return records.map(({ record }) => record ?? null)
    } catch (error) {
      if (asAppError(error)?.code === 'upstream_invalid') return null
      throw error
    }
  }

  async function close(): Promise<void> {
    await Promise.all([http.close(), decoder.close()])
  }

  function placeOf(target: URL | undefined, { origin }: URL): string | null {
    if (!target) return null
    return target.origin === origin
      ? withoutSecrets(authentication, target.pathname)
      : target.origin
  }

  const credential = withPlaceholders(authentication)
  return { baseUrl, credential, ask, close }
}

function questionUrl(baseUrl: string, { path, query = {}, ...other }: ProbeQuestion): URL {
  const url = apiUrl(other.baseUrl ?? baseUrl, path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/** Sends the configured secret another way. A password is no token, so a basic credential is never resent. */
function resent(set: Authentication, way: ProbeCredential | undefined): Authentication {
  if (!way) return set
  if (way.scheme === 'none' || set.scheme === 'none' || set.scheme === 'basic') {
    return { scheme: 'none' }
  }
  const secret = set.scheme === 'bearer' ? set.token : set.value
  return way.scheme === 'bearer'
    ? { scheme: 'bearer', token: secret }
    : { scheme: 'header', name: way.name, value: secret }
}

function withPlaceholders(authentication: Authentication): string {
  const { scheme } = authentication
  if (scheme === 'none') return 'none'
  if (scheme === 'bearer') return 'bearer:TOKEN'
  return scheme === 'basic' ? 'basic:USER:PASSWORD' : `${scheme}:${authentication.name}:VALUE`
}
