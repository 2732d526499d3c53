import type { Log } from '../domain/world.ts'

/** Of what is logged once until the program ends. */
const loggedMax = 1000

/** Logs what does not go away by itself, such as a record that cannot be read, but once. */
export class LogOnce {
  readonly #log: Log
  readonly #logged = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  /** A fault of the Read API, `more` being what changes from one time to the next. */
  warn(what: object, event: string, more: object = {}): void {
    if (this.#isNew(what, event)) this.#log.warn({ ...what, ...more }, event)
  }

  /** What cannot be read because of a mistake in this program, or has an unforeseen shape. */
  unreadable(what: object, error: unknown): void {
    if (this.#isNew(what, 'record_unreadable')) {
      this.#log.error({ ...what, error }, 'record_unreadable')
    }
  }

  #isNew(what: object, event: string): boolean {
    const name = JSON.stringify([event, what])
    if (this.#logged.size >= loggedMax || this.#logged.has(name)) return false
    this.#logged.add(name)
    return true
  }
}
