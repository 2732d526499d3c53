import type { Connection } from '../domain/connection.ts'
import {
  collectionKey,
  type Copy,
  type CopyHead,
  type CopyStore,
  makeCopy,
} from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { asAppError } from '../domain/errors.ts'
import { widest } from '../domain/feed-options.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { shrinksSuddenly } from './doubt.ts'
import type { CollectionRequest, Kind, ReadingContext } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { personState } from './kinds/users.ts'
import { keepMissing } from './missing-record.ts'
import type { LeaveProver } from './proof/leave-prover.ts'

const secondReadingAfterMs = 60_000

/** `kept`: the copy is now good; `failed`: no usable answer; `refused`: no proof; `doubted`: a second reading will tell. */
export type RefreshOutcome = 'kept' | 'failed' | 'refused' | 'doubted'

export interface RefresherDeps {
  readonly connection: Connection
  readonly copies: CopyStore
  readonly prover: LeaveProver
  readonly departures: DepartureWatch
  readonly showsReasons: ReadingContext['showsReasons']
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Brings one collection of a company up to date: asks, doubts, proves, keeps. */
export class Refresher {
  readonly #deps: RefresherDeps
  /** Collections whose second reading is still to come, by key. */
  readonly #doubted = new Map<string, Promise<void>>()

  constructor(deps: RefresherDeps) {
    this.#deps = deps
  }

  /** Refreshes the collection whose kept copy is `head`. Never throws for what the Read API does. */
  async refresh(request: CollectionRequest, head: CopyHead | null): Promise<RefreshOutcome> {
    if (this.#doubted.has(collectionKey(request.collection))) return 'doubted'
    return this.#attempt(request, head, null)
  }

  /** Waits for the second readings under way; they end with the signal. */
  async close(): Promise<void> {
    await Promise.all(this.#doubted.values())
  }

  async #attempt(
    request: CollectionRequest,
    head: CopyHead | null,
    doubtedHash: string | null,
  ): Promise<RefreshOutcome> {
    try {
      if (this.#isUnaskable(request)) {
        await this.#deps.prover.noteNoParameter()
        return 'refused'
      }
      const answer = await this.#read(request, head)
      if (!answer) return 'failed'
      if (await this.#isDoubtful(answer, head, doubtedHash)) {
        this.#readAgainLater(request, answer.contentHash)
        return 'doubted'
      }
      const outcome = await this.#keep(request, answer, head)
      await this.#notePerson(request, answer.records)
      return outcome
    } catch (error) {
      return this.#noteFailure(request, error)
    }
  }

  #isUnaskable({ collection }: CollectionRequest): boolean {
    return collection.kind === 'leaves' && this.#deps.connection.parameters.leaves.employee === null
  }

  /** Undefined for a project or invoice that is not there, until it has been missing for a day; otherwise fails as ReadApi does. */
  async #read(request: CollectionRequest, head: CopyHead | null): Promise<Copy | undefined> {
    const begunAt = this.#deps.clock.now()
    try {
      return await this.#readCopy(request, begunAt)
    } catch (error) {
      if (asAppError(error)?.code !== 'upstream_not_found') throw error
      await this.#notePerson(request, [])
      if (!kinds[request.collection.kind].mayBeMissing) throw error
      return keepMissing(this.#deps, request, { head, begunAt })
    }
  }

  async #readCopy<K extends CollectionKind>(
    request: CollectionRequest<K>,
    begunAt: Instant,
  ): Promise<Copy<K>> {
    const { connection, clock, log, signal, showsReasons } = this.#deps
    const { kind } = request.collection
    const { read, keep }: Kind<K> = kinds[kind]
    const context = { api: connection.api, now: begunAt, signal, showsReasons }
    const { faults, withReasons, ...reading } = await read(request, context)
    for (const fault of faults)
      log.warn({ company: connection.company.id, ...fault }, 'records_set_aside')
    const records = reading.records.map(keep).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const { reach } = request.scope
    const copy = makeCopy(request.collection, records, { begunAt, fetchedAt: clock.now(), reach })
    return withReasons ? { ...copy, withReasons } : copy
  }

