/* Refreshes that brought nothing to keep: when each is tried again, and what calendars say of it. */
import type { Connection, Standing } from '../domain/connection.ts'
import { collectionKey, type CopyHead } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { hourMs, type Clock, type Instant } from '../domain/world.ts'
import { type CollectionRequest, kinds } from './kinds.ts'

const failuresMax = 100_000
const leastPauseMs = 10_000
/** Until the database may take it: the Read API has not failed. */
const unkeptPauseMs = 1000

/**
 * `kept`: the copy is good now; `failed`: no usable answer; `refused`: no proof; `doubted`: further readings will tell;
 * `missing`: the Read API says that there is no such thing, or does not show it; `misnamed`: it answers with a person of another
 * id; `held`: the id may be another person's by now; `notStored`: the database did not take it.
 */
export type RefreshOutcome =
  | 'kept'
  | 'failed'
  | 'refused'
  | 'doubted'
  | 'missing'
  | 'misnamed'
  | 'held'
  | 'notStored'

interface Failure {
  readonly outcome: RefreshOutcome
  readonly at: Instant
  /** Of the copy that is served instead; null where there is none. */
  readonly copyFetchedAt: Instant | null
  readonly pauseMs: number
}

/** Collections with a failed last refresh on this node, and when each may be asked for again. */
export class Failures {
  readonly #byKey = new Map<string, Failure>()
  readonly #deps: { readonly clock: Clock; readonly freshMs: number }

  constructor(deps: { readonly clock: Clock; readonly freshMs: number }) {
    this.#deps = deps
  }

  /** Not of ids that are held: those the store knows. */
  note(request: CollectionRequest, standing: Standing, outcome: RefreshOutcome): void {
    const key = collectionKey(request.collection)
    const before = this.#byKey.get(key)
    this.#byKey.delete(key)
    if (outcome === 'kept' || outcome === 'held') return
    const head = headIn(standing, request)
    const pauseMs = this.#pauseAfter(outcome, before, request.collection.kind, head)
    // What is not kept tells nothing new of the Read API.
    const known = outcome === 'notStored' && before ? before.outcome : outcome
    const copyFetchedAt = head?.fetchedAt ?? null
    this.#byKey.set(key, { outcome: known, at: this.#deps.clock.now(), copyFetchedAt, pauseMs })
    const [oldest] = this.#byKey.keys()
    if (this.#byKey.size > failuresMax && oldest !== undefined) this.#byKey.delete(oldest)
  }

  forget(): void {
    this.#byKey.clear()
  }

  /** How the last refresh ended, unless another node has brought a good copy since. */
  outcomeOf(request: CollectionRequest, standing: Standing): RefreshOutcome {
    return this.#find(request, standing)?.outcome ?? 'kept'
  }

  isPaused(request: CollectionRequest, standing: Standing): boolean {
    const failure = this.#find(request, standing)
    const now = this.#deps.clock.now()
    return !!failure && now >= failure.at && now - failure.at < failure.pauseMs
  }

  /** When the oldest copy was fetched that has failed to be refreshed since then; null where there is none. */
  oldestServed(since: Instant): Instant | null {
    const times = [...this.#byKey.values()]
      .filter(({ outcome, at }) => at >= since && outcome !== 'missing')
      .flatMap(({ copyFetchedAt }) => copyFetchedAt ?? [])
    return times.length === 0 ? null : times.reduce((oldest, at) => Math.min(oldest, at))
  }

  #find(request: CollectionRequest, standing: Standing): Failure | undefined {
    const failure = this.#byKey.get(collectionKey(request.collection))
    const { fetchedAt = 0 } = headIn(standing, request) ?? {}
    const isMended = failure && fetchedAt > failure.at && fetchedAt <= this.#deps.clock.now()
    return isMended ? undefined : failure
  }

  #pauseAfter(
    outcome: RefreshOutcome,
    before: Failure | undefined,
    kind: CollectionKind,
    head: CopyHead | null,
  ): number {
    // What is asked for seldom, and known, is asked for again seldom: after an hour, then up to four, as it is usually set.
    const { freshMs } = this.#deps
    const isSeldom = kinds[kind].freshMs !== undefined && head
    const least = isSeldom ? 12 * freshMs : leastPauseMs
    const most = isSeldom ? 48 * freshMs : freshMs
    if (outcome === 'notStored') return Math.min(unkeptPauseMs, most)
    // What is doubted has been answered: its pause does not grow.
    const grown = before && outcome !== 'doubted' ? 2 * before.pauseMs : least
    return Math.min(Math.max(grown, least), most)
  }
}

export function headIn({ heads }: Standing, { collection }: CollectionRequest): CopyHead | null {
  return heads.get(collectionKey(collection)) ?? null
}

/** When the person was last asked for, if the id has been read as another person's. */
export function heldIn({ held }: Standing, { collection }: CollectionRequest): Instant | undefined {
  return kinds[collection.kind].isPersonal ? held.get(collection.subject) : undefined
}

/** Whether another operation has answered within the hour: an API that answers nothing says of nothing that it is gone. */
export function isHeard({ api }: Connection, kind: CollectionKind, now: Instant): boolean {
  const answeredAt = api.lastAnswerBut(kind)
  return answeredAt !== null && now - answeredAt <= hourMs
}

/** The last outcome, as far as calendars tell of it. */
export interface CollectionState {
  readonly request: CollectionRequest
  /** The last good copy; null while there has been none. */
  readonly head: CopyHead | null
  /** Whether the last refresh failed, or brought what must not be kept. */
  readonly failed: boolean
  readonly notStored: boolean
  readonly refused: boolean
  /** Whether the Read API says that there is no such thing, or does not show it, and there never was. */
  readonly absent: boolean
  readonly misnamed: boolean
  readonly held: boolean
  /** Whether it was due and has just been asked for. */
  readonly refreshed: boolean
  /** Whether that is still under way. */
  readonly late: boolean
}

/** Whether what is kept is older than it should be, since nothing newer could be kept. */
export const isFailure: Readonly<Record<RefreshOutcome, boolean>> = {
  kept: false,
  doubted: false,
  missing: false,
  misnamed: false,
  failed: true,
  refused: true,
  held: true,
  notStored: true,
}
