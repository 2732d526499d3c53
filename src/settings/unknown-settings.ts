import { likelyMeant } from '../domain/nearest.ts'
import { bridgeTable } from './bridge-table.ts'
import { companyTable } from './company-table.ts'
import type { Environment } from './environment.ts'
import { fileTwins } from './secret-files.ts'
import { rowsOf } from './setting.ts'
import { sayNearest } from './unknown-key.ts'

/** Who sets a name that begins so means this program. */
const ownPrefix = /^(?:WORKFORCE|FEED|OIDC|SMTP)_/

/**
 * Other programs have names that begin so, too (`MAIL_HOST`, `SESSION_MANAGER`): only what is all but ours is taken for ours.
 * Nobody's begin like the last three but those who have exchanged two letters.
 */
const sharedPrefix = /^(?:MAIL|SESSION|OICD|ODIC|STMP)_?/
const allButShare = 0.25

/** Whose names are like ours and mean something else: of PostgreSQL's client, Node, npm and curl. */
const othersNames = /^(?:PG|NODE_|NPM_CONFIG_|ALL_PROXY$)/i

/**
 * A sentence for each setting of the environment that does not exist, with the nearest that does. What `inFile` names stands in
 * the program's own file: there a name that is only like a setting's is one that is misspelt.
 */
export function unknownSettings(
  environment: Environment,
  inFile: readonly string[],
): readonly string[] {
  const known = [
    ...[...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap(
      (row) => row.environmentName ?? [],
    ),
    ...fileTwins.keys(),
  ]
  const isMeant = (name: string): boolean =>
    ownPrefix.test(name) ||
    isSlip(name, known) ||
    (inFile.includes(name) && isMisspelt(name, known))
  return Object.entries(environment)
    .filter(([name, value]) => value !== '' && !known.includes(name) && isMeant(name))
    .filter(([name, value]) => !isServiceLink(name, value))
    .map(([name]) => sayUnknown(name, known))
}

function isSlip(name: string, known: readonly string[]): boolean {
  return sharedPrefix.test(name) && likelyMeant(name, known, allButShare) !== undefined
}

function isMisspelt(name: string, known: readonly string[]): boolean {
  return !othersNames.test(name) && likelyMeant(name, known) !== undefined
}

function sayUnknown(name: string, known: readonly string[]): string {
  const alike = known.filter((other) => other.startsWith(ownPrefix.exec(name)?.[0] ?? ''))
  const near = sayNearest(name, alike)
  return `${name} is no setting${near}${near.endsWith('?') ? '' : '.'}`
}

/** What Kubernetes and Docker set by themselves where a service is called `smtp` or `workforce`. */
function isServiceLink(name: string, value = ''): boolean {
  if (name.endsWith('_PORT')) return /^(?:tcp|udp|sctp):\/\//.test(value)
  return /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/.test(name)
}
