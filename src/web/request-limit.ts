import { createHash } from 'node:crypto'

import type { Request, RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'

import { AppError } from '../domain/errors.ts'
import { minuteMs, type Clock } from '../domain/world.ts'

const urlLengthMax = 2048
/** Codes may have any length (RFC 6749 section 4.1.2); those of some providers exceed two thousand characters. */
const writtenUrlLengthMax = 12_288
const keysMax = 200_000
/** Of an IPv6 address: the /56 of one site (RFC 6177 section 2). */
const networkBytes = 7
/** The /48 of a large site (same section), with 256 of those. */
const siteBytes = 6

/**
 * Counts requests by key within a time window, by default a minute. Forgets everything when the window ends, and limits the
 * number of keys. npm's limiters use a timer per key and the machine's clock, and do not limit keys.
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

  /** Counts one request; fails with `too_many_requests`, and the time until the window ends, if it is one too many. */
  take(key: string): void {
    if (this.count(key)) return
    const retryAfterMs = (this.#window + 1) * this.#windowMs - this.#clock.now()
    const message = 'Too many requests. Wait a minute.'
    throw new AppError('too_many_requests', message, { retryAfterMs })
  }

  /** Counts one request, or as many as it is worth; returns false if that is too many. */
  count(key: string, requests = 1): boolean {
    const window = Math.floor(this.#clock.now() / this.#windowMs)
    if (window !== this.#window) {
      this.#window = window
      this.#counts = new Map()
    }
    const known = this.#counts.get(key)
    const count = known ?? { requests: 0 }
    count.requests += requests
    if (!known && this.#counts.size < keysMax) this.#counts.set(key, count)
    return count.requests <= this.#most
  }
}

/**
 * Refuses addresses longer than any of ours as if they were unknown. The query of `written` comes from others and may be
 * longer.
 */
export function limitUrl(refusal: (request: Request) => AppError, written: string): RequestHandler {
  return (request, _response, next) => {
    const most = request.path === written ? writtenUrlLengthMax : urlLengthMax
    if (request.url.length > most) throw refusal(request)
    next()
  }
}

/** Returns the key by which limits count an address. For IPv6, that is the network: one customer may use any address in it. */
export function addressKey({ ip = '' }: Caller): string {
  return beginningOf(ip, networkBytes)
}

/** Returns the key of the largest network that one customer may have; for IPv4 that is the address. */
export function siteKey({ ip = '' }: Caller): string {
  return beginningOf(ip, siteBytes)
}

interface Caller {
  readonly ip?: string | undefined
}

/** A proxy's header may contain anything in place of an address, of any length. */
function beginningOf(ip: string, bytes: number): string {
  if (!ipaddr.isValid(ip)) return createHash('sha256').update(ip).digest('base64url')
  return ipaddr.process(ip).toByteArray().slice(0, bytes).join('.')
}
