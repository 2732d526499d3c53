import type { Request, RequestHandler } from 'express'

import type { Clock } from '../../domain/world.ts'
import type { Operation, OperationId } from '../operations.ts'

const keptMax = 1000
const textLengthMax = 300

export interface AnsweredRequest {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly method: string
  /** With the query; `…` replaces each parameter that is not known to be safe. */
  readonly path: string
  /** null if the company or the operation is unknown. */
  readonly companyId: string | null
  readonly operation: OperationId | null
  /** null if the client disconnected before the response was complete. */
  readonly status: number | null
  readonly durationMs: number
  readonly client: string | null
}

interface Facts {
  readonly operation: Operation
  readonly companyId?: string
  /** Query parameters that are safe to show. */
  readonly shown: readonly string[]
}

/** The latest requests to the Read API, in memory and without credentials. */
export class RequestLog {
  readonly #clock: Clock
  readonly #facts = new WeakMap<Request, Facts>()
  readonly #kept: AnsweredRequest[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records every request when its response closes. */
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

  /** Returns the last `count` requests, newest first. */
  latest(count: number): readonly AnsweredRequest[] {
    return this.#kept.slice(-count).toReversed()
  }

  #add(answered: AnsweredRequest): void {
    this.#kept.push(answered)
    if (this.#kept.length > keptMax) this.#kept.shift()
  }
}

/** The start of an absolute request target (RFC 9112 section 3.2.2), which may contain a user name. */
const beforePath = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** Unknown parameters may be credentials, also those after an encoded question mark (`%3f`). */
function shownPath(url: string, shown: readonly string[]): string {
  const [path = '', query] = url.replace(beforePath, '').split(/\?|%3f/i)
  if (query === undefined) return path
  const parameters = [...new URLSearchParams(query)].map(([name, value]) =>
    shown.includes(name) ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}` : '…',
  )
  return `${path}?${parameters.join('&')}`
}

/** Copies the text: a slice would keep the whole string in memory. */
function cut(text: string): string {
  return text.length <= textLengthMax
    ? text
    : `${Buffer.from(text.slice(0, textLengthMax)).toString()}…`
}
