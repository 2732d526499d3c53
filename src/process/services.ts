import { takeUpMailedLink } from '../access/mail/mailed-links.ts'
import { ActivityRecorder } from '../activity/activity-recorder.ts'
import { localTime } from '../calendar/local-time.ts'
import { Retention } from '../copies/retention.ts'
import { Proofs, type Source } from '../copies/source.ts'
import { bridge, type Actor } from '../domain/access/staff.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { Connection } from '../domain/connection.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed } from '../domain/feed.ts'
import type { LinkOfFeed } from '../domain/link.ts'
import type { ExaminedConnection } from '../examination/examine.ts'
import { Examiner } from '../examination/examiner.ts'
import { createFeedAdministration, type FeedAdministration } from '../feeds/feed-administration.ts'
import { LinkHolding } from '../feeds/self-service/held-link.ts'
import { CompanyTrust } from '../people/company-trust.ts'
import type { ErasureDeps } from '../people/erasure.ts'
import type { PeopleDirectory } from '../people/people-directory.ts'
import type { ConfirmingDeps } from '../people/person-confirmation.ts'
import type { LinkDeps } from '../publishing/open-link.ts'
import { Publisher } from '../publishing/publisher.ts'
import { ReadyAnswers } from '../publishing/ready-answers.ts'
import {
  type Exporting,
  previewCalendar,
  type PreviewedCalendar,
} from '../publishing/written-once.ts'
import type { Settings } from '../settings/read-settings.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { type AccessServices, openAccess, ownCalendars } from './access.ts'
import {
  adoptConnections,
  connectCompanies,
  type CompanyReading,
  openCompanyReading,
  withExporting,
  leaveExaminations,
} from './companies.ts'
import { CommonClock, type CommonTime, type Surroundings, machineElapsedMs } from './world.ts'

/** Well within the time in which the process ends. */
const storeCloseMs = 3000

/** Every use case, for anyone who speaks HTTP or is spoken to on the command line. */
export interface UseCases {
  readonly administration: FeedAdministration
  /** For those whose audit events they are. */
  readonly administrationBy: (by: Actor) => FeedAdministration
  readonly access: AccessServices
  readonly ownCalendarOf: ReturnType<typeof ownCalendars>
  readonly preview: (feed: Feed) => Promise<PreviewedCalendar>
  readonly links: LinkDeps
  readonly ready: ReadyAnswers
  readonly publisher: Publisher
  readonly examiner: Examiner
  readonly recorder: ActivityRecorder
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly feeds: Pick<FeedStore, 'countFeeds' | 'countOpenFeeds'>
  readonly holding: LinkHolding
  /** Once a calendar program has asked for a link that awaited that. */
  readonly takeUp: (open: LinkOfFeed) => Promise<void>
  readonly exporting: Exporting
  readonly erasing: ErasureDeps
  readonly confirming: ConfirmingDeps
  readonly directory: PeopleDirectory
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly sources: ReadonlyMap<string, Source>
  /** Where each company's Read API is. */
  readonly baseUrls: ReadonlyMap<string, string>
  /** Why the database cannot be worked with, in one sentence; null where it can. */
  whyNotReady(): Promise<string | null>
}

