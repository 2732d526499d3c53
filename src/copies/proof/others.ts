import { collectionKey, collectionOf } from '../../domain/copy.ts'
import { amongDeparted } from './ownership.ts'
import type { ProofDeps } from './proof-state.ts'
import { areGiven, askLeaves, hasLeaves, idsIn, type LeavesReplies } from './replies.ts'

const peopleMax = 20
const candidatesMax = 5

/** A person with an answer; `none`: no candidate is known, `silent`: no candidate got an answer. */
export type Witness = { readonly userId: string } | 'none' | 'silent'

/** The other people of the company, in turns, to compare a person's leaves with. */
export class Others {
  readonly #deps: ProofDeps
  #turn = 0
  #last = ''
  #answered: string | undefined
  /** The id after which the next search starts; undefined if the last search found a witness. */
  #after: string | undefined

  constructor(deps: ProofDeps) {
    this.#deps = deps
  }

  /** Returns one other person, with leaves if possible; one of `asked` only if no other is known. */
  async next(userId: string, asked: readonly string[] = []): Promise<readonly string[]> {
    const but = [userId, ...asked]
    const filled = (await listWithLeaves(this.#deps, peopleMax)).filter((id) => !but.includes(id))
    const other = filled[(this.#turn += 1) % filled.length] ?? (await this.#nextOfDirectory(but))
    return [other ?? asked.at(-1) ?? []].flat()
  }

  async haveLeaves(userId: string): Promise<boolean> {
    const { doubts, connection } = this.#deps
    const count = await doubts.countFilled(connection.id, 'leaves', peopleMax)
    return count === peopleMax || (await listWithLeaves(this.#deps, 2)).some((id) => id !== userId)
  }

  /**
   * Returns a person who gets an answer now, with leaves if possible. Rivals may be refused because their accounts have
   * ended, or because the Read API ignores the filter and refuses all people. Only a witness tells which.
   */
  async findWitness(
    userId: string,
    rivals: ReadonlySet<string>,
    signal: AbortSignal,
    most = candidatesMax,
  ): Promise<Witness> {
    const candidates = await this.#candidates(new Set([userId, ...rivals]), userId, most)
    let answered: string | undefined
    for (const employee of candidates) {
      const reply = await askLeaves(this.#deps.connection, employee, signal)
      if (areGiven(reply)) answered ??= employee
      if (!hasLeaves(reply)) continue
      answered = employee
      break
    }
    this.#answered = answered
    // The next search continues where this one ended.
    this.#after = answered === undefined ? candidates.at(-1) : undefined
    if (answered !== undefined) return { userId: answered }
    return candidates.length === 0 ? 'none' : 'silent'
  }

  /** Returns the last witness with an answer, then others by id, none who have left. */
  async #candidates(
    but: ReadonlySet<string>,
    userId: string,
    most: number,
  ): Promise<readonly string[]> {
    const { people, connection } = this.#deps
    const after = this.#after ?? userId
    const next = await people.listPeopleAfter(connection.company.id, after, most + but.size)
    const all = new Set([this.#answered ?? [], next].flat()).difference(but)
    return [...all.difference(await amongDeparted(this.#deps, [...all]))].slice(0, most)
  }

  async #nextOfDirectory(but: readonly string[]): Promise<string | undefined> {
    const { people, connection } = this.#deps
    const next = await people.listPeopleAfter(connection.company.id, this.#last, but.length + 1)
    const other = next.find((id) => !but.includes(id))
    this.#last = other ?? ''
    return other
  }
}

export async function listWithLeaves(
  { doubts, connection, people }: ProofDeps,
  limit: number,
): Promise<readonly string[]> {
  const heads = await doubts.listFilled(connection.id, 'leaves', limit)
  const found = heads.map(({ key }) => collectionOf(key).subject)
  const misnamed = await people.listMisnamed(connection.company.id, found)
  return found.filter((id) => !misnamed.includes(id))
}

/** Ends the doubts about people with a reply that has at least half of their stored leaves. */
export async function noteSeen(
  { connection, copies, doubts }: ProofDeps,
  replies: LeavesReplies,
): Promise<void> {
  const given = [...replies].filter(([, reply]) => areGiven(reply))
  const keys = given.map(([subject]) => collectionKey({ kind: 'leaves', subject }))
  const heads = keys.length > 0 ? await copies.findHeads(connection.id, keys) : []
  for (const { key } of heads.filter(({ doubt }) => doubt)) {
    const kept = await copies.findCopy(connection.id, key)
    const came = idsIn(replies.get(collectionOf(key).subject))
    const there = kept?.records.filter(({ id }) => came.has(id)) ?? []
    if (kept && there.length >= kept.records.length / 2) {
      await doubts.saveDoubt(connection.id, key, null)
    }
  }
}
