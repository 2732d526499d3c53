import { collectionKey, collectionOf } from '../../domain/copy.ts'
import type { ProofDeps } from './proof-state.ts'
import { areGiven, askLeaves, hasLeaves, type LeavesReplies } from './replies.ts'

/** So many people with leaves take turns. */
const peopleMax = 20
const alikeMax = 2
/** So many are asked until one is answered. */
const candidatesMax = 5

/** Somebody who is answered; `none` is known who could be, `silent`: none of them is. */
export type Witness = { readonly userId: string } | 'none' | 'silent'

/** With whose leaves a person's are compared: the others of the company, in turns. */
export class Others {
  readonly #deps: ProofDeps
  #turn = 0
  #last = ''
  /** The witness who was answered last. */
  #answered: string | undefined
  /** After whose id the next witnesses are asked; undefined where the last were answered. */
  #after: string | undefined

  constructor(deps: ProofDeps) {
    this.#deps = deps
  }

  /** One other person, one with leaves if there is one; one who has been asked already only where nobody else is known. */
  async next(userId: string, asked: readonly string[] = []): Promise<readonly string[]> {
    const but = [userId, ...asked]
    const filled = (await this.withLeaves(peopleMax)).filter((id) => !but.includes(id))
    const other = filled[(this.#turn += 1) % filled.length] ?? (await this.#nextOfDirectory(but))
    return [other ?? asked.at(-1) ?? []].flat()
  }

  /** Whether leaves of somebody else are kept. */
  async haveLeaves(userId: string): Promise<boolean> {
    const count = await this.#deps.doubts.countFilled(this.#deps.connection.id, 'leaves', peopleMax)
    return count === peopleMax || (await this.withLeaves(2)).some((id) => id !== userId)
  }

  /** People whose leaves are kept. */
  async withLeaves(limit: number): Promise<readonly string[]> {
    const { doubts, connection, people } = this.#deps
    const heads = await doubts.listFilled(connection.id, 'leaves', limit)
    const found = heads.map(({ key }) => collectionOf(key).subject)
    const misnamed = new Set(await people.listMisnamed(connection.company.id, found))
    return found.filter((id) => !misnamed.has(id))
  }

  /** People whose ids a careless filter may take for this one. */
  alike(userId: string): Promise<readonly string[]> {
    return this.#deps.people.listAlike(this.#deps.connection.company.id, userId, alikeMax)
  }

  /**
   * Somebody who is answered now while a person's answer holds leaves of others, one with leaves if there is one; where there is
   * none the next search goes on with the next ones. Those others may be refused, since their accounts have ended, or because the
   * Read API refuses everybody and ignores the filter: only somebody who is answered tells these apart.
   */
  async findWitness(
    userId: string,
    rivals: ReadonlySet<string>,
    signal: AbortSignal,
    most = candidatesMax,
  ): Promise<Witness> {
    const candidates = await this.#witnesses(new Set([userId, ...rivals]), userId, most)
    let answered: string | undefined
    for (const employee of candidates) {
      const reply = await askLeaves(this.#deps.connection, employee, signal)
      if (areGiven(reply)) answered ??= employee
      if (!hasLeaves(reply)) continue
      answered = employee
      break
    }
    this.#answered = answered
    this.#after = answered === undefined ? candidates.at(-1) : undefined
    if (answered !== undefined) return { userId: answered }
    return candidates.length === 0 ? 'none' : 'silent'
  }

  /** The one who was answered last, then others in the order of their ids; none who has left. */
  async #witnesses(
    but: ReadonlySet<string>,
    userId: string,
    most: number,
  ): Promise<readonly string[]> {
    const { people, connection, departed } = this.#deps
    const after = this.#after ?? userId
    const companyId = connection.company.id
    const next = await people.listPeopleAfter(companyId, after, most + but.size)
    const all = [...new Set([this.#answered ?? [], next].flat())].filter((id) => !but.has(id))
    const left = all.length > 0 ? await departed.listLeft(companyId, all) : []
    return all.filter((id) => !left.includes(id)).slice(0, most)
  }

  async #nextOfDirectory(but: readonly string[]): Promise<string | undefined> {
    const { people, connection } = this.#deps
    const next = await people.listPeopleAfter(connection.company.id, this.#last, but.length + 1)
    const other = next.find((id) => !but.includes(id))
    this.#last = other ?? ''
    return other
  }
}

/** Who was asked for beside another, and has half of the kept leaves or more, has not lost them: what was doubted is no longer. */
export async function noteSeen(
  { connection, copies, doubts }: ProofDeps,
  replies: LeavesReplies,
): Promise<void> {
  const given = new Map([...replies].flatMap(([id, it]) => (areGiven(it) ? [[id, it.ids]] : [])))
  const keys = [...given.keys()].map((subject) => collectionKey({ kind: 'leaves', subject }))
  const heads = keys.length > 0 ? await copies.findHeads(connection.id, keys) : []
  for (const { key } of heads.filter(({ doubt }) => doubt)) {
    const kept = await copies.findCopy(connection.id, key)
    const came = given.get(collectionOf(key).subject)
    const there = kept?.records.filter(({ id }) => came?.has(id)) ?? []
    if (kept && there.length >= kept.records.length / 2) {
      await doubts.saveDoubt(connection.id, key, null)
    }
  }
}
