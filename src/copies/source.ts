import type { Connection, Standing, StandingStore } from '../domain/connection.ts'
import { collectionKey, makeCopy } from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { covers } from '../domain/feed-options.ts'
import type { LeaveProof } from '../domain/leave.ts'
import { type IdentityWatch, readAgainAfterMs } from '../domain/person.ts'
import type { User } from '../domain/user.ts'
import { type Clock, clockSkewMs, type Instant, type Log, repeat } from '../domain/world.ts'
import { Doubts } from './doubts.ts'
import { DueRefreshes, type Refreshed } from './due-refreshes.ts'
import { type CollectionState, Failures, type RefreshOutcome, stateAfter } from './failures.ts'
import { type CollectionRequest, anyScope, kinds, personState } from './kinds.ts'
import type { KnownAnswers } from './known-answers.ts'
import { LogOnce } from './log-once.ts'
import { LeaveProver } from './proof/leave-prover.ts'
import type { ProofDeps } from './proof/proof-state.ts'
import { ReadApiHealth } from './read-api-health.ts'
import { headIn, heldIn } from './refresher.ts'

/** How old copies may be, and how long a poll waits for newer ones. */
export interface FreshnessSettings {
  readonly freshMs: number
  readonly refreshBudgetMs: number
  /** For how long the last good copy is served. */
  readonly staleMs: number
}

export interface SourceDeps extends FreshnessSettings, Omit<ProofDeps, 'connection'> {
  readonly standings: StandingStore
  readonly departures: DepartureWatch
  readonly identities: IdentityWatch
  readonly known: KnownAnswers
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
const keptAtOnce = 50

/** What the Read API has answered for people, and when it was asked or earlier. */
export interface AnsweredPeople {
  readonly users: readonly User[]
  readonly askedAt: Instant
}

/** A company as its feeds see it: the last good copy of every collection, one refresh at a time for all who wait for it. */
export class Source {
  readonly connection: Connection
  readonly #deps: SourceDeps
  readonly #health: ReadApiHealth
  readonly #prover: LeaveProver
  readonly #doubts: Doubts
  readonly #failures = new Failures()
  readonly #closing = new AbortController()
  readonly #refreshes: DueRefreshes

  constructor(connection: Connection, deps: SourceDeps) {
    this.connection = connection
    this.#deps = deps
    this.#health = new ReadApiHealth({ company: connection.company.id, ...deps })
    const all = { ...deps, connection, signal: this.#closing.signal, failures: this.#failures }
    const refreshAlone = (request: CollectionRequest): Promise<RefreshOutcome> =>
      this.#refreshAlone(request)
    this.#prover = new LeaveProver(all)
    this.#doubts = new Doubts(all, refreshAlone)
    this.#refreshes = new DueRefreshes({
      ...all,
      health: this.#health,
      prover: this.#prover,
      doubting: this.#doubts,
      logOnce: new LogOnce(deps.log),
      refreshPerson: refreshAlone,
    })
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

  /**
   * Keeps what a refresh would of people who are in feeds now and of whom nothing is kept, so that the first poll asks for them
   * no more. Who is not active is left to it. Never fails: what is not kept is asked for.
   */
  async keepPeople({ users, askedAt }: AnsweredPeople): Promise<void> {
    const active = users.filter((user) => personState(user) === 'active')
    const people = [...new Map(active.map((user) => [user.id, user])).values()]
    try {
      for (let first = 0; first < people.length; first += keptAtOnce) {
        await this.#keepNew(people.slice(first, first + keptAtOnce), askedAt)
      }
    } catch (error) {
      this.#deps.log.error({ company: this.connection.company.id, error }, 'people_not_kept')
    }
  }

  async #keepNew(people: readonly User[], askedAt: Instant): Promise<void> {
    const { copies, departures } = this.#deps
    const { id, company } = this.connection
    const heads = await copies.findHeads(id, people.map(keyOf))
    const kept = new Set(heads.map(({ key }) => key))
    const unknown = people.filter((user) => !kept.has(keyOf(user)))
    const keep = async (user: User): Promise<void> => {
      if (!(await departures.note(company.id, user.id, 'active', user))) return
      const times = { begunAt: askedAt, fetchedAt: askedAt, reach: null }
      const collection = { kind: 'user', subject: user.id } as const
      const copy = makeCopy(collection, [kinds.user.keep(user)], times)
      await copies.keepCopy(id, copy, { companyId: company.id, userId: user.id })
    }
    await Promise.all(unknown.map(keep))
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
    const subject = await this.#prover.keep(signal)
    if (subject === undefined) return
    await this.#refreshAlone({ collection: { kind: 'leaves', subject }, scope: anyScope })
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

  async #refreshAlone(request: CollectionRequest): Promise<RefreshOutcome> {
    return this.#refreshes.refreshAlone(request, await this.standing([request]))
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
      return { ...stateAfter(outcome, request, head, world), refreshed, late }
    })
  }
}

interface ProofsDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly clock: Clock
  readonly log: Log
}

/** Looks once an hour, company by company, after what is proven of leaves. */
export class Proofs {
  readonly #deps: ProofsDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: ProofsDeps) {
    this.#deps = deps
  }

  start(): void {
    const work = async (signal: AbortSignal): Promise<void> => {
      for (const source of this.#deps.sources.values()) await source.keepProof(signal)
    }
    this.#end ??= repeat({ name: 'leave_proofs', everyMs: hourMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }
}

function keyOf({ id }: User): string {
  return collectionKey({ kind: 'user', subject: id })
}
