import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import type { RecordsBySubject } from '../domain/kinds.ts'
import type { CalendarWindow } from './local-time.ts'

/** Everything that a calendar is made of. */
export interface CalendarSource {
  readonly feed: Pick<
    Feed,
    'companyId' | 'userIds' | 'audience' | 'name' | 'timezone' | 'locale' | 'options'
  >
  readonly company: Company
  readonly window: CalendarWindow
  /** A subject without an entry has none to show. */
  readonly records: RecordsBySubject
}
