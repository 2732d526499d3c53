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

/** Backups from before a change of tables go after 30 days, as the bridge's do. */
const backupsMs = 30 * 86_400_000

export interface SandboxDeps extends Pick<ControlsDeps, 'adminToken' | 'changed' | 'pageOf'> {
  /** `file:…` or `postgres://…`. */
  readonly databaseUrl: string
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** An empty database gets the sample company of its day. */
  readonly clock: Clock
  /** Where there are any, one of them is asked for as a bearer token. */
  readonly keys?: SandboxKeys
  readonly log: Log
}

export interface Sandbox {
  /** `{base_url}` of the spec. */
  readonly url: string
  /** What the Read API does not list about the company. */
  describe(): Promise<CompanyOutline>
  /** Ends when all requests are answered and the database is closed. */
  close(): Promise<void>
}

/** The Read API on its address, with the sample company where its database never held one; `unavailable` where the address or the database cannot be had. */
export async function startSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { databaseUrl, host, port, keys = new Map(), clock, log, changed } = deps
  const database = await openSandboxDatabase(databaseUrl)
  try {
    database.dropBackups(clock.now() - backupsMs)
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    await seedIfEmpty(database, sampleLists({ today }))
    const controls = openControls({ ...deps, database, keys })
    const app = createSandboxApp({ database, keys, controls, clock, log })
    const server = await listen(app, { host, port, what: 'The Read API' })
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
