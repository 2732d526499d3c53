/*
 * The Read API's leaves carry no user id, so an answer does not show who its leaves belong to. It is believed only with
 * proof: by the answers for an unknown employee, for similar ids and for other people.
 */
import PQueue from 'p-queue'

import type { LeaveProof } from '../../domain/leave.ts'
import { tryBattery } from './battery.ts'
import { type ProofAttempt, type CounterEvidence, EvidenceSearch } from './evidence.ts'
import { listWithLeaves } from './others.ts'
import {
  agreed,
  type Believed,
  claimsTo,
  noteReplies,
  noteUnowned,
  noteAnswer,
} from './ownership.ts'
import {
  areTwoWronged,
  currentProof,
  hasBattery,
  isEstablished,
  isTimeToTry,
  noteUnanswered,
  type ProofDeps,
  proofsAtOnce,
  setProof,
  setProven,
  takeTry,
} from './proof-state.ts'
import { askLeaves, idsIn, type PersonsAnswer, shares } from './replies.ts'

/** How many people with disputed leaves to query at a time, in turns. */
const disputantsMax = 100
/** How many people take turns to try a disproved filter, since some may be refused. */
const triedMax = 20
/** Pauses between two checks of leaves without an owner; each is twice as long as the one before. */
const pauseMs = { first: 600_000, most: 86_400_000 }
const retriesMax = 10_000

export class LeaveProver {
  readonly #deps: ProofDeps
  readonly #evidence: EvidenceSearch
  /** What last spoke against a proof or was missing for it, and the people who still wait for it. */
  #pending: (Pick<CounterEvidence, 'isMendedBy'> & { readonly waiting: Set<string> }) | undefined
  /** By person: the last check of their leaves without an owner, and the pause after it. */
  readonly #retries = new Map<string, { readonly at: number; readonly pauseMs: number }>()
  /** Whether the next answer may prove a disproved filter again. */
  #isTrying = false
  /** Proofs until the filter is established; the first ones save the others much. */
  readonly #proofs = new PQueue({ concurrency: 1 })
  /** One verdict at a time: of two people read concurrently, the second is compared with the first. */
  readonly #verdicts = new PQueue({ concurrency: 1 })
  #lastDisputant = ''
  #turn = -1

  constructor(deps: ProofDeps) {
    this.#deps = deps
    this.#evidence = new EvidenceSearch(deps)
  }

