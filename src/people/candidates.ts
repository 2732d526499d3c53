import type { Connection } from '../domain/connection.ts'
import type { Person, SightingProblem } from '../domain/person.ts'
import { displayName } from '../domain/user.ts'
import type { PeopleDirectory } from './people-directory.ts'

/** Someone for whom a feed could be made. */
export interface Candidate {
  readonly userId: string
  readonly displayName: string
  /** Empty where the Read API does not say. */
  readonly email: string
}

/** By name, and why there may be more. */
export interface Candidates {
  readonly people: readonly Candidate[]
  readonly problems: readonly SightingProblem[]
}

/** The people whom a look now finds, without those who have left. Never fails for what the Read API does. */
export async function listCandidates(
  directory: Pick<PeopleDirectory, 'listAnew' | 'latestLook'>,
  connection: Connection,
  onRead: (count: number, total: number) => void,
  ending?: AbortSignal,
): Promise<Candidates> {
  const known = await directory.listAnew(connection, onRead, ending)
  const { problems } = await directory.latestLook(connection.company.id)
  const staying = known.filter(({ state }) => state === 'active' || state === 'unread')
  const people = staying
    .map(candidateOf)
    .toSorted((a, b) => compare(a.displayName, b.displayName) || compare(a.userId, b.userId))
  return { people, problems }
}

function candidateOf(person: Person): Candidate {
  return { userId: person.userId, displayName: displayName(person), email: person.email ?? '' }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
