import type { Connection } from '../../domain/connection.ts'
import type { KnownPeople } from '../../domain/person.ts'
import type { Clock } from '../../domain/world.ts'
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

/** For so long after it was asked for an answer serves others, too. */
const recentMs = 5000
/** Between two of the same all else has so many times as long as the first of them took, but no longer than that. */
const rest = { times: 8, mostMs: 250 }

export interface ComparedPerson {
  readonly userId: string
  readonly own: LeavesGiven
  /** Who else is asked for. */
  readonly others: readonly string[]
  /** People with much the same id. */
  readonly alike: readonly string[]
  /** Whether what serves others as well may be asked for later, with them. */
  readonly isPatient?: boolean
  /** Whether people with much the same id, or the id cut off, may have been asked for moments ago. */
  readonly mayBeRecent?: boolean
}

/** What came for another person, asked for now or moments ago. */
interface Reply {
  readonly of: string
  readonly reply: LeavesReply
  readonly isRecent: boolean
}

/** Asks, after a person's own leaves, for those of nobody, of the id cut off, and of others. */
export class Rounds {
  readonly #connection: Connection
  readonly #people: KnownPeople
  /** By the id that is asked for; empty for nobody's. */
  readonly #shared: SharedRequests
  readonly #recent: RecentReplies

  constructor(deps: {
    readonly connection: Connection
    readonly people: KnownPeople
    readonly clock: Clock
  }) {
    this.#connection = deps.connection
    this.#people = deps.people
    this.#shared = new SharedRequests(deps.clock)
    this.#recent = new RecentReplies(deps.clock)
  }

  async compareWith(
    { userId, own, others, alike, isPatient: rests = false, mayBeRecent }: ComparedPerson,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { pages } = own
    // The id cut off is compared as a person where it is somebody's.
    const shorter = withoutLast(userId)
    const known =
      shorter === undefined
        ? []
        : await this.#people.findPeople(this.#connection.company.id, [shorter])
    const cutId = known.length > 0 ? undefined : shorter
    const beside = [...new Set([...alike, ...known])].filter((other) => !others.includes(other))
    const areFewPages = pages.length === 1
    const [nobody, cut, replies, ofAlike] = await Promise.all([
      pages.length > 1
        ? askLeaves(this.#connection, unknownEmployee(), signal, pages)
        : this.askForNobody(signal, rests),
      cutId === undefined ? undefined : this.#askForCut(cutId, pages, rests, signal),
      Promise.all(others.map((other) => this.#askFor(other, signal))),
      Promise.all(
        beside.map((other) =>
          mayBeRecent && areFewPages
            ? this.#recentOf(other, own, signal)
            : this.#askFor(other, signal),
        ),
      ),
    ])
    const asked = [...replies, ...ofAlike.filter(({ isRecent }) => !isRecent)]
    return {
      own,
      nobody,
      cut,
      others: new Map(asked.map(({ of, reply }) => [of, reply])),
      recent: ofAlike.filter(({ isRecent }) => isRecent).map(({ reply }) => reply),
    }
  }

  /** Sent after this call; one request serves all who wait for it. */
  askForNobody(signal: AbortSignal, rests = false): Promise<LeavesReply> {
    const send = (): Promise<LeavesReply> => askLeaves(this.#connection, unknownEmployee(), signal)
    return this.#shared.ask('', { send, rests, signal })
  }

  /** The same: people of neighbouring ids have one cut off alike. */
  #askForCut(
    cut: string,
    pages: readonly string[],
    rests: boolean,
    signal: AbortSignal,
  ): Promise<LeavesReply> {
    const send = (): Promise<LeavesReply> => askLeaves(this.#connection, cut, signal, pages)
    return pages.length > 1 ? send() : this.#shared.ask(cut, { send, rests, signal })
  }

  /**
   * A known person's leaves, as they were moments ago where that will do. It does only where nothing of them came for the person
   * who is compared: an answer that speaks against another, or says whose a leave is, is asked for again and is never an old one.
   * A filter that breaks in between gives this person leaves that the other had before, which is seen, or nobody's and those
   * of an id cut off, which are asked for now. It goes unseen only where all of them were made for the other within these
   * moments. Nothing that is shown comes of such an answer: a person's own leaves are read for them alone, after it.
   */
  async #recentOf(other: string, { ids }: LeavesGiven, signal: AbortSignal): Promise<Reply> {
    const reply = await this.#recent.find(other)
    const says = reply !== undefined && reply !== 'unanswered' && !shares(ids, idsIn(reply))
    if (says) return { of: other, reply, isRecent: true }
    const asked = askLeaves(this.#connection, other, signal)
    this.#recent.keep(other, asked, signal)
    return { of: other, reply: await asked, isRecent: false }
  }

  async #askFor(other: string, signal: AbortSignal): Promise<Reply> {
    const reply = await askLeaves(this.#connection, other, signal)
    return { of: other, reply, isRecent: false }
  }
}

/**
 * Known people's leaves as they were asked for moments ago. Many are compared with the same person: `usr_1` begins `usr_10` to
 * `usr_19` and all that these begin.
 */
export class RecentReplies {
  readonly #clock: Clock
  readonly #replies = new Map<string, Promise<LeavesReply>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The last one, which may be under way still; undefined where there is none. */
  find(userId: string): Promise<LeavesReply> | undefined {
    return this.#replies.get(userId)
  }

  /** Keeps it for moments, unless it says nothing. */
  keep(userId: string, reply: Promise<LeavesReply>, signal: AbortSignal): void {
    this.#replies.set(userId, reply)
    const forget = (): void => {
      if (this.#replies.get(userId) === reply) this.#replies.delete(userId)
    }
    void this.#clock.sleep(recentMs, signal).then(forget, forget)
    void reply.then((it) => it === 'unanswered' && forget(), forget)
  }
}

interface Shared {
  /** The last one, and the rest after it. */
  busy: Promise<void>
  /** The one that is sent next. */
  waiting?: Promise<LeavesReply>
}

interface Sending {
  readonly send: () => Promise<LeavesReply>
  /** Whether the next one waits until this one has rested, and serves the more. */
  readonly rests: boolean
  readonly signal: AbortSignal
}

/** Requests that say the same to all who ask: each serves everyone who asked before it was sent. */
export class SharedRequests {
  readonly #clock: Clock
  readonly #shared = new Map<string, Shared>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What comes of one that is sent after this call. */
  ask(name: string, sending: Sending): Promise<LeavesReply> {
    const shared = this.#shared.get(name) ?? { busy: Promise.resolve() }
    this.#shared.set(name, shared)
    shared.waiting ??= shared.busy.then(() => {
      delete shared.waiting
      const sent = sending.send()
      shared.busy = this.#rested(sent, sending).finally(() => {
        if (!shared.waiting) this.#shared.delete(name)
      })
      return sent
    })
    return shared.waiting
  }

  async #rested(sent: Promise<LeavesReply>, { rests, signal }: Sending): Promise<void> {
    const begunAt = this.#clock.now()
    // Those who wait for it are told of a failure.
    await sent.catch(() => undefined)
    const ms = Math.min(rest.times * (this.#clock.now() - begunAt), rest.mostMs)
    if (rests && ms > 0) await this.#clock.sleep(ms, signal).catch(() => undefined)
  }
}