  /**
   * Whether to request the person's leaves. If something spoke against the last proof, first checks only whether it still
   * does.
   */
  async isWorthAsking(userId: string, signal: AbortSignal): Promise<boolean> {
    this.#isTrying = false
    if (this.#deps.connection.parameters.leaves.employee === null) {
      await setProof(this.#deps, 'unproven', 'no_parameter')
      return false
    }
    if (!this.#pending) return true
    const isWaiting = this.#pending.waiting.has(userId)
    const proof = await currentProof(this.#deps)
    if (proof.state !== 'disproved') return !isWaiting || this.#isMended(signal)
    if (!isTimeToTry(this.#deps, proof)) return true
    if (!(await this.#isMended(signal))) return false
    this.#isTrying = await takeTry(this.#deps, proof)
    return true
  }

  /**
   * Returns which leaves of the answer may be stored; undefined if nothing is proven. Never throws for faults of the Read
   * API.
   */
  async prove(answer: PersonsAnswer, signal: AbortSignal): Promise<Believed | undefined> {
    const asking = await this.#asking(answer, signal)
    if (asking.proof.state === 'disproved') return this.#proveAgain(asking)
    if (!this.#needsProof(asking)) return noteAnswer(this.#deps, answer)
    if (asking.isEstablished) return this.#search(asking)
    return this.#proofs.add(() => this.#proveFirst(answer, signal))
  }

  /** Keeps the proof up to date without polls. If it is disproved, returns a person to prove it again with. */
  async keep(signal: AbortSignal): Promise<string | undefined> {
    await this.#askDisputants(signal)
    const proof = await currentProof(this.#deps)
    if (proof.state === 'proven' && !hasBattery(this.#deps, proof)) {
      await tryBattery(this.#deps, new Map(), signal)
    }
    if ((await currentProof(this.#deps)).state !== 'disproved') return undefined
    const people = await listWithLeaves(this.#deps, triedMax)
    return people[(this.#turn += 1) % people.length]
  }

  /** If their calendars have ended, no poll may request their leaves while these move to another person. */
  async #askDisputants(signal: AbortSignal): Promise<void> {
    const { connection, proofs } = this.#deps
    const claims = await proofs.listDisputedAfter(connection.id, this.#lastDisputant, disputantsMax)
    const byPerson = Map.groupBy(claims, ({ userId }) => userId)
    this.#lastDisputant = byPerson.size < disputantsMax ? '' : ([...byPerson.keys()].at(-1) ?? '')
    for (const [employee, disputed] of byPerson) {
      const replies = new Map([[employee, await askLeaves(connection, employee, signal)]])
      const leaves = new Set(disputed.map(({ leaveId }) => leaveId))
      await noteReplies(this.#deps, replies, leaves, new Set([employee]))
    }
  }

  async #asking(
    answer: PersonsAnswer,
    signal: AbortSignal,
    before?: LeaveProof,
  ): Promise<ProofAttempt> {
    const proof = before ?? (await currentProof(this.#deps))
    const claims = await claimsTo(this.#deps, answer)
    const established = !claims.isMixed && (await isEstablished(this.#deps, proof))
    return { answer, claims, proof, isEstablished: established, signal, readings: [answer] }
  }

  #needsProof({ answer: { userId }, claims: { fresh, open } }: ProofAttempt): boolean {
    if (open.size === 0) this.#retries.delete(userId)
    return fresh.size > 0 || (open.size > 0 && this.#takeRetry(userId))
  }

  /** Whether it is time to check leaves again that were returned for two people; if so, the next pause begins. */
  #takeRetry(userId: string): boolean {
    const now = this.#deps.clock.now()
    const last = this.#retries.get(userId)
    if (last && now >= last.at && now - last.at < last.pauseMs) return false
    if (this.#retries.size >= retriesMax) this.#retries.clear()
    const next = last ? Math.min(2 * last.pauseMs, pauseMs.most) : pauseMs.first
    this.#retries.set(userId, { at: now, pauseMs: next })
    return true
  }

  async #proveFirst(answer: PersonsAnswer, signal: AbortSignal): Promise<Believed | undefined> {
    await this.#deps.people.untilSeen(this.#deps.connection.company.id, signal)
    this.#proofs.concurrency = await proofsAtOnce(this.#deps)
    const asking = await this.#asking(answer, signal)
    if (asking.proof.state === 'disproved') return undefined
    const believed = await this.#search(asking)
    this.#proofs.concurrency = await proofsAtOnce(this.#deps)
    return believed
  }

  async #proveAgain(asking: ProofAttempt): Promise<Believed | undefined> {
    // An empty answer shows nothing to the wrong person. Further readings decide whether it is believed.
    if (asking.answer.ids.size === 0) return noteAnswer(this.#deps, asking.answer)
    if (!this.#isTrying && !(await takeTry(this.#deps, asking.proof))) return undefined
    this.#isTrying = false
    return this.#proofs.add(() => this.#search(asking))
  }

  async #search(asking: ProofAttempt): Promise<Believed | undefined> {
    const { answer, readings } = asking
    const counter = await this.#evidence.findCounter(asking)
    if (counter) await this.#notePending(answer, counter)
    const believed = counter ? undefined : await this.#decide(asking)
    if (!believed && (await currentProof(this.#deps)).state !== 'disproved') {
      const came = readings.map(({ ids }) => ids).reduce((some, more) => some.union(more))
      await noteUnowned(this.#deps, answer.userId, came, !answer.ofDraft)
    }
    return believed
  }

  async #decide(asking: ProofAttempt): Promise<Believed | undefined> {
    const { answer, claims, proof, signal } = asking
    const readings = asking.readings.map(({ ids }) => ids)
    const isTried = proof.state !== 'disproved' && hasBattery(this.#deps, proof)
    if (!isTried && !(await this.#passesBattery(answer, signal))) return undefined
    const { isContested, believed } = await this.#verdicts.add(async () => {
      const now = await claimsTo(this.#deps, answer)
      // The leaves were returned for others meanwhile, so those answers must be compared.
      if (!now.rivals.isSubsetOf(claims.rivals)) return { isContested: true }
      const noted = await noteAnswer(this.#deps, answer, agreed(answer.ids, now, readings))
      if (proof.state !== 'disproved' && (await areTwoWronged(this.#deps, proof))) {
        await setProof(this.#deps, 'disproved', 'two_employees')
        return {}
      }
      return (await setProven(this.#deps, proof)) ? { believed: noted } : {}
    })
    if (isContested) return this.#search(await this.#asking(answer, signal, proof))
    if (believed) this.#pending = undefined
    return believed
  }

  async #passesBattery(answer: PersonsAnswer, signal: AbortSignal): Promise<boolean> {
    const { userId, ids } = answer
    const { is, culprit } = await tryBattery(this.#deps, new Map([[userId, answer]]), signal)
    if (culprit !== undefined) {
      const isMendedBy = this.#evidence.until(culprit, (reply) => !shares(ids, idsIn(reply)))
      await this.#notePending(answer, {
        against: is === 'disproved' ? 'similar_id' : null,
        isMendedBy,
      })
    }
    return is === 'passed'
  }

  async #notePending(
    { userId }: PersonsAnswer,
    { against, isMendedBy }: CounterEvidence,
  ): Promise<void> {
    this.#pending = { isMendedBy, waiting: (this.#pending?.waiting ?? new Set()).add(userId) }
    if (!against) return noteUnanswered(this.#deps)
    const state = against === 'nothing_to_compare' ? 'unproven' : 'disproved'
    await setProof(this.#deps, state, against)
  }

  async #isMended(signal: AbortSignal): Promise<boolean> {
    const open = this.#pending
    if (open && !(await open.isMendedBy(signal))) return false
    if (this.#pending?.isMendedBy === open?.isMendedBy) this.#pending = undefined
    return true
  }
}
