import type { Log } from '../domain/world.ts'

const loggedMax = 1000

/** Logs lasting problems, such as an unreadable record, only once per run of the program. */
export class LogOnce {
  readonly #log: Log
  readonly #logged = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Logs a fault of the Read API; `more` is what differs each time. */
  warn(what: object, event: string, more: object = {}): void {
    if (this.#isNew(what, event)) this.#log.warn({ ...what, ...more }, event)
  }

  unreadable(what: object, error: unknown): void {
    const event = 'record_unreadable'
    if (this.#isNew(what, event)) this.#log.error({ ...what, error }, event)
  }

  #isNew(what: object, event: string): boolean {
    const name = JSON.stringify([event, what])
    if (this.#logged.size >= loggedMax || this.#logged.has(name)) return false
    this.#logged.add(name)
    return true
  }
}
