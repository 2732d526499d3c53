import { AppError } from '../domain/errors.ts'
import type { ServerResponse } from '../web/listen.ts'

/** The system buffers more of a connection. */
const smallLength = 64 * 1024
/** Far more than any client has under way. */
const unsentMax = 32
const retryAfterMs = 5000

/** Large answers that are not sent yet. A client that asks without reading must not fill the memory with them. */
export class LargeAnswers {
  /** By link. */
  readonly #unsent = new Map<string, number>()

  /** Fails with `too_many_requests` if the link has too many. To be called before another is made. */
  refuseMore(link: string): void {
    if ((this.#unsent.get(link) ?? 0) < unsentMax) return
    const message = 'Too many answers at once. Read them first.'
    throw new AppError('too_many_requests', message, { retryAfterMs })
  }

  /** Counts the answer until it is sent, if it is large. */
  note(link: string, length: number, response: ServerResponse): void {
    if (length <= smallLength || response.closed) return
    this.#unsent.set(link, (this.#unsent.get(link) ?? 0) + 1)
    response.once('close', () => this.#end(link))
  }

  #end(link: string): void {
    const unsent = (this.#unsent.get(link) ?? 1) - 1
    if (unsent > 0) this.#unsent.set(link, unsent)
    else this.#unsent.delete(link)
  }
}
