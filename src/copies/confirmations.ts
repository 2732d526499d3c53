import { type CopyHead, type CopyStore } from '../domain/copy.ts'

interface Waiting {
  readonly head: CopyHead
  readonly done: PromiseWithResolvers<boolean>
}

interface ConfirmationsDeps {
  readonly connectionId: string
  readonly copies: Pick<CopyStore, 'confirmCopies'>
}

/**
 * What the refreshes of one poll find unchanged, written by one statement once each of them has been answered; earlier where
 * somebody else waits for one of them. Each is confirmed only when that is written.
 */
export class Confirmations {
  readonly #deps: ConfirmationsDeps
  /** As they were written, by key. */
  readonly noted = new Map<string, CopyHead>()
  readonly #urgent = new Set<string>()
  #underWay = 0
  #waiting: Waiting[] = []
  #isOver = false

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps
  }

  /** Has the others wait for this refresh. */
  async during<T>(refresh: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await refresh()
    } finally {
      this.#underWay -= 1
      await this.#writeWhenComplete()
    }
  }

  /** Whether it was noted that the content of this copy was confirmed; fails as its writing does. */
  async confirm(head: CopyHead): Promise<boolean> {
    const done = Promise.withResolvers<boolean>()
    this.#waiting.push({ head, done })
    await (this.#isOver || this.#urgent.has(head.key) ? this.#write() : this.#writeWhenComplete())
    return done.promise
  }

  /** Writes as soon as that one has been answered. */
  hurry(key: string): void {
    this.#urgent.add(key)
    if (this.#waiting.some(({ head }) => head.key === key)) void this.#write()
  }

  /** Has nobody wait any longer: what has been answered is written when this resolves. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#write()
  }

  async #writeWhenComplete(): Promise<void> {
    if (this.#waiting.length >= this.#underWay) await this.#write()
  }

  async #write(): Promise<void> {
    const written = this.#waiting
    this.#waiting = []
    if (written.length === 0) return
    const { copies, connectionId } = this.#deps
    try {
      const heads = written.map(({ head }) => head)
      const keys = await copies.confirmCopies(connectionId, heads)
      for (const { head, done } of written) {
        if (keys.has(head.key)) this.noted.set(head.key, head)
        done.resolve(keys.has(head.key))
      }
    } catch (error) {
      for (const { done } of written) done.reject(error)
    }
  }
}
