import type { Connection } from '../../domain/connection.ts'
import type { KnownPeople } from '../../domain/person.ts'
import type { Clock } from '../../domain/world.ts'
import { type Compared, shares } from './comparison.ts'
import { askLeaves, idsIn, type LeavesGiven, type LeavesReply } from './leaves-reply.ts'
import { RecentReplies } from './recent-replies.ts'
import { SharedRequests } from './shared-requests.ts'
import { unknownEmployee, withoutLast } from './similar-ids.ts'

interface RoundDeps {
  readonly connection: Connection
  readonly people: KnownPeople
  readonly clock: Clock
}

export interface ComparedPerson {
  readonly userId: string
  readonly own: LeavesGiven
  /** Who else is asked for. */
  readonly others: readonly string[]
  /** Who is called much alike. */
  readonly alike: readonly string[]
  /** Whether what serves others as well may be asked for later, with them. */
  readonly isPatient?: boolean
  /** Whether those who are called alike, or by the id cut off, may have been asked for moments ago. */
  readonly mayBeRecent?: boolean
}

interface AskedForCut {
  readonly signal: AbortSignal
  readonly pages: readonly string[]
  readonly rests: boolean
}

/** What came for another person, asked for now or moments ago. */
interface Reply {
  readonly of: string
  readonly reply: LeavesReply
  readonly isRecent: boolean
}

/** Asks, after a person's own leaves, for those of nobody, of the id cut off, and of others. */
export class Rounds {
  readonly #deps: RoundDeps
  /** By the id that is asked for; empty for nobody's. */
  readonly #shared: SharedRequests
  readonly #recent: RecentReplies

  constructor(deps: RoundDeps) {
    this.#deps = deps
    this.#shared = new SharedRequests(deps.clock)
    this.#recent = new RecentReplies(deps.clock)
  }

  async compareWith(
    { userId, own, others, alike, isPatient: rests = false, mayBeRecent }: ComparedPerson,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { pages } = own
    const { cut, people } = await this.#cutOff(userId, alike)
    const beside = people.filter((other) => !others.includes(other))
    const [nobody, ofCut, replies, ofAlike] = await Promise.all([
      pages.length > 1
        ? this.#ask(unknownEmployee(), signal, pages)
        : this.askForNobody(signal, rests),
      cut === undefined ? undefined : this.#askForCut(cut, { signal, pages, rests }),
      Promise.all(others.map((other) => this.#askFor(other, signal))),
      Promise.all(
        beside.map((other) =>
          mayBeRecent && pages.length === 1
            ? this.#recentOf(other, own, signal)
            : this.#askFor(other, signal),
        ),
      ),
    ])
    const asked = [...replies, ...ofAlike.filter(({ isRecent }) => !isRecent)]
    const recent = ofAlike.filter(({ isRecent }) => isRecent)
    return {
      own,
      nobody,
      cut: ofCut,
      others: new Map(asked.map(({ of, reply }) => [of, reply])),
      recent: recent.map(({ reply }) => reply),
    }
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
    const asked = this.#ask(other, signal)
    this.#recent.keep(other, asked, signal)
    return { of: other, reply: await asked, isRecent: false }
  }

  async #askFor(other: string, signal: AbortSignal): Promise<Reply> {
    return { of: other, reply: await this.#ask(other, signal), isRecent: false }
  }

  /** Sent after this call; one request serves all who wait for it. */
  askForNobody(signal: AbortSignal, rests = false): Promise<LeavesReply> {
    const send = (): Promise<LeavesReply> => this.#ask(unknownEmployee(), signal)
    return this.#shared.ask('', { send, rests, signal })
  }

  /** The same: people of neighbouring ids have one cut off alike. */
  #askForCut(cut: string, { signal, pages, rests }: AskedForCut): Promise<LeavesReply> {
    const send = (): Promise<LeavesReply> => this.#ask(cut, signal, pages)
    return pages.length > 1 ? send() : this.#shared.ask(cut, { send, rests, signal })
  }

  /** The id cut off is compared as a person where it is somebody's. */
  async #cutOff(
    userId: string,
    alike: readonly string[],
  ): Promise<{ readonly cut: string | undefined; readonly people: readonly string[] }> {
    const { people, connection } = this.#deps
    const cut = withoutLast(userId)
    const known = cut === undefined ? [] : await people.findPeople(connection.company.id, [cut])
    return {
      cut: known.length > 0 ? undefined : cut,
      people: [...new Set([...alike, ...known])],
    }
  }

  #ask(
    employee: string,
    signal: AbortSignal,
    alongside: readonly string[] = [],
  ): Promise<LeavesReply> {
    return askLeaves({ api: this.#deps.connection.api, signal, employee, alongside })
  }
}
