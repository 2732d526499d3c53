import { getHeapStatistics } from 'node:v8'

import { collectDefaultMetrics, Registry } from 'prom-client'

import type { Source } from '../copies/source.ts'
import type { DoubtStore } from '../domain/copy.ts'
import { asAppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import { leaveProofStates } from '../domain/leave.ts'
import type { CountedPoll, CountedQueue, Measures } from '../domain/measures.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { AnswerMetrics, CountedRoute } from '../http/http-deps.ts'
import { reasonInTime } from '../http/operator-routes.ts'
import type { Store } from '../store/open-store.ts'
import { createInstruments } from './instruments.ts'
import { type MetricValues, writeMetrics } from './metric-values.ts'

/** Counting a million feeds takes a while. The next count waits a hundred times as long, up to a minute. */
const restForEachMs = 100
const restMsMax = 60_000
/** A slow database must not delay all other metrics. */
const databaseMsMax = 1000

interface Measured extends Pick<Store, 'whyNotReady' | 'space'> {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly feeds: Pick<FeedStore, 'countFeeds'>
  readonly doubts: Pick<DoubtStore, 'countDoubted'>
  readonly staleMs: number
  readonly clock: Clock
}

/** Metrics of a node since its start, in the Prometheus text format. No address, token or name is a label. */
export class Metrics implements AnswerMetrics, Measures {
  readonly #registry = new Registry()
  readonly #instruments = createInstruments(this.#registry, () => this.#look())
  readonly #queues = new Map<CountedQueue, (() => number)[]>()
  readonly #renderAll: (() => Promise<string>) | undefined
  #measured: Measured | null = null
  #looking: Promise<void> | undefined
  #countedUntil = 0
  #processIsCounted = false

  /** `renderAll` renders the metrics of all worker processes, if there are several. */
  constructor(renderAll?: () => Promise<string>) {
    this.#renderAll = renderAll
  }

  countAnswer(route: CountedRoute, status: number, seconds: number): void {
    this.#instruments.answers.inc({ route, status })
    this.#instruments.answerSeconds.observe({ route }, seconds)
  }

  countPoll({ client, status, ready }: CountedPoll): void {
    this.#instruments.polls.inc({ client, status, ready: ready ? 'hit' : 'miss' })
  }

  ofReadApi: Measures['ofReadApi'] = (company) => ({
    countRequest: (operation, outcome, seconds) => {
      this.#instruments.requests.inc({ company, operation, outcome })
      this.#instruments.requestSeconds.observe({ company }, seconds)
    },
    countPause: (reason) => this.#instruments.pauses.inc({ company, reason }),
    watchWaiting: (waiting) => this.watchQueue('read_api', waiting),
  })

  countRefresh: Measures['countRefresh'] = ({ company, kind, outcome }, seconds) => {
    this.#instruments.refreshes.inc({ company, kind, outcome })
    this.#instruments.refreshSeconds.observe({ kind }, seconds)
  }

  noteCopyAge(company: string, seconds: number): void {
    this.#instruments.copyAgeSeconds.observe({ company }, seconds)
  }

  countRender(seconds: number): void {
    this.#instruments.renderSeconds.observe(seconds)
  }

  countSetAside: Measures['countSetAside'] = (company, kind) => {
    this.#instruments.setAside.inc({ company, kind })
  }

  countMail(outcome: string): void {
    this.#instruments.mails.inc({ outcome })
  }

  countSignIn(outcome: string): void {
    this.#instruments.signIns.inc({ outcome })
  }

  watchQueue(queue: CountedQueue, waiting: () => number): void {
    this.#queues.set(queue, [...(this.#queues.get(queue) ?? []), waiting])
  }

  /** Returns a log that also counts its events. */
  counting(log: Log): Log {
    const counted =
      (level: keyof Log) =>
      (data: object, event: string): void => {
        const company = 'company' in data ? String(data.company) : ''
        this.#instruments.events.inc({ event, level, company })
        log[level](data, event)
      }
    return {
      debug: (data, event) => log.debug(data, event),
      info: counted('info'),
      warn: counted('warn'),
      error: counted('error'),
    }
  }

  /** Lets the gauges show these from now on. */
  measure(measured: Measured): void {
    this.#measured = measured
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async render(): Promise<string> {
    if (this.#renderAll) return this.#renderAll()
    this.#countProcess()
    return writeMetrics(this.#registry)
  }

  /** What this process measured. */
  values(): Promise<MetricValues> {
    this.#countProcess()
    return this.#registry.getMetricsAsJSON()
  }

  /** One look serves all gauges that are read at the same time. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const { heapLimitBytes, queueLength } = this.#instruments
    heapLimitBytes.set(getHeapStatistics().heap_size_limit)
    for (const [queue, all] of this.#queues) {
      queueLength.set(
        { queue },
        all.reduce((sum, waiting) => sum + waiting(), 0),
      )
    }
    if (!this.#measured) return
    this.#lookAtCopies(this.#measured)
    if (await this.#lookAtDatabase(this.#measured)) await this.#count(this.#measured)
  }

  #lookAtCopies({ sources, staleMs, clock }: Measured): void {
    const { readApiUp, oldestCopySeconds, staleLimitSeconds, timeSeconds } = this.#instruments
    for (const [company, source] of sources) {
      const { isUp, oldestCopyMs } = source.condition()
      readApiUp.set({ company }, isUp ? 1 : 0)
      oldestCopySeconds.set({ company }, Math.round(oldestCopyMs / 1000))
    }
    staleLimitSeconds.set(staleMs / 1000)
    timeSeconds.set(clock.now() / 1000)
  }

  async #lookAtDatabase({ whyNotReady }: Measured): Promise<boolean> {
    const begun = performance.now()
    const isReady = (await reasonInTime(whyNotReady, databaseMsMax)) === null
    this.#instruments.databaseSeconds.set((performance.now() - begun) / 1000)
    this.#instruments.ready.set(isReady ? 1 : 0)
    return isReady
  }

  async #count(measured: Measured): Promise<void> {
    const begun = performance.now()
    if (begun < this.#countedUntil) return
    try {
      await this.#countFeeds(measured)
      await this.#countDoubts(measured)
      const { size, free } = await measured.space()
      this.#instruments.databaseBytes.set(size)
      if (free === null) this.#instruments.databaseFreeBytes.remove()
      else this.#instruments.databaseFreeBytes.set(free)
    } catch (error) {
      // While the database is down, the other metrics matter more.
      if (!asAppError(error)) throw error
    }
    const ended = performance.now()
    this.#countedUntil = ended + Math.min((ended - begun) * restForEachMs, restMsMax)
  }

  async #countFeeds({ feeds }: Measured): Promise<void> {
    for (const [state, count] of Object.entries(await feeds.countFeeds())) {
      this.#instruments.feeds.set({ state }, count)
    }
  }

  async #countDoubts({ sources, doubts }: Measured): Promise<void> {
    const { leaveProof, doubtedCopies } = this.#instruments
    for (const [company, source] of sources) {
      const proof = await source.proof()
      for (const state of leaveProofStates) {
        leaveProof.set({ company, state }, proof.state === state ? 1 : 0)
      }
      doubtedCopies.set({ company }, await doubts.countDoubted(source.connection.id))
    }
  }

  /** Memory, CPU and event loop, starting with the first reading, since measuring them has a cost. */
  #countProcess(): void {
    if (this.#processIsCounted) return
    this.#processIsCounted = true
    collectDefaultMetrics({ register: this.#registry })
  }
}
