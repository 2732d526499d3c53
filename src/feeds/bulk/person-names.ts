import type { Feed } from '../../domain/feed.ts'
import { displayName, type User } from '../../domain/user.ts'
import type { FeedsDeps } from '../deps.ts'

/** Empty if unknown. */
export interface PersonName {
  readonly displayName: string
  readonly firstName: string
  readonly email: string
}

export interface PersonOfFeed extends PersonName {
  readonly userId: string
}

type NamedFeed = Pick<Feed, 'companyId' | 'userIds' | 'team'>

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

  /** Whom a table names for a feed: the first of its people; of a team, which changes, nobody. */
  async findFirst({ companyId, userIds, team }: NamedFeed): Promise<PersonOfFeed> {
    const [userId = ''] = team ? [] : userIds
    return { userId, ...(userId === '' ? nameOf(undefined) : await this.find(companyId, userId)) }
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
