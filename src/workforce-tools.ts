import type { WorkforceSettings, WorkforceTools } from './cli/context.ts'
import type { Config } from './config.ts'
import type { Surroundings } from './services.ts'
import { importCompany } from './workforce-api/import-company.ts'
import { sampleCompany } from './workforce-api/sample-company.ts'
import { startWorkforceApi } from './workforce-api/start-workforce-api.ts'
import { openWorkforceDatabase } from './workforce-api/workforce-database.ts'

type Closer = () => Promise<void>

/** The embedded Read API by itself; `untilEnd` is told how to close it when the process is to end. */
export function workforceTools(
  { host, embedded }: Config,
  { clock, log }: Surroundings,
  untilEnd: (close: Closer) => void,
): WorkforceTools {
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const urlOf = ({ database }: WorkforceSettings): string => database ?? embedded.databaseUrl
  return {
    serve: async (settings, started) => {
      const { port = 0 } = settings
      const api = await startWorkforceApi({ databaseUrl: urlOf(settings), host, port, today, log })
      untilEnd(() => api.close())
      started(api.url)
    },
    importCompany: async (company, settings) => {
      const database = await openWorkforceDatabase(urlOf(settings))
      try {
        await importCompany(database, company)
      } finally {
        await database.close()
      }
    },
    sampleCompany: (options) => sampleCompany({ today, ...options }),
  }
}
