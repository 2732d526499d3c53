import { randomBytes } from 'node:crypto'

import type { Authentication } from '../domain/connection.ts'
import { sampleCompanyId } from '../sandbox/records/companies.ts'
import { type SandboxDeps, startSandbox } from '../sandbox/start-sandbox.ts'
import type { CompanySettings } from '../settings/company-settings.ts'
import type { Settings } from '../settings/read-settings.ts'
import { hashOfKey } from '../settings/sandbox-keys.ts'
import { demoUser } from './demo.ts'
import { PersonsPages } from './persons-pages.ts'
import type { UseCases } from './services.ts'
import type { Surroundings } from './surroundings.ts'

/** The Read API of our own on a free loopback port, and the company that is read from it. */
export async function startEmbedded(
  { host, embedded, sandboxDatabaseUrl: databaseUrl, sandboxKeys }: Settings,
  { clock, log, besideSandbox }: Surroundings,
  open: AsyncDisposableStack,
): Promise<CompanySettings> {
  const { company: configured } = embedded
  const { keys, authentication } = withOwnKey(sandboxKeys, configured.connection.authentication)
  const where = { databaseUrl, host: loopbackBeside(host), port: 0 }
  const api = await startSandbox({
    ...where,
    adminToken: besideSandbox?.adminToken,
    changed: besideSandbox?.changed,
    pageOf: besideSandbox?.pageOf,
    keys,
    clock,
    log,
  })
  open.defer(() => api.close())
  const has = await api.describe()
  const company = {
    ...configured.company,
    projects: embedded.projects ?? has.projectIds,
    schedules: embedded.schedules ?? has.scheduleIds,
  }
  // The port and the bridge's own key differ from start to start, the connection does not.
  const connection = { ...configured.connection, baseUrl: api.url, authentication }
  return { ...configured, company, connection }
}

/** This machine's own address that goes with `HOST`: a machine need not have both IPv4 and IPv6. */
function loopbackBeside(host: string): string {
  if (host === 'localhost') return host
  return host.includes(':') ? '::1' : '127.0.0.1'
}

/** Where keys are asked for the bridge has one of its own, which nobody else knows. */
function withOwnKey(
  keys: Settings['sandboxKeys'],
  configured: Authentication,
): Pick<Required<SandboxDeps>, 'keys'> & { readonly authentication: Authentication } {
  if (keys.size === 0) return { keys, authentication: configured }
  const token = randomBytes(32).toString('base64url')
  const all = new Map([...keys, [hashOfKey(token), sampleCompanyId]])
  return { keys: all, authentication: { scheme: 'bearer', token } }
}

/** The bridge as the sandbox knows it, which starts before: until it is there nothing is told to it, and nobody has a page. */
export class BesideSandbox {
  readonly adminToken: string
  #bridge: Bridge | undefined

  constructor(adminToken: string) {
    this.adminToken = adminToken
  }

  /** From now on the bridge is there; `demoPage` is that of the sample employee. */
  open(useCases: UseCases, demoPage: () => Promise<string | undefined>): void {
    this.#bridge = { ...useCases, demoPage, pages: new PersonsPages(useCases) }
  }

  /** What was changed shows at the next poll: everything that was read before falls due. */
  readonly changed = (companyId = sampleCompanyId): void => {
    if (!this.#bridge || companyId !== sampleCompanyId) return
    const { sources, ready } = this.#bridge
    for (const source of sources.values()) source.renew()
    ready.forget()
  }

  readonly pageOf = async (userId: string): Promise<string | undefined> => {
    const kept = userId === demoUser ? await this.#bridge?.demoPage() : undefined
    return kept ?? this.#bridge?.pages.pageOf(userId)
  }
}

interface Bridge extends Pick<UseCases, 'sources' | 'ready'> {
  readonly demoPage: () => Promise<string | undefined>
  readonly pages: PersonsPages
}
