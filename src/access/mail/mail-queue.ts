import { AppError, asAppError } from '../../domain/errors.ts'
import { MailNotTaken } from './mailer.ts'

/** The mailer has as many connections. */
export const mailsAtOnce = 5
/** The run stops after this many consecutive failures, each of which may take a minute. */
const failuresMax = 10

/** Sends a few mails at once. After the signal is aborted, sends no more and counts those in progress as refused. */
export class MailQueue {
  readonly #signal: AbortSignal
  readonly #inProgress = new Set<Promise<void>>()
  readonly #stopped = Promise.withResolvers<never>()
  #failuresInARow = 0
  #lastFailure = ''

  constructor(signal: AbortSignal) {
    this.#signal = signal
    const stopped = new AppError('unavailable', 'Stopped before the mail server had answered.')
    signal.addEventListener('abort', () => this.#stopped.reject(stopped), { once: true })
    // Prevents an unhandled rejection if no mail waits for it.
    this.#stopped.promise.catch(() => undefined)
  }

  /** Returns why nothing more should be sent, including what was not done; undefined while the server works. */
  refusal(notDone: string): AppError | undefined {
    if (this.#failuresInARow < failuresMax) return undefined
    const why = `the mail server failed ${this.#failuresInARow} times in a row (${this.#lastFailure})`
    const message = `${notDone}, since ${why}; run the same command again once it works`
    return new AppError('unavailable', message)
  }

  /** Starts a task that sends a mail; resolves once another one may start. */
  async add(task: () => Promise<void>): Promise<void> {
    const running = task()
    this.#inProgress.add(running)
    // A failed task stays in the set, so that waiting fails too.
    void running.then(
      () => this.#inProgress.delete(running),
      () => undefined,
    )
    while (this.#inProgress.size >= mailsAtOnce) await Promise.race(this.#inProgress)
  }

  async end(): Promise<void> {
    await Promise.all(this.#inProgress)
  }

  /** Returns the reason if the mail was not sent. */
  async send(mail: () => Promise<unknown>): Promise<Error | undefined> {
    try {
      const stopped = this.#stopped.promise
      await Promise.race([stopped, this.#signal.aborted ? stopped : mail()])
      this.#failuresInARow = 0
      return undefined
    } catch (error) {
      if (error instanceof MailNotTaken) {
        this.#failuresInARow = error.isOfRecipient ? 0 : this.#failuresInARow + 1
        this.#lastFailure = error.message.replace(/\.$/, '')
      }
      return asAppError(error) ?? new Error(String(error), { cause: error })
    }
  }
}
