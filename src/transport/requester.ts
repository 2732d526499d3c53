import PQueue from 'p-queue'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
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
} from './http.ts'

/** An answer takes a multiple of its size in memory: of small ones many may wait to be read. */
const largeBytes = 1_048_576
const smallBytes = 65_536

/** A request that has waited for this share of a poll's budget comes too late for the poll: others follow before it is answered. */
const lateAfter = 0.7
/** One in eight requests that begin is one that comes too late, as long as there are any: none waits until no new ones come. */
const lateShare = 8

/** What all requesters of a program share. */
export class SharedByRequesters {
  /** Answers of more than a megabyte are read one at a time, so that several together need no more memory than one. */
  readonly large = new PQueue({ concurrency: 1 })
  readonly kept: KeptAnswers = new Recent(keptBytesMax)
}

export interface RequesterDeps {
  readonly clock: Clock
  readonly log: Log
  readonly proxy?: ProxySettings
  readonly shared: SharedByRequesters
  /** How long polls wait; for as long as it takes where it is left out. */
  readonly pollBudgetMs?: number
}

interface Question<T> extends Errand {
  readonly signal: AbortSignal
  /** Whether no kept answer may speak for the API. */
  readonly bypassCache?: boolean
  /** Whether it goes ahead of others that wait. */
  readonly isUrgent?: boolean
  /** Reads the decompressed body of a 200 until the signal ends it; fails where it cannot be read. */
  readonly read: (body: Buffer, signal: AbortSignal) => Promise<T>
}

/** A 200 that could be read. */
interface ReadAnswer<T> {
  readonly value: T
  /** The `Link` header field, empty where there is none (RFC 8288 section 3). */
  readonly link: string
  /** Of the decompressed body. */
  readonly bytes: number
}

/** One GET with everything around it, from the outside in: the gate, the queue, the gate again, the time-out, the exchange. */
export class Requester {
  readonly #settings: ConnectionSettings
  readonly #deps: RequesterDeps
  readonly #http
  readonly #exchange
  readonly #limit
  readonly #filterNames
  readonly #queue
  /** The signals of those that wait though they come too late, the first of them first. */
  readonly #late = new Map<string, AbortSignal>()
  readonly #large = new PQueue({ concurrency: 1 })
  readonly #gate
  /** Operations that answered 200 last. */
  readonly #succeeding = new Set<string>()
  #begun = 0
  #lates = 0

  constructor(settings: ConnectionSettings, deps: RequesterDeps) {
    this.#settings = settings
    this.#deps = deps
    this.#http = createHttp(settings, deps.proxy)
    this.#exchange = createExchange(this.#http, settings.authentication, deps.shared.kept)
    this.#limit = new ConcurrencyLimit(settings.concurrency)
    this.#filterNames = filterNamesOf(settings.parameters)
    this.#queue = new PQueue({ concurrency: this.#limit.level })
    this.#gate = new Gate(deps)
  }

  /** What a 200 within the time-out holds; fails as its reading does, with the errors of `ReadApi` or the signal's reason. */
  async get<T>(question: Question<T>): Promise<ReadAnswer<T>> {
    this.#gate.check(question)
    const { signal, isUrgent = false } = question
    const answered = Promise.withResolvers<ReadAnswer<T>>()
    answered.promise.catch(() => undefined)
    const get = (free: () => void): void => {
      const passed = this.#gate.pass(question, () => this.#ask(question, free))
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

  /** When an operation other than that one last brought what could be read; null where none has. */
  lastAnswerBut(operation: string): Instant | null {
    return this.#gate.lastSuccessBut(operation)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  /** What comes too late for its poll is kept all the same, but holds up few that come in time. */
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

  /** A small answer leaves its place to the next request while it is read. */
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

  /** Makes the exchange and sets by how it ends how many may be under way at once. */
  async #exchangeLimited(question: Question<unknown>): Promise<Exchanged> {
    const { operation, url, bypassCache = false } = question
    const limit = this.#limit
    const sent = limit.send(likenessOf(operation, url, this.#filterNames), performance.now())
    // Only after a success: an API that fails is not asked twice.
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
    // Of one Read API one waits among those of all, so that each has its turn soon; waiting takes none of the time that an answer has.
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

/** Statuses by which an API, or a proxy before it, says that it is asked too much or has no answer in time. */
const overloads: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The names of all query parameters by which lists can be filtered. */
export function filterNamesOf(parameters: ParameterNames): ReadonlySet<string> {
  const names: readonly (string | null)[] = Object.values(parameters).flatMap(Object.values)
  return new Set(names.filter((name) => name !== null))
}

/** Requests take as long as one another where they ask the same operation by the same filters; pages may be called anything. */
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
  /** Infinity for what is done at once. */
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

/** Runs the operation with a signal that ends it after so long: `upstream_unavailable` then, and the caller's reason where the caller ends it. */
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
