import type { Connection } from '../domain/connection.ts'
import { collectionKey, type CopyHead, type CopyStore, type DoubtStore } from '../domain/copy.ts'
import type { DepartureStore, DepartureWatch } from '../domain/departure.ts'
import { covers, widest } from '../domain/feed-options.ts'
import type { LeaveProof, LeaveProofStore } from '../domain/leave.ts'
import type { LinkStore } from '../domain/link.ts'
import type { KnownPeople } from '../domain/person.ts'
import { type Clock, clockSkewMs, type Log } from '../domain/world.ts'
import { Doubts } from './doubts.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { areReasonsShown } from './kinds/leaves.ts'
import { noteMissing } from './missing.ts'
import { LeaveProver } from './proof/leave-prover.ts'
import { ProofKeeper } from './proof/proof-keeper.ts'
import { ReadApiHealth } from './read-api-health.ts'
import { Refresher } from './refresher.ts'
import { type CollectionState, Failures, Flights, personOf, stateAfter } from './refreshes.ts'
import { ToldOnce } from './told-once.ts'

/** How old copies may be, and how long a poll waits for newer ones. */
export interface FreshnessSettings {
  readonly freshMs: number
  readonly refreshBudgetMs: number
  /** For how long the last good copy is served. */
  readonly staleMs: number
}

export interface SourceDeps extends FreshnessSettings {
  readonly copies: CopyStore
  readonly doubts: DoubtStore
  readonly proofs: LeaveProofStore
  readonly links: Pick<LinkStore, 'listLinksInFull'>
  readonly departures: DepartureWatch
  readonly departed: Pick<DepartureStore, 'listLeft'>
  readonly people: KnownPeople
  readonly clock: Clock
  readonly log: Log
}

/** What operators look at. */
export interface SourceCondition {
  /** Whether the Read API answers anything. */
  readonly isUp: boolean
  /** The age of the oldest copy that feeds were served within the hour since it could not be refreshed; 0 where there is none. */
  readonly oldestCopyMs: number
}

const hourMs = 3_600_000

type Heads = ReadonlyMap<string, CopyHead>

/** A company as its feeds see it: the last good copy of every collection, one refresh at a time for all who wait for it. */
export class Source {
  readonly connection: Connection
  readonly #health: ReadApiHealth
  readonly #deps: SourceDeps & { readonly told: ToldOnce }
  readonly #prover: LeaveProver
  readonly #keeper: ProofKeeper
  readonly #doubts: Doubts
  readonly #refresher: Refresher
  readonly #failures = new Failures()
  readonly #closing = new AbortController()
  readonly #flights = new Flights()

