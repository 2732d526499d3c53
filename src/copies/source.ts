import type { Connection } from '../domain/connection.ts'
import { type Collection, collectionKey, type CopyHead, type CopyStore } from '../domain/copy.ts'
import type { WindowOption } from '../domain/feed-options.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Instant, Clock, Log } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import type { LeaveProver } from './proof/leave-prover.ts'
import type { CollectionRequest } from './read-collection.ts'
import { Refresher, type RefreshOutcome } from './refresher.ts'
import type { Retention } from './retention.ts'

const userFreshMs = 12 * 3_600_000
const failuresMax = 100_000

/** How old copies may be, and how long a poll waits for newer ones. */
export interface FreshnessSettings {
  readonly freshMs: number
  readonly refreshBudgetMs: number
}

/** What is known of one collection now. */
export interface CollectionState<K extends CollectionKind = CollectionKind> {
  readonly request: CollectionRequest<K>
  /** The last good copy; null while there has been none. */
  readonly head: CopyHead | null
  /** Whether the last refresh failed, or brought what must not be kept. */
  readonly failed: boolean
  /** Whether the last refresh was answered and its answer thrown away for want of proof. */
  readonly refused: boolean
  /** Whether it was due and has just been asked for. */
  readonly refreshed: boolean
}

interface SnapshotsDeps extends FreshnessSettings {
  readonly snapshots: CopyStore
  readonly prover: LeaveProver
  readonly leavers: Pick<Departures, 'note'>
  readonly retention: Pick<Retention, 'showsReasons'>
  readonly clock: Clock
  readonly log: Log
}

interface Failure {
  readonly outcome: Exclude<RefreshOutcome, 'kept'>
  readonly at: Instant
}

interface Flight {
  readonly reach: WindowOption | null
  readonly done: Promise<void>
}

/** What there is after a refresh, and what was due before it. */
interface Refreshment {
  readonly heads: ReadonlyMap<string, CopyHead>
  readonly due: readonly CollectionRequest[]
}

/** Keeps the last good copy of every collection fresh: one refresh at a time for all who wait for it. */
export class Snapshots {
  readonly #deps: SnapshotsDeps
  readonly #refresher: Refresher
  readonly #closing = new AbortController()
  readonly #flights = new Map<string, Flight>()
  /** Of collections whose last refresh on this node brought nothing to keep. */
  readonly #failures = new Map<string, Failure>()

  constructor(deps: SnapshotsDeps) {
    this.#deps = deps
    this.#refresher = new Refresher({ ...deps, signal: this.#closing.signal })
  }

  /**
   * The collections as they stand, old ones refreshed first within the budget. A refresh that takes longer goes on
   * and is kept. Never fails for what the Read API does.
   */
  async current(
    connection: Connection,
    requests: readonly CollectionRequest[],
  ): Promise<readonly CollectionState[]> {
    const heads = await this.heads(connection, requests)
    const due = requests.filter((request) => this.#isDue(connection, request, heads))
    if (due.length === 0) return this.#states(connection, requests, { heads, due })
    await this.#withinBudget(due.map((request) => this.#refresh(connection, request, heads)))
    return this.#states(connection, requests, {
      heads: await this.heads(connection, requests),
      due,
    })
  }

  /** The heads of the kept copies by key, as the store has them now. */
  async heads(
    connection: Connection,
    requests: readonly CollectionRequest[],
  ): Promise<ReadonlyMap<string, CopyHead>> {
    const keys = requests.map(({ collection }) => collectionKey(collection))
    const heads = await this.#deps.snapshots.findHeads(connection.id, keys)
    return new Map(heads.map((head) => [head.key, head]))
  }

  /** Ends refreshes under way and waits until none writes any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await Promise.all([...this.#flights.values()].map(({ done }) => done))
    await this.#refresher.close()
  }

  #isDue(
    connection: Connection,
    { collection, reach, reasons }: CollectionRequest,
    heads: ReadonlyMap<string, CopyHead>,
  ): boolean {
    const key = collectionKey(collection)
    const now = this.#deps.clock.now()
    const head = heads.get(key)
    const failure = this.#failureOf(connection, key, head)
    if (failure && isPatient(failure, collection) && now - failure.at < this.#deps.freshMs) {
      return false
    }
    if (!head || !covers(head.reach, reach)) return true
    if (reasons === true && !head.withReasons) return true
    return now - head.fetchedAt >= (collection.kind === 'user' ? userFreshMs : this.#deps.freshMs)
  }

  /** Unless another node has brought a good copy since. */
  #failureOf(
    connection: Connection,
    key: string,
    head: CopyHead | null | undefined,
  ): Failure | undefined {
    const failure = this.#failures.get(flightKey(connection, key))
    return failure && head && head.fetchedAt > failure.at ? undefined : failure
  }

  #refresh(
    connection: Connection,
    request: CollectionRequest,
    heads: ReadonlyMap<string, CopyHead>,
  ): Promise<void> {
    const key = collectionKey(request.collection)
    const name = flightKey(connection, key)
    const underWay = this.#flights.get(name)
    const head = heads.get(key) ?? null
    if (underWay && covers(underWay.reach, request.reach)) return underWay.done
    const reach = widest(request.reach, head?.reach ?? underWay?.reach ?? null)
    const done = this.#refresher
      .refresh(connection, { ...request, reach }, head)
      .then((outcome) => this.#note(name, outcome))
      .finally(() => {
        if (this.#flights.get(name) === flight) this.#flights.delete(name)
      })
    const flight: Flight = { reach, done }
    this.#flights.set(name, flight)
    return done
  }

  #note(name: string, outcome: RefreshOutcome): void {
    this.#failures.delete(name)
    if (outcome === 'kept') return
    this.#failures.set(name, { outcome, at: this.#deps.clock.now() })
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= failuresMax) break
      this.#failures.delete(oldest)
    }
  }

  async #withinBudget(refreshes: readonly Promise<void>[]): Promise<void> {
    const enough = new AbortController()
    const budget = this.#deps.clock
      .sleep(this.#deps.refreshBudgetMs, enough.signal)
      .catch(() => undefined)
    await Promise.race([Promise.all(refreshes), budget])
    enough.abort()
  }

  #states(
    connection: Connection,
    requests: readonly CollectionRequest[],
    { heads, due }: Refreshment,
  ): readonly CollectionState[] {
    return requests.map((request) => {
      const key = collectionKey(request.collection)
      const head = heads.get(key) ?? null
      const outcome = this.#failureOf(connection, key, head)?.outcome
      const failed = outcome === 'failed' || outcome === 'refused'
      return {
        request,
        head,
        failed,
        refused: outcome === 'refused',
        refreshed: due.includes(request),
      }
    })
  }
}

/** What was refused is not asked for again at once, nor is a name that could not be had. */
function isPatient({ outcome }: Failure, { kind }: Collection): boolean {
  return outcome === 'refused' || kind === 'user'
}

function flightKey(connection: Connection, key: string): string {
  return `${connection.id} ${key}`
}

function covers(have: WindowOption | null, want: WindowOption | null): boolean {
  if (!want) return true
  return !!have && have.pastDays >= want.pastDays && have.futureDays >= want.futureDays
}

/** What is asked for never narrows: a copy serves all feeds of its person. */
function widest(one: WindowOption | null, other: WindowOption | null): WindowOption | null {
  if (!one || !other) return one
  return {
    pastDays: Math.max(one.pastDays, other.pastDays),
    futureDays: Math.max(one.futureDays, other.futureDays),
  }
}
