import type { Examination, Finding, FindingLevel } from '../domain/examination.ts'
import type { LeaveProof } from '../domain/leave.ts'

/** Returns the first examination in one line: whether the Read API responds, and what is known about its leaves. */
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

/** An examination that shows leaves told apart is a proof like that of feeds. One with nothing to compare proves nothing. */
function sayLeaves(level: FindingLevel, { state }: Pick<LeaveProof, 'state'>): string {
  if (level === 'wrong' || state === 'disproved') return 'leaves cannot be told apart'
  const isProven = level === 'ok' || state === 'proven'
  return isProven ? 'leaves proven' : 'leaves are shown as soon as they are proven'
}
