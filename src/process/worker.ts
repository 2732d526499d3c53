/* One of several processes behind one port, and how it talks to the first process, which started it. */
import cluster from 'node:cluster'

import type { Siblings } from '../http/http-deps.ts'
import type { Metrics } from './metrics.ts'
import type { PrimaryMessage, WorkerMessage, WorkerPart } from './workers.ts'

export class ThisWorker implements Siblings {
  readonly part: WorkerPart
  readonly #wanted = new Map<number, (text: string) => void>()
  #questions = 0

  private constructor(part: WorkerPart) {
    this.part = part
    listen((message) => {
      if ('metrics' in message) this.#wanted.get(message.question)?.(message.metrics)
    })
  }

  /** undefined if this process serves alone. */
  static async join(): Promise<ThisWorker | undefined> {
    if (!cluster.isWorker) return undefined
    const part = new Promise<WorkerPart>((resolve) => {
      listen((message) => {
        if ('part' in message) resolve(message.part)
      })
    })
    tell({ asks: 'part' })
    return new ThisWorker(await part)
  }

  /** Lets this process end once nothing else keeps it running. */
  leave(): void {
    cluster.worker?.disconnect()
  }

  /** Tells the first process that this one answers from now on. */
  serves(): void {
    tell({ is: 'serving' })
  }

  /** Calls back when the first process asks this one to end. */
  onEnd(end: () => void): void {
    listen((message) => {
      if ('asks' in message && message.asks === 'end') end()
    })
  }

  /** Tells the first process these metrics when it asks for them. */
  tellMetrics(metrics: Pick<Metrics, 'values'>): void {
    listen(async (message) => {
      if (!('asks' in message) || message.asks !== 'metrics') return
      tell({ metrics: await metrics.values(), question: message.question })
    })
  }

  /** Tells all other workers. */
  tell(message: object): void {
    tell({ shared: message })
  }

  listen(listener: (message: object) => void): void {
    listen((message) => {
      if ('shared' in message) listener(message.shared)
    })
  }

  /** The metrics of all workers, in the Prometheus text format. */
  metricsOfAll(): Promise<string> {
    const question = (this.#questions += 1)
    const text = new Promise<string>((resolve) => this.#wanted.set(question, resolve))
    tell({ asks: 'metrics', question })
    return text.finally(() => this.#wanted.delete(question))
  }
}

function listen(listener: (message: PrimaryMessage) => unknown): void {
  cluster.worker?.on('message', listener)
}

/** If the first process is gone, Node ends this one. */
function tell(message: WorkerMessage): void {
  cluster.worker?.send(message, () => undefined)
}
