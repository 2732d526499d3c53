/* The requests beside a person's own leaves: for an unknown employee, for the id cut off, and for other people. */
import type { Clock } from '../../domain/world.ts'
import type { ProofDeps } from './proof-state.ts'
import {
  askLeaves,
  type Compared,
  idsIn,
  type LeavesGiven,
  type LeavesReply,
  shares,
  unknownEmployee,
  withoutLast,
} from './replies.ts'

const recentMs = 5000
/** The rest between two shared requests: eight times as long as the first took, at most this long. */
const restMsMax = 250

export interface ComparedPerson {
  readonly userId: string
  readonly own: LeavesGiven
  readonly others: readonly string[]
  /** People with similar ids. */
  readonly alike: readonly string[]
  /** Whether shared requests may rest in between, so that each serves more people. */
  readonly rests?: boolean
  /** Whether answers from moments ago will do for people with similar ids. */
  readonly mayBeRecent?: boolean
}

/** Asks for what a person's leaves are compared with, always after them. */
export class Rounds {
  readonly #deps: ProofDeps
  readonly #shared: SharedRequests
  readonly #recent: RecentReplies

  constructor(deps: ProofDeps) {
    this.#deps = deps
    this.#shared = new SharedRequests(deps.clock)
    this.#recent = new RecentReplies(deps.clock)
  }

  async compareWith(
    { userId, own, others, alike, rests = false, mayBeRecent = false }: ComparedPerson,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { connection, people } = this.#deps
    const { pages } = own
    const isPaged = pages.length > 1
    const shorter = withoutLast(userId) ?? ''
    const companyId = connection.company.id
    const known = shorter === '' ? [] : await people.findPeople(companyId, [shorter])
    // Where the id cut off is a known person's, it is compared as that person's.
    const beside = new Set([...alike, ...known]).difference(new Set(others))
    const askForCut = (): Promise<LeavesReply> => askLeaves(connection, shorter, signal, pages)
    const recent: LeavesReply[] = []
    const ask = async (id: string): Promise<readonly (readonly [string, LeavesReply])[]> => {
      const isRecent = mayBeRecent && !isPaged && beside.has(id)
      const before = isRecent ? await this.#recent.find(id, own) : undefined
      if (before) recent.push(before)
      if (before) return []
      const asked = askLeaves(connection, id, signal)
      if (isRecent) this.#recent.keep(id, asked, signal)
      return [[id, await asked]]
    }
    const [nobody, cut, replies] = await Promise.all([
      isPaged
        ? askLeaves(connection, unknownEmployee(), signal, pages)
        : this.askForNobody(signal, rests),
      shorter && known.length === 0
        ? isPaged
          ? askForCut()
          : this.#shared.ask(shorter, { send: askForCut, rests, signal })
        : undefined,
      Promise.all([...others, ...beside].map(ask)),
    ])
    return { own, nobody, cut, others: new Map(replies.flat()), recent }
  }

  /** Sent after this call; one request serves all who wait for it. */
  askForNobody(signal: AbortSignal, rests = false): Promise<LeavesReply> {
    const { connection } = this.#deps
    const send = (): Promise<LeavesReply> => askLeaves(connection, unknownEmployee(), signal)
    return this.#shared.ask('', { send, rests, signal })
  }
}

/**
 * People's leaves from moments ago, since many are compared with the same person: `usr_1` is the beginning of `usr_10` to `usr_19`.
 * A reply serves only while it shares nothing with the leaves compared: whatever speaks against an answer, or tells to whom a
 * leave belongs, is asked for again. Nothing that is shown comes of an old reply: the person's own leaves are read after it.
 */
export class RecentReplies {
  readonly #clock: Clock
  readonly #replies = new Map<string, Promise<LeavesReply>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The last reply, once it has come, if it can serve for these leaves. */
  async find(userId: string, { ids }: LeavesGiven): Promise<LeavesReply | undefined> {
    const reply = await this.#replies.get(userId)
    return reply === 'unanswered' || shares(ids, idsIn(reply)) ? undefined : reply
  }

  /** Keeps it for moments, unless it is unanswered or fails. */
  keep(userId: string, reply: Promise<LeavesReply>, signal: AbortSignal): void {
    this.#replies.set(userId, reply)
    const forget = (): void => {
      if (this.#replies.get(userId) === reply) this.#replies.delete(userId)
    }
    void this.#clock.sleep(recentMs, signal).then(forget, forget)
    void reply.then((it) => it === 'unanswered' && forget(), forget)
  }
}

interface Sending {
  readonly send: () => Promise<LeavesReply>
  readonly rests: boolean
  readonly signal: AbortSignal
}

/** Requests that serve everyone who asked before they were sent, by name. */
export class SharedRequests {
  readonly #clock: Clock
  /** `busy`: the last request, and the rest after it. */
  readonly #shared = new Map<string, { busy: Promise<void>; next?: Promise<LeavesReply> }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The reply to a request that is sent after this call. */
  ask(name: string, sending: Sending): Promise<LeavesReply> {
    const shared = this.#shared.get(name) ?? { busy: Promise.resolve() }
    this.#shared.set(name, shared)
    shared.next ??= shared.busy.then(() => {
      delete shared.next
      const sent = sending.send()
      shared.busy = this.#rested(sent, sending).finally(() => {
        if (!shared.next) this.#shared.delete(name)
      })
      return sent
    })
    return shared.next
  }

  async #rested(sent: Promise<LeavesReply>, { rests, signal }: Sending): Promise<void> {
    const begunAt = this.#clock.now()
    // Its failure is told to those who wait for it.
    await sent.catch(() => undefined)
    const ms = Math.min(8 * (this.#clock.now() - begunAt), restMsMax)
    if (rests && ms > 0) await this.#clock.sleep(ms, signal).catch(() => undefined)
  }
}
