/*
 * Whether vulnerabilities are known of what the program runs on. Asking needs a registry that can tell: where none can be
 * reached, or it does not offer that, this says so and is no failure, so that it can stand in any gate.
 */
import { runNpm } from './npm.ts'

interface AuditVerdict {
  readonly sentence: string
  readonly exitCode: 0 | 1
}

/** What npm prints; of a failure its own words. */
interface AuditAnswer {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly statusCode?: number
  readonly message?: string
}

const grave: ReadonlySet<string> = new Set(['high', 'critical'])
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|network|timeout|socket/i

if (import.meta.main) {
  const { sentence, exitCode } = judgeAudit(await runNpm('audit', '--omit=dev', '--json'))
  console.log(sentence)
  process.exitCode = exitCode
}

/** What `npm audit --json` printed comes to: a vulnerability of level high or above fails, nobody to ask does not. */
export function judgeAudit(printed: string): AuditVerdict {
  const answer = parse(printed)
  if (answer?.metadata?.vulnerabilities) return judgeFound(answer)
  if (answer?.statusCode !== undefined) {
    return skipped(`the registry offers no audit (it answers ${answer.statusCode})`)
  }
  if (unreachable.test(answer?.message ?? '')) return skipped('the registry cannot be reached')
  return { sentence: 'The audit failed: npm did not say what it found.', exitCode: 1 }
}

function judgeFound({ vulnerabilities = {} }: AuditAnswer): AuditVerdict {
  const found = Object.entries(vulnerabilities)
  const named = found.filter(([, { severity }]) => grave.has(severity)).map(([name]) => name)
  if (named.length === 0) {
    const lesser = found.length === 0 ? '' : ` (${found.length} of a lower level)`
    return { sentence: `No vulnerability of level high or above is known${lesser}.`, exitCode: 0 }
  }
  const sentence = `Vulnerabilities of level high or above are known in: ${named.join(', ')}.`
  return { sentence, exitCode: 1 }
}

function skipped(why: string): AuditVerdict {
  return { sentence: `The audit was skipped: ${why}.`, exitCode: 0 }
}

/** undefined for what is no JSON. */
function parse(printed: string): AuditAnswer | undefined {
  try {
    return JSON.parse(printed) as AuditAnswer
  } catch {
    return undefined
  }
}
