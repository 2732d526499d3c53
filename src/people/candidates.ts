import type { Connection } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import type { PersonReference, User } from '../domain/user.ts'

const usersAtOnce = 64

/** Someone for whom a feed could be made. */
export interface Candidate {
  readonly userId: string
  readonly name: string
  /** Empty where the Read API does not say. */
  readonly email: string
}

/**
 * The people that the bridge can see, by name: those of timesheets and of the projects' tasks, since the Read API lists
 * no users. Without those who have left. Fails as the Read API does.
 */
export async function listCandidates(
  { company, api }: Connection,
  onFound: (count: number, total: number) => void = () => undefined,
): Promise<readonly Candidate[]> {
  const timesheets = await api.list('timesheets', {})
  const tasks = await Promise.all(company.projects.map((id) => api.list('tasks', { project: id })))
  const assignees = tasks.flatMap(({ records }) => records.flatMap((task) => task.assignees ?? []))
  const seen = new Map<string, PersonReference>([
    ...timesheets.records.map(({ userId }) => [userId, { id: userId }] as const),
    ...assignees.map((person) => [person.id, person] as const),
  ])
  const people = [...seen.values()]
  const candidates: Candidate[] = []
  for (let start = 0; start < people.length; start += usersAtOnce) {
    const part = people.slice(start, start + usersAtOnce)
    const users = await Promise.all(part.map((person) => findUser(api, person)))
    candidates.push(...users.flatMap((user) => (user ? [candidateOf(user)] : [])))
    onFound(start + part.length, people.length)
  }
  return candidates.toSorted((a, b) => compare(a.name, b.name) || compare(a.userId, b.userId))
}

/** Undefined for one who is unknown or has left; as named in tasks where the Read API fails for one user alone. */
async function findUser(
  api: Connection['api'],
  person: PersonReference,
): Promise<User | undefined> {
  try {
    const user = await api.get('user', person.id)
    return user.isActive === false ? undefined : user
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'upstream_not_found') return undefined
    if (code === 'upstream_invalid' || code === 'upstream_rejected') return person
    throw error
  }
}

function candidateOf({ id, firstName, lastName, email }: User): Candidate {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return { userId: id, name, email: email ?? '' }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
