import type { Standing, StandingStore } from '../domain/connection.ts'
import { type Copy, type CopyHead, emptyHash } from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { asAppError, Misnamed, StoreUnavailable } from '../domain/errors.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Measures } from '../domain/measures.ts'
import type { IdentityWatch } from '../domain/person.ts'
import type { PersonReference } from '../domain/user.ts'
import { Doubts } from './doubts.ts'
import { Failures, headIn, heldIn, type RefreshOutcome } from './failures.ts'
import {
  anyScope,
  areReasonsShown,
  type CollectionRequest,
  type Kind,
  kinds,
  personState,
  useOf,
} from './kinds.ts'
import { LogOnce } from './log-once.ts'
import { LeaveProver } from './proof/leave-prover.ts'
import { noteRefused, noteUnchanged } from './proof/ownership.ts'
import { ofCredential, type ProofDeps } from './proof/proof-state.ts'
import { isRefusal, type PersonsAnswer } from './proof/replies.ts'
import { ReadApiHealth } from './read-api-health.ts'
import {
  completed,
  copyOf,
  isWhole,
  type KnownAnswer,
  type KnownAnswers,
  newlyNamed,
  type ReadCopy,
  readCollection,
  withAsBefore,
} from './reading.ts'
import type { Confirmations } from './under-way.ts'

/** People are read at least once a day, so after this long without a record they have been refused for a day. */
const refusedMs = 2 * 86_400_000
/** For all people together: each takes some hundred bytes. */
const readingsMax = 100_000

/** How old copies may be, and how long a poll waits for newer ones. */
export interface FreshnessSettings {
  readonly freshMs: number
  readonly refreshBudgetMs: number
  /** How long the last good copy is served, and an unreadable record stays. */
  readonly staleMs: number
}

export interface SourceDeps extends FreshnessSettings, ProofDeps {
  readonly standings: StandingStore
  readonly departures: DepartureWatch
  readonly identities: IdentityWatch
  readonly known: KnownAnswers
  readonly measures?: Pick<Measures, 'countRefresh' | 'noteCopyAge'> | undefined
}

/** The start of a refresh: what is known about the collection and its person, and where to report a confirmed copy. */
export interface Poll {
  readonly standing: Standing
  readonly confirmations: Confirmations
}

/** The stored copy, or why there is none; `kept` if another node has stored a newer one. */
export type Refreshed = CopyHead | RefreshOutcome

export function outcomeOf(refreshed: Refreshed): RefreshOutcome {
  return typeof refreshed === 'string' ? refreshed : 'kept'
}

/** Brings one collection of a company up to date: requests, completes, proves, doubts, stores. */
export class Refresher {
  readonly failures: Failures
  readonly health: ReadApiHealth
  readonly prover: LeaveProver
  readonly doubts: Doubts
  readonly logOnce: LogOnce
  readonly #deps: SourceDeps
  readonly #signal: AbortSignal
  readonly #persons: PersonReadings

  /** `refreshAlone` refreshes a collection outside any poll. */
  constructor(
    deps: SourceDeps,
    signal: AbortSignal,
    refreshAlone: (request: CollectionRequest) => Promise<Refreshed>,
  ) {
    this.#deps = deps
    this.#signal = signal
    this.failures = new Failures(deps)
    this.health = new ReadApiHealth(deps.connection.company.id, deps)
    this.prover = new LeaveProver(deps)
    this.doubts = new Doubts(deps, signal, refreshAlone)
    this.logOnce = new LogOnce(deps.log)
    this.#persons = new PersonReadings(refreshAlone)
  }

  /** Returns a function that tells whether the record of one of these people has been read since, or is being read. */
  watchPersons(userIds: readonly string[]): () => boolean {
    return this.#persons.watch(userIds)
  }

  /** Never throws for faults of the Read API. */
  refresh(request: CollectionRequest, poll: Poll): Promise<Refreshed> {
    const { subject, kind } = request.collection
    const refreshed = this.#measured(kind, this.#refresh(request, poll))
    if (kind === 'user') this.#persons.noteReading(subject, refreshed)
    return refreshed
  }

