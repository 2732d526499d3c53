import type { PlainDate } from '../domain/plain-date.ts'
import type { Log } from '../domain/world.ts'
import { listen } from '../web/listen.ts'
import { seedIfEmpty } from './import-company.ts'
import { type CompanyOutline, describeCompany } from './records.ts'
import { sampleCompany } from './sample-company.ts'
import { openSandboxDatabase } from './sandbox-database.ts'
import { createWorkforceApi } from './server.ts'

export interface WorkforceApiSettings {
  /** `file:…` or `postgres://…`. */
  readonly databaseUrl: string
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** The day round which the sample company is alive, should the database be empty. */
  readonly today: PlainDate
  readonly log: Log
}

export interface RunningWorkforceApi {
  /** `{base_url}` of the spec. */
  readonly url: string
  /** What is to be known of the company beyond what the Read API lists. */
  describe(): Promise<CompanyOutline>
  /** Ends when what is under way is answered and the database is closed. */
  close(): Promise<void>
}

/** The Read API on its address, with the sample company where its database never held one; `unavailable` where the address or the database cannot be had. */
export async function startSandbox(settings: WorkforceApiSettings): Promise<RunningWorkforceApi> {
  const { databaseUrl, host, port, today, log } = settings
  const database = await openSandboxDatabase(databaseUrl)
  try {
    await seedIfEmpty(database, sampleCompany({ today }))
    const listening = await listen(createWorkforceApi({ database, log }), {
      host,
      port,
      what: 'The Read API',
    })
    return {
      url: listening.url,
      describe: () => describeCompany(database.queries),
      async close() {
        await listening.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
