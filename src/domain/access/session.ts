import type { PersonInCompany } from '../person.ts'
import type { Instant } from '../world.ts'
import type { Staff } from './staff.ts'

/** Who has signed in: a person of the directory, one of the staff, or somebody who is both. */
export interface SignedIn {
  readonly person: PersonInCompany | null
  readonly staff: Pick<Staff, 'actor' | 'role'> | null
}

/** One browser that is signed in; only the hash of its cookie is known. */
export interface Session extends SignedIn {
  readonly cookieHash: Uint8Array
  readonly createdAt: Instant
  readonly endsAt: Instant
}

/** The sign-ins, for all nodes. */
export interface SessionStore {
  createSession(session: Session): Promise<void>
  /** Ended ones as well, until they are dropped. */
  findSession(cookieHash: Uint8Array): Promise<Session | undefined>
  /** Nothing where there is none. */
  deleteSession(cookieHash: Uint8Array): Promise<void>
  dropEnded(now: Instant): Promise<void>
}
