import type { SandboxSettings, SandboxTools } from '../cli/context.ts'
import { sqliteFilesOf } from '../database/sqlite-files.ts'
import { AppError } from '../domain/errors.ts'
import { meantOrAll } from '../domain/nearest.ts'
import { resetCompany } from '../sandbox/controls/reset-company.ts'
import { importFile } from '../sandbox/loading/import-file.ts'
import { readBytes } from '../sandbox/loading/read-bytes.ts'
import { listCompanies, sampleCompanyId } from '../sandbox/records/companies.ts'
import { openSandboxDatabase, type SandboxDatabase } from '../sandbox/records/sandbox-database.ts'
import { sampleLists } from '../sandbox/sample-company.ts'
import { sampleFile } from '../sandbox/sample/sample-file.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import type { Setup } from './command-context.ts'
import { adminTokenFile, adminTokenOf } from './demo.ts'
import { warnOfLooseFiles } from './loose-files.ts'
import { untilEnd } from './until-end.ts'

/** The embedded Read API by itself. */
export function sandboxTools({ settings, surroundings }: Setup): SandboxTools {
  const today = (): string => new Date(surroundings.clock.now()).toISOString().slice(0, 10)
  const urlOf = ({ database }: SandboxSettings): string => database ?? settings.sandboxDatabaseUrl
  return {
    serve: async (given, started) => {
      const { port = 0 } = given
      const where = { databaseUrl: urlOf(given), host: settings.host, port }
      const { sandboxKeys: keys } = settings
      // Without keys there is nothing that it would open, and none is made.
      const adminToken = keys.size > 0 ? adminTokenOf(settings) : undefined
      const api = await startSandbox({ ...where, ...surroundings, keys, adminToken })
      untilEnd(() => api.close())
      warnOfLooseFiles(sqliteFilesOf(urlOf(given)), surroundings.log)
      started(api.url, keys.size > 0 ? adminTokenFile(settings) : undefined)
    },
    importCompany: async ({ name, bytes, progress }, given) => {
      const text = { name, bytes: await readBytes(bytes, name) }
      const { company: companyId = sampleCompanyId, empty: mayBeEmpty = false } = given
      const report = await withDatabase(urlOf(given), (database) =>
        importFile(database, text, { companyId, mayBeEmpty, progress }),
      )
      const unread = sayUnread(companyId, settings)
      return { ...report, warnings: [...report.warnings, ...unread] }
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

/** Without a key the sample's company alone is answered. */
function sayUnread(companyId: string, { sandboxKeys }: Setup['settings']): readonly string[] {
  if (companyId === sampleCompanyId || [...sandboxKeys.values()].includes(companyId)) return []
  return [
    `No key of WORKFORCE_SANDBOX_KEYS opens the company ${companyId}; KEY=${companyId} would.`,
  ]
}

/** `not_found`, with the one that is likely meant, for one that nobody has loaded. */
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
