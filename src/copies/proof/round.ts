import type { Connection } from '../../domain/connection.ts'
import type { KnownPeople } from '../../domain/person.ts'
import type { Clock } from '../../domain/world.ts'
import { type Compared } from './comparison.ts'
import { askLeaves, type LeavesGiven, type LeavesReply } from './leaves-reply.ts'
import { SharedRequests } from './shared-requests.ts'
import { unknownEmployee, withoutLast } from './similar-ids.ts'

interface RoundDeps {
  readonly connection: Connection
  readonly people: KnownPeople
  readonly clock: Clock
}

interface ComparedPerson {
  readonly userId: string
  readonly own: LeavesGiven
  /** Who else is asked for. */
  readonly others: readonly string[]
  /** Whether what serves others as well may be asked for later, with them. */
  readonly isPatient?: boolean
}

interface AskedForCut {
  readonly signal: AbortSignal
  readonly pages: readonly string[]
  readonly rests: boolean
}

/** Asks, after a person's own leaves, for those of nobody, of the id cut off, and of others. */
export class Rounds {
  readonly #deps: RoundDeps
  /** By the id that is asked for; empty for nobody's. */
  readonly #shared: SharedRequests

  constructor(deps: RoundDeps) {
    this.#deps = deps
    this.#shared = new SharedRequests(deps.clock)
  }

  async compareWith(
    { userId, own, others, isPatient: rests = false }: ComparedPerson,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { pages } = own
    const { cut, people } = await this.#cutOff(userId, others)
    const [nobody, ofCut, ...replies] = await Promise.all([
      pages.length > 1
        ? this.#ask(unknownEmployee(), signal, pages)
        : this.askForNobody(signal, rests),
      cut === undefined ? undefined : this.#askForCut(cut, { signal, pages, rests }),
      ...people.map((other) => this.#ask(other, signal)),
    ])
    const byPerson = people.map((other, index) => [other, replies[index] ?? 'unanswered'] as const)
    return { own, nobody, cut: ofCut, others: new Map(byPerson) }
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
    others: readonly string[],
  ): Promise<{ readonly cut: string | undefined; readonly people: readonly string[] }> {
    const { people, connection } = this.#deps
    const cut = withoutLast(userId)
    const known = cut === undefined ? [] : await people.findPeople(connection.company.id, [cut])
    return {
      cut: known.length > 0 ? undefined : cut,
      people: [...new Set([...others, ...known])],
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
