import type { Connection } from '../../domain/connection.ts'
import type { KnownPeople } from '../../domain/person.ts'
import { areGiven, askLeaves, hasLeaves, type PersonsAnswer } from './leaves-reply.ts'
import type { Ownership } from './ownership.ts'

/** So many are asked until one is answered. */
const candidatesMax = 5

/** Somebody who is answered; `nobody` is known who could be, `silent`: none of them is. */
export type Witness = { readonly userId: string } | 'nobody' | 'silent'

interface WitnessesDeps {
  readonly connection: Connection
  readonly people: KnownPeople
  readonly ownership: Ownership
}

/**
 * People who are answered while an answer holds leaves of others. Those others may be refused, since their accounts have ended,
 * or because the Read API refuses everybody and ignores the filter: only somebody who is answered tells these apart.
 */
export class Witnesses {
  readonly #deps: WitnessesDeps
  /** Who was answered last. */
  #answered: string | undefined
  /** After whose id the next ones are asked; undefined where the last were answered. */
  #after: string | undefined

  constructor(deps: WitnessesDeps) {
    this.#deps = deps
  }

  /** One who is answered now, one with leaves if there is one; where there is none the next search goes on with the next ones. */
  async find(
    { userId }: PersonsAnswer,
    rivals: ReadonlySet<string>,
    signal: AbortSignal,
    most = candidatesMax,
  ): Promise<Witness> {
    const candidates = await this.#candidates(new Set([userId, ...rivals]), userId, most)
    const { api } = this.#deps.connection
    let answered: string | undefined
    for (const employee of candidates) {
      const reply = await askLeaves({ api, signal, employee })
      if (areGiven(reply)) answered ??= employee
      if (!hasLeaves(reply)) continue
      answered = employee
      break
    }
    this.#answered = answered
    this.#after = answered === undefined ? candidates.at(-1) : undefined
    if (answered !== undefined) return { userId: answered }
    return candidates.length === 0 ? 'nobody' : 'silent'
  }

  /** The one who was answered last, then others in the order of their ids; none who has left. */
  async #candidates(
    but: ReadonlySet<string>,
    userId: string,
    most: number,
  ): Promise<readonly string[]> {
    const { people, connection, ownership } = this.#deps
    const after = this.#after ?? userId
    const next = await people.listPeopleAfter(connection.company.id, after, most + but.size)
    const all = [...new Set([this.#answered ?? [], next].flat())].filter((id) => !but.has(id))
    const left = await ownership.departed(all)
    return all.filter((id) => !left.has(id)).slice(0, most)
  }
}
