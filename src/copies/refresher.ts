import type { Standing } from '../domain/connection.ts'
import { collectionKey, type Copy, type CopyHead, emptyHash } from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import {
  type AppError,
  asAppError,
  type ErrorCode,
  Misnamed,
  StoreUnavailable,
} from '../domain/errors.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { IdentityWatch } from '../domain/person.ts'
import type { PersonReference } from '../domain/user.ts'
import type { Instant } from '../domain/world.ts'
import type { Doubts } from './doubts.ts'
import type { Failures, RefreshOutcome } from './failures.ts'
import {
  anyScope,
  areReasonsShown,
  type CollectionRequest,
  type Kind,
  kinds,
  personInFeed,
  personState,
} from './kinds.ts'
import type { KnownAnswer, KnownAnswers } from './known-answers.ts'
import type { LogOnce } from './log-once.ts'
import type { LeaveProver } from './proof/leave-prover.ts'
import type { ProofDeps } from './proof/proof-state.ts'
import { isRefusal } from './proof/replies.ts'
import type { ReadApiHealth } from './read-api-health.ts'
import {
  answerOf,
  completed,
  copyOf,
  isWhole,
  newlyNamed,
  type Read,
  readCollection,
  withAsBefore,
} from './reading.ts'

/** People are read once a day at least: a Read API that has not shown somebody for so long has refused them for a day. */
const refusedMs = 2 * 86_400_000

export interface RefresherDeps extends ProofDeps {
  readonly prover: LeaveProver
  readonly doubting: Doubts
  readonly departures: DepartureWatch
  readonly failures: Failures
  readonly identities: IdentityWatch
  readonly health: ReadApiHealth
  readonly known: KnownAnswers
  readonly logOnce: LogOnce
  readonly signal: AbortSignal
  /** For how long a record that cannot be read stands as it was. */
  readonly staleMs: number
  /** Refreshes a person for whom no poll waits. */
  readonly refreshPerson: (request: CollectionRequest) => Promise<RefreshOutcome>
}

/** With what a refresh begins. */
interface BeforeRefresh {
  /** Of the kept copy; null where there is none. */
  readonly head: CopyHead | null
  /** Of the collection and its person, among others. */
  readonly standing: Standing
  /** Notes that the content of a copy was confirmed; false where it stands no longer. */
  readonly confirm: (head: CopyHead) => Promise<boolean>
  /** Told of a copy that was kept in its place. */
  readonly noteKept: (copy: Copy) => void
}

/** Brings one collection of a company up to date: asks, completes, proves, doubts, keeps. */
export class Refresher {
  readonly #deps: RefresherDeps
  readonly #persons: SamePersons

  constructor(deps: RefresherDeps) {
    this.#deps = deps
    this.#persons = new SamePersons(deps.refreshPerson)
  }

  /** Refreshes the collection. Never throws for what the Read API does. */
  refresh(request: CollectionRequest, before: BeforeRefresh): Promise<RefreshOutcome> {
    const { subject, kind } = request.collection
    const refreshed = this.#refresh(request, before)
    return kind === 'user' ? this.#persons.noteReading(subject, refreshed) : refreshed
  }

  async #refresh(request: CollectionRequest, before: BeforeRefresh): Promise<RefreshOutcome> {
    const { subject, kind } = request.collection
    try {
      if (kind !== 'user' && heldIn(before.standing, request) !== undefined) return 'held'
      if (kind === 'leaves' && !(await this.#isAskable(subject, before))) return 'refused'
      return await this.#ask(request, before)
    } catch (error) {
      const outcome = await this.#noteFailure(request, error)
      if (kind === 'leaves' && outcome === 'missing') {
        await this.#deps.prover.ownership.noteRefused(subject)
      }
      return outcome
    }
  }

  async #isAskable(subject: string, { standing }: BeforeRefresh): Promise<boolean> {
    const { connection, prover, signal, failures, clock } = this.#deps
    if (failures.isMisnamed(subject, standing, clock.now())) return false
    if (connection.parameters.leaves.employee !== null) return prover.isWorthAsking(subject, signal)
    // Without the parameter nothing is asked, and leaves stay unproven.
    await prover.state.set('unproven', 'no_parameter')
    return false
  }

