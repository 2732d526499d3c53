/* Finds the people whom somebody names: by user id, mail address or full name. */
import { likelyMeant } from '../../domain/nearest.ts'
import type { ListedPerson, PeopleListStore } from '../../domain/people-list.ts'
import {
  type PeopleByMail,
  type PeopleFinder,
  type PeopleStore,
  type Person,
  sortNameOf,
} from '../../domain/person.ts'
import { displayName } from '../../domain/user.ts'
import { isOneLine } from '../../text/plain-text.ts'

/** Somebody of the directory, as others can tell them apart. */
export interface DirectoryPerson {
  readonly userId: string
  readonly displayName: string
  readonly email: string
}

export type FoundPerson =
  | { readonly userId: string; readonly isKnown: boolean; readonly hasLeft: boolean }
  | { readonly fault: 'unknown' | 'several' | 'left'; readonly people: readonly DirectoryPerson[] }

interface PeopleLookupDeps {
  readonly people: Pick<PeopleStore, 'findPerson'>
  readonly peopleByMail: Pick<PeopleByMail, 'findByMail'>
  readonly peopleFinder: Pick<PeopleFinder, 'listAlike'>
  readonly peopleList: Pick<PeopleListStore, 'list'>
}

const textLengthMax = 256
/** Of people with the same name. */
const namesakesMax = 20
/** Among so many, somebody with a similar name is looked for. */
const similarMax = 40
/** Searching inside names reads much: further names get no suggestion from it. */
const searchesMax = 10
const searchedLengthMin = 3

/** Looks people up in the directory of one company, by its indexes. */
export class PeopleLookup {
  readonly #deps: PeopleLookupDeps
  readonly #companyId: string
  #searchesLeft = searchesMax

  constructor(deps: PeopleLookupDeps, companyId: string) {
    this.#deps = deps
    this.#companyId = companyId
  }

  /**
   * The person with that id, mail address or full name. A word that the directory does not know may still be an id that the
   * Read API knows.
   */
  async find(given: string): Promise<FoundPerson> {
    const text = given.trim()
    if (text.length > textLengthMax || !isOneLine(text)) return { fault: 'unknown', people: [] }
    const byId = await this.#deps.people.findPerson(this.#companyId, text)
    if (byId && byId.state !== 'misnamed') {
      return { userId: byId.userId, isKnown: true, hasLeft: hasLeft(byId) }
    }
    const byMail = await this.#findByMail(text)
    if (byMail) return byMail
    const byName = await this.#findByName(text)
    if (byName) return byName
    if (!/\s/.test(text)) return { userId: text, isKnown: false, hasLeft: false }
    return { fault: 'unknown', people: await this.similarTo(text) }
  }

  /** People who were perhaps meant; most often one or none. */
  async similarTo(given: string): Promise<readonly DirectoryPerson[]> {
    const named = await this.#namedAlike(given)
    const similar = (of: (person: DirectoryPerson) => string): readonly DirectoryPerson[] => {
      const meant = likelyMeant(of({ ...nobody, displayName: given, email: given }), named.map(of))
      return meant === undefined ? [] : named.filter((person) => of(person) === meant)
    }
    const found = [
      ...similar((person) => person.displayName),
      ...(given.includes('@') ? similar(({ email }) => email.replace(/@.*/s, '')) : []),
      ...named.filter((person) => wordsOf(person.displayName).includes(sameName(given))),
      ...(await this.#idsAlike(given)),
    ]
    return [...new Map(found.map((person) => [person.userId, person])).values()].slice(0, 3)
  }

  async #findByMail(text: string): Promise<FoundPerson | undefined> {
    const [, address = text] = /<([^<>\s]+@[^<>\s]+)>$/.exec(text) ?? []
    if (!address.includes('@')) return undefined
    const found = (await this.#deps.peopleByMail.findByMail(address))
      .filter(({ companyId, state }) => companyId === this.#companyId && state !== 'misnamed')
      .map((person) => ({ ...person, isGone: person.hasLeft || hasLeft(person) }))
    return onlyOf(found)
  }

  async #findByName(text: string): Promise<FoundPerson | undefined> {
    const [, last, first] = /^([^,]+),([^,]+)$/.exec(text) ?? []
    const swapped = first === undefined ? [] : [`${first} ${last}`]
    for (const name of [text, ...swapped].map(sameName)) {
      const sortName = sortNameOf({ userId: name, firstName: name, lastName: null })
      const listed = await this.#listFrom(sortName, namesakesMax)
      const found = listed.filter((person) => sameName(displayName(person)) === name)
      if (found.length > 0) {
        return onlyOf(found.map((person) => ({ ...person, isGone: person.state === 'left' })))
      }
    }
    return undefined
  }

  /** The next people by name, from that one on. */
  async #listFrom(sortName: string, limit: number): Promise<readonly ListedPerson[]> {
    const companyId = this.#companyId
    const found = await this.#deps.peopleList.list({
      companyId,
      after: { sortName, userId: '' },
      limit,
    })
    return found.filter(({ state }) => state !== 'misnamed')
  }

  /** People with a name that begins alike, or has one of the words. */
  async #namedAlike(given: string): Promise<readonly DirectoryPerson[]> {
    const name = sortNameOf({ userId: given, firstName: given, lastName: null })
    const beginning = name.slice(0, Math.max(2, name.indexOf(' ') + 2))
    const found = [...(await this.#listFrom(beginning, similarMax))]
    const words = wordsOf(given.replace(/@.*/s, '')).filter(
      ({ length }) => length >= searchedLengthMin,
    )
    if (this.#searchesLeft > 0) {
      this.#searchesLeft -= 1
      for (const search of words.slice(0, 3)) {
        const companyId = this.#companyId
        found.push(...(await this.#deps.peopleList.list({ companyId, search, limit: similarMax })))
      }
    }
    return found.filter(({ state }) => state === 'active' || state === 'unread').map(asPerson)
  }

  async #idsAlike(given: string): Promise<readonly DirectoryPerson[]> {
    const ids = await this.#deps.peopleFinder.listAlike(this.#companyId, given.trim(), 5)
    const people = await Promise.all(
      ids.map((id) => this.#deps.people.findPerson(this.#companyId, id)),
    )
    return people.flatMap((it) => (it && !hasLeft(it) ? asPerson(it) : []))
  }
}

const nobody: DirectoryPerson = { userId: '', displayName: '', email: '' }

function wordsOf(name: string): readonly string[] {
  return sameName(name).split(/[^\p{L}\p{M}\p{N}]+/u)
}

type Candidate = Pick<Person, 'userId' | 'firstName' | 'lastName' | 'email'> & {
  readonly isGone: boolean
}

/** People who have left count only if nobody else has that name or address. */
function onlyOf(found: readonly Candidate[]): FoundPerson | undefined {
  const here = found.filter(({ isGone }) => !isGone)
  const [first, ...others] = here
  if (first && others.length === 0) {
    return { userId: first.userId, isKnown: true, hasLeft: false }
  }
  if (first) return { fault: 'several', people: here.map(asPerson) }
  return found.length > 0 ? { fault: 'left', people: found.map(asPerson) } : undefined
}

function asPerson({ userId, email, ...name }: Omit<Candidate, 'isGone'>): DirectoryPerson {
  return { userId, displayName: displayName(name), email: email ?? '' }
}

function hasLeft({ state }: Pick<Person, 'state'>): boolean {
  return state === 'user_inactive' || state === 'user_missing'
}

/** Names differ in more than capitals and spaces only if somebody else is meant. */
function sameName(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}
