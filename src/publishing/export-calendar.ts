import { expandCalendar } from '../calendar/expand.ts'
import { renderCalendar } from '../calendar/render.ts'
import { calendarWindow } from '../calendar/window.ts'
import { loadCalendarRecords } from '../copies/calendar-records.ts'
import { feedCollections } from '../copies/feed-requests.ts'
import type { LeaveProver } from '../copies/proof/leave-prover.ts'
import type { Snapshots } from '../copies/source.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { Clock } from '../domain/world.ts'
import { serviceability, type Serviceability } from './serviceability.ts'

interface ExportDeps {
  readonly snapshots: Snapshots
  readonly copies: CopyStore
  readonly prover: LeaveProver
  readonly clock: Clock
  readonly staleMs: number
}

/** A calendar made once, and why leaves are missing from it, if they are. */
export interface ExportedCalendar {
  readonly text: string
  readonly leavesMissing: Serviceability['leavesMissing']
}

/**
 * The calendar of a feed that is not kept: no ledger, so every event is of SEQUENCE 0 and changed at the window's
 * start. Two runs on the same records give the same bytes. `unavailable` where the feed would be.
 */
export async function exportCalendar(
  { snapshots, copies, prover, clock, staleMs }: ExportDeps,
  connection: Connection,
  feed: Feed,
): Promise<ExportedCalendar> {
  const requests = feedCollections(feed, connection.company)
  const ofDraft = requests.map((request) => ({ ...request, ofDraft: true }))
  const states = await snapshots.current(connection, ofDraft)
  const proof = await prover.findProof(connection)
  const now = clock.now()
  const { heads, leavesMissing } = serviceability({ feed, states, proof, now, staleMs })
  const records = await loadCalendarRecords(copies, connection.id, heads)
  if (!records)
    throw new AppError('unavailable', 'The records changed while they were read; ask again.')
  const window = calendarWindow(now, feed.timezone, feed.options.window)
  const { events } = expandCalendar({ feed, company: connection.company, window, records })
  const changedAt = Date.parse(`${window.start}T00:00:00Z`)
  const text = renderCalendar({
    name: feed.name,
    description: null,
    locale: feed.locale,
    turn: window.turn,
    events: events.map((event) => ({ ...event, sequence: 0, changedAt })),
  })
  return { text, leavesMissing }
}
