import type { SandboxSettings, SandboxTools } from './cli/context.ts'
import type { Setup } from './command-context.ts'
import { sqliteFilesOf } from './database/sqlite-files.ts'
import { warnOfLooseFiles } from './loose-files.ts'
import { importCompany } from './sandbox/import-company.ts'
import { openSandboxDatabase } from './sandbox/records/sandbox-database.ts'
import { sampleCompany } from './sandbox/sample-company.ts'
import { startSandbox } from './sandbox/start-sandbox.ts'

type Closer = () => Promise<void>

/** The embedded Read API by itself; `untilEnd` is told how to close it when the process is to end. */
export function sandboxTools(setUp: () => Setup, untilEnd: (close: Closer) => void): SandboxTools {
  const today = (): string => new Date(setUp().surroundings.clock.now()).toISOString().slice(0, 10)
  const urlOf = ({ database }: SandboxSettings): string =>
    database ?? setUp().settings.sandboxDatabaseUrl
  return {
    serve: async (given, started) => {
      const { settings, surroundings } = setUp()
      const { port = 0 } = given
      const where = { databaseUrl: urlOf(given), host: settings.host, port }
      const api = await startSandbox({ ...where, ...surroundings })
      untilEnd(() => api.close())
      warnOfLooseFiles(sqliteFilesOf(urlOf(given)), surroundings.log)
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
    sampleCompany: (options) => sampleCompany({ today: today(), ...options }),
  }
}
