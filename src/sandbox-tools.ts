import type { SandboxSettings, SandboxTools } from './cli/context.ts'
import { importCompany } from './sandbox/import-company.ts'
import { sampleCompany } from './sandbox/sample-company.ts'
import { openSandboxDatabase } from './sandbox/sandbox-database.ts'
import { startSandbox } from './sandbox/start-sandbox.ts'
import type { Surroundings } from './services.ts'
import type { Settings } from './settings/read-settings.ts'

type Closer = () => Promise<void>

/** The embedded Read API by itself; `untilEnd` is told how to close it when the process is to end. */
export function sandboxTools(
  { host, sandboxDatabaseUrl }: Settings,
  { clock, log }: Surroundings,
  untilEnd: (close: Closer) => void,
): SandboxTools {
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const urlOf = ({ database }: SandboxSettings): string => database ?? sandboxDatabaseUrl
  return {
    serve: async (settings, started) => {
      const { port = 0 } = settings
      const api = await startSandbox({ databaseUrl: urlOf(settings), host, port, today, log })
      untilEnd(() => api.close())
      started(api.url)
    },
    importCompany: async (company, settings) => {
      const database = await openSandboxDatabase(urlOf(settings))
      try {
        await importCompany(database, company)
      } finally {
        await database.close()
      }
    },
    sampleCompany: (options) => sampleCompany({ today, ...options }),
  }
}
