import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

import type { WorkerAnswers, WorkerRequest } from './calendar-worker.ts'

/** A process that lives in another time zone and answers one question after the other. */
export class TimeZoneProcess {
  readonly #child: ChildProcess

  constructor(timezone: string) {
    const file = path.join(import.meta.dirname, 'calendar-worker.ts')
    this.#child = fork(file, { env: { ...process.env, TZ: timezone }, execArgv: [] })
  }

  async ask<R extends WorkerRequest>(request: R): Promise<WorkerAnswers[R['ask']]> {
    const waiting = new AbortController()
    const { signal } = waiting
    const answered = once(this.#child, 'message', { signal })
    const died = once(this.#child, 'exit', { signal }).then(() => {
      throw new Error(`The process has ended before it answered: ${request.ask}`)
    })
    this.#child.send(request)
    try {
      const [answer]: WorkerAnswers[R['ask']][] = await Promise.race([answered, died])
      if (answer === undefined) throw new Error('The process sent nothing')
      return answer
    } finally {
      waiting.abort()
    }
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
