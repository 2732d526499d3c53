import type { Connection } from '../domain/connection.ts'
import { collectionKey, type CopyStore, makeCopy } from '../domain/copy.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { User } from '../domain/user.ts'
import type { Instant, Log } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import { personState, users as kind } from './kinds/users.ts'

const keptAtOnce = 50

interface AnsweredPeopleDeps {
  readonly connection: Connection
  readonly copies: Pick<CopyStore, 'findHeads' | 'keepCopy'>
  readonly departures: DepartureWatch
  readonly log: Log
}

/** What the Read API has answered for people, and when it was asked or earlier. */
export interface AnsweredPeople {
  readonly users: readonly User[]
  readonly askedAt: Instant
}

/**
 * Keeps what a refresh would of people who are in feeds now and of whom nothing is kept, so that the first poll asks for them
 * no more. Whoever is not active is left to it. Never fails: what is not kept is asked for.
 */
export async function keepPeople(
  deps: AnsweredPeopleDeps,
  { users, askedAt }: AnsweredPeople,
): Promise<void> {
  const { connection, log } = deps
  const active = users.filter((user) => personState(user) === 'active')
  const people = [...new Map(active.map((user) => [user.id, user])).values()]
  const rests = createRests()
  try {
    for (let first = 0; first < people.length; first += keptAtOnce) {
      if (rests.isDue()) await rests.take()
      await keepNew(deps, people.slice(first, first + keptAtOnce), askedAt)
    }
  } catch (error) {
    log.error({ company: connection.company.id, error }, 'people_not_kept')
  }
}

async function keepNew(
  deps: AnsweredPeopleDeps,
  people: readonly User[],
  askedAt: Instant,
): Promise<void> {
  const { connection, copies } = deps
  const heads = await copies.findHeads(connection.id, people.map(keyOf))
  const kept = new Set(heads.map(({ key }) => key))
  const unknown = people.filter((user) => !kept.has(keyOf(user)))
  await Promise.all(unknown.map((user) => keepPerson(deps, user, askedAt)))
}

async function keepPerson(
  { connection: { id, company }, copies, departures }: AnsweredPeopleDeps,
  user: User,
  askedAt: Instant,
): Promise<void> {
  if (!(await departures.note(company.id, user.id, 'active', user))) return
  const times = { begunAt: askedAt, fetchedAt: askedAt, reach: null }
  const copy = makeCopy({ kind: 'user', subject: user.id }, [kind.keep(user)], times)
  await copies.keepCopy(id, copy, { companyId: company.id, userId: user.id })
}

function keyOf({ id }: User): string {
  return collectionKey({ kind: 'user', subject: id })
}
