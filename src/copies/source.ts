import type { Connection } from '../domain/connection.ts'
import { type Collection, collectionKey, type CopyHead, type CopyStore } from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { covers, widest, type WindowOption } from '../domain/feed-options.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LeaveProof, LeaveProofStore } from '../domain/leave.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { areReasonsShown } from './kinds/leaves.ts'
import { LeaveProver } from './proof/leave-prover.ts'
import { Refresher, type RefreshOutcome } from './refresher.ts'

const failuresMax = 100_000

/** How old copies may be, and how long a poll waits for newer ones. */
export interface FreshnessSettings {
  readonly freshMs: number
  readonly refreshBudgetMs: number
}

/** What is known of one collection now. */
export interface CollectionState {
  readonly request: CollectionRequest
  /** The last good copy; null while there has been none. */
  readonly head: CopyHead | null
  /** Whether the last refresh failed, or brought what must not be kept. */
  readonly failed: boolean
  /** Whether the last refresh was answered and its answer thrown away for want of proof. */
  readonly refused: boolean
  /** Whether it was due and has just been asked for. */
  readonly refreshed: boolean
}

export interface SourceDeps extends FreshnessSettings {
  readonly copies: CopyStore
  readonly proofs: LeaveProofStore
  readonly feeds: Pick<FeedStore, 'listFeedsInFull'>
  readonly departures: DepartureWatch
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

type Heads = ReadonlyMap<string, CopyHead>

/** A company as its feeds see it: the last good copy of every collection, one refresh at a time for all who wait for it. */
export class Source {
  readonly connection: Connection
  readonly #deps: SourceDeps
  readonly #prover: LeaveProver
  readonly #refresher: Refresher
  readonly #closing = new AbortController()
  /** By key, like what follows. */
  readonly #flights = new Map<string, Flight>()
  /** Every refresh under way, those that a wider one has overtaken, too. */
  readonly #running = new Set<Promise<void>>()
  /** Of collections whose last refresh on this node brought nothing to keep. */
  readonly #failures = new Map<string, Failure>()

  constructor(connection: Connection, deps: SourceDeps) {
    const { feeds } = deps
    const showsReasons = (userId: string): Promise<boolean> =>
      areReasonsShown(feeds, connection.company.id, userId)
    this.connection = connection
    this.#deps = deps
    this.#prover = new LeaveProver({ connection, ...deps })
    const { signal } = this.#closing
    const prover = this.#prover
    this.#refresher = new Refresher({ connection, prover, showsReasons, signal, ...deps })
  }

  /**
   * The collections as they stand, old ones refreshed first within the budget. A refresh that takes longer goes on
   * and is kept. Never fails for what the Read API does.
   */
  async current(requests: readonly CollectionRequest[]): Promise<readonly CollectionState[]> {
    const heads = await this.#heads(requests)
    const due = requests.filter((request) => this.#isDue(request, heads))
    if (due.length === 0) return this.#states(requests, heads, due)
    await this.#withinBudget(due.map((request) => this.#refresh(request, heads)))
    return this.#states(requests, await this.#heads(requests), due)
  }

  /** What is known of the company's employee filter of leaves. */
  proof(): Promise<LeaveProof> {
    return this.#prover.findProof()
  }

  /** Asks again for everyone for whom a disputed leave came. */
  settleDisputes(signal: AbortSignal): Promise<void> {
    return this.#prover.settleDisputes(signal)
  }

  /** Ends refreshes under way and waits until none writes any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await Promise.all(this.#running)
    await this.#refresher.close()
  }

  async #heads(requests: readonly CollectionRequest[]): Promise<Heads> {
    const keys = requests.map(({ collection }) => collectionKey(collection))
    const heads = await this.#deps.copies.findHeads(this.connection.id, keys)
    return new Map(heads.map((head) => [head.key, head]))
  }

  #isDue({ collection, scope }: CollectionRequest, heads: Heads): boolean {
    const key = collectionKey(collection)
    const now = this.#deps.clock.now()
    const head = heads.get(key)
    const failure = this.#failureOf(key, head)
    if (failure && isPatient(failure, collection) && now - failure.at < this.#deps.freshMs) {
      return false
    }
    if (!head || !covers(head.reach, scope.reach)) return true
    if (scope.reasons && !head.withReasons) return true
    return now - head.fetchedAt >= (kinds[collection.kind].freshMs ?? this.#deps.freshMs)
  }

  /** Unless another node has brought a good copy since. */
  #failureOf(key: string, head: CopyHead | null | undefined): Failure | undefined {
    const failure = this.#failures.get(key)
    return failure && head && head.fetchedAt > failure.at ? undefined : failure
  }

  #refresh(request: CollectionRequest, heads: Heads): Promise<void> {
    const { collection, scope } = request
    const key = collectionKey(collection)
    const underWay = this.#flights.get(key)
    const head = heads.get(key) ?? null
    if (underWay && covers(underWay.reach, scope.reach)) return underWay.done
    const reach = widest(widest(scope.reach, head?.reach ?? null), underWay?.reach ?? null)
    const done = this.#refresher
      .refresh({ ...request, scope: { ...scope, reach } }, head)
      .then((outcome) => this.#note(key, outcome))
      .finally(() => {
        this.#running.delete(done)
        if (this.#flights.get(key) === flight) this.#flights.delete(key)
      })
    this.#running.add(done)
    const flight: Flight = { reach, done }
    this.#flights.set(key, flight)
    return done
  }

  #note(key: string, outcome: RefreshOutcome): void {
    this.#failures.delete(key)
    if (outcome === 'kept') return
    this.#failures.set(key, { outcome, at: this.#deps.clock.now() })
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= failuresMax) break
      this.#failures.delete(oldest)
    }
  }

  async #withinBudget(refreshes: readonly Promise<void>[]): Promise<void> {
    const enough = new AbortController()
    const { clock, refreshBudgetMs } = this.#deps
    const budget = clock.sleep(refreshBudgetMs, enough.signal).catch(() => undefined)
    await Promise.race([Promise.all(refreshes), budget])
    enough.abort()
  }

  #states(
    requests: readonly CollectionRequest[],
    heads: Heads,
    due: readonly CollectionRequest[],
  ): readonly CollectionState[] {
    return requests.map((request) => {
      const key = collectionKey(request.collection)
      const head = heads.get(key) ?? null
      const outcome = this.#failureOf(key, head)?.outcome
      const refused = outcome === 'refused'
      const refreshed = due.includes(request)
      return { request, head, failed: outcome === 'failed' || refused, refused, refreshed }
    })
  }
}

/** What was refused is not asked for again at once, nor is what only serves the others, such as a name. */
function isPatient({ outcome }: Failure, { kind }: Collection): boolean {
  return outcome === 'refused' || kinds[kind].shownAs === null
}
