import PQueue from 'p-queue'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import { createExchange } from './exchange.ts'
import { createGate } from './gate.ts'
import { createHttp, decodeBody, fieldOf, type HttpAnswer } from './http.ts'
import { requestFault } from './request-fault.ts'
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

interface Deadline {
  readonly url: URL
  readonly ms: number
  /** The caller's own. */
  readonly signal: AbortSignal | undefined
}

/** Runs the operation with a signal that ends it after so long: `upstream_unavailable` then, and the caller's reason where the caller ends it. */
export async function withinDeadline<T>(
  { url, ms, signal, says }: Deadline & { readonly says: string },
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new Error('too late')), ms)
  try {
    const ends = signal ? [signal, deadline.signal] : [deadline.signal]
    return await operation(AbortSignal.any(ends))
  } catch (error) {
    if (!deadline.signal.aborted || error !== deadline.signal.reason) throw error
    throw requestFault('upstream_unavailable', url, `${says} within ${ms} ms`)
  } finally {
    clearTimeout(timer)
  }
}

/** One exchange within its time-out; a fault of the connection becomes what it means to the caller. */
export function exchangeWithin<T>(
  deadline: Deadline,
  exchange: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withinDeadline({ ...deadline, says: 'was not answered' }, async (signal) => {
    try {
      return await exchange(signal)
    } catch (error) {
      signal.throwIfAborted()
      throw asAppError(error) ?? transportFault(error, deadline.url)
    }
  })
}
