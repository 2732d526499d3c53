import type { Connection, Standing, StandingStore } from '../domain/connection.ts'
import { collectionKey, type CopyStore, type DoubtStore } from '../domain/copy.ts'
import type { DepartureStore, DepartureWatch } from '../domain/departure.ts'
import { covers } from '../domain/feed-options.ts'
import type { LeaveProof, LeaveProofStore } from '../domain/leave.ts'
import { type IdentityWatch, readAgainAfterMs } from '../domain/newcomer.ts'
import type { KnownPeople } from '../domain/person.ts'
import { type Clock, clockSkewMs, type Log } from '../domain/world.ts'
import { type AnsweredPeople, keepPeople } from './answered-people.ts'
import type { KnownAnswers } from './confirmations.ts'
import { Doubts } from './doubts.ts'
import { DueRefreshes, headIn, type Refreshed } from './due-refreshes.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { LeaveProver } from './proof/leave-prover.ts'
import { ProofKeeper } from './proof/proof-keeper.ts'
import { ReadApiHealth } from './read-api-health.ts'
import { heldIn, Refresher } from './refresher.ts'
import { type CollectionState, Failures, stateAfter } from './refreshes.ts'
import { SamePersons } from './same-persons.ts'
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
  readonly standings: StandingStore
  readonly doubts: DoubtStore
  readonly proofs: LeaveProofStore
  readonly departures: DepartureWatch
  readonly departed: Pick<DepartureStore, 'findDeparture' | 'listLeft'>
  readonly identities: IdentityWatch
  readonly people: KnownPeople
  readonly known: KnownAnswers
  readonly clock: Clock
  readonly log: Log
}

/** Collections of a company, brought up to date. */
export interface CurrentCollections {
  readonly states: readonly CollectionState[]
  readonly proof: LeaveProof
}

/** What operators look at. */
export interface SourceCondition {
  /** Whether the Read API answers anything. */
  readonly isUp: boolean
  /** The age of the oldest copy that feeds were served within the hour since it could not be refreshed; 0 where there is none. */
  readonly oldestCopyMs: number
}

const hourMs = 3_600_000
const none: Refreshed = { landed: [], late: new Set() }

/** A company as its feeds see it: the last good copy of every collection, one refresh at a time for all who wait for it. */
export class Source {
  readonly connection: Connection
  readonly #health: ReadApiHealth
  readonly #deps: SourceDeps & { readonly told: ToldOnce }
  readonly #prover: LeaveProver
  readonly #keeper: ProofKeeper
  readonly #doubts: Doubts
  readonly #failures = new Failures()
  readonly #closing = new AbortController()
  readonly #refreshes: DueRefreshes

