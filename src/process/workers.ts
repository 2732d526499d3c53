/* Several processes behind one port, for all cores of one machine. The first process starts the workers and serves nothing itself. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import type { Log } from '../domain/world.ts'
import { type Runtime, untilEnd } from './ending.ts'
import { type MetricValues, sumMetrics, totalsOf, writeMetrics } from './metric-values.ts'

/** What the first process tells a worker. */
export interface WorkerPart {
  /** The same for all workers: they are one server. */
  readonly instance: string
  readonly port: number
  /** Whether it does what is needed once for all of them, such as examining the Read API. */
  readonly isLeader: boolean
  /** Whether others may serve already: then it listens only once it can answer. */
  readonly joinsOthers: boolean
}

/** What a worker sends. */
export type WorkerMessage =
  | { readonly asks: 'part' }
  | { readonly is: 'serving' }
  | { readonly asks: 'metrics'; readonly question: number }
  | { readonly metrics: MetricValues; readonly question: number }
  | { readonly shared: object }

/** What the first process sends. */
export type PrimaryMessage =
  | { readonly part: WorkerPart }
  | { readonly asks: 'end' }
  | { readonly asks: 'metrics'; readonly question: number }
  | { readonly metrics: string; readonly question: number }
  | { readonly shared: object }

/** Of a worker that has not sent its metrics by then, those that it sent last count. */
const metricsMs = 2000
/** Within this time after a worker's death, all that it sent has been read. */
const answersReadMs = 500
/** A worker that ends sooner than that is replaced after a pause, a longer one each time. */
const livesMs = 10_000
const pauseMs = 1000
const pauseMsMax = 30_000

interface WorkersPlan {
  readonly count: number
  readonly port: number
  readonly instance: string
  readonly log: Log
  readonly runtime: Runtime
  /** By then a worker that was asked to end has ended. */
  readonly endsWithinMs: number
  readonly tellWatcher: (text: string) => void
}

/** Runs workers until the process is asked to end. If the first one cannot start, ends the process with its exit code. */
export async function runWorkers(plan: WorkersPlan): Promise<void> {
  const { count, log, runtime, endsWithinMs, tellWatcher } = plan
  cluster.setupPrimary({ serialization: 'advanced' })
  const workers = new Workers(plan)
  const close = async (error: Error | undefined): Promise<void> => {
    if (error) log.error({ error }, 'crashed')
    await workers.close()
    if (!error) tellWatcher('Ended.')
  }
  untilEnd(runtime, close, { withinMs: endsWithinMs + 1000 })
  // Otherwise a worker that hangs would outlive this process.
  runtime.on('exit', () => workers.kill())
  const code = await workers.startFirst()
  if (workers.areEnding) return
  if (code !== null) return runtime.exit(code)
  for (let started = 1; started < count; started += 1) workers.keepOne(false)
}

class Workers {
  readonly #plan: WorkersPlan
  readonly #serving = new WeakSet<Worker>()
  readonly #metrics = new Map<Worker, MetricValues>()
  /** Questions for metrics that are not answered yet. */
  readonly #asked = new WeakMap<Worker, Promise<void>>()
  /** Counted by workers that have ended, so that no counter falls. */
  #countedBefore: MetricValues = []
  readonly #ending = new AbortController()
  #questions = 0

  constructor(plan: WorkersPlan) {
    this.#plan = plan
  }

  get areEnding(): boolean {
    return this.#ending.signal.aborted
  }

  /** Resolves with null once the first worker serves, or with its exit code. */
  async startFirst(): Promise<number | null> {
    const first = { isLeader: true, joinsOthers: false }
    const worker = this.#start(first)
    const startedAt = performance.now()
    const code = await Promise.race([isServing(worker), exitCode(worker)])
    if (code === null) void this.#replaceEnded(worker, { ...first, startedAt, failures: 0 })
    return code
  }

  /** Keeps one worker running: another replaces one that ends. */
  keepOne(isLeader: boolean, failures = 0): void {
    const worker = this.#start({ isLeader, joinsOthers: true })
    void this.#replaceEnded(worker, { isLeader, startedAt: performance.now(), failures })
  }

