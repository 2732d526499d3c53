import type { Clock, Log } from '../domain/world.ts'
import type { SandboxKeys } from '../settings/fields.ts'
import { httpUrl, listen } from '../web/listen.ts'
import { isLoopback } from '../web/loopback.ts'
import { type ControlsDeps, openControls } from './controls/controls.ts'
import { seedIfEmpty } from './loading/import-file.ts'
import {
  sampleCompanyId,
  type CompanyOutline,
  outlineCompany,
  watchCompany,
} from './records/companies.ts'
import { openSandboxDatabase } from './records/sandbox-database.ts'
import { sampleLists } from './sample-company.ts'
import { createSandboxApp } from './sandbox-app.ts'

/** Backups from before a migration are deleted after 30 days, like the bridge's. */
const backupsMs = 30 * 86_400_000

export interface SandboxDeps extends Pick<ControlsDeps, 'adminToken' | 'changed' | 'pageOf'> {
  /** `file:…` or `postgres://…`. */
  readonly databaseUrl: string
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Sets the date of the sample company for an empty database. */
  readonly clock: Clock
  /** If there are any, requests need one of them as a bearer token. */
  readonly keys?: SandboxKeys
  readonly log: Log
}

export interface Sandbox {
  /** `{base_url}` of the spec. */
  readonly url: string
  /** Returns what the Read API does not list about the company. */
  describe(): Promise<CompanyOutline>
  /** Resolves when all requests are finished and the database is closed. */
  close(): Promise<void>
}

/**
 * Starts the Read API, and loads the sample company if the database never had one. Fails with `unavailable` if the address
 * or the database is not available.
 */
export async function startSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { databaseUrl, host, port, keys = new Map(), clock, log, changed } = deps
  const database = await openSandboxDatabase(databaseUrl)
  try {
    database.dropBackups(clock.now() - backupsMs)
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    await seedIfEmpty(database, sampleLists({ today }))
    const controls = openControls({ ...deps, database, keys })
    const app = createSandboxApp({ database, keys, controls, clock, log })
    const server = await listen(app, { host, port, what: 'The Read API', isShared: false })
    if (keys.size === 0 && !isLoopback(httpUrl(host, 80))) {
      const mend = 'set WORKFORCE_SANDBOX_KEYS: without keys this machine alone is answered'
      log.warn({ host, mend }, 'sandbox_without_keys')
    }
    const endWatch =
      changed && (await watchCompany(database, { companyId: sampleCompanyId, changed, log }))
    return {
      url: server.url,
      describe: () => outlineCompany(database),
      close: async () => {
        controls.imitation.close()
        await endWatch?.()
        await server.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
