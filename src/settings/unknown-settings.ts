import { bridgeTable } from './bridge-table.ts'
import { companyTable } from './company-table.ts'
import type { Environment } from './environment.ts'
import { fileTwins } from './secret-files.ts'
import { rowsOf } from './setting.ts'
import { sayNearest } from './unknown-key.ts'

/** Who sets a name that begins so means this program. */
const ownPrefix = /^(?:WORKFORCE|FEED|OIDC|SMTP)_/

/** Names that are settled, for what this version does not do yet. */
const plannedSettings = new Map([
  ...['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'PERSON', 'ADMIN', 'SUPPORT'].map(
    (name) => [`OIDC_${name}`, 'does not sign in people by an identity provider'] as const,
  ),
  ['SMTP_URL', 'sends no mail'],
  ['WORKFORCE_SANDBOX_KEYS', 'asks for no keys in its sandbox'],
])

/** A sentence for each setting of the environment that does not exist, with the nearest that does. */
export function unknownSettings(environment: Environment): readonly string[] {
  const known = [
    ...[...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap(
      (row) => row.environmentName ?? [],
    ),
    ...fileTwins.keys(),
  ]
  return Object.entries(environment)
    .filter(([, value]) => value !== '')
    .filter(([name, value]) => ownPrefix.test(name) && !isServiceLink(name, value))
    .filter(([name]) => !known.includes(name))
    .map(([name]) => sayUnknown(name, known))
}

function sayUnknown(name: string, known: readonly string[]): string {
  const lack = plannedSettings.get(name.replace(/_FILE$/, ''))
  if (lack !== undefined) return `${name} must not be set: this version ${lack} yet.`
  const [prefix = ''] = ownPrefix.exec(name) ?? []
  const alike = [...known, ...plannedSettings.keys()].filter((other) => other.startsWith(prefix))
  const near = sayNearest(name, alike)
  return `${name} is no setting${near}${near.endsWith('?') ? '' : '.'}`
}

/** What Kubernetes and Docker set by themselves where a service is called `smtp` or `workforce`. */
function isServiceLink(name: string, value = ''): boolean {
  if (name.endsWith('_PORT')) return /^(?:tcp|udp|sctp):\/\//.test(value)
  return /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/.test(name)
}
