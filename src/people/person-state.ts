import { personState } from '../copies/kinds.ts'
import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch, PersonState } from '../domain/departure.ts'
import { type AppError, asAppError, Misnamed } from '../domain/errors.ts'
import type { Asking } from '../domain/read-api.ts'
import type { User } from '../domain/user.ts'
import type { Instant } from '../domain/world.ts'

/** So long somebody waits who signs in. */
const rereadMs = 5000

/** What the Read API says of a person, or why it says nothing of them. */
export type PersonAnswer =
  | { readonly state: PersonState; readonly user?: User }
  | { readonly state: 'misnamed'; readonly fault: Misnamed }
  | { readonly state?: undefined; readonly fault: AppError }

/** Asks the Read API for one person. */
export async function readPerson(
  { api }: Connection,
  userId: string,
  asking: Asking = {},
): Promise<PersonAnswer> {
  try {
    const user = await api.get('user', userId, asking)
    return { state: personState(user), user }
  } catch (error) {
    const fault = asAppError(error)
    if (!fault) throw error
    if (fault instanceof Misnamed) return { state: 'misnamed', fault }
    return fault.code === 'upstream_not_found' ? { state: 'user_missing' } : { fault }
  }
}

/** Tells what was read of a person; of one whom the Read API says nothing of there is nothing to tell. */
export async function noteAnswer(
  departures: DepartureWatch,
  companyId: string,
  userId: string,
  answer: PersonAnswer,
): Promise<void> {
  if (answer.state === 'misnamed') await departures.noteMisnamed(companyId, userId, answer.fault)
  else if (answer.state) await departures.note(companyId, userId, answer.state, answer.user)
}

/**
 * Reads a person again and tells what was read, as far as a record of them comes that soon: another may have their id or
 * their address by now.
 */
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
    const isRecord = answer.state !== undefined && answer.state !== 'misnamed' && answer.user
    if (isRecord) await noteAnswer(departures, connection.company.id, userId, answer)
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    clearTimeout(late)
  }
}

/** Whether it has answered anything but users since then, or does now: one that answers nothing says of nobody that they have left. */
export async function answersOtherwise(
  { api, company }: Connection,
  since: Instant,
): Promise<boolean> {
  const last = api.lastAnswerBut('user')
  if (last !== null && last > since) return true
  const [project] = company.projects
  if (await isAnswered(() => api.list('schedules', {}))) return true
  if (project !== undefined && (await isAnswered(() => api.list('tasks', { project })))) return true
  return isAnswered(() => api.list('timesheets', { from: since }))
}

async function isAnswered(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (!asAppError(error)) throw error
    return false
  }
}
