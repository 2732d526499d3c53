/* Requests people's leaves and compares the answers. */
import { randomBytes } from 'node:crypto'

import type { Connection } from '../../domain/connection.ts'
import { asFailure } from '../../domain/errors.ts'
import type { LeaveProofReason } from '../../domain/leave.ts'
import type { Clock } from '../../domain/world.ts'
import type { ProofDeps } from './proof-state.ts'

/** The answer to a request for one person's leaves: `refused` means there are none, `unanswered` means nothing is known. */
export type LeavesReply = LeavesGiven | 'refused' | 'unanswered'

export interface LeavesGiven {
  readonly ids: ReadonlySet<string>
  readonly nameless: number
  readonly pages: readonly string[]
}

export type LeavesReplies = ReadonlyMap<string, LeavesReply>

export interface PersonsAnswer extends LeavesGiven {
  readonly userId: string
  readonly kept: ReadonlySet<string> | undefined
  readonly ofDraft: boolean
}

/**
 * Requests leaves past all caches; without an employee, the parameter is left out. `alongside` has the pages of the answer
 * to compare with, since a filter may work on the first page alone. Throws only for faults of this program.
 */
export async function askLeaves(
  { api }: Connection,
  employee: string | undefined,
  signal: AbortSignal,
  alongside: readonly string[] = [],
): Promise<LeavesReply> {
  try {
    const filter = employee === undefined ? {} : { employee }
    const asking = { signal, bypassCache: true, isUrgent: true, alongside }
    const { ids, nameless, pages } = await api.list('leaves', filter, asking)
    return { ids: new Set(ids), nameless, pages }
  } catch (error) {
    const fault = asFailure(error)
    return isRefusal(fault.status) ? 'refused' : 'unanswered'
  }
}

/** Whether the status means the same as an empty list for that employee. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && [400, 403, 404, 410, 422].includes(status)
}

export function areGiven(reply: LeavesReply | undefined): reply is LeavesGiven {
  return typeof reply === 'object'
}

export function idsIn(reply: LeavesReply | undefined): ReadonlySet<string> {
  return areGiven(reply) ? reply.ids : new Set()
}

export function hasLeaves(reply: LeavesReply): boolean {
  return areGiven(reply) && reply.ids.size + reply.nameless > 0
}

/** Whether one contains all of the other, with two or more in each: a single leave may be booked for both. */
export function overlapFully(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return Math.min(one.size, other.size) >= 2 && (one.isSubsetOf(other) || other.isSubsetOf(one))
}

export function shares(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return !one.isDisjointFrom(other)
}

export function areEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}

/** The answers to compare a person's own leaves with. */
export interface Compared {
  readonly own: LeavesGiven
  readonly canary: LeavesReply
  /** For the person's id without its last character; undefined if that is empty or another person's id. */
  readonly cut: LeavesReply | undefined
  readonly others: LeavesReplies
  /** For people with similar ids, from moments ago; they share no leave with `own`. */
  readonly recent: readonly LeavesReply[]
}

/** `differs`: at least one other answer is different. */
export type Comparison =
  | { readonly is: 'clean'; readonly differs: boolean }
  | { readonly is: 'unanswered' }
  | { readonly is: 'disproved'; readonly reason: LeaveProofReason }

/** Whether the answer can be the person's own. With `needsOthers`, at least one of the other people must have an answer. */
export function compare(
  { own, canary, cut, others, recent }: Compared,
  needsOthers = false,
): Comparison {
  if (hasLeaves(canary)) return { is: 'disproved', reason: 'canary_not_empty' }
  if (shares(own.ids, idsIn(cut))) return { is: 'disproved', reason: 'similar_id' }
  const replies = [...others.values()]
  if (replies.some((reply) => overlapFully(own.ids, idsIn(reply)))) {
    return { is: 'disproved', reason: 'two_employees' }
  }
  const isSilent =
    needsOthers && replies.length > 0 && replies.every((reply) => reply === 'unanswered')
  if (canary === 'unanswered' || cut === 'unanswered' || isSilent) return { is: 'unanswered' }
  const all = [canary, cut, ...replies, ...recent]
  return { is: 'clean', differs: all.some((it) => areGiven(it) && !areEqual(own.ids, it.ids)) }
}

export function unknownEmployee(): string {
  return `usr_${randomBytes(16).toString('hex')}`
}

/** Returns the id without its last character, which a prefix filter mistakes for the id; undefined if nothing is left. */
export function withoutLast(id: string): string | undefined {
  return Array.from(id).slice(0, -1).join('') || undefined
}

