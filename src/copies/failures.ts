/* Refreshes that brought nothing to keep: when each is tried again, and what calendars are told of it. */
import type { Connection, Standing } from '../domain/connection.ts'
import { type Collection, collectionKey, type CopyHead, emptyHash } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Instant } from '../domain/world.ts'
import { type CollectionRequest, kinds } from './kinds.ts'

const failuresMax = 100_000
const leastPauseMs = 10_000
/** Until the database may take it: the Read API has not failed. */
const unkeptPauseMs = 1000
/** After failures, in times of how long other copies are fresh: an hour, then up to four, as it is usually set. */
const seldomTimes = { least: 12, most: 48 }
const hourMs = 3_600_000

/**
 * `kept`: the copy is now good; `failed`: no usable answer; `refused`: no proof; `doubted`: further readings will tell;
 * `missing`: the Read API says that there is no such thing, or does not show it; `misnamed`: it calls this person otherwise;
 * `held`: it may be somebody else's by now; `unkept`: the database did not take what came of it.
 */
export type RefreshOutcome =
  | 'kept'
  | 'failed'
  | 'refused'
  | 'doubted'
  | 'missing'
  | 'misnamed'
  | 'held'
  | 'unkept'

interface Failure {
  readonly outcome: Exclude<RefreshOutcome, 'kept' | 'held'>
  readonly at: Instant
  /** Of the copy that is served instead; null where there is none. */
  readonly copyFetchedAt: Instant | null
  readonly pauseMs: number
}

/** Collections whose last refresh on this node brought nothing to keep, and when each may be asked for again. */
export class Failures {
  readonly #byKey = new Map<string, Failure>()

  /** What is doubted has been answered: its pause does not grow. The store knows whose id is held. */
  note(
    { kind, subject }: Collection,
    head: CopyHead | null,
    outcome: RefreshOutcome,
    { now, freshMs }: { readonly now: Instant; readonly freshMs: number },
  ): void {
    const key = collectionKey({ kind, subject })
    const before = this.#byKey.get(key)
    this.#byKey.delete(key)
    if (outcome === 'kept' || outcome === 'held') return
    const copyFetchedAt = head?.fetchedAt ?? null
    const pauseMs = pauseAfter(outcome, before, pausesOf(kind, head, freshMs))
    // What is not kept tells nothing new of the Read API.
    const known = outcome === 'unkept' && before ? before.outcome : outcome
    this.#byKey.set(key, { outcome: known, at: now, copyFetchedAt, pauseMs })
    const [oldest] = this.#byKey.keys()
    if (this.#byKey.size > failuresMax && oldest !== undefined) this.#byKey.delete(oldest)
  }

  /** Lets everything be asked for at once. */
  forget(): void {
    this.#byKey.clear()
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

  /** Whether the Read API answered for that person with one of another id, and has not been right about them since. */
  isMisnamed(userId: string, { heads }: Standing, now: Instant): boolean {
    const key = collectionKey({ kind: 'user', subject: userId })
    return this.outcomeOf(key, heads.get(key) ?? null, now) === 'misnamed'
  }

  /** When the oldest of the copies was fetched that have been asked for since then in vain; null where none has. */
  oldestServed(since: Instant): Instant | null {
    const times = [...this.#byKey.values()]
      .filter(({ outcome, at }) => at >= since && outcome !== 'missing')
      .flatMap(({ copyFetchedAt }) => copyFetchedAt ?? [])
    return times.length === 0 ? null : times.reduce((oldest, at) => Math.min(oldest, at))
  }

  #find(key: string, head: CopyHead | null, now: Instant): Failure | undefined {
    const failure = this.#byKey.get(key)
    const isMended = failure && head && head.fetchedAt > failure.at && head.fetchedAt <= now
    return isMended ? undefined : failure
  }
}

interface Pauses {
  readonly least: number
  readonly most: number
}

function pauseAfter(
  outcome: RefreshOutcome,
  before: Failure | undefined,
  { least, most }: Pauses,
): number {
  if (outcome === 'unkept') return Math.min(unkeptPauseMs, most)
  const grown = before && outcome !== 'doubted' ? 2 * before.pauseMs : least
  return Math.min(Math.max(grown, least), most)
}

/** What is asked for seldom, and known, is asked for again seldom. */
function pausesOf(kind: CollectionKind, head: CopyHead | null, freshMs: number): Pauses {
  if (kinds[kind].freshMs === null || !head) return { least: leastPauseMs, most: freshMs }
  return { least: seldomTimes.least * freshMs, most: seldomTimes.most * freshMs }
}

/** Whether another operation has answered within the hour: an API that answers nothing says of nothing that it is gone. */
export function isHeard({ api }: Connection, kind: CollectionKind, now: Instant): boolean {
  const answeredAt = api.lastAnswerBut(kind)
  return answeredAt !== null && now - answeredAt <= hourMs
}

/** What is known of one collection now. */
export interface CollectionState {
  readonly request: CollectionRequest
  /** The last good copy; null while there has been none. */
  readonly head: CopyHead | null
  /** Whether the last refresh failed, or brought what must not be kept. */
  readonly failed: boolean
  /** Whether the database did not take what came of the last refresh. */
  readonly unkept: boolean
  /** Whether the last refresh was answered and its answer thrown away for want of proof. */
  readonly refused: boolean
  /** Whether the Read API says that there is no such thing, or does not show it, and there never was. */
  readonly absent: boolean
  /** Whether it is of a person whom the Read API calls otherwise. */
  readonly misnamed: boolean
  /** Whether it is of a person whose id has been read as somebody else's. */
  readonly held: boolean
  /** Whether it was due and has just been asked for. */
  readonly refreshed: boolean
  /** Whether that is still under way. */
  readonly late: boolean
}

/** Whether what is kept is older than it should be, since nothing newer could be kept. */
const isFailure: Readonly<Record<RefreshOutcome, boolean>> = {
  kept: false,
  doubted: false,
  missing: false,
  misnamed: false,
  failed: true,
  refused: true,
  held: true,
  unkept: true,
}

/** What is known of a collection after its last refresh on this node. */
export function stateAfter(
  outcome: RefreshOutcome,
  request: CollectionRequest,
  head: CopyHead | null,
  { connection, now }: { readonly connection: Connection; readonly now: Instant },
): Omit<CollectionState, 'refreshed' | 'late'> {
  const isMissing = outcome === 'missing'
  const isGone = isMissing && head?.contentHash === emptyHash
  return {
    request,
    head,
    failed: isFailure[outcome] || (isMissing && !isGone),
    unkept: outcome === 'unkept',
    held: outcome === 'held',
    misnamed: outcome === 'misnamed',
    refused: outcome === 'refused',
    absent: isMissing && !head && isHeard(connection, request.collection.kind, now),
  }
}