  async #measured(kind: CollectionKind, refreshing: Promise<Refreshed>): Promise<Refreshed> {
    const { connection, measures } = this.#deps
    const begun = performance.now()
    const refreshed = await refreshing
    const refresh = { company: connection.company.id, kind, outcome: outcomeOf(refreshed) }
    measures?.countRefresh(refresh, (performance.now() - begun) / 1000)
    return refreshed
  }

  async #refresh(request: CollectionRequest, poll: Poll): Promise<Refreshed> {
    const { subject, kind } = request.collection
    try {
      if (kind !== 'user' && heldIn(poll.standing, request) !== undefined) return 'held'
      if (kind === 'leaves') {
        const outcome = this.failures.outcomeOf(userRequest(subject), poll.standing)
        if (outcome === 'misnamed') return 'refused'
        if (!(await this.prover.isWorthAsking(subject, this.#signal))) return 'refused'
      }
      return await this.#ask(request, poll)
    } catch (error) {
      const outcome = await this.#noteFailure(request, error)
      if (kind === 'leaves' && outcome === 'missing') await noteRefused(this.#deps, subject)
      return outcome
    }
  }

  async #ask(request: CollectionRequest, poll: Poll): Promise<Refreshed> {
    const { standing } = poll
    const { clock, connection, known: answers } = this.#deps
    const head = headIn(standing, request)
    const known = answers.find(connection.id, request, head, standing)
    const context = {
      now: clock.now(),
      signal: this.#signal,
      bypassCache: head?.doubt !== undefined,
      showsReasons: (userId: string) => areReasonsShown(standing.inFull(userId)),
      isKnown: (digest: string) => digest === known?.digest,
    }
    const asked = readCollection(request, { connection, clock, logOnce: this.logOnce }, context)
    // A person who was read before this answer may have become another by then.
    const { answer: read, turn } = await this.#persons.answered(asked, personOf(request))
    this.health.noteAnswer(request.collection)
    if (!read) return this.#confirmKnown(request, known, context.now, poll)
    answers.note(connection.id, read)
    if (isOfUser(request, read) && !(await this.#notePerson(read))) return 'held'
    const isUnchanged = isWhole(read) && head?.contentHash === read.copy.contentHash
    return isUnchanged ? this.#confirm(request, read, poll) : this.#take(request, read, poll, turn)
  }

  /** If the copy has changed meanwhile, the collection is requested again. */
  async #confirmKnown(
    request: CollectionRequest,
    known: KnownAnswer | undefined,
    begunAt: number,
    poll: Poll,
  ): Promise<Refreshed> {
    const before = headIn(poll.standing, request)
    if (!known || !before) throw new Error('An answer that is not known must be read.')
    const { key, contentHash, emptiedAt } = before
    const head: CopyHead = {
      key,
      contentHash,
      begunAt,
      fetchedAt: this.#deps.clock.now(),
      reach: request.scope.reach,
      missingSince: null,
      ...(known.withReasons ? { withReasons: true } : {}),
      ...(emptiedAt === undefined ? {} : { emptiedAt }),
    }
    if (await poll.confirmations.confirm(head)) return head
    this.#deps.known.forget(this.#deps.connection.id, request)
    return this.refresh(request, poll)
  }

  /** An answer equal to the stored copy needs no proof, but may show that a disproved filter works again. */
  async #confirm(request: CollectionRequest, read: ReadCopy, poll: Poll): Promise<Refreshed> {
    if (request.collection.kind === 'leaves') {
      const answer = answerOf(request, read, read.copy)
      const { unsettled, proof } = poll.standing
      if (unsettled.length > 0) await noteUnchanged(this.#deps, answer, unsettled)
      const { state } = ofCredential(this.#deps.connection, proof)
      if (state === 'disproved') await this.prover.prove(answer, this.#signal)
    }
    return this.#keep(request, read.copy, poll)
  }

  async #take<K extends CollectionKind>(
    request: CollectionRequest<K>,
    read: ReadCopy<K>,
    poll: Poll,
    turn: number,
  ): Promise<Refreshed> {
    const { connection, copies, clock, staleMs } = this.#deps
    const head = headIn(poll.standing, request)
    const kept = head ? await copies.findCopy<K>(connection.id, head.key) : undefined
    const kind: Kind<K> = kinds[request.collection.kind]
    const copy = await completed(read, kept, kind, { now: clock.now(), staleMs })
    const before = kept && (await this.doubts.settled(request, kept, copy))
    const proven = await this.#proven(request, { ...read, copy }, before)
    if (!proven) return 'refused'
    const answer = await this.#ofKnownPeople(kind, proven.answer, before, turn)
    if (answer.contentHash !== before?.contentHash) {
      const { retained } = proven
      const isBelieved =
        !before || (await this.doubts.isBelieved(request, before, answer, retained))
      if (!isBelieved) return 'doubted'
      const against = await this.#whyNotTheirs(request, turn)
      if (against) return against
    }
    return this.#keep(request, answer, poll)
  }

  /** For leaves, returns only the person's own, and `retained` ones missing from the answer; undefined if nothing is proven. */
  async #proven<K extends CollectionKind>(
    request: CollectionRequest<K>,
    read: ReadCopy<K>,
    kept: Copy<K> | undefined,
  ): Promise<{ readonly answer: Copy<K>; readonly retained: ReadonlySet<string> } | undefined> {
    const { copy } = read
    if (request.collection.kind !== 'leaves') return { answer: copy, retained: new Set() }
    const believed = await this.prover.prove(answerOf(request, read, kept), this.#signal)
    if (!believed) return undefined
    const { held = {} } = copy
    const { retained } = believed
    const own = copy.records.filter(({ id }) => believed.own.has(id) || Object.hasOwn(held, id))
    const stays = kept?.records.filter(({ id }) => retained.has(id)) ?? []
    const isAll = own.length === copy.records.length && stays.length === 0
    return { answer: isAll ? copy : await copyOf(copy, own.concat(stays)), retained }
  }

  /** Returns why a person's new records must not be stored, judged by who the person is after the answer. */
  async #whyNotTheirs(
    request: CollectionRequest,
    turn: number,
  ): Promise<'held' | 'failed' | undefined> {
    const userId = personOf(request)
    if (userId === undefined) return undefined
    const outcome = (await this.#doubtful([{ id: userId }], turn)).get(userId)
    if (outcome === undefined || mayBeKept(outcome)) return undefined
    return outcome === 'held' ? 'held' : 'failed'
  }

  async #keep(
    request: CollectionRequest,
    answer: Copy,
    { standing, confirmations }: Poll,
  ): Promise<Refreshed> {
    const { connection, copies } = this.#deps
    const before = headIn(standing, request)
    const copy = { ...answer, ...emptiedSince(answer, before) }
    const { records: _, ...head } = copy
    // Another node may have stored something else meanwhile: the later request wins.
    const isSame = before?.contentHash === copy.contentHash
    if (isSame && (await confirmations.confirm(head))) return head
    const isKept = await copies.keepCopy(connection.id, copy, useOf(connection, request))
    return isKept ? head : 'kept'
  }

  /** Returns the answer, with people who may be others now as they were before. */
  async #ofKnownPeople<K extends CollectionKind>(
    { people }: Kind<K>,
    answer: Copy<K>,
    kept: Copy<K> | undefined,
    turn: number,
  ): Promise<Copy<K>> {
    if (!people || answer.contentHash === kept?.contentHash) return answer
    const { identities, connection } = this.#deps
    const before = kept?.records ?? []
    const named = newlyNamed(people, before, answer.records)
    const held = new Set(await identities.listHeld(connection.company.id))
    const unheld = named.filter(({ id }) => !held.has(id))
    for (const [userId, outcome] of await this.#doubtful(unheld, turn)) {
      if (!mayBeKept(outcome)) held.add(userId)
    }
    if (held.size === 0) return answer
    return copyOf(answer, withAsBefore(people, held, before, answer.records))
  }

  /** Reads people if their names do not show that they are the same, unless they were read since that turn. */
  async #doubtful(
    people: readonly PersonReference[],
    turn: number,
  ): Promise<ReadonlyMap<string, RefreshOutcome>> {
    const { identities, connection, clock } = this.#deps
    if (people.length === 0) return new Map()
    const doubtful = await identities.listDoubtful(connection.company.id, people)
    const read = doubtful.map(async ({ userId, readAt }) => {
      const outcome = outcomeOf(await this.#persons.readSince(userId, turn))
      const wasShown = outcome === 'missing' && clock.now() - (readAt ?? 0) < refusedMs
      return [userId, wasShown ? 'failed' : outcome] as const
    })
    return new Map(await Promise.all(read))
  }

  /** Returns false if the record may be another person's. */
  async #notePerson({ records: [user] }: ReadCopy<'user'>): Promise<boolean> {
    if (!user) return true
    const { departures, connection } = this.#deps
    return departures.note(connection.company.id, user.id, personState(user), user)
  }

  async #noteFailure({ collection }: CollectionRequest, error: unknown): Promise<RefreshOutcome> {
    const { connection, log } = this.#deps
    const { kind, subject } = collection
    const company = connection.company.id
    const where = { company, kind, subject }
    const fault = asAppError(error)
    if (!fault) {
      if (!this.#signal.aborted) log.error({ ...where, error }, 'refresh_failed')
      return 'failed'
    }
    const { code, message: reason, status } = fault
    log.debug({ ...where, code, reason }, 'refresh_failed')
    if (fault instanceof StoreUnavailable) return 'notStored'
    // Names are requested too seldom to show outages.
    const isOfRecord =
      kind === 'user'
        ? code !== 'upstream_unavailable'
        : kind === 'invoice' &&
          ['upstream_not_found', 'upstream_invalid', 'upstream_misnamed'].includes(code)
    if (isOfRecord) {
      this.logOnce.warn({ company, kind, code }, 'record_not_read', { subject, reason })
    }
    const isMissing = isRefused(kind, status)
    // A refused credential is no answer, even if 401 may mean something else for a single project.
    const isAnswer = status !== 401 && (isMissing || isOfRecord)
    if (isAnswer) this.health.noteAnswer(collection)
    else if (kind !== 'user') this.health.noteFault(collection, fault)
    if (kind !== 'user') return isMissing ? 'missing' : 'failed'
    const { departures } = this.#deps
    if (code === 'upstream_not_found') await departures.note(company, subject, 'user_missing')
    if (code === 'upstream_rejected') return 'missing'
    if (!(fault instanceof Misnamed)) return 'failed'
    return (await departures.noteMisnamed(company, subject, fault)) ? 'misnamed' : 'failed'
  }
}

