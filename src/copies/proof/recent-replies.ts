import type { Clock } from '../../domain/world.ts'
import type { LeavesReply } from './leaves-reply.ts'

/** For so long after it was asked for an answer serves others, too. */
const recentMs = 5000

/**
 * Known people's leaves as they were asked for moments ago. Many are compared with the same person: `usr_1` begins `usr_10` to
 * `usr_19` and all that these begin.
 */
export class RecentReplies {
  readonly #clock: Clock
  readonly #replies = new Map<string, Promise<LeavesReply>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The last one, which may be under way still; undefined where there is none. */
  find(userId: string): Promise<LeavesReply> | undefined {
    return this.#replies.get(userId)
  }

  /** Keeps it for moments, unless it says nothing. */
  keep(userId: string, reply: Promise<LeavesReply>, signal: AbortSignal): void {
    this.#replies.set(userId, reply)
    const forget = (): void => {
      if (this.#replies.get(userId) === reply) this.#replies.delete(userId)
    }
    void this.#clock.sleep(recentMs, signal).then(forget, forget)
    void reply.then((it) => it === 'unanswered' && forget(), forget)
  }
}
