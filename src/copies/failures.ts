/* Failed refreshes: when each is tried again, and what calendars say about it. */
import type { Connection, Standing } from '../domain/connection.ts'
import { collectionKey, type CopyHead } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { hourMs, type Clock, type Instant } from '../domain/world.ts'
import { type CollectionRequest, kinds } from './kinds.ts'

const failuresMax = 100_000
const leastPauseMs = 10_000
/** Until the database may work again; the Read API has not failed. */
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
  /** Of the copy served instead; null if there is none. */
  readonly copyFetchedAt: Instant | null
  readonly pauseMs: number
}

/** Collections with a failed last refresh on this node, and when each may be requested again. */
export class Failures {
  readonly #byKey = new Map<string, Failure>()
  readonly #deps: { readonly clock: Clock; readonly freshMs: number }

  constructor(deps: { readonly clock: Clock; readonly freshMs: number }) {
    this.#deps = deps
  }

  /** Records an outcome, except `held`, which is in the store. */
  note(request: CollectionRequest, standing: Standing, outcome: RefreshOutcome): void {
    const key = collectionKey(request.collection)
    const before = this.#byKey.get(key)
    this.#byKey.delete(key)
    if (outcome === 'kept' || outcome === 'held') return
    const head = headIn(standing, request)
    const pauseMs = this.#pauseAfter(outcome, before, request.collection.kind, head)
    // A failed write says nothing new about the Read API.
    const known = outcome === 'notStored' && before ? before.outcome : outcome
    const copyFetchedAt = head?.fetchedAt ?? null
    this.#byKey.set(key, { outcome: known, at: this.#deps.clock.now(), copyFetchedAt, pauseMs })
    const [oldest] = this.#byKey.keys()
    if (this.#byKey.size > failuresMax && oldest !== undefined) this.#byKey.delete(oldest)
  }

  forget(): void {
    this.#byKey.clear()
  }

  /** Returns how the last refresh ended, unless another node has stored a good copy since. */
  outcomeOf(request: CollectionRequest, standing: Standing): RefreshOutcome {
    return this.#find(request, standing)?.outcome ?? 'kept'
  }

  isPaused(request: CollectionRequest, standing: Standing): boolean {
    const failure = this.#find(request, standing)
    const now = this.#deps.clock.now()
    return !!failure && now >= failure.at && now - failure.at < failure.pauseMs
  }

  /** Returns when the oldest copy was fetched that has failed to refresh since then; null if there is none. */
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
    // What is requested seldom and has a copy is retried seldom: after an hour, then up to four, with the usual setting.
    const { freshMs } = this.#deps
    const isSeldom = kinds[kind].freshMs !== undefined && head
    const least = isSeldom ? 12 * freshMs : leastPauseMs
    const most = isSeldom ? 48 * freshMs : freshMs
    if (outcome === 'notStored') return Math.min(unkeptPauseMs, most)
    // A doubted collection was answered, so its pause does not grow.
    const grown = before && outcome !== 'doubted' ? 2 * before.pauseMs : least
    return Math.min(Math.max(grown, least), most)
  }
}

export function headIn({ heads }: Standing, { collection }: CollectionRequest): CopyHead | null {
  return heads.get(collectionKey(collection)) ?? null
}

/** Returns when the person was last read if the id seems to belong to another person now; undefined if not. */
export function heldIn({ held }: Standing, { collection }: CollectionRequest): Instant | undefined {
  return kinds[collection.kind].isPersonal ? held.get(collection.subject) : undefined
}

/** Whether another operation has responded within the hour. An API that returns nothing does not show that a record is gone. */
export function isHeard({ api }: Connection, kind: CollectionKind, now: Instant): boolean {
  const answeredAt = api.lastAnswerBut(kind)
  return answeredAt !== null && now - answeredAt <= hourMs
}

export interface CollectionState {
  readonly request: CollectionRequest
  /** The last good copy; null if there was none yet. */
  readonly head: CopyHead | null
  /** Whether the last refresh failed, or returned what must not be stored. */
  readonly failed: boolean
  readonly notStored: boolean
  readonly refused: boolean
  /** Whether the Read API has no such record, or does not show it, and there never was one. */
  readonly absent: boolean
  readonly misnamed: boolean
  readonly held: boolean
  /** Whether it was due and has just been requested. */
  readonly refreshed: boolean
  /** Whether that request is still under way. */
  readonly late: boolean
}

/** Whether the stored copy is older than it should be, since nothing newer could be stored. */
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
