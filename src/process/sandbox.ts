import { randomBytes } from 'node:crypto'

import type { SandboxSettings, SandboxTools } from '../cli/context.ts'
import type { Source } from '../copies/source.ts'
import { sqliteFilesOf } from '../database/sqlite-files.ts'
import type { ConnectionSettings } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import { meantOrAll } from '../domain/nearest.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import { type LinkDeps, openLink } from '../publishing/open-link.ts'
import type { ReadyAnswers } from '../publishing/ready-answers.ts'
import { resetCompany } from '../sandbox/controls/record-routes.ts'
import { readBytes } from '../sandbox/loading/company-file.ts'
import { importFile } from '../sandbox/loading/import-file.ts'
import { sampleCompanyId, listCompanies } from '../sandbox/records/companies.ts'
import { openSandboxDatabase, type SandboxDatabase } from '../sandbox/records/sandbox-database.ts'
import { sampleLists, sampleFile } from '../sandbox/sample-company.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import type { CompanySettings } from '../settings/companies.ts'
import { hashOfKey } from '../settings/fields.ts'
import type { Settings } from '../settings/read-settings.ts'
import { demoUser, adminTokenFile, adminTokenOf, makeOwnFeed } from './data-directory.ts'
import { untilEnd } from './ending.ts'
import { warnOfLooseFiles } from './start-warnings.ts'
import type { Setup, Surroundings } from './world.ts'

/** Starts the embedded Read API on a free loopback port, and returns the company to read from it. */
export async function startEmbedded(
  { host, embedded, sandboxDatabaseUrl: databaseUrl, sandboxKeys }: Settings,
  { clock, log, besideSandbox }: Surroundings,
  open: AsyncDisposableStack,
): Promise<CompanySettings> {
  const { company: configured } = embedded
  const where = { databaseUrl, host: loopbackBeside(host), port: 0 }
  // With keys configured, the bridge gets a secret one of its own.
  const token = randomBytes(32).toString('base64url')
  const hasKeys = sandboxKeys.size > 0
  const keys = hasKeys
    ? new Map([...sandboxKeys, [hashOfKey(token), sampleCompanyId]])
    : sandboxKeys
  const api = await startSandbox({ ...where, ...besideSandbox, keys, clock, log })
  open.defer(() => api.close())
  const has = await api.describe()
  const company = {
    ...configured.company,
    projects: embedded.projects ?? has.projectIds,
    schedules: embedded.schedules ?? has.scheduleIds,
  }
  // Port and key differ from start to start, but the connection's id stays the same.
  const connection: ConnectionSettings = {
    ...configured.connection,
    baseUrl: api.url,
    ...(hasKeys && { authentication: { scheme: 'bearer', token } }),
  }
  return { ...configured, company, connection }
}

/** Returns the loopback address that fits `HOST`: a machine may lack IPv4 or IPv6. */
function loopbackBeside(host: string): string {
  if (host === 'localhost') return host
  return host.includes(':') ? '::1' : '127.0.0.1'
}

interface Bridge {
  readonly sources: ReadonlyMap<string, Source>
  readonly ready: ReadyAnswers
  readonly administration: FeedAdministration
  readonly links: LinkDeps
  readonly demoPage: () => Promise<string | undefined>
}

/** What the embedded Read API knows of the bridge, which starts later: nothing until `open`. */
export class SandboxGuest {
  readonly adminToken: string
  /** By user; in memory only, so another start creates another link. */
  readonly #pages = new Map<string, Promise<string | undefined>>()
  #bridge: Bridge | undefined

  constructor(adminToken: string) {
    this.adminToken = adminToken
  }

  open(bridge: Bridge): void {
    this.#bridge = bridge
  }

