import type { Request, RequestHandler } from 'express'

import type { Clock } from '../../domain/world.ts'
import type { Operation, OperationId } from '../operations.ts'

const keptMax = 1000
const textLengthMax = 300

export interface AnsweredRequest {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly method: string
  /** With the query parameters that mean something; the values of all others are left out. */
  readonly path: string
  /** null where no company could be told, or no operation. */
  readonly companyId: string | null
  readonly operation: OperationId | null
  /** null where the client went before it was answered. */
  readonly status: number | null
  readonly durationMs: number
  /** Its `User-Agent`. */
  readonly client: string | null
}

interface Facts {
  readonly operation: Operation
  readonly companyId?: string
  /** Query parameters with values that may be shown. */
  readonly shown: readonly string[]
}

/** The last requests of the Read API, none with a credential in it, in memory. */
export class RequestLog {
  readonly #clock: Clock
  readonly #facts = new WeakMap<Request, Facts>()
  readonly #kept: AnsweredRequest[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Keeps every request that comes by, once it is answered. */
  readonly keep: RequestHandler = (request, response, next) => {
    const begunAt = this.#clock.now()
    response.once('close', () => {
      const { operation, companyId = null, shown = [] } = this.#facts.get(request) ?? {}
      const { method, headers } = request
      this.#add({
        at: new Date(begunAt).toISOString(),
        method,
        path: cut(shownPath(request.originalUrl, shown)),
        companyId,
        operation: operation?.id ?? null,
        status: response.writableFinished ? response.statusCode : null,
        durationMs: this.#clock.now() - begunAt,
        client: headers['user-agent'] === undefined ? null : cut(headers['user-agent']),
      })
    })
    next()
  }

  note(request: Request, facts: Facts): void {
    this.#facts.set(request, facts)
  }

  /** The last `count`, the newest first. */
  latest(count: number): readonly AnsweredRequest[] {
    return this.#kept.slice(-count).toReversed()
  }

  #add(answered: AnsweredRequest): void {
    this.#kept.push(answered)
    if (this.#kept.length > keptMax) this.#kept.shift()
  }
}

/** Of an address in full (RFC 9112 section 3.2.2), which may name a user, the beginning. */
const beforePath = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** What is no parameter of the operation may be a credential, and so may what follows a question mark that is written otherwise. */
function shownPath(url: string, shown: readonly string[]): string {
  const [path = '', query] = url.replace(beforePath, '').split(/\?|%3f/i)
  if (query === undefined) return path
  const parameters = [...new URLSearchParams(query)].map(([name, value]) =>
    shown.includes(name) ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}` : '…',
  )
  return `${path}?${parameters.join('&')}`
}

/** A copy: a part of a text holds all of it in memory. */
function cut(text: string): string {
  return text.length <= textLengthMax
    ? text
    : `${Buffer.from(text.slice(0, textLengthMax)).toString()}…`
}
