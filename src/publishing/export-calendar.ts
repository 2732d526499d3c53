import { expandCalendar } from '../calendar/expand.ts'
import { calendarWindow } from '../calendar/local-time.ts'
import { renderCalendar } from '../calendar/render.ts'
import { feedRequests, loadRecords } from '../copies/feed-collections.ts'
import type { Source } from '../copies/source.ts'
import type { CopyStore } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { Clock } from '../domain/world.ts'
import { inSteps } from '../json/rest.ts'
import { withKnownSchedules } from './known-schedules.ts'
import { serviceability, type Serviceability } from './serviceability.ts'

export interface ExportDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly copies: Pick<CopyStore, 'findCopy' | 'findRecords'>
  readonly clock: Clock
  readonly staleMs: number
}

/** Hands `work` what an export needs; nothing of what it reads is kept. */
export type Exporting = <T>(work: (deps: ExportDeps) => Promise<T>) => Promise<T>

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
  { sources, copies, clock, staleMs }: ExportDeps,
  draft: Feed,
): Promise<ExportedCalendar> {
  const source = sources.get(draft.companyId)
  if (!source) throw new Error('A feed that was drafted has a company.')
  const { id, company } = source.connection
  const requests = feedRequests(draft, company).map((request) => ({ ...request, ofDraft: true }))
  const { states: current, proof } = await source.current(requests)
  const reading = { feed: draft, states: current }
  const { feed, states } = await withKnownSchedules({ copies }, source, reading)
  const now = clock.now()
  const { heads, leavesMissing } = serviceability({ feed, states, proof, now, staleMs })
  const records = await loadRecords({ copies, userIds: feed.userIds }, id, heads)
  if (!records) {
    throw new AppError('unavailable', 'The records changed while they were read; ask again.')
  }
  const window = calendarWindow(now, feed.timezone, feed.options.window)
  const { agenda } = await inSteps(expandCalendar({ feed, company, window, records }))
  const { name, locale } = feed
  const revise = () => ({ sequence: 0, changedAt: Date.parse(`${window.start}T00:00:00Z`) })
  const calendar = { name, description: null, locale, agenda, revise }
  const { bytes } = await inSteps(renderCalendar(calendar))
  return { text: bytes.toString(), leavesMissing }
}
