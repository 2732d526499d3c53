/*
 * Refreshes under way: one for all who wait for the same collection, and one statement for all copies that a poll finds
 * unchanged.
 */
import type { CopyHead, CopyStore } from '../domain/copy.ts'
import { covers, widest, type WindowOption } from '../domain/feed-options.ts'

/**
 * Writes what one poll's refreshes find unchanged by one statement, once each of them has an answer. Writes at once if the
 * poll's budget is over, or if another poll waits for one of them.
 */
export class Confirmations {
  readonly #copies: CopyStore
  readonly #connectionId: string
  #underWay = 0
  #waiting: { readonly head: CopyHead; readonly done: PromiseWithResolvers<boolean> }[] = []
  readonly #urgent = new Set<string>()
  #isOver = false

  constructor(copies: CopyStore, connectionId: string) {
    this.#copies = copies
    this.#connectionId = connectionId
  }

  /** Makes the statement wait for this refresh. */
  async during<T>(refresh: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await refresh()
    } finally {
      this.#underWay -= 1
      await this.#writeIfComplete()
    }
  }

  async confirm(head: CopyHead): Promise<boolean> {
    const done = Promise.withResolvers<boolean>()
    this.#waiting.push({ head, done })
    await this.#writeIfComplete()
    return done.promise
  }

  /** Writes this copy as soon as it has an answer; without a key, everything from now on. */
  async hurry(key?: string): Promise<void> {
    if (key === undefined) this.#isOver = true
    else this.#urgent.add(key)
    await this.#writeIfComplete()
  }

  async #writeIfComplete(): Promise<void> {
    const written = this.#waiting
    const isUrgent = this.#isOver || written.some(({ head }) => this.#urgent.has(head.key))
    if (written.length === 0 || (!isUrgent && written.length < this.#underWay)) return
    this.#waiting = []
    try {
      const heads = written.map(({ head }) => head)
      const keys = await this.#copies.confirmCopies(this.#connectionId, heads)
      for (const { head, done } of written) done.resolve(keys.has(head.key))
    } catch (error) {
      for (const { done } of written) done.reject(error)
    }
  }
}

interface Running<T> {
  readonly reach: WindowOption | null
  readonly done: Promise<T>
  readonly hurry: () => Promise<void>
}

export class UnderWay<T> {
  readonly #byKey = new Map<string, Running<T>>()
  /** Including those replaced by a wider one. */
  readonly #all = new Set<Promise<unknown>>()

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** From now on, nothing joins those under way. */
  forget(): void {
    this.#byKey.clear()
  }

  /** Joins the refresh under way, or starts one that covers both its reach and `wanted`. */
  join(
    key: string,
    wanted: WindowOption | null,
    confirmations: Confirmations,
    begin: (reach: WindowOption | null) => Promise<T>,
  ): Promise<T> {
    const underWay = this.#byKey.get(key)
    void underWay?.hurry()
    if (underWay && covers(underWay.reach, wanted)) return underWay.done
    const reach = widest(wanted, underWay?.reach ?? null)
    const done = confirmations
      .during(() => begin(reach))
      .finally(() => {
        this.#all.delete(done)
        if (this.#byKey.get(key) === running) this.#byKey.delete(key)
      })
    this.#all.add(done)
    const running: Running<T> = { reach, done, hurry: () => confirmations.hurry(key) }
    this.#byKey.set(key, running)
    return done
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#all)
  }

  async endedOf(key: string): Promise<void> {
    const underWay = this.#byKey.get(key)
    void underWay?.hurry()
    await underWay?.done
  }
}
