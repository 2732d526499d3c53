import { personState } from '../copies/kinds.ts'
import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch, PersonState } from '../domain/departure.ts'
import { type AppError, asAppError, asFailure, Misnamed } from '../domain/errors.ts'
import type { Asking } from '../domain/read-api.ts'
import type { User } from '../domain/user.ts'
import type { Instant } from '../domain/world.ts'

const rereadMs = 5000

/** What the Read API says of a person, or why it says nothing. */
export type PersonAnswer =
  | { readonly state: PersonState; readonly user?: User }
  | { readonly state: 'misnamed'; readonly fault: Misnamed }
  | { readonly state?: undefined; readonly fault: AppError }

export async function readPerson(
  { api }: Connection,
  userId: string,
  asking: Asking = {},
): Promise<PersonAnswer> {
  try {
    const user = await api.get('user', userId, asking)
    return { state: personState(user), user }
  } catch (error) {
    const fault = asFailure(error)
    if (fault instanceof Misnamed) return { state: 'misnamed', fault }
    return fault.code === 'upstream_not_found' ? { state: 'user_missing' } : { fault }
  }
}

/** Tells what was read of a person, unless the Read API says nothing. */
export async function noteAnswer(
  departures: DepartureWatch,
  companyId: string,
  userId: string,
  answer: PersonAnswer,
): Promise<void> {
  if (answer.state === 'misnamed') await departures.noteMisnamed(companyId, userId, answer.fault)
  else if (answer.state) await departures.note(companyId, userId, answer.state, answer.user)
}

/** Reads a person again and reports it if a record arrives in time: another may have their id or address now. */
export async function rereadPerson(
  departures: DepartureWatch,
  connection: Connection,
  userId: string,
): Promise<void> {
  const ending = new AbortController()
  const late = setTimeout(() => ending.abort(new Error('late')), rereadMs)
  const asking = { bypassCache: true, signal: ending.signal }
  try {
    const answer = await readPerson(connection, userId, asking)
    if ('user' in answer) await noteAnswer(departures, connection.company.id, userId, answer)
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    clearTimeout(late)
  }
}

/** Whether anything but users has been answered since then, or is now: an API that answers nothing says of no one that they left. */
export async function answersOtherwise(
  { api, company }: Connection,
  since: Instant,
): Promise<boolean> {
  const last = api.lastAnswerBut('user')
  if (last !== null && last > since) return true
  const [project] = company.projects
  const requests = [
    () => api.list('schedules', {}),
    ...(project === undefined ? [] : [() => api.list('tasks', { project })]),
    () => api.list('timesheets', { from: since }),
  ]
  for (const ask of requests) {
    try {
      await ask()
      return true
    } catch (error) {
      if (!asAppError(error)) throw error
    }
  }
  return false
}
