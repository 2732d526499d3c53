import { KnownAnswers } from '../copies/known-answers.ts'
import type { FreshnessSettings } from '../copies/refresher.ts'
import { Source } from '../copies/source.ts'
import type { Connection, ConnectionStore } from '../domain/connection.ts'
import type { ReadApi } from '../domain/read-api.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { ExaminedConnection } from '../examination/examine.ts'
import { Departures } from '../people/departures.ts'
import { Identities } from '../people/identities.ts'
import { PeopleDirectory } from '../people/people-directory.ts'
import { ReadApiClient, SharedByClients } from '../read-api/client.ts'
import { createReadApiProbe } from '../read-api/probe.ts'
import type { CompanySettings } from '../settings/companies.ts'
import type { Settings } from '../settings/read-settings.ts'
import { companyTable, rowsOf } from '../settings/tables.ts'
import type { Store } from '../store/open-store.ts'
import { startEmbedded } from './sandbox.ts'
import type { Surroundings } from './world.ts'

/** A company as it is examined, beside the connection that its feeds use. */
export interface ConnectedCompany extends ExaminedConnection {
  readonly feeds: Connection
}

/** The companies that are set, each with the way to its Read API; where none is, the sandbox's. By company. */
export async function connectCompanies(
  settings: Settings,
  surroundings: Surroundings,
  open: AsyncDisposableStack,
): Promise<ReadonlyMap<string, ConnectedCompany>> {
  const companies = settings.companies ?? [await startEmbedded(settings, surroundings, open)]
  const shared = open.adopt(new SharedByClients(), (it) => it.close())
  const ofClients = { ...surroundings, shared }
  return new Map(
    companies.map((company) => [
      company.company.id,
      {
        ...connect(company, settings, ofClients, open),
        credentialFile: company.credentialFile,
        isEmbedded: settings.companies === null,
        settingNames: settings.settingsIn === 'file' ? null : environmentNames(),
      },
    ]),
  )
}

/** What was kept under the names that connections had with their credential goes on under those without. */
export async function adoptConnections(
  { companies, embedded }: Settings,
  store: ConnectionStore,
): Promise<void> {
  for (const company of companies ?? [embedded.company]) {
    const { connectionId: to, connectionIdBefore: from, credential } = company
    await store.adopt({ from, to, credential })
  }
}

/** What a company's settings are called in the environment, by their keys. */
function environmentNames(): ReadonlyMap<string, string> {
  const rows = rowsOf(companyTable)
  return new Map(rows.map(({ key, environmentName }) => [key, environmentName ?? key]))
}

function connect(
  { company, connection: settings, shrinkGuard, connectionId: id, credential }: CompanySettings,
  { companies: foreign, httpsProxy, httpProxy, noProxy, feedRefreshBudgetMs }: Settings,
  { clock, log, shared }: Surroundings & { readonly shared: SharedByClients },
  open: AsyncDisposableStack,
): Omit<ConnectedCompany, 'settingNames' | 'credentialFile' | 'isEmbedded'> {
  const proxy = foreign ? { httpsProxy, httpProxy, noProxy } : {}
  const ofClient = { clock, log, proxy, shared }
  const pollBudgetMs = feedRefreshBudgetMs
  const openClient = (): ReadApi =>
    open.adopt(new ReadApiClient(settings, { ...ofClient, pollBudgetMs }), (it) => it.close())
  const probe = open.adopt(createReadApiProbe(settings, proxy), (it) => it.close())
  const { parameters, pagination } = settings
  const feeds: Connection = {
    id,
    credential,
    company,
    parameters,
    pagination,
    shrinkGuard,
    api: openClient(),
  }
  // A client of its own: whatever only the examination asks for pauses no feed.
  return { feeds, connection: { ...feeds, api: openClient() }, probe }
}

/** What calendars are made from, by the companies' Read APIs and that store; `closing` closes what is opened. */
export function openSources(
  deps: Omit<Store, 'connections'> &
    FreshnessSettings & {
      /** By company. */
      readonly connections: ReadonlyMap<string, Connection>
      readonly directoryFreshMs: number
      readonly clock: Clock
      readonly log: Log
    },
  closing: <T extends { close(): Promise<void> }>(it: T) => T,
): {
  readonly identities: Identities
  readonly departures: Departures
  readonly directory: PeopleDirectory
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
} {
  const identities = new Identities(deps)
  const departures = closing(new Departures({ ...deps, identities }))
  const directory = closing(new PeopleDirectory({ ...deps, departures }))
  const ofSources = {
    ...deps,
    departed: deps.departures,
    departures,
    identities,
    people: directory,
    known: new KnownAnswers(),
  }
  const sources = new Map(
    [...deps.connections].map(([id, connection]) => [
      id,
      closing(new Source({ ...ofSources, connection })),
    ]),
  )
  return { identities, departures, directory, sources }
}
