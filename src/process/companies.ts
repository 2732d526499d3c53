import type { Connection, ConnectionStore } from '../domain/connection.ts'
import type { ReadApi } from '../domain/read-api.ts'
import type { ExaminedConnection } from '../examination/examine.ts'
import { createReadApiClient, type ReadApiClientDeps } from '../read-api/client.ts'
import { createReadApiProbe } from '../read-api/probe.ts'
import type { CompanySettings } from '../settings/company-settings.ts'
import { companyTable } from '../settings/company-table.ts'
import type { Settings } from '../settings/read-settings.ts'
import { rowsOf } from '../settings/setting.ts'
import { Connections } from '../transport/attempts.ts'
import { KeptAnswers } from '../transport/exchange.ts'
import { LargeAnswers } from '../transport/large-answers.ts'
import { startEmbedded } from './embedded-sandbox.ts'
import type { Surroundings } from './surroundings.ts'

/** A company as it is examined, beside the connection that its feeds use. */
export interface ConnectedCompany extends ExaminedConnection {
  readonly feeds: Connection
}

/** What all clients of the program need, and need but once. */
type SharedByClients = Pick<
  Required<ReadApiClientDeps>,
  'clock' | 'log' | 'large' | 'connections' | 'kept'
>

/** The companies that are set, each with the way to its Read API; where none is, the sandbox's. By company. */
export async function connectCompanies(
  settings: Settings,
  surroundings: Surroundings,
  open: AsyncDisposableStack,
): Promise<ReadonlyMap<string, ConnectedCompany>> {
  const companies = settings.companies ?? [await startEmbedded(settings, surroundings, open)]
  const ofClients = {
    large: new LargeAnswers(),
    connections: new Connections(),
    kept: new KeptAnswers(),
  }
  const shared = { ...surroundings, ...ofClients }
  return new Map(
    companies.map((company) => [
      company.company.id,
      {
        ...connect(company, settings, shared, open),
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
  { clock, log, large, connections, kept }: SharedByClients,
  open: AsyncDisposableStack,
): Omit<ConnectedCompany, 'settingNames' | 'credentialFile' | 'isEmbedded'> {
  const proxy = foreign ? { httpsProxy, httpProxy, noProxy } : {}
  const shared = { clock, log, proxy, large, connections, kept }
  const pollBudgetMs = feedRefreshBudgetMs
  const openClient = (): ReadApi =>
    open.adopt(createReadApiClient(settings, { ...shared, pollBudgetMs }), (it) => it.close())
  const probe = open.adopt(createReadApiProbe(settings, { proxy }), (it) => it.close())
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
