import { holidaysIn } from '../calendar/holidays.ts'
import { localTime } from '../calendar/local-time.ts'
import { KnownAnswers } from '../copies/reading.ts'
import type { FreshnessSettings } from '../copies/refresher.ts'
import { Source } from '../copies/source.ts'
import type { Connection } from '../domain/connection.ts'
import type { Measures } from '../domain/measures.ts'
import type { Clock, Log } from '../domain/world.ts'
import { Examiner } from '../examination/examiner.ts'
import type { CompanyTrust } from '../people/company-trust.ts'
import { Departures } from '../people/departures.ts'
import { Identities } from '../people/identities.ts'
import { PeopleDirectory } from '../people/people-directory.ts'
import { ReadApiClient, SharedByClients } from '../read-api/client.ts'
import { createReadApiProbe } from '../read-api/probe.ts'
import type { CompanySettings } from '../settings/companies.ts'
import type { Settings } from '../settings/read-settings.ts'
import { companyTable, environmentNames } from '../settings/tables.ts'
import type { Store } from '../store/open-store.ts'
import type { TypedHost } from '../transport/typed-host.ts'
import { startEmbedded } from './sandbox.ts'
import type { Surroundings } from './world.ts'

/** Dependencies of use cases: stores, connections to the Read APIs, shared settings, clock and log. */
export interface Ports extends Omit<Store, 'connections'>, FreshnessSettings {
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly directoryFreshMs: number
  readonly publicUrl: string
  readonly clock: Clock
  readonly log: Log
  readonly measures?: Measures | undefined
}

/** Registers an opened resource to be closed at the end, and returns it. */
export type Closing = <T extends { close(): Promise<void> }>(it: T) => T

/**
 * Connects the configured companies, or the sandbox's. Returns by company the ways to its Read API: `feeds` for calendars,
 * `connection` and `probe` for the examination. With `only`, nothing is sent to any other host.
 */
export async function connectCompanies(
  settings: Settings,
  surroundings: Surroundings,
  open: AsyncDisposableStack,
  only?: TypedHost,
) {
  const { clock, log, measures: all } = surroundings
  const { httpsProxy, httpProxy, noProxy, feedRefreshBudgetMs: pollBudgetMs } = settings
  const isEmbedded = settings.companies === null
  const companies = settings.companies ?? [await startEmbedded(settings, surroundings, open)]
  const shared = open.adopt(new SharedByClients(), (it) => it.close())
  all?.watchQueue('read_api_bodies', () => shared.large.size)
  const way = isEmbedded ? {} : { httpsProxy, httpProxy, noProxy, only }
  const connect = ({ company, connection, credentialFile, ...one }: CompanySettings) => {
    const measures = all?.ofReadApi(company.id)
    const deps = { clock, log, way, shared, pollBudgetMs, measures }
    const openClient = () => open.adopt(new ReadApiClient(connection, deps), (it) => it.close())
    const { parameters, pagination } = connection
    const { connectionId: id, credential, shrinkGuard } = one
    const known = { id, credential, company, parameters, pagination, shrinkGuard }
    return {
      feeds: { ...known, api: openClient() },
      // A separate client: requests that only the examination makes must not pause any feed.
      connection: { ...known, api: openClient() },
      probe: open.adopt(createReadApiProbe(connection, way), (it) => it.close()),
      credentialFile,
      isEmbedded,
      settingNames: settings.settingsIn === 'file' ? null : environmentNames(companyTable),
    }
  }
  return new Map(companies.map((one) => [one.company.id, connect(one)]))
}

/** Opens what calendars are built from: the companies' Read APIs, with that store. */
export function openSources(ports: Ports, closing: Closing) {
  const identities = new Identities(ports)
  const departures = closing(new Departures({ ...ports, identities }))
  const directory = closing(new PeopleDirectory({ ...ports, departures }))
  const deps = {
    ...ports,
    departed: ports.departures,
    departures,
    identities,
    people: directory,
    known: new KnownAnswers(),
  }
  const sources = new Map(
    [...ports.connections].map(([id, connection]) => [
      id,
      closing(new Source({ ...deps, connection })),
    ]),
  )
  return { identities, departures, directory, sources }
}

/** Opens the examination of these companies, with what `openSources` returned. */
export function openExaminer(
  ports: Ports,
  reading: ReturnType<typeof openSources>,
  companies: {
    readonly examined: Awaited<ReturnType<typeof connectCompanies>>
    readonly trusts: ReadonlyMap<string, CompanyTrust>
  },
  closing: Closing,
): Examiner {
  const ofFilter = { ...ports, departed: ports.departures, people: reading.directory }
  const leaveFilters = new Map(
    [...companies.examined].map(([id, { connection }]) => [id, { ...ofFilter, connection }]),
  )
  const deps = { ...ports, ...reading, ...companies, leaveFilters }
  return closing(new Examiner({ ...deps, zoneClock: localTime, holidaysIn }))
}
