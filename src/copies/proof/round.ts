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

/** One request under way, and one that will be sent after it. */
interface SharedRequest {
  running?: Promise<LeavesReply>
  waiting?: Promise<LeavesReply>
}

/** Asks, after a person's own leaves, for those of nobody, of the id cut off, and of others. */
export class Rounds {
  readonly #deps: RoundDeps
  /** By the id that is asked for; empty for nobody's. */
  readonly #shared = new Map<string, SharedRequest>()

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
      cut === undefined ? undefined : this.#askForCut(cut, signal, pages),
      ...people.map((other) => this.#ask(other, signal)),
    ])
    const byPerson = people.map((other, index) => [other, replies[index] ?? 'unanswered'] as const)
    return { own, nobody, cut: ofCut, others: new Map(byPerson) }
  }

  /** Sent after this call; one request serves all who wait for it. */
  askForNobody(signal: AbortSignal): Promise<LeavesReply> {
    return this.#askOnce('', () => this.#ask(unknownEmployee(), signal))
  }

  /** The same: people of neighbouring ids have one cut off alike. */
  #askForCut(cut: string, signal: AbortSignal, pages: readonly string[]): Promise<LeavesReply> {
    if (pages.length > 1) return this.#ask(cut, signal, pages)
    return this.#askOnce(cut, () => this.#ask(cut, signal, pages))
  }

  #askOnce(id: string, ask: () => Promise<LeavesReply>): Promise<LeavesReply> {
    const shared: SharedRequest = this.#shared.get(id) ?? {}
    if (shared.waiting) return shared.waiting
    this.#shared.set(id, shared)
    const next: Promise<LeavesReply> = Promise.resolve(shared.running)
      .catch(() => undefined)
      .then(() => {
        delete shared.waiting
        shared.running = next
        return ask()
      })
      .finally(() => {
        if (shared.running === next) delete shared.running
        if (!shared.running && !shared.waiting) this.#shared.delete(id)
      })
    shared.waiting = next
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