  constructor(connection: Connection, deps: SourceDeps) {
    const { links, clock } = deps
    const companyId = connection.company.id
    const showsReasons = (userId: string): Promise<boolean> =>
      areReasonsShown(links, { companyId, userId, now: clock.now() })
    const { signal } = this.#closing
    this.#health = new ReadApiHealth({ company: connection.company.id, ...deps })
    this.#deps = { ...deps, told: new ToldOnce(deps.log) }
    const all = { connection, showsReasons, signal, health: this.#health, ...this.#deps }
    this.connection = connection
    this.#prover = new LeaveProver(all)
    const prover = this.#prover
    this.#keeper = new ProofKeeper({ ...all, prover })
    this.#doubts = new Doubts(all, (request, head) => this.#refresher.refresh(request, head))
    const failures = this.#failures
    this.#refresher = new Refresher({ ...all, prover, doubts: this.#doubts, failures })
  }

  /**
   * The collections as they stand, old ones refreshed first within the budget. A refresh that takes longer goes on
   * and is kept. Never fails for what the Read API does.
   */
  async current(requests: readonly CollectionRequest[]): Promise<readonly CollectionState[]> {
    const heads = await this.#heads(requests)
    const due = requests.filter((request) => this.#isDue(request, heads))
    if (due.length === 0) return this.#states(requests, heads, due)
    await this.#withinBudget(this.#refreshAll(due, heads))
    return this.#states(requests, await this.#heads(requests), due)
  }

  /** How the Read API answers feeds at present. */
  condition(): SourceCondition {
    const now = this.#deps.clock.now()
    const servedAt = this.#failures.oldestServed(now - hourMs)
    return { isUp: this.#health.isUp, oldestCopyMs: servedAt === null ? 0 : now - servedAt }
  }

  /** What is known of the company's employee filter of leaves. */
  proof(): Promise<LeaveProof> {
    return this.#prover.state.current()
  }

  /** Looks after that proof: tries a disproved filter again, and asks again for everyone for whom a disputed leave came. */
  async keepProof(signal: AbortSignal): Promise<void> {
    await this.#keeper.keep(signal)
    const subject = await this.#keeper.findWitness()
    if (subject === undefined) return
    const collection = { kind: 'leaves', subject } as const
    const [head = null] = await this.#deps.copies.findHeads(this.connection.id, [
      collectionKey(collection),
    ])
    await this.#refresher.refresh({ collection, scope: { reach: null, reasons: false } }, head)
  }

  /** Ends refreshes under way and waits until none writes any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await this.#flights.ended()
    await this.#doubts.close()
  }

  async #heads(requests: readonly CollectionRequest[]): Promise<Heads> {
    const keys = requests.map(({ collection }) => collectionKey(collection))
    const heads = await this.#deps.copies.findHeads(this.connection.id, keys)
    return new Map(heads.map((head) => [head.key, head]))
  }

  /** A copy that claims to be from the future was written by a clock that ran ahead. */
  #isDue({ collection, scope }: CollectionRequest, heads: Heads): boolean {
    const key = collectionKey(collection)
    const now = this.#deps.clock.now()
    const head = heads.get(key) ?? null
    if (this.#failures.isPaused(key, head, now)) return false
    if (!head || !covers(head.reach, scope.reach)) return true
    if (scope.reasons && !head.withReasons) return true
    if (head.fetchedAt > now + clockSkewMs) return true
    return now - head.fetchedAt >= (kinds[collection.kind].freshMs ?? this.#deps.freshMs)
  }

  async #refreshAll(due: readonly CollectionRequest[], heads: Heads): Promise<void> {
    await Promise.all(due.map((request) => this.#refresh(request, heads)))
    for (const request of due) {
      const key = collectionKey(request.collection)
      const head = heads.get(key) ?? null
      const outcome = this.#failures.outcomeOf(key, head, this.#deps.clock.now())
      if (head && outcome === 'missing' && kinds[request.collection.kind].mayBeMissing) {
        await noteMissing({ connection: this.connection, ...this.#deps }, request, head)
      }
    }
  }

  #refresh(request: CollectionRequest, heads: Heads): Promise<void> {
    const { collection, scope } = request
    const key = collectionKey(collection)
    const head = heads.get(key) ?? null
    const person = personOf(collection)
    return this.#flights.join(key, scope.reach, async (wanted) => {
      // Leaves wait where it is being asked whether the Read API calls somebody so.
      if (person !== undefined) await this.#flights.ended(person)
      const reach = widest(wanted, head?.reach ?? null)
      const wide = { ...request, scope: { ...scope, reach } }
      const outcome = await this.#refresher.refresh(wide, head)
      const { clock, freshMs } = this.#deps
      this.#failures.note({ collection, head }, outcome, { now: clock.now(), freshMs })
    })
  }

  async #withinBudget(refreshes: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const { clock, refreshBudgetMs } = this.#deps
    const budget = clock.sleep(refreshBudgetMs, enough.signal).catch(() => undefined)
    await Promise.race([refreshes, budget])
    enough.abort()
  }

  #states(
    requests: readonly CollectionRequest[],
    heads: Heads,
    due: readonly CollectionRequest[],
  ): readonly CollectionState[] {
    const world = { connection: this.connection, now: this.#deps.clock.now() }
    return requests.map((request) => {
      const key = collectionKey(request.collection)
      const head = heads.get(key) ?? null
      const outcome = this.#failures.outcomeOf(key, head, world.now)
      const refreshed = due.includes(request)
      const late = refreshed && this.#flights.has(key)
      return { ...stateAfter(outcome, { request, head }, world), refreshed, late }
    })
  }
}
