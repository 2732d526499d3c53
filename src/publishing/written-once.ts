import { expandCalendar, type Expansion } from '../calendar/expand.ts'
import { calendarWindow } from '../calendar/local-time.ts'
import { renderCalendar } from '../calendar/render.ts'
import { loadRecords } from '../copies/feed-collections.ts'
import type { CollectionRequest } from '../copies/kinds/kind.ts'
import type { CurrentCollections, Source } from '../copies/source.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { inSteps } from '../json/rest.ts'
import { withKnownSchedules } from './known-schedules.ts'
import { serviceability, type Serviceability } from './serviceability.ts'

/** What a calendar without a link is made with. */
export interface WrittenOnceDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly copies: Pick<CopyStore, 'findCopy' | 'findRecords'>
  readonly clock: Clock
  readonly staleMs: number
}

/** A calendar without a link, and what it was made of. */
export interface WrittenOnce extends Pick<CurrentCollections, 'states'> {
  readonly text: string
  readonly feed: Feed
  readonly expansion: Expansion
  readonly serviceability: Serviceability
  readonly at: Instant
}

/**
 * The calendar of what is known now, with no ledger: every event is of SEQUENCE 0 and changed at the window's start, so that
 * two runs on the same records give the same bytes. `unavailable` where the feed would be.
 */
export async function writeOnce(
  { copies, clock, staleMs }: Omit<WrittenOnceDeps, 'sources'>,
  source: Source,
  given: Feed,
  requests: readonly CollectionRequest[],
): Promise<WrittenOnce> {
  const { states: current, proof } = await source.current(requests)
  const reading = { feed: given, states: current }
  const { feed, states } = await withKnownSchedules({ copies }, source, reading)
  const at = clock.now()
  const served = serviceability({ feed, states, proof, now: at, staleMs })
  const { id, company } = source.connection
  const records = await loadRecords({ copies, userIds: feed.userIds }, id, served.heads)
  if (!records) {
    throw new AppError('unavailable', 'The records changed while they were read; ask again.')
  }
  const window = calendarWindow(at, feed.timezone, feed.options.window)
  const expansion = await inSteps(expandCalendar({ feed, company, window, records }))
  const revise = () => ({ sequence: 0, changedAt: Date.parse(`${window.start}T00:00:00Z`) })
  const { name, locale } = feed
  const calendar = { name, description: null, locale, agenda: expansion.agenda, revise }
  const { bytes } = await inSteps(renderCalendar(calendar))
  return { text: bytes.toString(), feed, states, expansion, serviceability: served, at }
}
