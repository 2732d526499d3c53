import PQueue from 'p-queue'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import type { Clock, Log } from '../domain/world.ts'
import { exchangeWithin } from './deadline.ts'
import { createExchange } from './exchange.ts'
import { createGate } from './gate.ts'
import { createHttp, decodeBody, fieldOf, type HttpAnswer } from './http.ts'
import { askedWaitMs, withRetries } from './retries.ts'
import { statusFault } from './status-faults.ts'

export interface RequesterDeps {
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly proxy: ProxySettings
}

/** A 200, decompressed. */
interface BodyAnswer {
  readonly body: Buffer
  /** The `Link` header field, empty where there is none (RFC 8288 section 3). */
  readonly link: string
}

export interface Requester {
  /** The body of a 200 within the time-out; fails with the errors of `ReadApi` or the signal's reason. */
  get(url: URL, signal: AbortSignal): Promise<BodyAnswer>
  close(): Promise<void>
}

/** One GET with everything around it, from the outside in: the gate, the queue, the time-out over all attempts, retries, the exchange. */
export function createRequester(settings: ConnectionSettings, deps: RequesterDeps): Requester {
  const { authentication, bodyBytesMax, concurrency, timeoutMs } = settings
  const http = createHttp(settings, deps.proxy)
  const exchange = createExchange(http, authentication)
  const queue = new PQueue({ concurrency })
  const gate = createGate(deps)

  async function get(url: URL, signal: AbortSignal): Promise<BodyAnswer> {
    gate.check(url)
    return queue.add(() => gate.pass(url, () => getInTime(url, signal)), { signal })
  }

  function getInTime(url: URL, signal: AbortSignal): Promise<BodyAnswer> {
    return exchangeWithin({ url, ms: timeoutMs, signal }, async (either) =>
      bodyOf(await withRetries(() => exchange(url, either), deps, either), url),
    )
  }

  async function bodyOf(answer: HttpAnswer, url: URL): Promise<BodyAnswer> {
    if (answer.status !== 200) throw refusal(answer, url)
    const body = await decodeBody(answer, { url, bytesMax: bodyBytesMax })
    deps.log.debug({ path: url.pathname, bytes: body.length }, 'upstream_answered')
    return { body, link: fieldOf(answer, 'link') }
  }

  function refusal(answer: HttpAnswer, url: URL): Error {
    const retryAfterMs = askedWaitMs(answer, deps.clock.now())
    if (retryAfterMs !== undefined && retryAfterMs > 0) gate.pause(retryAfterMs)
    return statusFault(answer, url, { retryAfterMs, authentication })
  }

  return { get, close: () => http.close() }
}
