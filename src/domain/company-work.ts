import type { DepartureReason, HeldBack } from './departure.ts'
import type { GroupsOf } from './people-list.ts'
import type { PersonReference } from './user.ts'
import type { Instant } from './world.ts'

export interface HeldBackPerson extends PersonReference {
  readonly because: DepartureReason
  readonly since: Instant
}

/** What waits for somebody's decision in a company, and how much there is of everything. */
export interface CompanyWorkStore {
  sumHeldBack(companyId: string): Promise<HeldBack>
  /** The first of them by id. */
  listHeldBack(companyId: string, limit: number): Promise<readonly HeldBackPerson[]>
  /** Open calendars, and those that a program has asked for since then. */
  countCalendars(
    companyId: string,
    since: Instant,
  ): Promise<{ readonly open: number; readonly asked: number }>
  /** How many people these troubles concern. */
  countTroubles(
    of: GroupsOf,
  ): Promise<Readonly<Record<'disputed' | 'mailRefused' | 'misnamed', number>>>
}
