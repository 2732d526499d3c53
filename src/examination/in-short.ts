import type { Examination, Finding, FindingLevel } from '../domain/examination.ts'
import type { LeaveProof } from '../domain/leave.ts'

/** The first examination in one line: whether the Read API answers, and what is known about its leaves. */
export function sayInShort(
  { ok, findings }: Examination,
  proof: Pick<LeaveProof, 'state'>,
): string {
  const found = (name: string): Finding | undefined => findings.find(({ check }) => check === name)
  const reach = found('reachable')
  if (reach?.ok === false) {
    return `not reached: ${reach.seen.replace(/\.$/, '')}; the bridge goes on and asks again`
  }
  if (found('credentials')?.ok === false) return 'refuses the credential; doctor says what to set'
  const leaves = sayLeaves(found('leaves-employee')?.level ?? 'note', proof)
  return ok ? `answers, ${leaves}` : `answers, ${leaves}, but not all is well: doctor says what`
}

/** A look that shows them told apart is a proof as that of feeds is; one that had nothing to compare shows nothing. */
function sayLeaves(level: FindingLevel, { state }: Pick<LeaveProof, 'state'>): string {
  if (level === 'wrong' || state === 'disproved') return 'leaves cannot be told apart'
  const isProven = level === 'ok' || state === 'proven'
  return isProven ? 'leaves proven' : 'leaves are shown as soon as they are proven'
}
