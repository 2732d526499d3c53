import PQueue from 'p-queue'

import type { ConnectionSettings } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import type { ReadApiMeasures } from '../domain/measures.ts'
import { Recent } from '../domain/memo.ts'
import type { ParameterNames } from '../domain/read-api.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { createExchange, type Exchanged, type KeptAnswers, keptBytesMax } from './exchange.ts'
import { askedWaitMs, statusFault, transportFault } from './faults.ts'
import { type Errand, Gate } from './gate.ts'
import {
  createHttp,
  decodeBody,
  decodeSmallBody,
  fieldOf,
  type HttpAnswer,
  requestFault,
  type Way,
} from './http.ts'

/** A response takes several times its size in memory, so only small ones may wait in numbers to be read. */
const largeBytes = 1_048_576
const smallBytes = 65_536

/** A request that waited for this share of a poll's budget is too late for the poll, which needs further requests afterwards. */
const lateAfter = 0.7
/** One in eight started requests is a late one, if any wait, so that late ones do not starve. */
const lateShare = 8

export class SharedByRequesters {
  /** Bodies of more than a megabyte are read one at a time, so that several need no more memory than one. */
  readonly large = new PQueue({ concurrency: 1 })
  readonly kept: KeptAnswers = new Recent(keptBytesMax)
}

export interface RequesterDeps {
  readonly clock: Clock
  readonly log: Log
  readonly way?: Way
  readonly shared: SharedByRequesters
  readonly measures?: ReadApiMeasures | undefined
  /** How long polls wait; unlimited if left out. */
  readonly pollBudgetMs?: number
}

interface Question<T> extends Errand {
  readonly signal: AbortSignal
  /** Whether to bypass caches. */
  readonly bypassCache?: boolean
  /** Whether it overtakes waiting requests. */
  readonly isUrgent?: boolean
  /** Reads the decompressed body of a 200 until the signal aborts; fails if it is unreadable. */
  readonly read: (body: Buffer, signal: AbortSignal) => Promise<T>
}

/** A readable 200. */
interface ReadAnswer<T> {
  readonly value: T
  /** The `Link` header field; empty if absent (RFC 8288 section 3). */
  readonly link: string
  /** Size of the decompressed body. */
  readonly bytes: number
}

/** Sends GETs through all layers, from the outside in: the gate, the queue, the gate again, the time-out, the exchange. */
export class Requester {
  readonly #settings: ConnectionSettings
  readonly #deps: RequesterDeps
  readonly #http
  readonly #exchange
  readonly #limit
  readonly #filterNames
  readonly #queue
  /** Signals of the waiting late requests, oldest first. */
  readonly #late = new Map<string, AbortSignal>()
  readonly #large = new PQueue({ concurrency: 1 })
  readonly #gate
  /** Operations with 200 as their last status. */
  readonly #succeeding = new Set<string>()
  #begun = 0
  #lates = 0

  constructor(settings: ConnectionSettings, deps: RequesterDeps) {
    this.#settings = settings
    this.#deps = deps
    this.#http = createHttp(settings, deps.way)
    this.#exchange = createExchange(this.#http, settings.authentication, deps.shared.kept)
    this.#limit = new ConcurrencyLimit(settings.concurrency)
    this.#filterNames = filterNamesOf(settings.parameters)
    this.#queue = new PQueue({ concurrency: this.#limit.level })
    this.#gate = new Gate(deps)
    deps.measures?.watchWaiting(() => this.#queue.size)
  }

  /** Returns the content of a 200. Fails like its `read`, with the errors of `ReadApi` or with the signal's reason. */
  async get<T>(question: Question<T>): Promise<ReadAnswer<T>> {
    this.#gate.check(question)
    const { signal, isUrgent = false } = question
    const answered = Promise.withResolvers<ReadAnswer<T>>()
    answered.promise.catch(() => undefined)
    const get = (free: () => void): void => {
      const passed = this.#gate.pass(question, () => this.#measured(question, free))
      answered.resolve(passed.finally(free))
    }
    const lateAt = this.#deps.clock.now() + lateAfter * (this.#deps.pollBudgetMs ?? Infinity)
    const getInTime = async (): Promise<boolean> => {
      const isInTime = this.#deps.clock.now() < lateAt
      if (!isInTime) return false
      this.#letLateOneGo()
      await new Promise<void>(get)
      return true
    }
    const priority = isUrgent ? 1 : 0
    const wasInTime = await this.#queue.add(getInTime, { signal, priority })
    if (!wasInTime) await this.#takeLate(get, signal)
    return answered.promise
  }

  /** Returns when any other operation last returned something readable; null if none did. */
  lastAnswerBut(operation: string): Instant | null {
    return this.#gate.lastSuccessBut(operation)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  /** A response too late for its poll is still stored, but may delay few requests that are in time. */
  async #takeLate(get: (free: () => void) => void, signal: AbortSignal): Promise<void> {
    const id = `late ${(this.#lates += 1)}`
    this.#late.set(id, signal)
    const begin = (): Promise<void> => {
      this.#late.delete(id)
      return new Promise(get)
    }
    try {
      await this.#queue.add(begin, { signal, priority: -1, id })
    } finally {
      this.#late.delete(id)
    }
  }

  #letLateOneGo(): void {
    this.#begun += 1
    const [first] = this.#late
    if (!first || this.#begun % lateShare > 0) return
    const [id, signal] = first
    this.#late.delete(id)
    if (!signal.aborted) this.#queue.setPriority(id, 1)
  }

  async #measured<T>(question: Question<T>, free: () => void): Promise<ReadAnswer<T>> {
    const begun = performance.now()
    let outcome = 'answered'
    try {
      return await this.#ask(question, free)
    } catch (error) {
      outcome = asAppError(error)?.code.replace('upstream_', '') ?? 'given_up'
      throw error
    } finally {
      const seconds = (performance.now() - begun) / 1000
      this.#deps.measures?.countRequest(question.operation, outcome, seconds)
    }
  }

