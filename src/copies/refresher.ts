import type { Connection, Standing } from '../domain/connection.ts'
import { type Copy, type CopyHead, type CopyStore, emptyHash } from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { IdentityWatch } from '../domain/newcomer.ts'
import type { PersonReference } from '../domain/user.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { inSteps } from '../json/rest.ts'
import { confirmedHead, type KnownAnswer, type KnownAnswers } from './confirmations.ts'
import type { Doubts } from './doubts.ts'
import { noteFailedRefresh } from './failed-refresh.ts'
import { completed } from './held-records.ts'
import type { CollectionRequest, Kind } from './kinds/kind.ts'
import { kinds, personInFeed } from './kinds/kinds.ts'
import { areReasonsShown } from './kinds/leaves.ts'
import { personState } from './kinds/users.ts'
import { newlyNamed, withAsBefore } from './named-people.ts'
import type { LeaveProver } from './proof/leave-prover.ts'
import { provenOf } from './proven-answer.ts'
import type { ReadApiHealth } from './read-api-health.ts'
import { answerOf, copyOf, isWhole, keptOf, type Read, readCollection } from './read-collection.ts'
import type { Failures } from './refreshes.ts'
import type { SamePersons } from './same-persons.ts'
import type { ToldOnce } from './told-once.ts'

/** People are read once a day at least: a Read API that has not shown somebody for so long has refused them for a day. */
const refusedMs = 2 * 86_400_000

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

export interface RefresherDeps {
  readonly connection: Connection
  readonly copies: CopyStore
  readonly prover: LeaveProver
  readonly doubts: Doubts
  readonly departures: DepartureWatch
  readonly failures: Pick<Failures, 'isMisnamed'>
  readonly persons: SamePersons
  readonly identities: IdentityWatch
  readonly health: ReadApiHealth
  readonly known: KnownAnswers
  readonly told: ToldOnce
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  /** For how long a record that cannot be read stands as it was. */
  readonly staleMs: number
}

/** With what a refresh begins. */
export interface BeforeRefresh {
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

  constructor(deps: RefresherDeps) {
    this.#deps = deps
  }

  /** Refreshes the collection. Never throws for what the Read API does. */
  refresh(request: CollectionRequest, before: BeforeRefresh): Promise<RefreshOutcome> {
    const { subject, kind } = request.collection
    const refreshed = this.#refresh(request, before)
    return kind === 'user' ? this.#deps.persons.noteReading(subject, refreshed) : refreshed
  }

  async #refresh(request: CollectionRequest, before: BeforeRefresh): Promise<RefreshOutcome> {
    const { subject, kind } = request.collection
    try {
      if (kind !== 'user' && heldIn(before.standing, request) !== undefined) return 'held'
      if (kind === 'leaves' && !(await this.#isAskable(subject, before))) return 'refused'
      return await this.#ask(request, before)
    } catch (error) {
      const outcome = await noteFailedRefresh(this.#deps, request, error)
      if (kind === 'leaves' && outcome === 'missing') {
        await this.#deps.prover.ownership.noteRefused(subject)
      }
      return outcome
    }
  }

  async #ask(request: CollectionRequest, before: BeforeRefresh): Promise<RefreshOutcome> {
    const { head, standing } = before
    const begunAt = this.#deps.clock.now()
    const known = this.#deps.known.find(this.#deps.connection.id, request, before)
    const asked = readCollection(request, {
      ...this.#deps,
      begunAt,
      anew: head?.doubt !== undefined,
      showsReasons: (userId) => areReasonsShown(standing.inFull(userId)),
      isKnown: (digest) => digest === known?.digest,
    })
    // Who was read while it was being answered may have become somebody else before it was.
    const { answer: read, turn } = await this.#deps.persons.answered(asked, personOf(request))
    this.#deps.health.noteAnswer(request.collection)
    if (!read) return this.#confirmKnown(request, known, { ...before, begunAt })
    this.#deps.known.note(this.#deps.connection.id, request, read)
    if (isOfUser(request, read) && !(await this.#notePerson(read))) return 'held'
    const isUnchanged = isWhole(read.reading) && head?.contentHash === read.copy.contentHash
    return isUnchanged
      ? this.#confirm(request, read, before)
      : this.#take(request, read, { ...before, turn })
  }

  /** Where the copy does not stand as it was any more its answer is asked for again. */
  async #confirmKnown(
    request: CollectionRequest,
    known: KnownAnswer | undefined,
    before: BeforeRefresh & { readonly begunAt: Instant },
  ): Promise<RefreshOutcome> {
    if (!known) throw new Error('Of what is not known the answer is read.')
    const fetchedAt = this.#deps.clock.now()
    const head = confirmedHead(request, known, { ...before, fetchedAt })
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
      const answer = await answerOf(request, read, read.copy)
      const { unsettled, proof } = before.standing
      if (unsettled.length > 0) {
        await prover.ownership.noteUnchanged(answer.userId, answer.ids, unsettled)
      }
      const { state } = prover.state.ofCredential(proof)
      if (state === 'disproved') await prover.prove(answer, signal)
    }
    return this.#keep(request, read.copy, before)
  }

  async #isAskable(subject: string, { standing }: BeforeRefresh): Promise<boolean> {
    const { connection, prover, signal, failures, clock } = this.#deps
    if (failures.isMisnamed(subject, standing, clock.now())) return false
    if (connection.parameters.leaves.employee !== null) return prover.isWorthAsking(subject, signal)
    await prover.noteNoParameter()
    return false
  }

