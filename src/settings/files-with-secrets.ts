import type { CompanySettings } from './company-settings.ts'
import type { Environment } from './environment.ts'
import { fileTwins } from './secret-files.ts'

/** What an environment and its companies name files for, and the files that set secrets themselves. */
interface SecretPlaces {
  readonly environment: Environment
  /** The names that `.env` sets. */
  readonly inFile: readonly string[]
  readonly companies: readonly CompanySettings[]
}

/** The files in which secrets stand, as they are named: those that hold one alone, `.env` and the file of companies. */
export function filesWithSecrets({
  environment,
  inFile,
  companies,
}: SecretPlaces): readonly string[] {
  const isInFile = inFile.some((name) => isSecretSetting(name, environment[name]))
  const named = [...fileTwins.keys()].map((twin) => environment[twin])
  const files = [
    isInFile ? '.env' : null,
    companies.some(holdsCredential) ? environment['COMPANIES_FILE'] : null,
    ...named,
    ...companies.map(({ credentialFile }) => credentialFile),
  ]
  return [...new Set(files.filter(isNamed))]
}

/** A database without a password is none. */
function isSecretSetting(name: string, value = ''): boolean {
  if (name.endsWith('DATABASE_URL') || name.endsWith('PROXY')) return /\/\/[^/]*@/.test(value)
  return value !== '' && value !== 'none' && fileTwins.has(`${name}_FILE`)
}

function holdsCredential({ connection, credentialFile }: CompanySettings): boolean {
  return connection.authentication.scheme !== 'none' && credentialFile === null
}

function isNamed(file: string | null | undefined): file is string {
  return !!file
}
