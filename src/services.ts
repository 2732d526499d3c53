import { ActivityRecorder } from './activity/activity-recorder.ts'
import { localTime } from './calendar/local-time.ts'
import { connectCompanies } from './companies.ts'
import { LeaveDisputes } from './copies/leave-disputes.ts'
import { Retention } from './copies/retention.ts'
import { Source } from './copies/source.ts'
import type { ActivityStore } from './domain/activity.ts'
import type { Connection } from './domain/connection.ts'
import type { FeedStore } from './domain/feed.ts'
import type { Clock, Log } from './domain/world.ts'
import type { ExaminedConnection } from './examination/examine.ts'
import { Examiner } from './examination/examiner.ts'
import { createFeedAdministration, type FeedAdministration } from './feeds/feed-administration.ts'
import { Departures } from './people/departures.ts'
import type { ErasureDeps } from './people/erasure.ts'
import type { ExportDeps } from './publishing/export-calendar.ts'
import type { LinkDeps } from './publishing/open-link.ts'
import { Publisher } from './publishing/publisher.ts'
import type { Settings } from './settings/read-settings.ts'
import { openStore, type Store } from './store/open-store.ts'

/** What the process edge hands in. */
export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** Of the program and its time-zone data. */
  readonly versions: string
}

/** Every use case, for whoever speaks HTTP or is spoken to on the command line. */
export interface UseCases {
  readonly administration: FeedAdministration
  readonly links: LinkDeps
  readonly publisher: Publisher
  readonly examiner: Examiner
  readonly recorder: ActivityRecorder
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly exporting: ExportDeps
  readonly erasing: ErasureDeps
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly sources: ReadonlyMap<string, Source>
  /** Whether the database answers. */
  isReady(): Promise<boolean>
}

/** The use cases, wired to the world. */
export interface Services extends UseCases {
  /** Begins what is done again and again beside the answers. */
  start(): void
  close(): Promise<void>
}

/** Opens the store, the Read API's clients and, where no other is set, the sandbox. */
export async function openServices(
  settings: Settings,
  surroundings: Surroundings,
  publicUrl: string,
): Promise<Services> {
  await using opening = new AsyncDisposableStack()
  const store = opening.adopt(await openStore(settings.databaseUrl), (it) => it.close())
  const examined = await connectCompanies(settings, surroundings, opening)
  const services = wire({ settings, surroundings, publicUrl, store, examined }, opening)
  const open = opening.move()
  return { ...services, close: () => open.disposeAsync() }
}

interface Parts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly publicUrl: string
  readonly store: Store
  /** By company. */
  readonly examined: ReadonlyMap<string, ExaminedConnection>
}

/** Who gets which store; what is opened last is closed first. */
function wire(parts: Parts, open: AsyncDisposableStack): Omit<Services, 'close'> {
  const { settings, surroundings, publicUrl, store, examined } = parts
  const { copies, feeds, links, ledgers, activity, erasure } = store
  const { clock, log, versions } = surroundings
  const staleMs = settings.feedStaleMs
  const recorder = open.adopt(new ActivityRecorder({ activity, clock, log }), close)
  const departures = watchDepartures(parts, open)
  const sources = openSources(parts, departures, open)
  const connections = connectionsOf(parts)
  const rounds = [departures, ...openRounds(parts, sources, open)]
  const { examinations } = store
  const examiner = open.adopt(
    new Examiner({
      examined,
      examinations,
      sources,
      departures,
      zoneClock: localTime,
      clock,
      log,
    }),
    close,
  )
  const administration = createFeedAdministration({
    feeds,
    links,
    copies,
    activity,
    connections,
    clock,
    publicUrl,
  })
  const publishing = { feeds, links, copies, ledgers, departures, clock, log, staleMs, versions }
  return {
    administration,
    links: { links, sources, clock },
    publisher: new Publisher(publishing),
    examiner,
    recorder,
    activity,
    feeds,
    exporting: { sources, copies, clock, staleMs },
    erasing: { erasure, feeds, copies, activity },
    connections,
    sources,
    isReady: () => store.isReady(),
    start: () => {
      for (const round of [examiner, ...rounds]) round.start()
    },
  }
}

function connectionsOf({ examined }: Parts): ReadonlyMap<string, Connection> {
  return new Map([...examined].map(([id, { connection }]) => [id, connection]))
}

function watchDepartures(parts: Parts, open: AsyncDisposableStack): Departures {
  const { departures, feeds } = parts.store
  const { clock, log } = parts.surroundings
  const connections = connectionsOf(parts)
  return open.adopt(new Departures({ departures, feeds, connections, clock, log }), close)
}

function openSources(
  parts: Parts,
  departures: Departures,
  open: AsyncDisposableStack,
): ReadonlyMap<string, Source> {
  const { copies, proofs, feeds } = parts.store
  const { clock, log } = parts.surroundings
  const { feedFreshMs: freshMs, feedRefreshBudgetMs: refreshBudgetMs } = parts.settings
  const deps = { copies, proofs, feeds, departures, clock, log, freshMs, refreshBudgetMs }
  return new Map(
    [...connectionsOf(parts)].map(([id, connection]) => [
      id,
      open.adopt(new Source(connection, deps), close),
    ]),
  )
}

/** What is done once an hour. */
function openRounds(
  parts: Parts,
  sources: ReadonlyMap<string, Source>,
  open: AsyncDisposableStack,
): readonly (Retention | LeaveDisputes)[] {
  const { retention, copies, feeds } = parts.store
  const { clock, log } = parts.surroundings
  const connections = connectionsOf(parts)
  return [
    open.adopt(new Retention({ retention, copies, feeds, connections, clock, log }), close),
    open.adopt(new LeaveDisputes({ sources, clock, log }), close),
  ]
}

/** Whatever closes itself. */
function close(it: { close(): Promise<void> }): Promise<void> {
  return it.close()
}
