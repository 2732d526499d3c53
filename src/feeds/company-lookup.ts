import { setImmediate as turn } from 'node:timers/promises'

import { noCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import { fittingRecords } from '../domain/copy.ts'
import { AppError, asAppError, type InputFault } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import { likelyMeant } from '../domain/nearest.ts'
import type { PeopleFinder } from '../domain/person.ts'
import type { Answer } from '../domain/read-api.ts'
import { defaultSchedules, type Schedule } from '../domain/schedule.ts'
import type { User } from '../domain/user.ts'
import type { Clock, Instant } from '../domain/world.ts'
import type { Identities } from '../people/identities.ts'
import { asFailure, invalidFeed } from './link-replacement.ts'

/** Whoever mistypes an id mostly has its beginning right: of those that begin alike so many are compared. */
const comparedMax = 100

/** By whom somebody is found whose id is nearly the one that was given. */
export interface NearestPersonDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly peopleFinder: Pick<PeopleFinder, 'findPeople' | 'listAlike' | 'listPeopleAfter'>
}

/** Says that nobody is known by the id in any of the companies, and whose is like it; undefined where somebody is. */
export async function sayNobody(
  deps: NearestPersonDeps,
  userId: string,
  companyIds: readonly string[],
): Promise<string | undefined> {
  const { feeds, peopleFinder } = deps
  const known = await Promise.all(companyIds.map((id) => peopleFinder.findPeople(id, [userId])))
  if (known.flat().length > 0) return undefined
  if ((await feeds.listFeeds({ userIds: [userId], limit: 1 })).length > 0) return undefined
  return `Nobody is known by the id "${userId}"${didYouMean(await nearestPerson(deps, userId, companyIds))}`
}

/** The end of a sentence about somebody who is not known. */
function didYouMean(userId: string | undefined): string {
  return userId === undefined ? '.' : `; did you mean \`${userId}\`?`
}

/** The known id in these companies that is so like that one that it is likely what was meant; undefined where none is. */
async function nearestPerson(
  { feeds, peopleFinder: people }: NearestPersonDeps,
  userId: string,
  companyIds: readonly string[],
): Promise<string | undefined> {
  const begin = userId.slice(0, Math.ceil(userId.length / 2))
  const near = await Promise.all(companyIds.map((id) => listNear(people, id, { userId, begin })))
  const companyId = companyIds.length === 1 ? companyIds[0] : undefined
  const inFeeds = await feeds.listFeeds({ companyId, search: begin, limit: comparedMax })
  const members = inFeeds.flatMap(({ userIds }) => userIds.filter((id) => id.startsWith(begin)))
  const others = [...near.flat(), ...members.slice(0, comparedMax)].filter((id) => id !== userId)
  return likelyMeant(userId, others)
}

async function listNear(
  people: NearestPersonDeps['peopleFinder'],
  companyId: string,
  { userId, begin }: { readonly userId: string; readonly begin: string },
): Promise<readonly string[]> {
  const alike = await people.listAlike(companyId, userId, comparedMax)
  const after = await people.listPeopleAfter(companyId, begin, comparedMax)
  return [...alike, ...after]
}

interface Waiting {
  readonly count: number
  readonly begin: () => void
}

/** Limits how many things are asked for at once; the others wait, first come, first served. */
export class AskedAtOnce {
  #free: number
  readonly #waiting: Waiting[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Asks for so many, never more than there may be, once there is room for all of them. */
  async during<T>(count: number, ask: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ count, begin })
      this.#fill()
    })
    try {
      return await ask()
    } finally {
      this.#free += count
      this.#fill()
    }
  }

  #fill(): void {
    for (let next = this.#waiting[0]; next && next.count <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.count
      next.begin()
    }
  }
}

/** The company's connection, the only one where none is named; `invalid` otherwise. */
export function connectionOf(
  connections: ReadonlyMap<string, Connection>,
  companyId: string | undefined,
): Connection {
  const only = connections.size === 1 ? [...connections.values()][0] : undefined
  const connection = companyId === undefined ? only : connections.get(companyId)
  if (connection) return connection
  const detail =
    companyId === undefined
      ? `Must be one of ${[...connections.keys()].join(', ')}, since there are several companies.`
      : noCompany(companyId, connections.keys())
  throw invalidFeed('/companyId', detail)
}

/** Unknown ids for which a likely one is looked up: each look-up takes time. */
const hintsMax = 20

/** Look-ups of people under way in one company: each takes some kilobytes. A feed has at most half as many people. */
const askedAtOnceMax = 1000
const askedOf = new WeakMap<Connection, AskedAtOnce>()

/** Those that the Read API has answered for, and what could not be checked, in sentences. */
export interface KnownUsers {
  readonly users: readonly User[]
  readonly warnings: readonly string[]
}

/** What tells whether an id is still the same person's. */
export interface IdentityDeps {
  readonly identities: Pick<Identities, 'noteRecord' | 'listHeld'>
}

interface LookupDeps extends NearestPersonDeps, IdentityDeps {
  readonly clock: Clock
}

/** Those that can be read, the ids of all, and of which of them something cannot be read. */
type Schedules = Pick<Answer<Schedule>, 'records' | 'ids' | 'inDoubt'>

