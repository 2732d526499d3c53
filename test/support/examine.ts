/* The examination of one Read API as `doctor` makes it. */
import type { Examination, Finding } from '../../src/domain/examination.ts'
import { readsFrom } from './bridge.ts'
import { runCommand } from './command-line.ts'

export interface Examined {
  readonly code: number
  /** What went to standard error. */
  readonly errors: string
  readonly examination: Examination
}

/** Runs `doctor --json` against that base URL, for a company in Berlin unless the environment says otherwise. */
export async function examineApi(
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Examined> {
  const settings = { ...readsFrom(url), ...environment }
  const { code, errors, output } = await runCommand(settings, 'doctor', '--json')
  return { code, errors, examination: JSON.parse(output) }
}

/** The finding of that check; throws where there is none. */
export function findingOf({ findings }: Examination, check: string): Finding {
  const found = findings.find((finding) => finding.check === check)
  if (!found) throw new Error(`Nothing was found about ${check}.`)
  return found
}

/** Each setting that is to change, once. */
export function settingsOf({ findings }: Examination): readonly string[] {
  return [...new Set(findings.flatMap(({ set }) => set ?? []))]
}
