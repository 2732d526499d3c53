import { AppError } from '../../domain/errors.ts'

/** Each holds its table, what is made of it and the answer in memory: so many fit into a heap of 512 MB. */
const atOnceMax = 6
/** The other places are for other companies. */
const ofOneCompanyMax = 4
/** Node gives a request a minute to come in. */
const patienceMsUsual = 20_000

/** null: of staff who see all companies. */
type Company = string | null

interface Waiting extends PromiseWithResolvers<void> {
  readonly company: Company
}

/** Lets only so many tables and lists be worked on at once; the others wait, first come, first served. */
export class TablePlaces {
  readonly #patienceMs: number
  readonly #taken: Company[] = []
  readonly #waiting: Waiting[] = []

  constructor(patienceMs = patienceMsUsual) {
    this.#patienceMs = patienceMs
  }

  /** Gives what frees the place again; `too_many_requests` after waiting in vain. */
  async take(company: Company): Promise<() => void> {
    const waiting = { company, ...Promise.withResolvers<void>() }
    this.#waiting.push(waiting)
    const timer = setTimeout(() => waiting.reject(tooMany()), this.#patienceMs)
    this.#fill()
    try {
      await waiting.promise
    } catch (error) {
      removeFrom(this.#waiting, waiting)
      throw error
    } finally {
      clearTimeout(timer)
    }
    return () => {
      removeFrom(this.#taken, company)
      this.#fill()
    }
  }

  #fill(): void {
    const next = this.#waiting.find(({ company }) => this.#isFreeFor(company))
    if (!next) return
    removeFrom(this.#waiting, next)
    this.#taken.push(next.company)
    next.resolve()
  }

  #isFreeFor(company: Company): boolean {
    const ofCompany = this.#taken.filter((it) => it === company)
    return this.#taken.length < atOnceMax && ofCompany.length < ofOneCompanyMax
  }
}

function removeFrom<T>(list: T[], element: T): void {
  list.splice(list.indexOf(element), 1)
}

function tooMany(): AppError {
  const message = 'Too many tables are being worked on; send one after the other.'
  return new AppError('too_many_requests', message, { retryAfterMs: 5000 })
}