function userRequest(userId: string): CollectionRequest<'user'> {
  return { collection: { kind: 'user', subject: userId }, scope: anyScope }
}

/** Returns the person the collection is about, unless it is the person's own record. */
function personOf({ collection: { kind, subject } }: CollectionRequest): string | undefined {
  return kind !== 'user' && kinds[kind].isPersonal ? subject : undefined
}

function isOfUser({ collection }: CollectionRequest, _: ReadCopy): _ is ReadCopy<'user'> {
  return collection.kind === 'user'
}

function answerOf(
  { collection: { subject: userId }, ofDraft = false }: CollectionRequest,
  { ids, nameless, pages }: ReadCopy,
  kept: Pick<Copy, 'records'> | undefined,
): PersonsAnswer {
  const before = kept && new Set(kept.records.map(({ id }) => id))
  return { userId, ids: new Set(ids), nameless, pages, kept: before, ofDraft }
}

/** People who have been missing for long cannot be compared, so their records may be stored. */
function mayBeKept(outcome: RefreshOutcome): boolean {
  return outcome === 'kept' || outcome === 'missing'
}

/** When the copy became empty: now, or together with the one before. */
function emptiedSince({ contentHash, fetchedAt }: Copy, head: CopyHead | null) {
  if (contentHash !== emptyHash || !head) return {}
  if (head.contentHash !== emptyHash) return { emptiedAt: fetchedAt }
  return head.emptiedAt === undefined ? {} : { emptiedAt: head.emptiedAt }
}