/** The use cases, wired to the world. */
export interface Services extends UseCases {
  /** Begins what is done again and again beside the answers. */
  start(): void
  /** Waits until what polls have set going beside their answers has come to its end. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Opens the store, the Read API's clients and, where no other is set, the sandbox. */
export async function openServices(
  settings: Settings,
  { clock: own, ...world }: Surroundings,
  publicUrl: string,
): Promise<Services> {
  await using opening = new AsyncDisposableStack()
  const tellBackup = (file: string): void =>
    world.log.info({ file }, 'backed_up_before_tables_change')
  const store = opening.adopt(await openStore(settings.databaseUrl, tellBackup), close)
  store.watchWrites((fault) => {
    if (fault) world.log.warn({ reason: fault.message }, 'database_not_writable')
    else world.log.info({}, 'database_writable')
  })
  const { commonTime: common = commonTimeOf(store) } = world
  const clock =
    common && opening.adopt(await CommonClock.open({ own, common, log: world.log }), close)
  const surroundings = { ...world, clock: clock ?? own }
  await adoptConnections(settings, store.connections)
  const examined = await connectCompanies(settings, surroundings, opening)
  const trusts = new Map(
    [...examined].map(([id, { feeds }]) => [
      id,
      new CompanyTrust(feeds, { ...store, ...surroundings }),
    ]),
  )
  const connections = new Map([...trusts].map(([id, trust]) => [id, trust.guard()]))
  const parts = { settings, surroundings, publicUrl, store, examined, trusts, connections }
  const running = run(parts, opening)
  const access = openAccess({ ...parts, departures: running.departures }, opening)
  const open = opening.move()
  return {
    ...useCasesOf(parts, running),
    access,
    start: () => {
      clock?.start()
      for (const round of running.rounds) round.start()
    },
    settled: () => running.departures.ended(),
    close: async () => {
      // What waits for a database that is silent would hold up the end.
      const late = setTimeout(() => void store.close(), storeCloseMs)
      await open.disposeAsync()
      clearTimeout(late)
    },
  }
}

interface Parts extends Pick<Services, 'connections'> {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly publicUrl: string
  readonly store: Store
  /** By company. */
  readonly examined: ReadonlyMap<string, ExaminedConnection>
  /** By company. */
  readonly trusts: ReadonlyMap<string, CompanyTrust>
}

/** What goes on beside the answers, and has to be ended. */
interface Running extends CompanyReading, Pick<Services, 'recorder' | 'examiner'> {
  readonly rounds: readonly { start(): void }[]
}

/** Who gets which store, of what runs; what is opened last is closed first. */
function run(parts: Parts, open: AsyncDisposableStack): Running {
  const { store, examined, connections } = parts
  const { copies, links, activity, retention, examinations, audit, sessions } = store
  const { clock, log } = parts.surroundings
  const recorder = open.adopt(new ActivityRecorder(activity, clock, log), close)
  const reading = openCompanyReading(parts, open)
  const { departures, directory, sources } = reading
  const kept = { retention, copies, links, audit, sessions, connections, clock, log }
  const purging = open.adopt(new Retention(kept), close)
  const proving = open.adopt(new Proofs({ sources, clock, log }), close)
  const told = {
    examined,
    examinations,
    sources,
    leaveFilters: leaveExaminations({ ...parts, ...reading, people: directory }, examined),
    doubts: store.doubts,
    feeds: store.feeds,
    copies,
    trusts: parts.trusts,
    newcomers: store.newcomers,
    departures,
    directory,
    zoneClock: localTime,
    clock,
    log,
  }
  const examiner = open.adopt(new Examiner(told), close)
  return {
    ...reading,
    recorder,
    examiner,
    rounds: [directory, examiner, departures, purging, proving],
  }
}

/** Who gets which store, of what is asked. */
function useCasesOf(
  parts: Parts,
  { departures, identities, ...running }: Running,
): Omit<UseCases, 'access'> {
  const { settings, surroundings, publicUrl, store, examined, trusts, connections } = parts
  const { copies, feeds, links, ledgers, activity, erasure, people, peopleFinder } = store
  const { clock, log, versions } = surroundings
  const { sources, recorder, examiner, directory } = running
  const { feedStaleMs: staleMs, feedFreshMs: freshMs } = settings
  const ready = new ReadyAnswers({ links, clock, staleMs })
  store.changedFeeds.listen((feedId) => ready.dropFeed(feedId))
  const read = { feeds, links, copies, ledgers, departures, ready, clock, log }
  const published = { ...read, freshMs, staleMs, versions }
  const kept = { feeds, links, copies, activity, people, peopleFinder }
  const administered = { ...kept, connections, identities, sources, clock, log, publicUrl }
  const administrationBy = (by: Actor): FeedAdministration =>
    createFeedAdministration(administered, by)
  return {
    administration: administrationBy(bridge),
    administrationBy,
    ownCalendarOf: ownCalendars({ administrationBy, feeds, links, clock, log }),
    links: { links, sources, clock },
    ready,
    publisher: new Publisher(published),
    exporting: (work) => withExporting(parts, work),
    confirming: { newcomers: store.newcomers, identities, departures, trusts, connections },
    erasing: { erasure, copies, activity, connections, clock, log },
    preview: (feed) => previewCalendar({ sources, copies, clock, staleMs }, feed),
    directory,
    examiner,
    recorder,
    activity,
    feeds,
    holding: new LinkHolding({ links, clock, log }),
    takeUp: (open) => takeUpMailedLink({ links, clock, log }, open),
    connections,
    sources,
    baseUrls: new Map([...examined].map(([id, { probe }]) => [id, probe.baseUrl])),
    whyNotReady: () => store.whyNotReady(),
  }
}

/** The database's, where it can be another than this machine's. */
function commonTimeOf({ time: read }: Store): CommonTime | null {
  return read && { read, elapsedMs: machineElapsedMs }
}

/** Whatever closes itself. */
function close(it: { close(): Promise<void> }): Promise<void> {
  return it.close()
}
