import type { CopyHead } from '../domain/copy.ts'
import type { Instant } from '../domain/world.ts'
import type { RefreshOutcome } from './refresher.ts'

const failuresMax = 100_000
const leastPauseMs = 10_000

interface Failure {
  readonly outcome: Exclude<RefreshOutcome, 'kept'>
  readonly at: Instant
  readonly pauseMs: number
}

/** When a refresh ended, and how long the pauses after failures are. */
interface Pauses {
  readonly now: Instant
  readonly least?: number
  readonly most: number
}

/** Collections whose last refresh on this node brought nothing to keep, and when each may be asked for again. */
export class Failures {
  readonly #byKey = new Map<string, Failure>()

  /** What is doubted has been answered: its pause does not grow. */
  note(key: string, outcome: RefreshOutcome, { now, least = leastPauseMs, most }: Pauses): void {
    const before = this.#byKey.get(key)
    this.#byKey.delete(key)
    if (outcome === 'kept') return
    const grown = before && outcome !== 'doubted' ? 2 * before.pauseMs : least
    this.#byKey.set(key, { outcome, at: now, pauseMs: Math.min(grown, most) })
    const [oldest] = this.#byKey.keys()
    if (this.#byKey.size > failuresMax && oldest !== undefined) this.#byKey.delete(oldest)
  }

  /** How the last refresh ended, unless another node has brought a good copy since. */
  outcomeOf(key: string, head: CopyHead | null, now: Instant): RefreshOutcome {
    return this.#find(key, head, now)?.outcome ?? 'kept'
  }

  /** Whether it is too early to ask again. */
  isPaused(key: string, head: CopyHead | null, now: Instant): boolean {
    const failure = this.#find(key, head, now)
    return !!failure && now >= failure.at && now - failure.at < failure.pauseMs
  }

  #find(key: string, head: CopyHead | null, now: Instant): Failure | undefined {
    const failure = this.#byKey.get(key)
    const isMended = failure && head && head.fetchedAt > failure.at && head.fetchedAt <= now
    return isMended ? undefined : failure
  }
}
