import type { Clock } from '../../domain/world.ts'
import type { LeavesReply } from './leaves-reply.ts'

/** Between two of the same all else has so many times as long as the first of them took, but no longer than that. */
const rest = { times: 8, mostMs: 250 }

interface Shared {
  /** The last one, and the rest after it. */
  busy: Promise<void>
  /** The one that is sent next. */
  waiting?: Promise<LeavesReply>
}

interface Sending {
  readonly send: () => Promise<LeavesReply>
  /** Whether the next one waits until this one has rested, and serves the more. */
  readonly rests: boolean
  readonly signal: AbortSignal
}

/** Requests that say the same to all who ask: each serves everyone who asked before it was sent. */
export class SharedRequests {
  readonly #clock: Clock
  readonly #shared = new Map<string, Shared>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What comes of one that is sent after this call. */
  ask(name: string, sending: Sending): Promise<LeavesReply> {
    const shared = this.#shared.get(name) ?? { busy: Promise.resolve() }
    this.#shared.set(name, shared)
    shared.waiting ??= shared.busy.then(() => {
      delete shared.waiting
      const sent = sending.send()
      const busy = this.#rested(sent, sending).finally(() => {
        if (!shared.waiting) this.#shared.delete(name)
      })
      shared.busy = busy
      return sent
    })
    return shared.waiting
  }

  async #rested(sent: Promise<LeavesReply>, { rests, signal }: Sending): Promise<void> {
    const begunAt = this.#clock.now()
    // Whoever waits for it is told of a failure.
    await sent.catch(() => undefined)
    const ms = Math.min(rest.times * (this.#clock.now() - begunAt), rest.mostMs)
    if (rests && ms > 0) await this.#clock.sleep(ms, signal).catch(() => undefined)
  }
}
