import type { CopyStore } from '../domain/copy.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LedgerStore } from '../domain/ledger.ts'
import type { LinkStore } from '../domain/link.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import type { MadeCalendar } from './publication.ts'
import type { ReadyAnswers } from './ready-answers.ts'
import type { CalendarState } from './serviceability.ts'

/** What calendars are published with. */
export interface PublisherDeps {
  readonly feeds: Pick<FeedStore, 'changeFeed' | 'markLeavesShown' | 'markShown'>
  readonly links: Pick<LinkStore, 'findByTokenHash' | 'savePublication'>
  readonly copies: Pick<CopyStore, 'findCopy' | 'findRecords'>
  readonly ledgers: LedgerStore
  readonly departures: Pick<Departures, 'present'>
  readonly ready: ReadyAnswers
  readonly clock: Clock
  readonly log: Log
  readonly freshMs: number
  readonly staleMs: number
  /** Of the program and its time-zone data: either may change bytes. */
  readonly versions: string
}

/** A calendar, and the state of which it was made, with what the link serves now. */
export interface Made extends MadeCalendar {
  readonly state: CalendarState
}
