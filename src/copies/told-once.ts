import type { Log } from '../domain/world.ts'

/** Of what is told once until the program ends. */
const toldMax = 1000

/** Tells the log of what does not go away by itself, such as a record that cannot be read, but once. */
export class ToldOnce {
  readonly #log: Log
  readonly #told = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  /** A fault of the Read API, `more` being what changes from one time to the next. */
  warn(what: object, event: string, more: object = {}): void {
    if (this.#isNew(what, event)) this.#log.warn({ ...what, ...more }, event)
  }

  /** What cannot be read by a mistake of this program, or is of a shape that nobody has thought of. */
  unreadable(what: object, error: unknown): void {
    if (this.#isNew(what, 'record_unreadable')) {
      this.#log.error({ ...what, error }, 'record_unreadable')
    }
  }

  #isNew(what: object, event: string): boolean {
    const name = JSON.stringify([event, what])
    if (this.#told.size >= toldMax || this.#told.has(name)) return false
    this.#told.add(name)
    return true
  }
}