  async #ask(request: CollectionRequest, before: BeforeRefresh): Promise<RefreshOutcome> {
    const { head, standing } = before
    const { clock, connection, known: answers } = this.#deps
    const begunAt = clock.now()
    const known = answers.find(connection.id, request, head, standing)
    const asked = readCollection(request, {
      ...this.#deps,
      begunAt,
      bypassCache: head?.doubt !== undefined,
      showsReasons: (userId) => areReasonsShown(standing.inFull(userId)),
      isKnown: (digest) => digest === known?.digest,
    })
    const { kind, subject } = request.collection
    const person = kind !== 'user' && kinds[kind].isPersonal ? subject : undefined
    // Who was read while it was being answered may have become somebody else before it was.
    const { answer: read, turn } = await this.#persons.answered(asked, person)
    this.#deps.health.noteAnswer(request.collection)
    if (!read) return this.#confirmKnown(request, known, before, begunAt)
    answers.note(connection.id, request, read)
    if (isOfUser(request, read) && !(await this.#notePerson(read))) return 'held'
    const isUnchanged = isWhole(read.reading) && head?.contentHash === read.copy.contentHash
    return isUnchanged
      ? this.#confirm(request, read, before)
      : this.#take(request, read, before, turn)
  }

  /** Where the copy does not stand as it was any more its answer is asked for again. */
  async #confirmKnown(
    request: CollectionRequest,
    known: KnownAnswer | undefined,
    before: BeforeRefresh,
    begunAt: Instant,
  ): Promise<RefreshOutcome> {
    if (!known) throw new Error('An answer that is not known must be read.')
    const { collection, scope } = request
    const { contentHash, withReasons } = known
    const emptiedAt = before.head?.emptiedAt
    const head: CopyHead = {
      key: collectionKey(collection),
      contentHash,
      begunAt,
      fetchedAt: this.#deps.clock.now(),
      reach: scope.reach,
      missingSince: null,
      ...(withReasons ? { withReasons } : {}),
      ...(emptiedAt === undefined ? {} : { emptiedAt }),
    }
    if (await before.confirm(head)) return 'kept'
    this.#deps.known.forget(this.#deps.connection.id, request)
    return this.refresh(request, before)
  }

