import type { CompanySettings } from './company-settings.ts'
import type { Environment } from './environment.ts'

interface SetCompanies {
  /** null: none but the embedded one. */
  readonly companies: readonly CompanySettings[] | null
  readonly settingsIn: 'environment' | 'file'
}

/** A sentence for each company whose credential everybody on the way could read, unless that is allowed. */
export function exposedCredentials(
  given: Environment,
  { companies, settingsIn }: SetCompanies,
): readonly string[] {
  if (given['ALLOW_INSECURE'] === 'true' || !companies) return []
  return companies.flatMap(
    ({ company: { id }, connection: { authentication, baseUrl } }, index) => {
      if (authentication.scheme === 'none' || !isExposed(new URL(baseUrl))) return []
      return settingsIn === 'file'
        ? sayExposed(`COMPANIES_FILE.${index}.auth (company ${id})`, 'baseUrl')
        : sayExposed('WORKFORCE_AUTH', 'WORKFORCE_BASE_URL')
    },
  )
}

function sayExposed(credential: string, address: string): string {
  return `${credential} must not be sent over http to another machine: set ${address} to an https address or, where the network between them is trusted, ALLOW_INSECURE=true.`
}

function isExposed({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
