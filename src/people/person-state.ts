import { personState } from '../copies/kinds/users.ts'
import type { Connection } from '../domain/connection.ts'
import type { PersonState } from '../domain/departure.ts'
import { asAppError } from '../domain/errors.ts'

/** What the Read API says of a person now; undefined where it says nothing of them. */
export async function askForPerson(
  { api }: Connection,
  userId: string,
  signal?: AbortSignal,
): Promise<PersonState | undefined> {
  try {
    return personState(await api.get('user', userId, signal))
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === undefined) throw error
    return code === 'upstream_not_found' ? 'user_missing' : undefined
  }
}

/** Whether it answers at all: one that answers nothing says of nobody that they have left. */
export async function answersOtherwise({ api }: Connection): Promise<boolean> {
  try {
    await api.list('schedules', {})
    return true
  } catch (error) {
    if (!asAppError(error)) throw error
    return false
  }
}
