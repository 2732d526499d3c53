import type { Connection } from '../../domain/connection.ts'
import type { KnownPeople } from '../../domain/person.ts'
import { type Compared } from './comparison.ts'
import { askLeaves, type LeavesGiven, type LeavesReply } from './leaves-reply.ts'
import { unknownEmployee, withoutLast } from './similar-ids.ts'

interface RoundDeps {
  readonly connection: Connection
  readonly people: KnownPeople
}

interface ComparedPerson {
  readonly userId: string
  readonly own: LeavesGiven
  /** Who else is asked for. */
  readonly others: readonly string[]
}

/** Asks, after a person's own leaves, for those of nobody, of the id cut off, and of others. */
export class Rounds {
  readonly #deps: RoundDeps
  /** For nobody: the request under way, and the one that will be sent after it. */
  #running: Promise<LeavesReply> | undefined
  #waiting: Promise<LeavesReply> | undefined

  constructor(deps: RoundDeps) {
    this.#deps = deps
  }

  async compareWith(
    { userId, own, others }: ComparedPerson,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { pages } = own
    const { cut, people } = await this.#cutOff(userId, others)
    const [nobody, ofCut, ...replies] = await Promise.all([
      pages.length > 1 ? this.#ask(unknownEmployee(), signal, pages) : this.askForNobody(signal),
      cut === undefined ? undefined : this.#ask(cut, signal, pages),
      ...people.map((other) => this.#ask(other, signal)),
    ])
    const byPerson = people.map((other, index) => [other, replies[index] ?? 'unanswered'] as const)
    return { own, nobody, cut: ofCut, others: new Map(byPerson) }
  }

  /** Sent after this call; one request serves all who wait for it. */
  askForNobody(signal: AbortSignal): Promise<LeavesReply> {
    if (this.#waiting) return this.#waiting
    const next: Promise<LeavesReply> = Promise.resolve(this.#running)
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined
        this.#running = next
        return this.#ask(unknownEmployee(), signal)
      })
      .finally(() => {
        if (this.#running === next) this.#running = undefined
      })
    this.#waiting = next
    return next
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
