import type { Log } from '../domain/world.ts'

/** Of what is told once until the program ends. */
const toldMax = 1000

/** Tells the log of each record and feed that cannot be read, but once. */
export class ToldOnce {
  readonly #log: Log
  readonly #told = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  /** What cannot be read is a mistake of this program, or a record of a shape that nobody has thought of. */
  tell(what: object, error: unknown): void {
    const name = JSON.stringify(what)
    if (this.#told.size < toldMax && !this.#told.has(name)) {
      this.#told.add(name)
      this.#log.error({ ...what, error }, 'record_unreadable')
    }
  }
}
