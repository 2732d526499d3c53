import type { ConnectionSettings } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import { decodeContent } from './content-coding.ts'
import { createExchange } from './exchange.ts'
import { createGate } from './gate.ts'
import { createHttp, type HttpAnswer, type ProxySettings } from './http.ts'
import { requestFault } from './request-fault.ts'
import { createRequestQueue } from './request-queue.ts'
import { askedWaitMs, withRetries } from './retries.ts'
import { statusFault } from './status-faults.ts'
import { transportFault } from './transport-faults.ts'

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
  const { authentication, bodyBytesMax, timeoutMs } = settings
  const http = createHttp(settings, deps.proxy)
  const exchange = createExchange(http, authentication)
  const queue = createRequestQueue(settings.concurrency)
  const gate = createGate(deps)

  async function get(url: URL, signal: AbortSignal): Promise<BodyAnswer> {
    gate.check(url)
    return queue.run(() => gate.pass(url, () => getWithinTimeout(url, signal)), signal)
  }

  async function getWithinTimeout(url: URL, signal: AbortSignal): Promise<BodyAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    try {
      return await bodyOf(await withRetries(() => exchange(url, either), deps, either), url)
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) throw timedOut(url)
      throw asAppError(error) ?? transportFault(error, url)
    }
  }

  async function bodyOf(answer: HttpAnswer, url: URL): Promise<BodyAnswer> {
    if (answer.status !== 200) throw refusal(answer, url)
    const coding = fieldOf(answer, 'content-encoding')
    const body = await decodeContent(answer.body, coding, { url, bytesMax: bodyBytesMax })
    deps.log.debug({ path: url.pathname, bytes: body.length }, 'upstream_answered')
    return { body, link: fieldOf(answer, 'link') }
  }

  function refusal(answer: HttpAnswer, url: URL): Error {
    const retryAfterMs = askedWaitMs(answer, deps.clock)
    if (retryAfterMs !== undefined && retryAfterMs > 0) gate.pause(retryAfterMs)
    return statusFault(answer, url, { retryAfterMs, authentication })
  }

  function timedOut(url: URL): Error {
    return requestFault('upstream_unavailable', url, `was not answered within ${timeoutMs} ms`)
  }

  return { get, close: () => http.close() }
}

/** A header field that came several times is one list (RFC 9110 section 5.3). */
function fieldOf({ headers }: HttpAnswer, name: string): string {
  return [headers[name] ?? []].flat().join(', ')
}
