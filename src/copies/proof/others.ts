import type { Connection } from '../../domain/connection.ts'
import { collectionOf, type DoubtStore } from '../../domain/copy.ts'
import type { KnownPeople } from '../../domain/person.ts'

/** So many people with leaves take turns. */
const peopleMax = 20
const alikeMax = 2

interface OthersDeps {
  readonly connection: Connection
  readonly people: KnownPeople
  readonly doubts: Pick<DoubtStore, 'listFilled' | 'countFilled'>
}

/** With whose leaves a person's are compared: the others of the company, in turns. */
export class Others {
  readonly #deps: OthersDeps
  #turn = 0
  #last = ''

  constructor(deps: OthersDeps) {
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

  async #nextOfDirectory(but: readonly string[]): Promise<string | undefined> {
    const { people, connection } = this.#deps
    const next = await people.listPeopleAfter(connection.company.id, this.#last, but.length + 1)
    const other = next.find((id) => !but.includes(id))
    this.#last = other ?? ''
    return other
  }
}
