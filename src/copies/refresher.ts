import type { Connection } from '../domain/connection.ts'
import {
  collectionKey,
  personalKinds,
  type Copy,
  type CopyHead,
  type CopyStore,
} from '../domain/copy.ts'
import { asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import { type Departures, readingOf } from '../people/departures.ts'
import { readCopy } from './copy-reader.ts'
import { shrinksSuddenly } from './doubt.ts'
import type { LeaveProver } from './proof/leave-prover.ts'
import type { CollectionRequest } from './read-collection.ts'
import type { Retention } from './retention.ts'

const secondReadingAfterMs = 60_000

/** `kept`: the copy is now good; `failed`: no usable answer; `refused`: no proof; `doubted`: a second reading will tell. */
export type RefreshOutcome = 'kept' | 'failed' | 'refused' | 'doubted'

interface RefresherDeps {
  readonly snapshots: CopyStore
  readonly prover: LeaveProver
  readonly leavers: Pick<Departures, 'note'>
  readonly retention: Pick<Retention, 'showsReasons'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Brings one collection up to date: asks, doubts, proves, keeps. */
export class Refresher {
  readonly #deps: RefresherDeps
  /** Collections whose second reading is still to come. */
  readonly #doubted = new Map<string, Promise<void>>()

  constructor(deps: RefresherDeps) {
    this.#deps = deps
  }

  /** Refreshes the collection whose kept copy is `head`. Never throws for what the Read API does. */
  async refresh(
    connection: Connection,
    request: CollectionRequest,
    head: CopyHead | null,
  ): Promise<RefreshOutcome> {
    if (this.#doubted.has(doubtKey(connection, request))) return 'doubted'
    return this.#attempt(connection, request, head, null)
  }

  /** Waits until no second reading is under way; they end with the signal. */
  async close(): Promise<void> {
    await Promise.all(this.#doubted.values())
  }

  async #attempt(
    connection: Connection,
    request: CollectionRequest,
    head: CopyHead | null,
    doubtedHash: string | null,
  ): Promise<RefreshOutcome> {
    try {
      if (isUnaskable(connection, request)) {
        await this.#deps.prover.noteNoParameter(connection)
        return 'refused'
      }
      const answer = await this.#read(connection, request, head)
      if (!answer) return 'failed'
      if (await this.#isDoubtful(connection, answer, head, doubtedHash)) {
        this.#readAgainLater(connection, request, answer.contentHash)
        return 'doubted'
      }
      const outcome = await this.#admit(connection, request, answer, head)
      await this.#notePerson(connection, request, answer.records)
      return outcome
    } catch (error) {
      return this.#noteFailure(connection, request, error)
    }
  }

  async #read(
    connection: Connection,
    request: CollectionRequest,
    head: CopyHead | null,
  ): Promise<Copy | undefined> {
    try {
      return await readCopy(this.#deps, connection, request, head)
    } catch (error) {
      if (asAppError(error)?.code === 'upstream_not_found') {
        await this.#notePerson(connection, request, [])
      }
      throw error
    }
  }

  async #notePerson(
    connection: Connection,
    { collection: { kind, subject } }: CollectionRequest,
    [record]: Copy['records'],
  ): Promise<void> {
    if (kind !== 'user') return
    const reading = record && 'isActive' in record ? readingOf(record) : 'user_missing'
    await this.#deps.leavers.note(connection, subject, reading)
  }

  async #isDoubtful(
    connection: Connection,
    answer: Copy,
    head: CopyHead | null,
    doubtedHash: string | null,
  ): Promise<boolean> {
    if (!connection.shrinkGuard || !head || answer.missingSince !== null) return false
    if (answer.contentHash === head.contentHash || answer.contentHash === doubtedHash) return false
    const kept = await this.#deps.snapshots.findCopy(connection.id, head.key)
    return !!kept && shrinksSuddenly(kept.records, answer.records)
  }

  #readAgainLater(connection: Connection, request: CollectionRequest, contentHash: string): void {
    const { log } = this.#deps
    const name = doubtKey(connection, request)
    const key = collectionKey(request.collection)
    log.warn({ company: connection.company.id, key }, 'collection_shrank')
    const reading = this.#readAfterPause(connection, request, contentHash).finally(() => {
      if (this.#doubted.get(name) === reading) this.#doubted.delete(name)
    })
    this.#doubted.set(name, reading)
  }

  async #readAfterPause(
    connection: Connection,
    request: CollectionRequest,
    contentHash: string,
  ): Promise<void> {
    const { clock, snapshots, signal } = this.#deps
    try {
      await clock.sleep(secondReadingAfterMs, signal)
      const [head] = await snapshots.findHeads(connection.id, [collectionKey(request.collection)])
      await this.#attempt(connection, request, head ?? null, contentHash)
    } catch (error) {
      this.#noteFailure(connection, request, error)
    }
  }

  async #admit(
    connection: Connection,
    request: CollectionRequest,
    answer: Copy,
    head: CopyHead | null,
  ): Promise<RefreshOutcome> {
    const unchanged = head?.contentHash === answer.contentHash
    if (request.collection.kind === 'leaves') {
      const admitted = await this.#admitLeaves(connection, request, answer, unchanged)
      if (!admitted) return 'refused'
    }
    const { snapshots } = this.#deps
    // Another node may have kept something else meanwhile: what was asked for later still wins.
    if (unchanged && (await snapshots.confirmCopy(connection.id, answer))) return 'kept'
    await snapshots.keepCopy(connection.id, answer, personInFeed(request))
    if (request.collection.kind !== 'leaves') return 'kept'
    const stands = await this.#deps.prover.stillStands(connection, request.collection.subject)
    return stands ? 'kept' : 'refused'
  }

  async #admitLeaves(
    connection: Connection,
    request: CollectionRequest,
    answer: Copy,
    unchanged: boolean,
  ): Promise<boolean> {
    const { prover, signal } = this.#deps
    if (unchanged && (await prover.findProof(connection)).state === 'proven') return true
    const leaveIds = answer.records.map(({ id }) => id)
    const { collection, ofDraft } = request
    return prover.admits(connection, { userId: collection.subject, leaveIds, ofDraft }, signal)
  }

  #noteFailure(
    connection: Connection,
    { collection }: CollectionRequest,
    error: unknown,
  ): RefreshOutcome {
    const known = asAppError(error)
    const data = { company: connection.company.id, ...collection }
    if (known)
      this.#deps.log.warn({ ...data, code: known.code, reason: known.message }, 'refresh_failed')
    else if (!this.#deps.signal.aborted) this.#deps.log.error({ ...data, error }, 'refresh_failed')
    return 'failed'
  }
}

/** What is of one person is kept only while a feed has them; undefined for all else, and for what is asked for without a feed. */
function personInFeed({ collection, ofDraft }: CollectionRequest): string | undefined {
  return ofDraft || !personalKinds.includes(collection.kind) ? undefined : collection.subject
}

function isUnaskable({ parameters }: Connection, { collection }: CollectionRequest): boolean {
  return collection.kind === 'leaves' && parameters.leaves.employee === null
}

function doubtKey(connection: Connection, { collection }: CollectionRequest): string {
  return `${connection.id} ${collectionKey(collection)}`
}
