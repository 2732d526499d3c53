import type { ApiTokens, StaffTokens } from '../access/api-tokens.ts'
import type { AuditLog } from '../access/audit-log.ts'
import type { LostLinks } from '../access/mail/mailed-links.ts'
import type { Sessions } from '../access/sessions.ts'
import type { SignIn } from '../access/sign-in/sign-in.ts'
import type { ActivityRecorder } from '../activity/activity-recorder.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import type { LinkOfFeed } from '../domain/link.ts'
import type { PeopleByMail, PersonInCompany } from '../domain/person.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Examiner } from '../examination/examiner.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import type { LinkHolding } from '../feeds/self-service/held-link.ts'
import type { OwnCalendar } from '../feeds/self-service/own-calendar.ts'
import type { ErasureDeps } from '../people/erasure.ts'
import type { LinkDeps } from '../publishing/open-link.ts'
import type { Publisher } from '../publishing/publisher.ts'
import type { ReadyAnswers } from '../publishing/ready-answers.ts'
import type { PreviewedCalendar } from '../publishing/written-once.ts'
import type { RequestLimit } from '../web/request-limit.ts'
import type { AnswerMetrics } from './operator-routes.ts'
import type { PollDeadline } from './poll-deadline.ts'

/**
 * How many requests a minute each link, by its name, and each address that asks for unknown tokens, may make of this node.
 * Links are not limited by address: all of Google's requests come from few.
 */
export interface Limits {
  readonly polls: RequestLimit
  readonly unknownTokens: RequestLimit
}

/** What all routes together are given: the use cases, and what the process knows; each route takes its part. */
export interface HttpDeps {
  /** For those whose deeds they are. */
  readonly administrationBy: (by: Actor) => FeedAdministration
  readonly access: {
    readonly sessions: Sessions
    readonly signIn: SignIn | null
    readonly peopleByMail: PeopleByMail
    readonly audit: AuditStore
    readonly apiTokens: ApiTokens
    readonly auditLog: AuditLog
    /** null where no mail server is set. */
    readonly mailing: { readonly lostLinks: Pick<LostLinks, 'ask' | 'drop'> } | null
  }
  /** By company. */
  readonly connections: ReadonlyMap<string, { readonly company: Pick<Company, 'name'> }>
  readonly erasing: ErasureDeps
  readonly ownCalendarOf: (person: PersonInCompany) => OwnCalendar
  /** Of a feed as it is kept, without a link. */
  readonly preview: (feed: Feed) => Promise<PreviewedCalendar>
  readonly staffTokens: Pick<StaffTokens, 'find'>
  readonly links: LinkDeps
  readonly publisher: Publisher
  readonly ready: ReadyAnswers
  readonly deadline: PollDeadline
  readonly examiner: Pick<Examiner, 'latest'>
  readonly recorder: Pick<ActivityRecorder, 'note'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly holding: LinkHolding
  /** Once a calendar program has asked for a link that awaited that. */
  readonly takeUp: (open: LinkOfFeed) => Promise<void>
  /** Whether the database answers. */
  readonly whyNotReady: () => Promise<string | null>
  readonly limits: Limits
  readonly metrics: AnswerMetrics
  /** Where the admin token lies; undefined where it is set. */
  readonly tokenFile: string | undefined
  readonly publicUrl: string
  /** Of this process. */
  readonly instance: string
  /** The sample employee's page; undefined where there is none. */
  readonly demoPage: () => Promise<string | undefined>
  readonly trustProxy: number
  readonly clock: Clock
  readonly log: Log
}
