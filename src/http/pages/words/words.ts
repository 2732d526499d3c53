import type { ClientVerdict } from '../../../activity/client-verdict.ts'
import type { ClientFamily } from '../../../domain/activity.ts'
import type { FeedKind } from '../../../domain/kinds.ts'
import type { LeaveDetail } from '../../../domain/leave.ts'
import type { FeedCondition } from '../../../publishing/feed-condition.ts'
import type { Way } from '../likely-way.ts'
import type { PageTimes } from '../page-times.ts'

/** Everything that the pages say in one language; plain text, escaped where it is written. */
export interface PageWords {
  /** Of the browser's tab: chat programs show it beside a shared link, so it names nobody. */
  readonly title: string
  readonly skip: string
  readonly kicker: string
  readonly kinds: Readonly<Record<FeedKind, string>>
  /** What the calendar holds, from the names of its kinds. */
  holds(kinds: readonly string[], audience: 'own' | 'others'): string
  readonly subscribe: string
  readonly otherWays: string
  readonly ways: Readonly<Record<Way | 'device', WayWords>>
  readonly address: string
  readonly copied: string
  readonly copyFailed: string
  readonly newTab: string
  readonly steps: string
  /** Said where Google's and Microsoft's servers cannot reach this one. */
  readonly unreachable: string
  readonly qrCode: string
  readonly preview: PreviewWords
  readonly selfService: SelfServiceWords
  readonly activity: ActivityWords
  readonly conditions: string
  condition(condition: FeedCondition, times: PageTimes): ConditionWords
  readonly secret: string
  readonly errors: Readonly<Record<PageError, ErrorWords>>
}

export interface WayWords {
  readonly name: string
  readonly action: string
  readonly hint: string
  readonly steps: readonly string[]
  readonly note: string | null
}

export interface PreviewWords {
  readonly heading: string
  readonly hint: string
  readonly loading: string
  readonly failed: string
  readonly withoutScript: string
  readonly list: string
  readonly month: string
  readonly today: string
  readonly earlier: string
  readonly later: string
  readonly empty: string
  readonly close: string
  readonly allDay: string
}

export interface SelfServiceWords {
  readonly heading: string
  readonly hint: string
  readonly fixed: string
  readonly detail: string
  readonly details: Readonly<Record<LeaveDetail, string>>
  readonly save: string
  readonly saved: string
}

export interface ActivityWords {
  readonly heading: string
  readonly none: string
  readonly google: string
  readonly clients: Readonly<Record<ClientFamily, string>>
  readonly verdict: (verdict: ClientVerdict, times: PageTimes) => string
}

export interface ConditionWords {
  readonly heading: string
  readonly text: string
}

export interface ErrorWords {
  readonly heading: string
  readonly text: string
  readonly hint: string
}

/** What keeps a page from being shown. */
export type PageError =
  | 'unknown_link'
  | 'ended_link'
  | 'unknown_page'
  | 'unavailable'
  | 'foreign_request'
  | 'not_allowed'
  | 'invalid'
  | 'wrong_method'
  | 'too_many_requests'
  | 'failure'