  /** What is kept already needs no proof, but shows whether a disproved filter has been mended. */
  async #confirm(
    request: CollectionRequest,
    read: Read,
    before: BeforeRefresh,
  ): Promise<RefreshOutcome> {
    const { prover, signal } = this.#deps
    if (request.collection.kind === 'leaves') {
      const answer = answerOf(request, read, read.copy)
      const { unsettled, proof } = before.standing
      if (unsettled.length > 0) {
        await prover.ownership.noteUnchanged(answer.userId, answer.ids, unsettled)
      }
      const { state } = prover.state.ofCredential(proof)
      if (state === 'disproved') await prover.prove(answer, signal)
    }
    return this.#keep(request, read.copy, before)
  }

  /** Takes an answer that is another than the kept copy. */
  async #take<K extends CollectionKind>(
    request: CollectionRequest<K>,
    read: Read<K>,
    beforehand: BeforeRefresh,
    turn: number,
  ): Promise<RefreshOutcome> {
    const { head } = beforehand
    const { connection, copies, doubting } = this.#deps
    const kept = head ? await copies.findCopy<K>(connection.id, head.key) : undefined
    const whole = await this.#completed(request, read, kept)
    const before = kept && (await doubting.settled(request, kept, whole))
    const proven = await this.#proven(request, { ...read, copy: whole }, before)
    if (!proven) return 'refused'
    const answer = await this.#ofKnownPeople(request, proven.answer, before, turn)
    const isChange = answer.contentHash !== before?.contentHash
    const change = before && isChange ? { kept: before, ...proven, answer } : undefined
    if (change && !(await doubting.isBelieved(request, change))) return 'doubted'
    const against = isChange ? await this.#askWhose(request, turn) : undefined
    return against ?? this.#keep(request, { ...answer, ...emptiedSince(answer, head) }, beforehand)
  }

  async #completed<K extends CollectionKind>(
    request: CollectionRequest<K>,
    { reading, copy }: Read<K>,
    kept: Copy<K> | undefined,
  ): Promise<Copy<K>> {
    const { clock, staleMs } = this.#deps
    const kind: Kind<K> = kinds[request.collection.kind]
    const answer = { ...reading, records: copy.records }
    const { records, held } = completed(answer, kept, kind, { now: clock.now(), staleMs })
    return held ? { ...(await copyOf(copy, records.map(kind.keep))), held } : copy
  }

  /** What of an answer may be kept: of leaves those that are the person's, and `retained` ones that did not come; undefined where nothing is proven. */
  async #proven<K extends CollectionKind>(
    request: CollectionRequest<K>,
    read: Read<K>,
    kept: Copy<K> | undefined,
  ): Promise<{ readonly answer: Copy<K>; readonly retained: ReadonlySet<string> } | undefined> {
    const { copy } = read
    if (request.collection.kind !== 'leaves') return { answer: copy, retained: new Set() }
    const { prover, signal } = this.#deps
    const believed = await prover.prove(answerOf(request, read, kept), signal)
    if (!believed) return undefined
    const { held = {} } = copy
    const { retained } = believed
    const own = copy.records.filter(({ id }) => believed.own.has(id) || Object.hasOwn(held, id))
    const standing = kept?.records.filter(({ id }) => retained.has(id)) ?? []
    const isAll = own.length === copy.records.length && standing.length === 0
    return { answer: isAll ? copy : await copyOf(copy, own.concat(standing)), retained }
  }

  /** Why what is new of a person may not be kept, by who they are after it was answered; undefined where it may. Their own record has been compared already. */
  async #askWhose(
    { collection: { kind, subject } }: CollectionRequest,
    turn: number,
  ): Promise<'held' | 'failed' | undefined> {
    if (kind === 'user' || !kinds[kind].isPersonal) return undefined
    const outcome = (await this.#doubtful([{ id: subject }], turn)).get(subject)
    if (outcome === undefined || mayBeKept(outcome)) return undefined
    return outcome === 'held' ? 'held' : 'failed'
  }

  async #keep(
    request: CollectionRequest,
    answer: Copy,
    { head, confirm, noteKept }: BeforeRefresh,
  ): Promise<RefreshOutcome> {
    const { connection, copies } = this.#deps
    // Another node may have kept something else meanwhile: what was asked for later still wins.
    if (head?.contentHash === answer.contentHash) {
      const { emptiedAt } = head
      const { records: _, ...confirmed } = answer
      const isConfirmed = await confirm(
        emptiedAt === undefined ? confirmed : { ...confirmed, emptiedAt },
      )
      if (isConfirmed) return 'kept'
    }
    const isKept = await copies.keepCopy(connection.id, answer, personInFeed(connection, request))
    if (isKept) noteKept(answer)
    return 'kept'
  }

  /** The answer as far as those whom it newly names are known to be who they were; the others stand in it as they did before. */
  async #ofKnownPeople<K extends CollectionKind>(
    { collection }: CollectionRequest<K>,
    answer: Copy<K>,
    kept: Copy<K> | undefined,
    turn: number,
  ): Promise<Copy<K>> {
    const { people }: Kind<K> = kinds[collection.kind]
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

  /** What a reading of Get user that began after that turn says of those whose names do not show that they are who they were. */
  async #doubtful(
    people: readonly PersonReference[],
    turn: number,
  ): Promise<ReadonlyMap<string, RefreshOutcome>> {
    const { identities, connection, clock } = this.#deps
    if (people.length === 0) return new Map()
    const doubtful = await identities.listDoubtful(connection.company.id, people)
    const read = doubtful.map(async ({ userId, readAt }) => {
      const outcome = await this.#persons.readSince(userId, turn)
      const wasShown = outcome === 'missing' && clock.now() - (readAt ?? 0) < refusedMs
      return [userId, wasShown ? 'failed' : outcome] as const
    })
    return new Map(await Promise.all(read))
  }

  /** False where the record may be somebody else's. */
  async #notePerson({ reading: { records } }: Read<'user'>): Promise<boolean> {
    const [user] = records
    if (!user) return true
    const { departures, connection } = this.#deps
    return departures.note(connection.company.id, user.id, personState(user), user)
  }

  /** Notes that a refresh has failed, and whether the Read API says that there is no such thing, or that it is called otherwise. */
  async #noteFailure({ collection }: CollectionRequest, error: unknown): Promise<RefreshOutcome> {
    const { connection, health, logOnce, log, signal } = this.#deps
    const { kind, subject } = collection
    const company = connection.company.id
    const where = { company, kind, subject }
    const fault = asAppError(error)
    if (!fault) {
      if (!signal.aborted) log.error({ ...where, error }, 'refresh_failed')
      return 'failed'
    }
    const { code, message: reason, status } = fault
    log.debug({ ...where, code, reason }, 'refresh_failed')
    if (fault instanceof StoreUnavailable) return 'unkept'
    const isOfRecord = isFaultOfRecord(kind, fault)
    if (isOfRecord) logOnce.warn({ company, kind, code }, 'record_not_read', { subject, reason })
    // Who is not let in has been told nothing, whatever else that status may mean of one project.
    const isAnswer = status !== 401 && (isRefused(kind, status) || isOfRecord)
    if (isAnswer) health.noteAnswer(collection)
    else if (kind !== 'user') health.noteFault(collection, fault)
    if (kind === 'user') return this.#notePersonFault(subject, fault)
    return isRefused(kind, status) ? 'missing' : 'failed'
  }

  /** Whether the Read API calls this person otherwise, or does not show them to anybody; `failed` for anything else that it says, or does not. */
  async #notePersonFault(userId: string, fault: AppError): Promise<RefreshOutcome> {
    const { departures, connection } = this.#deps
    const companyId = connection.company.id
    if (fault.code === 'upstream_not_found') {
      await departures.note(companyId, userId, 'user_missing')
    }
    if (fault.code === 'upstream_rejected') return 'missing'
    if (!(fault instanceof Misnamed)) return 'failed'
    return (await departures.noteMisnamed(companyId, userId, fault)) ? 'misnamed' : 'failed'
  }
}