  /** A small response frees its place in the queue before it is read. */
  async #ask<T>(question: Question<T>, free: () => void): Promise<ReadAnswer<T>> {
    const { answer, settle } = await this.#exchangeLimited(question)
    if (answer.body.length <= smallBytes) free()
    if (answer.status !== 200) throw this.#refusal(question, answer)
    try {
      const read = await this.#readBody(question, answer)
      settle(true)
      return read
    } catch (error) {
      settle(false)
      throw error
    }
  }

  /** Sends the request and adapts the concurrency limit to its outcome. */
  async #exchangeLimited(question: Question<unknown>): Promise<Exchanged> {
    const { operation, url, bypassCache = false } = question
    const limit = this.#limit
    const sent = limit.send(likenessOf(operation, url, this.#filterNames), performance.now())
    // Only after a success, so that a failing API is not asked twice.
    const mayAskAgain = (): boolean => this.#succeeding.delete(operation)
    try {
      const exchanged = await this.#inTime(question, (signal) =>
        this.#exchange(url, { signal, bypassCache, mayAskAgain }),
      )
      const { status } = exchanged.answer
      if (status === 200) limit.answer(sent, performance.now())
      else if (overloads.has(status)) limit.refuse(sent)
      else limit.drop()
      if (status === 200) this.#succeeding.add(operation)
      else this.#succeeding.delete(operation)
      return exchanged
    } catch (error) {
      this.#succeeding.delete(operation)
      if (asAppError(error)?.code === 'upstream_unavailable') limit.refuse(sent)
      else limit.drop()
      throw error
    } finally {
      this.#queue.concurrency = limit.level
    }
  }

  #inTime<T>(
    { url, signal }: Question<unknown>,
    work: (signal: AbortSignal) => Promise<T>,
    bytes = Infinity,
  ): Promise<T> {
    const ms = bytes <= smallBytes ? Infinity : this.#settings.timeoutMs
    return exchangeWithin({ url, ms, signal }, work)
  }

  async #readBody<T>(question: Question<T>, answer: HttpAnswer): Promise<ReadAnswer<T>> {
    const { url, signal } = question
    const { bodyBytesMax } = this.#settings
    const bytesMax = Math.min(largeBytes, bodyBytesMax)
    const small = await decodeSmallBody(answer, { url, bytesMax })
    if (small && small.length <= bytesMax) return this.#readDecoded(question, answer, small)
    const read = async (): Promise<ReadAnswer<T>> => {
      const large = small ?? (await decodeBody(answer, { url, bytesMax: bodyBytesMax }))
      return this.#readDecoded(question, answer, large)
    }
    // Each Read API has at most one body in the shared queue, so that all get their turn soon. Waiting does not count
    // towards the time-out.
    return this.#large.add(() => this.#deps.shared.large.add(read, { signal }), { signal })
  }

  async #readDecoded<T>(
    question: Question<T>,
    answer: HttpAnswer,
    body: Buffer,
  ): Promise<ReadAnswer<T>> {
    this.#deps.log.debug({ path: question.url.pathname, bytes: body.length }, 'upstream_answered')
    const value = await this.#inTime(question, (end) => question.read(body, end), body.length)
    return { value, link: fieldOf(answer, 'link'), bytes: body.length }
  }

  #refusal({ operation, url }: Errand, answer: HttpAnswer): Error {
    const askedMs = askedWaitMs(answer, this.#deps.clock.now())
    const isOfAll = answer.status === 429
    if (!isOfAll && askedMs) this.#gate.pause(operation, askedMs)
    const retryAfterMs = isOfAll ? this.#gate.pauseAll(askedMs) : askedMs
    return statusFault(answer, url, this.#settings.authentication, retryAfterMs)
  }
}

/** Statuses of an overloaded API, or of a proxy without a timely response from it. */
const overloads: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Returns the names of all query parameters that filter lists. */
export function filterNamesOf(parameters: ParameterNames): ReadonlySet<string> {
  const names: readonly (string | null)[] = Object.values(parameters).flatMap(Object.values)
  return new Set(names.filter((name) => name !== null))
}

/**
 * Returns a key for requests that should take equally long: the same operation and filters. Page parameters are left out,
 * since their names vary.
 */
export function likenessOf(
  operation: string,
  { searchParams }: URL,
  filterNames: ReadonlySet<string>,
): string {
  const filters = [...filterNames].filter((name) => searchParams.has(name))
  return [operation, ...filters].join(' ')
}

interface Deadline {
  readonly url: URL
  /** `Infinity` for no time-out. */
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

/**
 * Runs the operation with a time-out. Fails with `upstream_unavailable` when it expires, or with the caller's reason if the
 * caller aborts.
 */
export async function withinDeadline<T>(
  { url, ms, signal, says }: Deadline & { readonly says: string },
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  if (ms === Infinity) return operation(signal ?? new AbortController().signal)
  const ending = new AbortController()
  let tooLate: Error | undefined
  const timer = setTimeout(() => ending.abort((tooLate = new Error('too late'))), ms)
  const end = (): void => ending.abort(signal?.reason)
  signal?.addEventListener('abort', end, { once: true })
  try {
    return await operation(ending.signal)
  } catch (error) {
    if (!tooLate || error !== tooLate) throw error
    throw requestFault('upstream_unavailable', url, `${says} within ${ms} ms`)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Runs one exchange within its time-out; connection errors become `AppError`s. */
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
