import type { Connection } from '../domain/connection.ts'
import { asAppError } from '../domain/errors.ts'
import type { PeopleStore, SightingProblem } from '../domain/person.ts'
import type { PersonReference } from '../domain/user.ts'
import type { Instant } from '../domain/world.ts'
import { findTimesheetUsers } from './timesheet-users.ts'

/** Who was not seen for so long is known no longer. */
const seenMs = 100 * 86_400_000

/** Whom one of the places names where people are looked for, and why not all of them. */
interface Sightings {
  readonly people: readonly PersonReference[]
  readonly problems: readonly SightingProblem[]
}

/**
 * Looks for the company's people, since the Read API lists no users: in timesheets, tasks and feeds, and among managers. Gives
 * what could not be seen; fails only as the store does, or with the signal's reason.
 */
export async function lookRound(
  connection: Connection,
  people: PeopleStore,
  { now, signal }: { readonly now: Instant; readonly signal: AbortSignal },
): Promise<readonly SightingProblem[]> {
  const { company } = connection
  const found = [await inTimesheets(connection, now, signal)]
  for (const project of company.projects) found.push(await inTasks(connection, project, signal))
  const seen = found.flatMap((sightings) => sightings.people)
  await people.seePeople(company.id, seen, now)
  await people.seeMembers(company.id, now)
  await people.seeManagers(company.id, now)
  await people.dropUnseen(company.id, now - seenMs)
  return found.flatMap(({ problems }) => problems)
}

async function inTimesheets(
  connection: Connection,
  now: Instant,
  signal: AbortSignal,
): Promise<Sightings> {
  const { userIds, fault } = await findTimesheetUsers(
    connection,
    { since: now - seenMs, now },
    signal,
  )
  return {
    people: [...userIds].map((id) => ({ id })),
    problems: fault ? [{ source: 'timesheets', reason: fault.message }] : [],
  }
}

async function inTasks(
  { api }: Connection,
  project: string,
  signal: AbortSignal,
): Promise<Sightings> {
  try {
    const { records } = await api.list('tasks', { project }, { signal })
    const people = records.flatMap(({ assignees }) => assignees ?? [])
    // Nobody twice: whoever stays with one list of many keeps all of it in memory.
    return { people: [...new Map(people.map((it) => [it.id, it])).values()], problems: [] }
  } catch (error) {
    const fault = asAppError(error)
    if (!fault) throw error
    return { people: [], problems: [{ source: `tasks of ${project}`, reason: fault.message }] }
  }
}