  /** Takes an answer that is another than the kept copy. */
  async #take<K extends CollectionKind>(
    request: CollectionRequest<K>,
    read: Read<K>,
    beforehand: BeforeRefresh & { readonly turn: number },
  ): Promise<RefreshOutcome> {
    const { head, turn } = beforehand
    const { connection, copies, doubts } = this.#deps
    const kept = head ? await copies.findCopy<K>(connection.id, head.key) : undefined
    const whole = await this.#completed(request, read, kept)
    const before = kept && (await doubts.settled(request, { kept, answer: whole }))
    const proven = await provenOf(this.#deps, request, {
      read: { ...read, copy: whole },
      kept: before,
    })
    if (!proven) return 'refused'
    const answer = await this.#ofKnownPeople(request, proven.answer, { kept: before, turn })
    const isChange = answer.contentHash !== before?.contentHash
    const change = before && isChange ? { kept: before, ...proven, answer } : undefined
    if (change && !(await doubts.isBelieved(request, change))) return 'doubted'
    const against = await this.#askWhose(request, { isNew: isChange, turn })
    return against ?? this.#keep(request, { ...answer, ...emptiedSince(answer, head) }, beforehand)
  }

  async #completed<K extends CollectionKind>(
    request: CollectionRequest<K>,
    { reading: answered, copy }: Read<K>,
    kept: Copy<K> | undefined,
  ): Promise<Copy<K>> {
    const { clock, staleMs } = this.#deps
    const { keep, mended }: Kind<K> = kinds[request.collection.kind]
    const reading = { ...answered, records: copy.records }
    const { records, held } = await inSteps(
      completed(reading, kept, { now: clock.now(), staleMs, mended }),
    )
    return held ? { ...(await copyOf(copy, await keptOf(records, keep))), held } : copy
  }

  /** Why what is new of a person may not be kept, by who they are after it was answered; undefined where it may. Their own record has been compared already. */
  async #askWhose(
    { collection: { kind, subject } }: CollectionRequest,
    { isNew, turn }: { readonly isNew: boolean; readonly turn: number },
  ): Promise<'held' | 'failed' | undefined> {
    if (!isNew || kind === 'user' || !kinds[kind].isPersonal) return undefined
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
    const isUnchanged = head?.contentHash === answer.contentHash
    if (isUnchanged) {
      const { emptiedAt } = head
      const { records: _, ...confirmed } = answer
      if (await confirm(emptiedAt === undefined ? confirmed : { ...confirmed, emptiedAt }))
        return 'kept'
    }
    const isKept = await copies.keepCopy(connection.id, answer, personInFeed(connection, request))
    if (isKept) noteKept(answer)
    return 'kept'
  }

  /** The answer as far as those whom it names anew are known to be who they were; the others stand in it as they did before. */
  async #ofKnownPeople<K extends CollectionKind>(
    { collection }: CollectionRequest<K>,
    answer: Copy<K>,
    { kept, turn }: { readonly kept: Copy<K> | undefined; readonly turn: number },
  ): Promise<Copy<K>> {
    const { people }: Kind<K> = kinds[collection.kind]
    if (!people || answer.contentHash === kept?.contentHash) return answer
    const { identities, connection } = this.#deps
    const before = kept?.records ?? []
    const named = await inSteps(newlyNamed(people, before, answer.records))
    const held = new Set(await identities.listHeld(connection.company.id))
    const unheld = named.filter(({ id }) => !held.has(id))
    const doubtful = await this.#doubtful(unheld, turn)
    for (const [userId, outcome] of doubtful) if (!mayBeKept(outcome)) held.add(userId)
    if (held.size === 0) return answer
    return copyOf(answer, await inSteps(withAsBefore(people, held, before, answer.records)))
  }

  /** What a reading of Get user that began after that turn says of those whose names do not show that they are who they were. */
  async #doubtful(
    people: readonly PersonReference[],
    turn: number,
  ): Promise<ReadonlyMap<string, RefreshOutcome>> {
    const { identities, persons, connection, clock } = this.#deps
    if (people.length === 0) return new Map()
    const doubtful = await identities.listDoubtful(connection.company.id, people)
    const read = doubtful.map(async ({ userId, readAt }) => {
      const outcome = await persons.readSince(userId, turn)
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
}

/** The person that a request is about; undefined where it is about nobody alone. */
function personOf({ collection: { kind, subject } }: CollectionRequest): string | undefined {
  return kind !== 'user' && kinds[kind].isPersonal ? subject : undefined
}

function isOfUser({ collection }: CollectionRequest, _: Read): _ is Read<'user'> {
  return collection.kind === 'user'
}

/** Whether what came after a reading of its person with that outcome may be kept: one who has not been shown for long cannot be compared. */
function mayBeKept(outcome: RefreshOutcome): boolean {
  return outcome === 'kept' || outcome === 'missing'
}

/** When somebody was last asked for whose id has been read as somebody else's, and of whom alone this is; undefined for all others. */
export function heldIn({ held }: Standing, { collection }: CollectionRequest): Instant | undefined {
  return kinds[collection.kind].isPersonal ? held.get(collection.subject) : undefined
}

/** When a copy became empty: now, or as long ago as the one before. */
function emptiedSince({ contentHash, fetchedAt }: Copy, head: CopyHead | null) {
  if (contentHash !== emptyHash || !head) return {}
  if (head.contentHash !== emptyHash) return { emptiedAt: fetchedAt }
  return head.emptiedAt === undefined ? {} : { emptiedAt: head.emptiedAt }
}
