import { identityOf, knownAfter } from '../domain/identity.ts'
import type { PeopleStore, Person, PersonReading } from '../domain/person.ts'
import type { Clock, Instant, Maybe } from '../domain/world.ts'

const hourMs = 3_600_000

export interface KeptReadingsDeps {
  readonly people: Pick<PeopleStore, 'keepReading'>
  readonly clock: Clock
  /** How old the directory may get. */
  readonly directoryFreshMs: number
}

/** Keeps in the directory what was read of a person, unless just that was kept within the hour. */
export async function keepReading(
  { people, clock, directoryFreshMs }: KeptReadingsDeps,
  companyId: string,
  reading: Omit<PersonReading, 'readAt' | 'known'>,
  before: Person | undefined,
): Promise<void> {
  const readAt = clock.now()
  if (before && isWithinHour(before.readAt, readAt) && saysTheSame(reading, before)) return
  const { user } = reading
  const wasRead = user && before && before.readAt !== null
  const known = wasRead ? knownAfter(before.known, identityOf(user), identityOf(before)) : undefined
  await people.keepReading(companyId, { ...reading, known, readAt }, readAt + directoryFreshMs)
}

/** Whether that was less than an hour ago; what lies in the future was not. */
export function isWithinHour(instant: Instant | null, now: Instant): boolean {
  return instant !== null && instant <= now && now - instant < hourMs
}

function saysTheSame({ state, user }: Omit<PersonReading, 'readAt'>, known: Person): boolean {
  if (state !== known.state || !user) return state === known.state
  const managerId = user.assignedManager?.id ?? user.assignedManagerId
  return (
    isSame(user.firstName, known.firstName) &&
    isSame(user.lastName, known.lastName) &&
    isSame(user.email, known.email) &&
    isSame(managerId, known.managerId)
  )
}

function isSame(read: Maybe<string>, known: string | null): boolean {
  return (read ?? '') === (known ?? '')
}
