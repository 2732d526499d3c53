import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { type Newcomer, type NewcomerStore, readAgainAfterMs } from '../domain/newcomer.ts'
import type { Clock, Instant } from '../domain/world.ts'
import type { Identities } from './identities.ts'
import { noteAnswer, readPerson } from './person-state.ts'

const hourMs = 3_600_000

interface NewcomerReadingsDeps {
  readonly newcomers: Pick<NewcomerStore, 'listNewcomers' | 'noteRead'>
  readonly identities: Pick<Identities, 'endWhenDue'>
  readonly departures: DepartureWatch
  readonly clock: Clock
}

/** Asks again, each on one node alone, for those whose ids may be somebody else's: the known person may be back, and nobody may poll. */
export async function readNewcomers(
  { newcomers, identities, departures, clock }: NewcomerReadingsDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  const { id } = connection.company
  for (const newcomer of await newcomers.listNewcomers(id)) {
    if (signal.aborted) return
    if (await identities.endWhenDue(newcomer)) continue
    const now = clock.now()
    if (!isDue(newcomer, now) || !(await newcomers.noteRead(newcomer, newcomer.readAt, now)))
      continue
    const answer = await readPerson(connection, newcomer.userId, { signal, anew: true })
    await noteAnswer(departures, id, newcomer.userId, answer)
  }
}

function isDue({ readAt, confirmedAt }: Newcomer, now: Instant): boolean {
  return Math.abs(now - readAt) >= (confirmedAt === null ? readAgainAfterMs : hourMs)
}