/** Of the kept copy; null where there is none. */
export function headIn({ heads }: Standing, { collection }: CollectionRequest): CopyHead | null {
  return heads.get(collectionKey(collection)) ?? null
}

/** When somebody was last asked for whose id has been read as somebody else's, and of whom alone this is; undefined for all others. */
export function heldIn({ held }: Standing, { collection }: CollectionRequest): Instant | undefined {
  return kinds[collection.kind].isPersonal ? held.get(collection.subject) : undefined
}

function isOfUser({ collection }: CollectionRequest, _: Read): _ is Read<'user'> {
  return collection.kind === 'user'
}

/** Whether what came after a reading of its person with that outcome may be kept: one who has not been shown for long cannot be compared. */
function mayBeKept(outcome: RefreshOutcome): boolean {
  return outcome === 'kept' || outcome === 'missing'
}

/** When a copy became empty: now, or as long ago as the one before. */
function emptiedSince({ contentHash, fetchedAt }: Copy, head: CopyHead | null) {
  if (contentHash !== emptyHash || !head) return {}
  if (head.contentHash !== emptyHash) return { emptiedAt: fetchedAt }
  return head.emptiedAt === undefined ? {} : { emptiedAt: head.emptiedAt }
}

/** Statuses by which a Read API says that it has, or shows, no such project or invoice. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 410])
/** What is said of one record alone. */
const ofRecord: ReadonlySet<ErrorCode> = new Set([
  'upstream_not_found',
  'upstream_invalid',
  'upstream_misnamed',
])

/** A person's leaves are refused where there are none, as far as that is not known to be otherwise. */
function isRefused(kind: CollectionKind, status: number | undefined): boolean {
  return kind === 'leaves' ? isRefusal(status) : kinds[kind].mayBeMissing && refusals.has(status)
}

/** What was answered about one record, and says nothing of others. Names are asked for too seldom to tell of outages. */
function isFaultOfRecord(kind: CollectionKind, { code }: AppError): boolean {
  if (kind === 'user') return code !== 'upstream_unavailable'
  return kind === 'invoice' && ofRecord.has(code)
}

interface PersonRead {
  readonly turn: number
  readonly outcome: Promise<RefreshOutcome>
}

/** Of all people together: each takes some hundred bytes. */
const readingsMax = 100_000

/** An answer, and in what order it came with readings of people. */
interface Answered<T> {
  readonly answer: T
  readonly turn: number
}

/**
 * The last reading of each person on this node, in what order it was begun with what was answered of them: before anything new
 * of a person is kept they are read once more, by one request for all that was answered before it.
 */
class SamePersons {
  readonly #refresh: RefresherDeps['refreshPerson']
  readonly #read = new Map<string, PersonRead>()
  /** What is being asked of each person. */
  readonly #asked = new Map<string, Set<Promise<unknown>>>()
  #turns = 0

  constructor(refresh: RefresherDeps['refreshPerson']) {
    this.#refresh = refresh
  }

  /** What is being asked of that person, once it is answered; of nobody alone where none is given. */
  async answered<T>(asked: Promise<T>, userId: string | undefined): Promise<Answered<T>> {
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

  /** Notes a reading of that person which begins now. */
  noteReading(userId: string, outcome: Promise<RefreshOutcome>): Promise<RefreshOutcome> {
    this.#read.delete(userId)
    this.#read.set(userId, { turn: (this.#turns += 1), outcome })
    const [oldest] = this.#read.keys()
    if (this.#read.size > readingsMax && oldest !== undefined) this.#read.delete(oldest)
    return outcome
  }

  /** The outcome of a reading of that person that began after that turn. It waits for answers under way, so that one reading serves them all. */
  async readSince(userId: string, turn: number): Promise<RefreshOutcome> {
    const asked: Iterable<Promise<unknown>> = this.#asked.get(userId) ?? []
    await Promise.allSettled(asked)
    const last = this.#read.get(userId)
    if (last && last.turn > turn) return last.outcome
    const request = { collection: { kind: 'user', subject: userId }, scope: anyScope } as const
    return this.noteReading(userId, this.#refresh(request))
  }
}