/** What new feeds need to know of one company; everything is asked once, for however many feeds. */
export class CompanyLookup {
  readonly connection: Connection
  /** Nothing has been asked before. */
  readonly askedAt: Instant
  readonly #users = new Map<string, Promise<User | AppError>>()
  readonly #deps: LookupDeps
  /** Those who were meant by ids that nobody has. */
  readonly #meant = new Map<string, Promise<string | undefined>>()
  #comparing: Promise<unknown> = Promise.resolve()
  #schedules: Promise<Schedules | AppError> | undefined
  #inactive: Promise<readonly string[] | AppError> | undefined

  constructor(connection: Connection, deps: LookupDeps) {
    this.connection = connection
    this.askedAt = deps.clock.now()
    this.#deps = deps
  }

  /** The users as the Read API knows them; `invalid` naming those that it does not know. */
  async findUsers(ids: readonly string[]): Promise<KnownUsers> {
    const asked = askedOf.get(this.connection) ?? new AskedAtOnce(askedAtOnceMax)
    askedOf.set(this.connection, asked)
    const unasked = ids.filter((id) => !this.#users.has(id))
    const answers = await asked.during(unasked.length, () =>
      Promise.all(ids.map((id) => this.#findUser(id))),
    )
    await this.#refuseUnknown(ids, answers)
    const failure = answers.find((answer) => answer instanceof AppError)
    return {
      users: answers.filter((answer): answer is User => !(answer instanceof AppError)),
      warnings: failure ? [unchecked(failure)] : [],
    }
  }

  /** `invalid` naming those of the ids that may be somebody else's by now, but for those that the feed has already. */
  async refuseHeld(
    ids: readonly string[],
    { users }: KnownUsers,
    before: readonly string[] = [],
  ): Promise<void> {
    const { identities } = this.#deps
    const { id: companyId } = this.connection.company
    for (const user of users) await identities.noteRecord(companyId, user)
    const held = await identities.listHeld(companyId)
    const faults = ids.flatMap((id, index) =>
      held.has(id) && !before.includes(id)
        ? [{ pointer: `/userIds/${index}`, detail: heldText(id) }]
        : [],
    )
    if (faults.length > 0) throw new AppError('invalid', 'The feed is not valid.', { faults })
  }

  /** The company's schedules; why they cannot be said, where the API fails. */
  findSchedules(): Promise<Schedules | AppError> {
    this.#schedules ??= listSchedules(this.connection).catch(asFailure)
    return this.#schedules
  }

  /** The ids of those that are listed only where inactive ones are asked for; why they cannot be said, where the API fails. */
  findInactiveSchedules(): Promise<readonly string[] | AppError> {
    this.#inactive ??= listInactive(this.connection).catch(asFailure)
    return this.#inactive
  }

  /** Those of a feed that names none; why they cannot be said, where they have to be read and the API fails. */
  async defaultSchedules(): Promise<readonly string[] | AppError> {
    const { company } = this.connection
    if (company.schedules.length > 0) return company.schedules
    const answer = await this.findSchedules()
    return answer instanceof AppError ? answer : defaultSchedules(company, answer.records)
  }

  async #refuseUnknown(
    ids: readonly string[],
    answers: readonly (User | AppError)[],
  ): Promise<void> {
    const faults: InputFault[] = []
    for (const [index, id] of ids.entries()) {
      const answer = answers[index]
      if (!(answer instanceof AppError) || !isUnknown(answer)) continue
      faults.push({ pointer: `/userIds/${index}`, detail: await this.#sayUnknown(id, answer) })
    }
    if (faults.length > 0) throw new AppError('invalid', 'The feed is not valid.', { faults })
  }

  async #sayUnknown(id: string, { code, message }: AppError): Promise<string> {
    if (code === 'upstream_misnamed') return message
    return `There is no user "${id}"${didYouMean(await this.#findMeant(id))}`
  }

  /** One after the other, so that others have their turn between them. */
  #findMeant(id: string): Promise<string | undefined> | undefined {
    const known = this.#meant.get(id)
    if (known || this.#meant.size === hintsMax) return known
    const { company } = this.connection
    const meant = this.#comparing
      .then(() => turn())
      .then(() => nearestPerson(this.#deps, id, [company.id]))
    this.#comparing = meant
    this.#meant.set(id, meant)
    return meant
  }

  #findUser(id: string): Promise<User | AppError> {
    const answer =
      this.#users.get(id) ??
      this.connection.api.get('user', id, { bypassCache: true }).catch(asFailure)
    this.#users.set(id, answer)
    return answer
  }
}

/** Whether the Read API has answered that nobody is called so. */
function isUnknown({ code }: AppError): boolean {
  return code === 'upstream_not_found' || code === 'upstream_misnamed'
}

function heldText(userId: string): string {
  return `The Read API answers for "${userId}" with another name and another mail address than before: once that has been read twice, a minute apart, \`bridge person confirm --user ${userId}\` with --same or --other says whether it is the same person.`
}

function unchecked({ message }: AppError): string {
  return `The users could not be checked, the feed was made or changed all the same: ${message}`
}

async function listSchedules({ api }: Connection): Promise<Schedules> {
  return fittingRecords(await api.list('schedules', {}))
}

/** None where the Read API does not take that question: it lists all, or tells of no others. */
async function listInactive({ api }: Connection): Promise<readonly string[]> {
  try {
    return (await api.list('schedules', { active: false })).ids
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'upstream_rejected' || code === 'upstream_not_found') return []
    throw error
  }
}
