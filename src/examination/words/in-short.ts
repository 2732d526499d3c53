import type { Examination } from '../../domain/examination.ts'
import type { LeaveProof } from '../../domain/leave.ts'

/** What a first look at a Read API came to, in a line: whether it answers, and what is known of its leaves. */
export function sayInShort({ ok, findings }: Examination, { state }: LeaveProof): string {
  const wrong = (name: string): string | undefined =>
    findings.find((finding) => finding.check === name && !finding.ok)?.seen
  // Where a credential is refused it has not shown either whether the address is right.
  if (wrong('credentials') !== undefined) return 'refuses the credential; doctor says what to set'
  const absence = wrong('reachable')
  if (absence !== undefined) {
    return `not reached: ${absence.replace(/\.$/, '')}; the bridge goes on and asks again`
  }
  const leaves = wrong('leaves-employee') === undefined ? leavesIn[state] : leavesUntold
  return ok ? `answers, ${leaves}` : `answers, ${leaves}, but not all is well: doctor says what`
}

const leavesUntold = 'leaves cannot be told apart'

const leavesIn: Readonly<Record<LeaveProof['state'], string>> = {
  proven: 'leaves proven',
  unproven: 'leaves are shown as soon as they are proven',
  disproved: leavesUntold,
}