  /** Makes all earlier reads due, so that a change shows at the next poll. */
  readonly changed = (companyId = sampleCompanyId): void => {
    if (!this.#bridge || companyId !== sampleCompanyId) return
    const { sources, ready } = this.#bridge
    for (const source of sources.values()) source.renew()
    ready.forget()
  }

  /** Returns the page of a person's own calendar, created if needed; undefined for a user unknown to the Read API. */
  readonly pageOf = async (userId: string): Promise<string | undefined> => {
    if (!this.#bridge) return undefined
    const { links, administration, demoPage } = this.#bridge
    const kept = userId === demoUser ? await demoPage() : undefined
    if (kept !== undefined) return kept
    const known = this.#pages.get(userId)
    if (known && (await opens(links, await known.catch(() => undefined)))) return known
    const made = makePage(administration, userId)
    this.#pages.set(userId, made)
    return made
  }
}

async function opens(links: LinkDeps, page = ''): Promise<boolean> {
  const link = await openLink(links, page.slice(page.lastIndexOf('/') + 1)).catch(() => undefined)
  return link !== undefined
}

const label = 'sandbox'
/** More than anyone has. */
const feedsMax = 100

async function makePage(
  administration: FeedAdministration,
  userId: string,
): Promise<string | undefined> {
  const { listing, feedLinks } = administration
  const { data } = await listing.list({ userId, state: 'open', limit: feedsMax })
  const own = data.find(({ audience, userIds }) => audience === 'own' && userIds.length === 1)
  if (!own) return (await makeOwnFeed(administration, userId))?.page
  const isThere = own.links.some((link) => link.label === label && link.endsAt === null)
  const { page } = await feedLinks[isThere ? 'rotate' : 'create'](own.id, { label })
  return page
}

/** Returns the tools for the embedded Read API without the bridge. */
export function sandboxTools({ settings, surroundings, runtime }: Setup): SandboxTools {
  const today = (): string => new Date(surroundings.clock.now()).toISOString().slice(0, 10)
  const urlOf = ({ database }: SandboxSettings): string => database ?? settings.sandboxDatabaseUrl
  return {
    serve: async (given, started) => {
      const { port = 0 } = given
      const where = { databaseUrl: urlOf(given), host: settings.host, port }
      const { sandboxKeys: keys } = settings
      // Without keys the token would open nothing, so none is created.
      const adminToken = keys.size > 0 ? await adminTokenOf(settings) : undefined
      const api = await startSandbox({ ...where, ...surroundings, keys, adminToken })
      untilEnd(runtime, () => api.close())
      warnOfLooseFiles(sqliteFilesOf(urlOf(given)), surroundings.log)
      started(api.url, keys.size > 0 ? adminTokenFile(settings) : undefined)
    },
    importCompany: async ({ name, bytes, progress }, given) => {
      const text = { name, bytes: await readBytes(bytes, name) }
      const { company: companyId = sampleCompanyId, empty: mayBeEmpty = false } = given
      return withDatabase(urlOf(given), (database) =>
        importFile(database, text, { companyId, mayBeEmpty, progress }),
      )
    },
    resetCompany: async (given) => {
      const { company: companyId = sampleCompanyId } = given
      await withDatabase(urlOf(given), async (database) => {
        await requireCompany(database, companyId)
        await resetCompany(database, companyId, today())
      })
      return { companyId, isSample: companyId === sampleCompanyId }
    },
    sampleCompany: (options) => sampleFile(sampleLists({ today: today(), ...options })),
  }
}

/** Fails with `not_found`, and the most similar name, for a company that was never loaded. */
async function requireCompany({ queries }: SandboxDatabase, companyId: string): Promise<void> {
  const known = [...new Set([sampleCompanyId, ...(await listCompanies(queries))])]
  if (known.includes(companyId)) return
  throw new AppError('not_found', `There is no company ${companyId}${meantOrAll(companyId, known)}`)
}

async function withDatabase<T>(
  url: string,
  work: (database: SandboxDatabase) => Promise<T>,
): Promise<T> {
  const database = await openSandboxDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
