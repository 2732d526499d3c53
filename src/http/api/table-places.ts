import PQueue from 'p-queue'

import { AppError } from '../../domain/errors.ts'

/** Each table is in memory with its feeds and response; six fit into a heap of 512 MB. */
const atOnceMax = 6
/** Leaves places for other companies. */
const ofOneCompanyMax = 4
/** For each of the two waits; Node allows a minute to receive a request. */
const patienceMsUsual = 20_000

/** Limits how many tables and lists are processed at once; others wait in order of arrival. */
export class TablePlaces {
  readonly #patienceMs: number
  readonly #all = new PQueue({ concurrency: atOnceMax })
  /** By company; null for staff of all companies. */
  readonly #ofCompany = new Map<string | null, PQueue>()

  constructor(patienceMs = patienceMsUsual) {
    this.#patienceMs = patienceMs
  }

  get waiting(): number {
    return [this.#all, ...this.#ofCompany.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Returns a function that frees the place; fails with `too_many_requests` after waiting too long. */
  async take(company: string | null): Promise<() => void> {
    const ofCompany = this.#ofCompany.get(company) ?? new PQueue({ concurrency: ofOneCompanyMax })
    this.#ofCompany.set(company, ofCompany)
    const leaveCompany = await placeIn(ofCompany, this.#patienceMs)
    try {
      const leave = await placeIn(this.#all, this.#patienceMs)
      return () => {
        leave()
        leaveCompany()
      }
    } catch (error) {
      leaveCompany()
      throw error
    }
  }
}

function placeIn(queue: PQueue, patienceMs: number): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let isWaiting = true
    const timer = setTimeout(() => {
      isWaiting = false
      const message = 'Too many tables are being worked on; send one after the other.'
      reject(new AppError('too_many_requests', message, { retryAfterMs: 5000 }))
    }, patienceMs)
    void queue.add(async () => {
      if (!isWaiting) return
      clearTimeout(timer)
      const place = Promise.withResolvers<void>()
      resolve(place.resolve)
      await place.promise
    })
  })
}
