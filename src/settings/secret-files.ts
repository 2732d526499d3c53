import { bridgeTable } from './bridge-table.ts'
import { companyTable } from './company-table.ts'
import type { Environment } from './environment.ts'
import { rowsOf } from './setting.ts'

/** The text of a file; whatever it throws means that there is none to be read. */
export type ReadFile = (file: string) => string

/** By the name under which a file can be named that holds the secret: the name under which it can stand itself. */
export const fileTwins: ReadonlyMap<string, string> = new Map(
  [...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap(({ isSecret, environmentName: name }) =>
    isSecret && name !== null ? [[`${name}_FILE`, name] as const] : [],
  ),
)

/** The environment with the secrets in it that it names files for; what is wrong with these goes to `sentences`. */
export function withSecretsOfFiles(
  environment: Environment,
  readFile: ReadFile,
  sentences: string[],
): Environment {
  const found: Record<string, string> = {}
  for (const [twin, name] of fileTwins) {
    const file = environment[twin]
    if (file === undefined) continue
    const secret = secretIn(file, readFile)
    if (environment[name] !== undefined) sentences.push(`${name} and ${twin} must not both be set.`)
    else if (secret === undefined) sentences.push(`${twin} ${fileRule}.`)
    else found[name] = secret
  }
  return { ...environment, ...found }
}

export const fileRule = 'must name a readable file that holds the secret and nothing else'

/** Without the end of its line; undefined where there is none. */
export function secretIn(file: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(file).replace(/[\r\n]+$/, '') || undefined
  } catch {
    return undefined
  }
}
