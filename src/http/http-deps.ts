import type { ApiTokens } from '../access/api-tokens.ts'
import type { LostLinks } from '../access/mail/lost-links.ts'
import type { Mailing } from '../access/mail/mailing.ts'
import type { Sessions } from '../access/sessions.ts'
import type { SignIn } from '../access/sign-in/sign-in.ts'
import type { ActivityRecorder } from '../activity/activity-recorder.ts'
import type { SourceCondition } from '../copies/source.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Actor, Staff } from '../domain/access/staff.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { Brand } from '../domain/brand.ts'
import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import type { LinkOfFeed } from '../domain/link.ts'
import type { Measures } from '../domain/measures.ts'
import type { PeopleStore, PersonInCompany } from '../domain/person.ts'
import type { TeamStore } from '../domain/team.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Examiner } from '../examination/examiner.ts'
import type { FirstSteps } from '../examination/first-steps.ts'
import type { Trials } from '../examination/trial.ts'
import type { CompanyWork } from '../feeds/company-work.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import type { ExplainingDeps } from '../feeds/feed-explanation.ts'
import type { PeopleListingDeps } from '../feeds/people-listing.ts'
import type { PeopleOverviews } from '../feeds/people-overview.ts'
import type { PersonDataDeps } from '../feeds/person-data.ts'
import type { LinkHolding } from '../feeds/self-service/held-link.ts'
import type { OwnCalendar } from '../feeds/self-service/own-calendar.ts'
import type { Departures } from '../people/departures.ts'
import type { ErasureDeps } from '../people/erasure.ts'
import type { ConfirmingDeps } from '../people/identities.ts'
import type { LinkDeps } from '../publishing/open-link.ts'
import type { PollDeadline } from '../publishing/poll-deadline.ts'
import type { Publisher } from '../publishing/publisher.ts'
import type { ReadyAnswers } from '../publishing/ready-answers.ts'
import type { FeedAbsences, PreviewedCalendar } from '../publishing/written-once.ts'
import type { RequestLimit } from '../web/request-limit.ts'

/**
 * Requests per minute to this node: per link, by its name, for its calendar and for its account, and per client address for
 * unknown tokens. Links have no limit per client address, since all of Google's requests come from a few.
 */
export interface Limits {
  readonly polls: RequestLimit
  readonly accounts: RequestLimit
  readonly unknownTokens: RequestLimit
}

/** The other processes behind the same port. */
export interface Siblings {
  tell(message: object): void
  /** Calls back with what any of them tells. */
  listen(listener: (message: object) => void): void
}

/** Dependencies of all routes: use cases and process state. */
export interface HttpDeps {
  readonly administrationBy: (by: Actor) => FeedAdministration
  readonly access: {
    readonly sessions: Sessions
    readonly signIn: SignIn | null
    readonly audit: AuditStore
    readonly apiTokens: ApiTokens
    /** null without a mail server. */
    readonly mailing:
      | (Pick<
          Mailing,
          'reachesPeople' | 'server' | 'protection' | 'from' | 'sendTest' | 'invitationsBy'
        > & {
          readonly lostLinks: Pick<LostLinks, 'ask' | 'drop'>
        })
      | null
  }
  /** By company. */
  readonly connections: ReadonlyMap<
    string,
    { readonly company: Pick<Company, 'name' | 'timezone'> }
  >
  /** The look of a company's pages and mails; left out: of pages that belong to no company. */
  readonly brandOf: (companyId?: string) => Brand
  readonly erasing: ErasureDeps
  readonly exportingPerson: PersonDataDeps
  readonly peopleListing: PeopleListingDeps
  readonly peopleOverview: PeopleOverviews
  readonly explaining: ExplainingDeps
  readonly ownCalendarOf: (person: PersonInCompany) => OwnCalendar
  readonly people: Pick<PeopleStore, 'findPerson'>
  readonly teams: TeamStore
  /** The calendar of a feed without a link. */
  readonly preview: (feed: Feed) => Promise<PreviewedCalendar>
  /** The calendar of a feed that is not stored. */
  readonly previewDraft: (draft: Feed) => Promise<PreviewedCalendar>
  /** Who is away by the calendar of a feed that is not stored. */
  readonly absencesOf: (draft: Feed) => Promise<FeedAbsences>
  readonly previewJson: (feed: Feed) => Promise<string>
  /** The hash of a staff member's token; undefined for text that cannot be one. */
  readonly hashOfToken: (given: string) => Uint8Array | undefined
  readonly findStaff: (tokenHash: Uint8Array) => Promise<Staff | undefined>
  readonly links: LinkDeps
  readonly publisher: Publisher
  readonly ready: ReadyAnswers
  readonly deadline: PollDeadline
  readonly examiner: Pick<Examiner, 'latest' | 'kept' | 'begin' | 'begunAt'>
  /** Whether the company is the one of the embedded Read API. */
  readonly isSample: boolean
  readonly firstSteps: FirstSteps
  readonly companyWork: CompanyWork
  readonly departures: Pick<Departures, 'confirmHeldBack'>
  readonly confirming: ConfirmingDeps
  /** By company. */
  readonly sources: ReadonlyMap<string, { condition(): SourceCondition }>
  readonly trials: Trials
  readonly recorder: Pick<ActivityRecorder, 'note'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly holding: LinkHolding
  /** Called when a calendar program first polls a link with `awaitsPoll`. */
  readonly takeUp: (open: LinkOfFeed) => Promise<void>
  readonly whyNotReady: () => Promise<string | null>
  readonly limits: Limits
  readonly metrics: AnswerMetrics
  /** The file with the admin token; undefined if the token is set. */
  readonly tokenFile: string | undefined
  readonly publicUrl: string
  readonly instance: string
  /** null if this process serves alone. */
  readonly siblings: Siblings | null
  /** The sample employee's page, if there is one. */
  readonly demoPage: () => Promise<string | undefined>
  readonly trustProxy: number
  /** Whether passwords may be sent over plain http. */
  readonly allowInsecure: boolean
  readonly clock: Clock
  readonly log: Log
}

export type CountedRoute = 'calendar' | 'events' | 'dav' | 'page' | 'api' | 'other'

export interface AnswerMetrics extends Pick<Measures, 'countPoll' | 'countSignIn' | 'watchQueue'> {
  countAnswer(route: CountedRoute, status: number, seconds: number): void
  readonly contentType: string
  render(): Promise<string>
}