  constructor(connection: Connection, deps: SourceDeps) {
    const { signal } = this.#closing
    this.#health = new ReadApiHealth({ company: connection.company.id, ...deps })
    this.#deps = { ...deps, told: new ToldOnce(deps.log) }
    const all = { connection, signal, health: this.#health, ...this.#deps }
    this.connection = connection
    this.#prover = new LeaveProver(all)
    const prover = this.#prover
    this.#keeper = new ProofKeeper({ ...all, prover })
    this.#doubts = new Doubts(all, async (request) =>
      this.#refreshes.refreshAlone(request, await this.standing([request])),
    )
    const failures = this.#failures
    const persons = new SamePersons(async (request) =>
      this.#refreshes.refreshAlone(request, await this.standing([request])),
    )
    const refresher = new Refresher({ ...all, prover, doubts: this.#doubts, failures, persons })
    this.#refreshes = new DueRefreshes({ ...all, refresher, failures })
  }

  /** What is known of the collections before they are brought up to date. */
  standing(requests: readonly CollectionRequest[]): Promise<Standing> {
    const { standings, clock } = this.#deps
    const { id: connectionId, company } = this.connection
    const collections = requests.map(({ collection }) => collection)
    const people = collections.filter(({ kind }) => kinds[kind].isPersonal)
    return standings.readStanding({
      connectionId,
      companyId: company.id,
      keys: collections.map(collectionKey),
      userIds: [...new Set(people.map(({ subject }) => subject))],
      now: clock.now(),
    })
  }

  /**
   * The collections as they stand, old ones refreshed first within the budget, and what is known then of the employee filter
   * of leaves. A refresh that takes longer goes on and is kept. Never fails for what the Read API does.
   */
  async current(
    requests: readonly CollectionRequest[],
    known?: Standing,
  ): Promise<CurrentCollections> {
    const standing = known ?? (await this.standing(requests))
    const due = requests.filter((request) => this.#isDue(request, standing))
    const refreshed = due.length > 0 ? await this.#refreshes.refreshed(due, standing) : none
    const after = await this.#after(requests, standing, refreshed)
    const states = this.#states(requests, after, { due, ...refreshed })
    return { states, proof: this.#prover.state.ofCredential(after.proof) }
  }

  /** Keeps what was answered for people when feeds of theirs were made; never fails. */
  async keepPeople(answered: AnsweredPeople): Promise<void> {
    await keepPeople({ ...this.#deps, connection: this.connection }, answered)
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
    const request = { collection, scope: { reach: null, reasons: false } }
    await this.#refreshes.refreshAlone(request, await this.standing([request]))
  }

  /** Has everything fall due that the Read API was asked for until now, also what has just failed. */
  renew(): void {
    this.#refreshes.renew()
  }

  /** Ends refreshes under way and waits until none writes any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await this.#refreshes.ended()
    await this.#doubts.close()
  }

  /** What stands once these were refreshed. */
  async #after(
    requests: readonly CollectionRequest[],
    standing: Standing,
    { landed }: Refreshed,
  ): Promise<Standing> {
    if (!landed) return this.standing(requests)
    // What came may have proven the filter.
    if (landed.length > 0 && standing.proof.state !== 'proven') return this.standing(requests)
    const heads = landed.map((head) => [head.key, head] as const)
    return { ...standing, heads: new Map([...standing.heads, ...heads]) }
  }

  /** Of a person who is held only who they are is asked for. */
  #isDue(request: CollectionRequest, standing: Standing): boolean {
    const heldAt = heldIn(standing, request)
    if (heldAt === undefined) return this.#isOld(request, standing)
    const isAgain = Math.abs(this.#deps.clock.now() - heldAt) >= readAgainAfterMs
    return isAgain && request.collection.kind === 'user'
  }

  /** A copy that claims to be from the future was written by a clock that ran ahead. */
  #isOld(request: CollectionRequest, standing: Standing): boolean {
    const { collection, scope } = request
    const key = collectionKey(collection)
    const now = this.#deps.clock.now()
    const head = headIn(standing, request)
    if (this.#failures.isPaused(key, head, now)) return false
    if (!head || !covers(head.reach, scope.reach)) return true
    if (scope.reasons && !head.withReasons) return true
    if (head.begunAt <= this.#refreshes.renewedAt || head.fetchedAt > now + clockSkewMs) return true
    return now - head.fetchedAt >= (kinds[collection.kind].freshMs ?? this.#deps.freshMs)
  }

  #states(
    requests: readonly CollectionRequest[],
    standing: Standing,
    { due, late: lateKeys }: Refreshed & { readonly due: readonly CollectionRequest[] },
  ): readonly CollectionState[] {
    const world = { connection: this.connection, now: this.#deps.clock.now() }
    return requests.map((request) => {
      const key = collectionKey(request.collection)
      const head = headIn(standing, request)
      const isHeld = heldIn(standing, request) !== undefined
      const outcome = isHeld ? 'held' : this.#failures.outcomeOf(key, head, world.now)
      const refreshed = due.includes(request)
      const late = lateKeys.has(key) && this.#refreshes.isUnderWay(key)
      return { ...stateAfter(outcome, { request, head }, world), refreshed, late }
    })
  }
}
