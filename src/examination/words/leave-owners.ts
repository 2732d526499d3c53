import type { LeaveFilterExamined } from '../../copies/proof/leave-examination.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import { listed } from './counted.ts'

/** Says which leaves come for several people; none where none does. */
export function sayLeaveOwners(claims: LeaveFilterExamined['disputes']): readonly Finding[] {
  if (claims.length === 0) return []
  const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
  const leaves = [...byLeave].map(([id, of]) => `${id} (${of.map(nameOf).join(', ')})`)
  const means =
    'Only the one for whom it came first is shown such a leave; it moves once it has come for nobody but one other for a day. One that is booked for all belongs among the public holidays.'
  return [
    findingOf({
      check: 'leave-owners',
      level: 'note',
      seen: `Leaves that come for several people: ${listed(leaves)}.`,
      means,
      set: null,
    }),
  ]
}

function nameOf({ userId, isOwner }: LeaveFilterExamined['disputes'][number]): string {
  return isOwner ? `${userId} first` : userId
}
