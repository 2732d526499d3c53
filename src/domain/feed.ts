import type { Instant, PlainDate } from './instant.ts'

/** A calendar for one person (`own`) or about several (`others`). */
export interface Feed {
  readonly id: string
  readonly companyId: string
  readonly userIds: readonly string[]
  readonly audience: Audience
  readonly name: string
  /** IANA zone: the edges of the window and the times written in texts. */
  readonly timezone: string
  readonly locale: Locale
  readonly options: FeedOptions
  /** What the holder of the link has hidden or lowered on the page; null where nothing. */
  readonly selfServiceChoices: SelfServiceChoices | null
  /** Rises with every change of the above. */
  readonly revision: number
  /** Whether leaves have ever shaped this feed: then it is never again served without them. */
  readonly leavesShown: boolean
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Whether a revoked feed says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  readonly closedAt: Instant | null
  readonly closedBecause: string | null
}

export type Audience = 'own' | 'others'
export type Locale = 'en' | 'de'
export type LeaveDetail = 'absent' | 'type' | 'full'

export interface FeedOptions {
  readonly window: WindowOption
  readonly leaves: {
    readonly show: boolean
    readonly statuses: readonly ('APPROVED' | 'PENDING')[]
    readonly detail: LeaveDetail
  }
  readonly shifts: {
    readonly show: boolean
    readonly scheduleIds: readonly string[]
    readonly rotation: Rotation | null
    readonly duringLeave: 'hide' | 'show'
  }
  readonly timesheets: {
    readonly show: boolean
    readonly statuses: readonly ('DRAFT' | 'SUBMITTED' | 'APPROVED' | 'REJECTED')[]
    readonly as: 'period' | 'deadline' | 'both'
  }
  readonly tasks: {
    readonly show: boolean
    /** null: the company's projects. */
    readonly projectIds: readonly string[] | null
    readonly hideStatuses: readonly string[]
  }
  readonly invoices: {
    readonly show: boolean
    readonly invoiceIds: readonly string[]
    readonly hideStatuses: readonly string[]
  }
  readonly reminderMinutes: number | null
  readonly selfService: boolean
}

export interface WindowOption {
  readonly pastDays: number
  readonly futureDays: number
}

/** Schedule ids week by week, repeating from the Monday `from`. */
export interface Rotation {
  readonly weeks: readonly (readonly string[])[]
  readonly from: PlainDate
}

export type FeedKind = 'leaves' | 'shifts' | 'timesheets' | 'tasks' | 'invoices'

export interface SelfServiceChoices {
  readonly hide: readonly FeedKind[]
  readonly detail: LeaveDetail | null
}

/** One secret address of a feed. Only the SHA-256 of its token is known. */
export interface FeedLink {
  readonly feedId: string
  readonly label: string
  readonly tokenHash: Uint8Array
  readonly createdAt: Instant
  /** When the link ends, or ended; null while it has no end. */
  readonly endsAt: Instant | null
  /** When it was told to end; null while it has no end. */
  readonly endingSince: Instant | null
  /** Whether the link, once ended, says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  readonly publication: Publication | null
}

/** What a link served last: enough to answer "has anything changed?" without rendering. */
export interface Publication {
  readonly fingerprint: string
  /** The entity tag with its quotes and weakness mark (RFC 9110 section 8.8.3). */
  readonly etag: string
  readonly lastModified: Instant
}