  /** Ends all workers; those that serve finish their requests first. Resolves once all have ended. */
  async close(): Promise<void> {
    this.#ending.abort()
    const ended = allWorkers().map(async (worker) => {
      const exited = once(worker, 'exit')
      if (this.#serving.has(worker)) send(worker, { asks: 'end' })
      else worker.process.kill('SIGKILL')
      await exited
    })
    await Promise.all(ended)
  }

  /** Ends at once all that still run. */
  kill(): void {
    for (const worker of allWorkers()) worker.process.kill('SIGKILL')
  }

  #start(role: Pick<WorkerPart, 'isLeader' | 'joinsOthers'>): Worker {
    const { instance, port } = this.#plan
    const worker = cluster.fork()
    endConnectionWith(worker)
    worker.on('message', (message: WorkerMessage) => {
      if ('is' in message) this.#noteServing(worker)
      if ('shared' in message) {
        for (const other of allWorkers()) if (other !== worker) send(other, message)
      }
      if (!('asks' in message)) return
      if (message.asks === 'part') send(worker, { part: { instance, port, ...role } })
      else void this.#tellMetrics(worker, message.question)
    })
    return worker
  }

  #noteServing(worker: Worker): void {
    this.#serving.add(worker)
    this.#plan.log.info({ worker: worker.id }, 'worker_serves')
  }

  async #replaceEnded(
    worker: Worker,
    { isLeader, startedAt, failures }: { isLeader: boolean; startedAt: number; failures: number },
  ): Promise<void> {
    const [code, signal] = await once(worker, 'exit')
    const counted = [this.#countedBefore, this.#metrics.get(worker) ?? []]
    this.#metrics.delete(worker)
    this.#countedBefore = await totalsOf(sumMetrics(counted))
    if (this.areEnding) return
    this.#plan.log.warn({ worker: worker.id, code, signal }, 'worker_ended')
    const failed = performance.now() - startedAt > livesMs ? 0 : failures + 1
    const pause = failed === 0 ? 0 : Math.min(pauseMs * 2 ** (failed - 1), pauseMsMax)
    const { signal: ending } = this.#ending
    await delay(pause, undefined, { signal: ending }).then(
      () => this.keepOne(isLeader, failed),
      () => undefined,
    )
  }

  async #tellMetrics(asking: Worker, question: number): Promise<void> {
    const told = allWorkers().map((worker) => this.#askMetricsOnce(worker))
    await Promise.race([Promise.all(told), delay(metricsMs)])
    const all = sumMetrics([this.#countedBefore, ...this.#metrics.values()])
    send(asking, { metrics: await writeMetrics(all), question })
  }

  /** A worker that hangs is not asked again and again. */
  #askMetricsOnce(worker: Worker): Promise<void> {
    const asked = this.#asked.get(worker) ?? this.#askMetrics(worker)
    this.#asked.set(worker, asked)
    return asked
  }

  /** Never resolves if the worker does not answer. */
  async #askMetrics(worker: Worker): Promise<void> {
    const question = (this.#questions += 1)
    const metrics = new Promise<MetricValues>((resolve) => {
      const answer = (message: WorkerMessage): void => {
        if (!('metrics' in message) || message.question !== question) return
        worker.off('message', answer)
        resolve(message.metrics)
      }
      worker.on('message', answer)
    })
    send(worker, { asks: 'metrics', question })
    const told = await metrics
    this.#asked.delete(worker)
    if (!worker.isDead()) this.#metrics.set(worker, told)
  }
}

function allWorkers(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker && !worker.isDead() ? [worker] : [],
  )
}

interface Closable {
  close(): void
}

/**
 * Closes a connection that was passed to a worker which died before it took it: Node forgets it, and the client would wait
 * for ever. Node has no public way to do that.
 */
function endConnectionWith(worker: Worker): void {
  const child = worker.process
  const pass = child.send.bind(child)
  let passed: Closable | undefined
  Reflect.set(child, 'send', (...given: readonly [message: unknown, also?: object]) => {
    const [, also] = given
    if (also && isClosable(also)) passed = also
    return Reflect.apply(pass, child, given)
  })
  // Before Node learns of the answer and passes the next one.
  child.prependListener('internalMessage', (message: object) => {
    if ('accepted' in message) passed = undefined
  })
  worker.on('exit', () => setTimeout(() => passed?.close(), answersReadMs).unref())
}

function isClosable(given: object): given is Closable {
  return 'close' in given
}

async function isServing(worker: Worker): Promise<null> {
  return new Promise((resolve) => {
    worker.on('message', (message: WorkerMessage) => {
      if ('is' in message) resolve(null)
    })
  })
}

async function exitCode(worker: Worker): Promise<number> {
  const [code]: (number | null)[] = await once(worker, 'exit')
  return code ?? 1
}

/** A worker that is ending may have closed the channel. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
