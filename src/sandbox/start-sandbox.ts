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
import { openSandboxDatabase, type SandboxDatabase } from './records/sandbox-database.ts'
import { sampleLists } from './sample-company.ts'
import { createSandboxApp } from './sandbox-app.ts'

/** What was backed up before the tables changed goes after 30 days, as the bridge's does. */
const backupsMs = 30 * 86_400_000

/** Where a sandbox runs, and what it needs there. */
export interface SandboxDeps extends Pick<ControlsDeps, 'adminToken' | 'changed' | 'pageOf'> {
  /** `file:…` or `postgres://…`. */
  readonly databaseUrl: string
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Its day is that round which the sample company is alive, should the database be empty. */
  readonly clock: Clock
  /** Whose bearer keys are asked for; none are where it is empty. */
  readonly keys?: SandboxKeys
  readonly log: Log
}

/** A sandbox that runs. */
export interface Sandbox {
  /** `{base_url}` of the spec. */
  readonly url: string
  /** What is to be known of the company beyond what the Read API lists. */
  describe(): Promise<CompanyOutline>
  /** Ends when what is under way is answered and the database is closed. */
  close(): Promise<void>
}

/** The Read API on its address, with the sample company where its database never held one; `unavailable` where the address or the database cannot be had. */
export async function startSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { databaseUrl, host, port, keys = new Map(), clock, log } = deps
  const database = await openSandboxDatabase(databaseUrl)
  try {
    database.dropBackups(clock.now() - backupsMs)
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    await seedIfEmpty(database, sampleLists({ today }))
    const controls = openControls({ ...deps, database, keys })
    const app = createSandboxApp({ database, keys, controls, clock, log })
    const server = await listen(app, { host, port, what: 'The Read API' })
    warnWithoutKeys(host, { keys, log })
    const endWatch = await watchSample(database, deps)
    const close = async (): Promise<void> => {
      controls.imitation.close()
      await endWatch()
      await server.close()
      await database.close()
    }
    return { url: server.url, describe: () => outlineCompany(database), close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Where somebody wants to know of changes. */
async function watchSample(
  database: SandboxDatabase,
  { changed, log }: SandboxDeps,
): Promise<() => Promise<void>> {
  if (!changed) return () => Promise.resolve()
  return watchCompany(database, { companyId: sampleCompanyId, changed, log })
}

/** Other machines are answered by nobody then, which is seldom meant. */
function warnWithoutKeys(
  host: string,
  { keys, log }: Pick<Required<SandboxDeps>, 'keys' | 'log'>,
): void {
  if (keys.size > 0 || isLoopback(httpUrl(host, 80))) return
  const mend = 'set WORKFORCE_SANDBOX_KEYS: without keys this machine alone is answered'
  log.warn({ host, mend }, 'sandbox_without_keys')
}
