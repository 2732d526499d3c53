import { displayName, type User } from '../../domain/user.ts'
import type { FeedsDeps } from '../deps.ts'

/** Empty if unknown. */
export interface PersonName {
  readonly displayName: string
  readonly firstName: string
  readonly email: string
}

/** Looks people up in the directory, else in the Read API; never fails because of the Read API. */
export class PersonNames {
  readonly #deps: FeedsDeps
  readonly #known = new Map<string, Promise<PersonName>>()

  constructor(deps: FeedsDeps) {
    this.#deps = deps
  }

  find(companyId: string, userId: string): Promise<PersonName> {
    const key = JSON.stringify([companyId, userId])
    const name = this.#known.get(key) ?? this.#look(companyId, userId)
    this.#known.set(key, name)
    return name
  }

  async #look(companyId: string, userId: string): Promise<PersonName> {
    const person = await this.#deps.people.findPerson(companyId, userId)
    if (person && person.state !== 'unread') return nameOf(person)
    const user = await this.#deps.connections
      .get(companyId)
      ?.api.get('user', userId)
      .catch(() => undefined)
    return nameOf(user ?? person)
  }
}

function nameOf(person: Pick<User, 'firstName' | 'lastName' | 'email'> | undefined): PersonName {
  return {
    displayName: displayName(person),
    firstName: person?.firstName ?? '',
    email: person?.email ?? '',
  }
}
