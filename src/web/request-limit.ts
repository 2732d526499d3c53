import { createHash } from 'node:crypto'

import type { Request, RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'

import { AppError } from '../domain/errors.ts'
import type { Clock } from '../domain/world.ts'

const urlLengthMax = 2048
/** Codes have any length (RFC 6749 section 4.1.2); some providers' have more than two thousand characters. */
const writtenUrlLengthMax = 12_288
const minuteMs = 60_000
const keysMax = 200_000
/** Of an IPv6 address: the /56 that one site is given (RFC 6177 section 2). */
const networkBytes = 7
/** The /48 that a large site is given (the same section), with 256 of those. */
const siteBytes = 6

/**
 * Counts requests by key within each minute, or another time: it forgets everything when that ends, and counts a limited number
 * of keys. The limiters of npm keep a timer per key, do not limit keys, and use the machine's clock.
 */
export class RequestLimit {
  readonly #most: number
  readonly #clock: Clock
  readonly #windowMs: number
  #window = 0
  #counts = new Map<string, { requests: number }>()

  constructor(most: number, clock: Clock, windowMs = minuteMs) {
    this.#most = most
    this.#clock = clock
    this.#windowMs = windowMs
  }

  /** Counts one request; `too_many_requests`, with the time until the minute ends, if it is one too many. */
  take(key: string): void {
    if (this.count(key)) return
    const retryAfterMs = (this.#window + 1) * this.#windowMs - this.#clock.now()
    const message = 'Too many requests. Wait a minute.'
    throw new AppError('too_many_requests', message, { retryAfterMs })
  }

  /** Counts one request; false if it is one too many. */
  count(key: string): boolean {
    const window = Math.floor(this.#clock.now() / this.#windowMs)
    if (window !== this.#window) {
      this.#window = window
      this.#counts = new Map()
    }
    const count = this.#counts.get(key) ?? { requests: 0 }
    count.requests += 1
    if (count.requests === 1 && this.#counts.size < keysMax) this.#counts.set(key, count)
    return count.requests <= this.#most
  }
}

/** Refuses an address that is longer than any of ours like an unknown one; the query of `written` comes from others. */
export function limitUrl(refusal: (request: Request) => AppError, written: string): RequestHandler {
  return (request, _response, next) => {
    const most = request.path === written ? writtenUrlLengthMax : urlLengthMax
    if (request.url.length > most) throw refusal(request)
    next()
  }
}

/** The address as a limit counts it: for IPv6 the network that one customer holds, who may use any address in it. */
export function addressKey({ ip = '' }: Asking): string {
  return beginningOf(ip, networkBytes)
}

/** The same for the largest network that one customer may hold; for IPv4 that is the address. */
export function siteKey({ ip = '' }: Asking): string {
  return beginningOf(ip, siteBytes)
}

interface Asking {
  readonly ip?: string | undefined
}

/** A header of a proxy may hold anything instead of an address, of any length. */
function beginningOf(ip: string, bytes: number): string {
  if (!ipaddr.isValid(ip)) return createHash('sha256').update(ip).digest('base64url')
  return ipaddr.process(ip).toByteArray().slice(0, bytes).join('.')
}