/** Whether the status means that the record does not exist or is not shown. */
function isRefused(kind: CollectionKind, status: number | undefined): boolean {
  if (kind === 'leaves') return isRefusal(status)
  return kinds[kind].mayBeMissing === true && [400, 401, 403, 404, 410].includes(status ?? 0)
}

interface Reading {
  readonly turn: number
  /** Infinity while it is under way. */
  endTurn: number
  readonly read: Promise<Refreshed>
}

/**
 * The last reading of each person on this node, ordered by turns among other answers. Before anything new of a person is
 * stored, the person is read once more. One request serves all answers before it.
 */
class PersonReadings {
  readonly #refresh: (request: CollectionRequest) => Promise<Refreshed>
  readonly #read = new Map<string, Reading>()
  /** Requests under way, by person. */
  readonly #asked = new Map<string, Set<Promise<unknown>>>()
  #turns = 0

  constructor(refresh: (request: CollectionRequest) => Promise<Refreshed>) {
    this.#refresh = refresh
  }

  /** Waits for a request, here about that person, and returns its answer with a turn. */
  async answered<T>(asked: Promise<T>, userId: string | undefined) {
    const answered = asked.then((answer) => ({ answer, turn: (this.#turns += 1) }))
    if (userId === undefined) return answered
    const all = this.#asked.get(userId) ?? new Set()
    this.#asked.set(userId, all.add(answered))
    try {
      return await answered
    } finally {
      all.delete(answered)
      if (all.size === 0) this.#asked.delete(userId)
    }
  }

  watch(userIds: readonly string[]): () => boolean {
    const turn = this.#turns
    return () => userIds.some((userId) => (this.#read.get(userId)?.endTurn ?? 0) > turn)
  }

  noteReading(userId: string, read: Promise<Refreshed>): void {
    const reading: Reading = { turn: (this.#turns += 1), endTurn: Infinity, read }
    const end = (): void => {
      reading.endTurn = this.#turns += 1
    }
    read.then(end, end)
    this.#read.delete(userId)
    this.#read.set(userId, reading)
    const [oldest] = this.#read.keys()
    if (this.#read.size > readingsMax && oldest !== undefined) this.#read.delete(oldest)
  }

  /** Returns a reading of the person that began after the turn. Waits for requests under way, so that one reading serves all. */
  async readSince(userId: string, turn: number): Promise<Refreshed> {
    await Promise.allSettled(this.#asked.get(userId) ?? new Set<Promise<unknown>>())
    const last = this.#read.get(userId)
    if (last && last.turn > turn) return last.read
    const read = this.#refresh(userRequest(userId))
    this.noteReading(userId, read)
    return read
  }
}