/** How long a reply for a known person may serve comparisons of others. */
const recentMs = 5000
/** The rest between two shared requests: eight times the duration of the first, at most this long. */
const restMsMax = 250

export interface ComparedPerson {
  readonly userId: string
  readonly own: LeavesGiven
  readonly others: readonly string[]
  /** People with similar ids. */
  readonly alike: readonly string[]
  /** Whether shared requests may rest in between, so that each serves more people. */
  readonly rests: boolean
  /** Whether replies of moments ago will do for people with similar ids. */
  readonly mayBeRecent: boolean
}

/** Requests what a person's leaves are compared with, always after them. */
export class Rounds {
  readonly #deps: ProofDeps
  readonly #shared: SharedRequests
  /** By id. Many are compared with the same person: `usr_1` begins `usr_10` to `usr_19`. */
  readonly #recent = new Map<string, Promise<LeavesReply>>()

  constructor(deps: ProofDeps) {
    this.#deps = deps
    this.#shared = new SharedRequests(deps.clock)
  }

  async compareWith(
    { userId, own, others, alike, rests, mayBeRecent }: ComparedPerson,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { connection, people } = this.#deps
    const { pages } = own
    const shorter = withoutLast(userId) ?? ''
    const companyId = connection.company.id
    // If the shortened id is a known person's, it is compared as that person's.
    const known = shorter === '' ? [] : await people.findPeople(companyId, [shorter])
    const shared = (name: string, employee: string): Promise<LeavesReply> => {
      const send = (): Promise<LeavesReply> => askLeaves(connection, employee, signal, pages)
      return pages.length > 1 ? send() : this.#shared.ask(name, send, rests, signal)
    }
    const ask = async (id: string) => [id, await askLeaves(connection, id, signal)] as const
    // A filter that breaks since a recent reply shows in the canary and the shortened id, which are requested now.
    const recent: LeavesReply[] = []
    const askSimilar = async (id: string) => {
      const last = mayBeRecent && pages.length === 1 ? await this.#recent.get(id) : undefined
      if (!last || last === 'unanswered' || shares(own.ids, idsIn(last))) {
        return [[id, await this.#askForLater(id, signal)] as const]
      }
      recent.push(last)
      return []
    }
    const similar = new Set([...alike, ...known]).difference(new Set(others))
    const [canary, cut, replies, ofSimilar] = await Promise.all([
      shared('', unknownEmployee()),
      shorter === '' || known.length > 0 ? undefined : shared(shorter, shorter),
      Promise.all(others.map(ask)),
      Promise.all([...similar].map(askSimilar)),
    ])
    return { own, canary, cut, others: new Map([...replies, ...ofSimilar.flat()]), recent }
  }

  /** Keeps the reply for a moment. Nothing shown comes from it: a person's own leaves are read for them alone. */
  #askForLater(id: string, signal: AbortSignal): Promise<LeavesReply> {
    const reply = askLeaves(this.#deps.connection, id, signal)
    this.#recent.set(id, reply)
    const forget = (): boolean => this.#recent.get(id) === reply && this.#recent.delete(id)
    void this.#deps.clock.sleep(recentMs, signal).then(forget, forget)
    return reply
  }

  /** Requests an unknown employee's leaves after this call; one request serves all who wait. */
  askForCanary(signal: AbortSignal): Promise<LeavesReply> {
    const { connection } = this.#deps
    const send = (): Promise<LeavesReply> => askLeaves(connection, unknownEmployee(), signal)
    return this.#shared.ask('', send, false, signal)
  }
}

/** Requests by name, each shared by all callers before it was sent. */
export class SharedRequests {
  readonly #clock: Clock
  /** `busy`: the last request, and the rest after it. */
  readonly #shared = new Map<string, { busy: Promise<void>; next?: Promise<LeavesReply> }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the reply to a request that is sent after this call. */
  ask(
    name: string,
    send: () => Promise<LeavesReply>,
    rests: boolean,
    signal: AbortSignal,
  ): Promise<LeavesReply> {
    const shared = this.#shared.get(name) ?? { busy: Promise.resolve() }
    this.#shared.set(name, shared)
    shared.next ??= shared.busy.then(() => {
      delete shared.next
      const sent = send()
      const begunAt = this.#clock.now()
      const rest = async (): Promise<void> => {
        const ms = Math.min(8 * (this.#clock.now() - begunAt), restMsMax)
        if (rests && ms > 0) await this.#clock.sleep(ms, signal).catch(() => undefined)
        if (!shared.next) this.#shared.delete(name)
      }
      shared.busy = sent.then(rest, rest)
      return sent
    })
    return shared.next
  }
}
