import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { Leave } from '../domain/leave.ts'
import { buildEvent } from './build-event.ts'
import { expandEach, type Expanding, type Outcome } from './expansion.ts'
import { readLeaveTime } from './leave-time.ts'

/** The leaves of the feed's users (event-rules section 3). */
export function expandLeaves(expanding: Expanding): Outcome[] {
  const { feed, records } = expanding
  if (!feed.options.leaves.show) return []
  return [...new Set(feed.userIds)].flatMap((userId) =>
    expandEach('leave', records.leaves.get(userId) ?? [], (leave) =>
      expandLeave(leave, userId, expanding),
    ),
  )
}

function expandLeave(leave: Leave, userId: string, expanding: Expanding): Outcome[] {
  const { id, status } = leave
  switch (status) {
    case 'APPROVED':
    case 'PENDING':
      return expanding.feed.options.leaves.statuses.includes(status)
        ? [leaveEvent(leave, userId, expanding)]
        : []
    case 'REJECTED':
    case 'CANCELLED':
      return []
    default:
      return [{ kind: 'leave', id, reason: 'unknown_status' }]
  }
}

function leaveEvent(leave: Leave, userId: string, expanding: Expanding): Outcome {
  const { reading, words, feed } = expanding
  const { detail } = feed.options.leaves
  const { time, partOfDay, fractionalDays } = readLeaveTime(leave, reading)
  const isPending = leave.status === 'PENDING'
  return buildEvent(
    {
      kind: 'leave',
      id: leave.id,
      userId,
      time,
      title: detail === 'absent' ? words.away : leave.leaveType?.name,
      remarks: [
        ...(partOfDay ? [words.partOfDay(partOfDay)] : []),
        ...(isPending ? [words.pending] : []),
      ],
      details: [
        fractionalDays === null ? null : words.days(fractionalDays),
        detail === 'full' ? leave.reason : null,
      ],
      status: isPending ? 'TENTATIVE' : 'CONFIRMED',
      busy: busyDuring(partOfDay, isPending),
    },
    expanding,
  )
}

function busyDuring(partOfDay: number | null, isPending: boolean): CalendarEvent['busy'] {
  if (partOfDay !== null) return 'FREE'
  return isPending ? 'TENTATIVE' : 'OOF'
}