  async #notePerson(
    { collection: { kind, subject } }: CollectionRequest,
    [record]: Copy['records'],
  ): Promise<void> {
    if (kind !== 'user') return
    const state = record && 'isActive' in record ? personState(record) : 'user_missing'
    await this.#deps.departures.note(this.#deps.connection.company.id, subject, state)
  }

  async #isDoubtful(
    answer: Copy,
    head: CopyHead | null,
    doubtedHash: string | null,
  ): Promise<boolean> {
    const { connection, copies } = this.#deps
    if (!connection.shrinkGuard || !head || answer.missingSince !== null) return false
    if (answer.contentHash === head.contentHash || answer.contentHash === doubtedHash) return false
    const kept = await copies.findCopy(connection.id, head.key)
    return !!kept && shrinksSuddenly(kept.records, answer.records)
  }

  #readAgainLater(request: CollectionRequest, contentHash: string): void {
    const key = collectionKey(request.collection)
    this.#deps.log.warn({ company: this.#deps.connection.company.id, key }, 'collection_shrank')
    const reading = this.#readAfterPause(request, contentHash).finally(() => {
      if (this.#doubted.get(key) === reading) this.#doubted.delete(key)
    })
    this.#doubted.set(key, reading)
  }

  async #readAfterPause(request: CollectionRequest, contentHash: string): Promise<void> {
    const { connection, clock, copies, signal } = this.#deps
    try {
      await clock.sleep(secondReadingAfterMs, signal)
      const [head] = await copies.findHeads(connection.id, [collectionKey(request.collection)])
      const scope = { ...request.scope, reach: widest(request.scope.reach, head?.reach ?? null) }
      await this.#attempt({ ...request, scope }, head ?? null, contentHash)
    } catch (error) {
      this.#noteFailure(request, error)
    }
  }

  async #keep(
    request: CollectionRequest,
    answer: Copy,
    head: CopyHead | null,
  ): Promise<RefreshOutcome> {
    const { connection, copies, prover } = this.#deps
    const { kind, subject } = request.collection
    const unchanged = head?.contentHash === answer.contentHash
    if (kind === 'leaves' && !(await this.#proveLeaves(request, answer, unchanged)))
      return 'refused'
    // Another node may have kept something else meanwhile: what was asked for later still wins.
    if (unchanged && (await copies.confirmCopy(connection.id, answer))) return 'kept'
    await copies.keepCopy(connection.id, answer, personInFeed(request))
    if (kind !== 'leaves') return 'kept'
    return (await prover.dropContested(subject)) ? 'refused' : 'kept'
  }

  async #proveLeaves(
    { collection, ofDraft }: CollectionRequest,
    { records }: Copy,
    unchanged: boolean,
  ): Promise<boolean> {
    const { prover, signal } = this.#deps
    if (unchanged && (await prover.findProof()).state === 'proven') return true
    const leaveIds = records.map(({ id }) => id)
    return prover.prove({ userId: collection.subject, leaveIds, ofDraft }, signal)
  }

  #noteFailure({ collection }: CollectionRequest, error: unknown): RefreshOutcome {
    const { connection, log, signal } = this.#deps
    const known = asAppError(error)
    const data = { company: connection.company.id, ...collection }
    if (known) log.warn({ ...data, code: known.code, reason: known.message }, 'refresh_failed')
    else if (!signal.aborted) log.error({ ...data, error }, 'refresh_failed')
    return 'failed'
  }
}

/** What is of one person is kept only while a feed has them; undefined for all else, and for what is asked for without a feed. */
function personInFeed({ collection, ofDraft }: CollectionRequest): string | undefined {
  return ofDraft || !kinds[collection.kind].isPersonal ? undefined : collection.subject
}
