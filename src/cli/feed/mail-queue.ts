import { AppError, asAppError } from '../../domain/errors.ts'
import { ServerFailures } from './server-failures.ts'

/** As many as the mailer has connections: of what is made, few wait for their mail. */
export const mailedAtOnce = 5

type Done = (failed: Error | undefined) => void | Promise<void>

/** Mails a few at once, until it is ended; each is told what became of its mail. */
export class MailQueue {
  readonly #signal: AbortSignal
  readonly #underWay = new Set<Promise<void>>()
  readonly #failures = new ServerFailures()
  readonly #ended: Promise<never>

  /** The signal ends it: those under way are told so, and further ones are not mailed. */
  constructor(signal: AbortSignal) {
    this.#signal = signal
    this.#ended = endOf(signal)
    // Nobody may be waiting for it.
    this.#ended.catch(() => undefined)
  }

  /** Why nothing more should be mailed: the server has failed too often; undefined where it has not. */
  refusal(): string | undefined {
    return this.#failures.refusal()
  }

  /** Resolves once there is room for another; `done` is told why it was not mailed, or nothing. */
  async add(send: () => Promise<unknown>, done: Done): Promise<void> {
    while (this.#underWay.size >= mailedAtOnce) await Promise.race(this.#underWay)
    const sending = this.#run(send, done)
    this.#underWay.add(sending)
    // One that fails stays, so that all who wait fail.
    void sending.then(
      () => this.#underWay.delete(sending),
      () => undefined,
    )
  }

  /** Resolves once all are told. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #run(send: () => Promise<unknown>, done: Done): Promise<void> {
    await done(await this.#send(send))
  }

  async #send(send: () => Promise<unknown>): Promise<Error | undefined> {
    if (this.#signal.aborted) return ended('It was ended before it was mailed.')
    try {
      await Promise.race([this.#failures.watch(send()), this.#ended])
      return undefined
    } catch (error) {
      return asAppError(error) ?? new Error(String(error), { cause: error })
    }
  }
}

async function endOf(signal: AbortSignal): Promise<never> {
  const aborted = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => aborted.resolve(), { once: true })
  await aborted.promise
  throw ended('It was ended before it was known whether the mail was taken.')
}

function ended(message: string): AppError {
  return new AppError('unavailable', message)
}
