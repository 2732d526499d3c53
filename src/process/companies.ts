import { KnownAnswers } from '../copies/known-answers.ts'
import { LeaveExamination } from '../copies/proof/leave-examination.ts'
import { Source } from '../copies/source.ts'
import type { Connection, ConnectionStore } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { IdentityWatch, KnownPeople } from '../domain/person.ts'
import type { ReadApi } from '../domain/read-api.ts'
import type { ExaminedConnection } from '../examination/examine.ts'
import { Departures } from '../people/departures.ts'
import { Identities } from '../people/identities.ts'
import { PeopleDirectory } from '../people/people-directory.ts'
import type { ExportDeps } from '../publishing/written-once.ts'
import { createReadApiClient, SharedByClients } from '../read-api/client.ts'
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
    open.adopt(createReadApiClient(settings, { ...ofClient, pollBudgetMs }), (it) => it.close())
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

interface ReadingParts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly store: Store
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
}

/** What calendars are made from: the companies' records, who is known there, who is another by now, and who has left. */
export interface CompanyReading {
  readonly identities: Identities
  readonly departures: Departures
  readonly directory: PeopleDirectory
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
}

/** Reads the companies with what that store knows of them, and keeps there what comes. */
export function openCompanyReading(
  { store, connections, settings, surroundings }: ReadingParts,
  open: AsyncDisposableStack,
): CompanyReading {
  const { people, feeds, newcomers, peopleFinder, lookRounds, proofs } = store
  const { clock, log } = surroundings
  const { directoryFreshMs, feedStaleMs } = settings
  const known = { people, connections, directoryFreshMs, clock, log }
  const watched = { ...known, departures: store.departures, lookRounds, feeds, newcomers, proofs }
  const identities = new Identities({ ...store, connections, staleMs: feedStaleMs, clock, log })
  const departures = open.adopt(new Departures({ ...watched, identities }), close)
  const looking = { ...known, peopleFinder, lookRounds, departures }
  const directory = open.adopt(new PeopleDirectory(looking), close)
  const parts = { store, connections, settings, surroundings, people: directory, departures }
  const sources = openSources({ ...parts, identities }, open)
  return { identities, departures, directory, sources }
}

/**
 * What an export needs: it begins with what is kept, proof and owners of leaves among it, and what comes of it is kept in
 * memory only, so that nothing is left of someone for whom there is no feed.
 */
export async function withExporting<T>(
  parts: ReadingParts,
  work: (exporting: ExportDeps) => Promise<T>,
): Promise<T> {
  await using open = new AsyncDisposableStack()
  const store = open.adopt(await parts.store.openScratch(), close)
  const { sources } = openCompanyReading({ ...parts, store }, open)
  const { clock } = parts.surroundings
  const { feedStaleMs: staleMs } = parts.settings
  return await work({ sources, copies: store.copies, clock, staleMs })
}

function close(it: { close(): Promise<void> }): Promise<void> {
  return it.close()
}

interface SourceParts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly store: Store
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly people: KnownPeople
  readonly departures: DepartureWatch
  readonly identities: IdentityWatch
}

/** The examination of each company's filter of leaves, with a client of its own, by company. */
export function leaveExaminations(
  {
    surroundings: { clock, log },
    store,
    people,
  }: Omit<SourceParts, 'settings' | 'connections' | 'identities'>,
  examined: ReadonlyMap<string, ExaminedConnection>,
): ReadonlyMap<string, LeaveExamination> {
  const { copies, doubts, proofs, departures: departed } = store
  const deps = { copies, doubts, proofs, departed, people, clock, log }
  const all = [...examined].map(
    ([id, { connection }]) => [id, new LeaveExamination({ ...deps, connection })] as const,
  )
  return new Map(all)
}

/** What each company's feeds read from, by company. */
function openSources(
  {
    settings,
    surroundings: { clock, log },
    store,
    connections,
    people,
    departures,
    identities,
  }: SourceParts,
  open: AsyncDisposableStack,
): ReadonlyMap<string, Source> {
  const { copies, standings, doubts, proofs, departures: departed } = store
  const { feedFreshMs, feedRefreshBudgetMs, feedStaleMs } = settings
  const times = {
    freshMs: feedFreshMs,
    refreshBudgetMs: feedRefreshBudgetMs,
    staleMs: feedStaleMs,
  }
  const kept = { copies, standings, doubts, proofs, departed }
  const deps = {
    ...kept,
    ...times,
    departures,
    identities,
    people,
    known: new KnownAnswers(),
    clock,
    log,
  }
  const openSource = (connection: Connection): Source =>
    open.adopt(new Source(connection, deps), (source) => source.close())
  return new Map([...connections].map(([id, connection]) => [id, openSource(connection)]))
}
