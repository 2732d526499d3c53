import { expandCalendar } from '../calendar/expand.ts'
import type { CalendarSource, SetAside } from '../calendar/expansion.ts'
import { calendarWindow } from '../calendar/local-time.ts'
import { feedRequests, loadRecords, type RecordsDeps } from '../copies/feed-collections.ts'
import { kinds } from '../copies/kinds.ts'
import type { Source } from '../copies/source.ts'
import type { Company } from '../domain/company.ts'
import { collectionKey, collectionOf } from '../domain/copy.ts'
import { asAppError } from '../domain/errors.ts'
import { readOptions } from '../domain/feed-options.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import { eventKinds, feedKinds, type RecordsBySubject } from '../domain/kinds.ts'
import { withChoices } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'

/** A record that a calendar does not show as it is: it cannot be shown, or is shown as it was read before (`held`). */
export interface LeftOut extends Pick<SetAside, 'kind' | 'id'> {
  readonly reason: SetAside['reason'] | 'held'
}

interface LeftOutDeps extends RecordsDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
}

const feedsAtOnce = 100
/** Each takes milliseconds; a company may have a hundred thousand. */
const feedsMax = 1000

/** What a new calendar with these schedules, for everyone in these records, would leave out. */
export function leftOutByNew(
  company: Company,
  records: RecordsBySubject,
  { now, scheduleIds }: { readonly now: Instant; readonly scheduleIds: readonly string[] },
): Promise<readonly LeftOut[]> {
  const { id: companyId, timezone } = company
  const options = readOptions('own', { shifts: { scheduleIds, duringLeave: 'show' } })
  const userIds = [...records.leaves.keys()]
  const feed = { id: '', companyId, userIds, name: '', timezone, options } as const
  const window = calendarWindow(now, timezone, options.window)
  return setAsideIn({ feed: { ...feed, audience: 'own', locale: 'en' }, company, window, records })
}

/** What the company's thousand oldest open calendars leave out of the stored copies; asks the Read API nothing. */
export async function* leftOutByFeeds(
  deps: LeftOutDeps,
  source: Source,
  now: Instant,
): AsyncIterable<readonly LeftOut[]> {
  const { id: companyId } = source.connection.company
  let page: readonly Feed[] = []
  let looked = 0
  do {
    const last = page.at(-1)
    const after = last && { createdAt: last.createdAt, id: last.id }
    page = await deps.feeds.listFeeds({ companyId, state: 'open', after, limit: feedsAtOnce })
    for (const feed of page) yield await leftOutBy(deps, source, feed, now)
    looked += page.length
  } while (page.length === feedsAtOnce && looked < feedsMax)
}

/** Collections never read are not missed: such a calendar is not served. */
async function leftOutBy(
  deps: LeftOutDeps,
  source: Source,
  kept: Feed,
  now: Instant,
): Promise<readonly LeftOut[]> {
  const { id, company } = source.connection
  const { left, heads: known } = await source.standing(feedRequests(kept, company))
  const feed = { ...kept, userIds: kept.userIds.filter((userId) => !left.includes(userId)) }
  const keys = feedRequests(feed, company).map(({ collection }) => collectionKey(collection))
  const heads = keys.flatMap((key) => known.get(key) ?? [])
  const records = await loadRecords({ ...deps, userIds: feed.userIds }, id, heads)
  if (!records) return []
  const window = calendarWindow(now, feed.timezone, feed.options.window)
  const setAside = await setAsideIn({ feed, company, window, records })
  const held = heads.flatMap(({ key, held: ids }): readonly LeftOut[] => {
    const { shownAs } = kinds[collectionOf(key).kind]
    if (!shownAs) return []
    const kind = eventKinds[shownAs]
    return Object.keys(ids ?? {}).map((it) => ({ kind, id: it, reason: 'held' }))
  })
  const areSchedulesRead = records.schedules.size > 0
  return [...setAside.filter(({ kind }) => kind !== 'shift' || areSchedulesRead), ...held]
}

/** Per kind, so that a kind that cannot be read does not hide the others. */
async function setAsideIn(source: CalendarSource): Promise<readonly LeftOut[]> {
  const found: LeftOut[] = []
  for (const kind of feedKinds.filter((it) => source.feed.options[it].show)) {
    const feed = withChoices(source.feed, { hide: feedKinds.filter((it) => it !== kind) })
    try {
      const { setAside } = await expandCalendar({ ...source, feed })
      found.push(...setAside)
    } catch (error) {
      if (!asAppError(error)) throw error
      found.push({ kind: eventKinds[kind], id: '', reason: 'unreadable' })
    }
  }
  return found
}
