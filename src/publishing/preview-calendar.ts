import { feedRequests } from '../copies/feed-collections.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import { type FeedCondition, feedConditions } from './feed-condition.ts'
import { type FirstDays, glanceAt } from './first-days.ts'
import { writeOnce, type WrittenOnceDeps } from './written-once.ts'

/** A calendar as its feed shows it, without a link and without a trace in any ledger. */
export interface PreviewedCalendar {
  /** null while nothing may be served. */
  readonly text: string | null
  readonly conditions: readonly FeedCondition[]
  readonly firstDays?: FirstDays | undefined
}

/** The calendar of a kept feed, of what is known now. */
export async function previewCalendar(
  deps: WrittenOnceDeps,
  feed: Feed,
): Promise<PreviewedCalendar> {
  const source = deps.sources.get(feed.companyId)
  if (!source) throw new AppError('unavailable', 'The company of this calendar is not set up.')
  // No link has it, whose end would be said.
  const open = { link: { endsAt: null, awaitsPoll: false }, feed, source }
  try {
    const requests = feedRequests(feed, source.connection.company)
    const { text, expansion, ...made } = await writeOnce(deps, source, feed, requests)
    const { setAside, firstDays } = glanceAt(expansion, made.at, feed.timezone)
    return { text, conditions: feedConditions(open, { ...made, source }, setAside), firstDays }
  } catch (error) {
    if (!asAppError(error)) throw error
    return { text: null, conditions: feedConditions(open, null, []) }
  }
}
