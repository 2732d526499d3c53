import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { DepartureStore } from '../domain/departure.ts'
import type { ErasureStore } from '../domain/erasure.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LeaveProofStore } from '../domain/leave.ts'
import type { LookRoundStore, NewcomerStore, PeopleFinder, PeopleStore } from '../domain/person.ts'
import type { TeamStore } from '../domain/team.ts'
import type { Clock, Log } from '../domain/world.ts'

/** The companies, and everything stored about their people. */
export interface PeopleDeps {
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly people: PeopleStore
  readonly teams: TeamStore
  readonly peopleFinder: PeopleFinder
  readonly lookRounds: LookRoundStore
  readonly newcomers: NewcomerStore
  readonly departures: DepartureStore
  readonly feeds: FeedStore
  readonly copies: CopyStore
  readonly proofs: LeaveProofStore
  readonly erasure: ErasureStore
  readonly audit: AuditStore
  /** How old the directory may get. */
  readonly directoryFreshMs: number
  /** How long calendars continue while an id is another person's. */
  readonly staleMs: number
  readonly clock: Clock
  readonly log: Log
}
