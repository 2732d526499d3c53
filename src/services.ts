import { ActivityRecorder } from './activity/activity-recorder.ts'
import { LeaveDisputes } from './copies/proof/leave-disputes.ts'
import { LeaveProver } from './copies/proof/leave-prover.ts'
import { Retention } from './copies/retention.ts'
import { Snapshots } from './copies/source.ts'
import type { Connection } from './domain/connection.ts'
import type { Clock, Log } from './domain/world.ts'
import type { ExaminedConnection } from './examination/examine.ts'
import { Examiner } from './examination/examiner.ts'
import { createFeedAdministration, type FeedAdministration } from './feeds/feed-administration.ts'
import { Departures } from './people/departures.ts'
import type { LinkDeps } from './publishing/open-link.ts'
import { Publisher } from './publishing/publisher.ts'
import { createReadApiClient } from './read-api/client.ts'
import { createReadApiProbe } from './read-api/probe.ts'
import { startSandbox } from './sandbox/start-sandbox.ts'
import type { CompanyConfig } from './settings/company-settings.ts'
import type { Config } from './settings/read-settings.ts'
import { openStore, type Store } from './store/open-store.ts'

/** What the process edge hands in. */
export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** Of the program and its time-zone data. */
  readonly versions: string
}

/** Every use case, wired to the world. */
export interface Services {
  readonly store: Store
  readonly links: LinkDeps
  readonly connections: ReadonlyMap<string, Connection>
  readonly snapshots: Snapshots
  readonly prover: LeaveProver
  readonly disputes: LeaveDisputes
  readonly publisher: Publisher
  readonly administration: FeedAdministration
  readonly examiner: Examiner
  readonly recorder: ActivityRecorder
  readonly leavers: Departures
  readonly retention: Retention
  close(): Promise<void>
}

type Closer = () => Promise<void>

/** Opens the store, the Read API's clients and, where no other is set, the embedded Read API. */
export async function openServices(
  config: Config,
  surroundings: Surroundings,
  publicUrl: string,
): Promise<Services> {
  const closers: Closer[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const store = await openStore(config.databaseUrl)
    closers.push(() => store.close())
    const companies = config.companies ?? [await startEmbedded(config, surroundings, closers)]
    const examined = connect(companies, config, surroundings, closers)
    const connections = new Map([...examined].map(([id, { connection }]) => [id, connection]))
    const { clock, log, versions } = surroundings
    const prover = new LeaveProver({ ...store, clock, log })
    const keeping = openKeeping(store, connections, surroundings, closers)
    const examiner = new Examiner({ examined, ...store, ...keeping, prover, clock, log })
    closers.push(() => examiner.close())
    const disputes = new LeaveDisputes({ ...store, prover, connections, clock, log })
    closers.push(() => disputes.close())
    const shared = { ...keeping, prover, clock }
    const snapshots = new Snapshots({
      snapshots: store.snapshots,
      ...shared,
      log,
      freshMs: config.feedFreshMs,
      refreshBudgetMs: config.feedRefreshBudgetMs,
    })
    closers.push(() => snapshots.close())
    const publisher = new Publisher({
      feeds: store.feeds,
      links: store.links,
      copies: store.snapshots,
      ledgers: store.ledgers,
      ...shared,
      snapshots,
      staleMs: config.feedStaleMs,
      versions,
    })
    const administration = createFeedAdministration({ ...store, clock, connections, publicUrl })
    const links = { links: store.links, clock, connections }
    const useCases = { snapshots, prover, disputes, publisher, administration, examiner }
    return { store, links, connections, ...useCases, ...keeping, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** What watches over the feeds beside the answers. */
function openKeeping(
  { activity, leavers, feeds, retention, snapshots }: Store,
  connections: ReadonlyMap<string, Connection>,
  { clock, log }: Surroundings,
  closers: Closer[],
): Pick<Services, 'recorder' | 'leavers' | 'retention'> {
  const keeping = {
    recorder: new ActivityRecorder({ activity, clock, log }),
    leavers: new Departures({ leavers, feeds, connections, clock, log }),
    retention: new Retention({ retention, snapshots, connections, clock, log }),
  }
  closers.push(
    () => keeping.recorder.close(),
    () => keeping.leavers.close(),
    () => keeping.retention.close(),
  )
  return keeping
}

/** The Read API of our own on a free loopback port, and the company that is read from it. */
async function startEmbedded(
  { embedded }: Config,
  { clock, log }: Surroundings,
  closers: Closer[],
): Promise<CompanyConfig> {
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const { databaseUrl, company: configured } = embedded
  const api = await startSandbox({ databaseUrl, host: '127.0.0.1', port: 0, today, log })
  closers.push(() => api.close())
  const has = await api.describe()
  const company = {
    ...configured.company,
    projects: embedded.projects ?? has.projectIds,
    schedules: embedded.schedules ?? has.scheduleIds,
  }
  // The port differs from start to start, the connection does not.
  return { ...configured, company, settings: { ...configured.settings, baseUrl: api.url } }
}

function connect(
  companies: readonly CompanyConfig[],
  { settingsIn, companies: foreign, proxy: outward }: Config,
  { clock, log }: Surroundings,
  closers: Closer[],
): ReadonlyMap<string, ExaminedConnection> {
  const proxy = foreign ? outward : {}
  return new Map(
    companies.map(({ company, settings, shrinkGuard, connectionId }) => {
      const api = createReadApiClient(settings, { clock, log, proxy })
      const probe = createReadApiProbe(settings, { proxy })
      closers.push(
        () => api.close(),
        () => probe.close(),
      )
      const { parameters, pagination } = settings
      const connection = { id: connectionId, company, parameters, pagination, shrinkGuard, api }
      return [company.id, { connection, probe, settingsIn }]
    }),
  )
}
