import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { noteAnswer, type PersonAnswer, readPerson } from './person-state.ts'

const atOnce = 8

/** What people answered when they were asked whether they are still there. */
export interface RollCall {
  readonly leaving: ReadonlySet<string>
  /** Of whom nothing is known now: that is not the same as having left. */
  readonly unanswered: ReadonlySet<string>
}

/** Asks for each of them once, past caches, and tells what was read; asks no further where the Read API wants to be left alone. */
export async function callRoll(
  departures: DepartureWatch,
  connection: Connection,
  userIds: readonly string[],
  signal: AbortSignal,
): Promise<RollCall> {
  const leaving = new Set<string>()
  const unanswered = new Set(userIds)
  const waiting = userIds.values()
  let isPaused = false
  const askOn = async (): Promise<void> => {
    for (const userId of waiting) {
      if (isPaused || signal.aborted) return
      const answer = await readPerson(connection, userId, { signal, anew: true })
      await noteAnswer(departures, connection.company.id, userId, answer)
      if (isAnswer(answer)) unanswered.delete(userId)
      else if (answer.fault.retryAfterMs !== undefined) isPaused = true
      if (answer.state === 'user_inactive' || answer.state === 'user_missing') leaving.add(userId)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askOn))
  return { leaving, unanswered }
}

/** Whom the credential does not open is not said to have left. */
function isAnswer(answer: PersonAnswer): answer is Exclude<PersonAnswer, { state?: undefined }> {
  return answer.state !== undefined || answer.fault.status === 403
}
