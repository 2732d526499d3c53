import type { LeaveStatus } from '../../domain/leave.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at, mondayOf, nextClockChange } from './days.ts'
import type { Person } from './people.ts'

const leaveTypes = {
  annual: { name: 'Annual leave', category: 'ANNUAL' },
  sick: { name: 'Sick leave', category: 'SICK' },
  special: { name: 'Special leave', category: 'SPECIAL' },
}

interface Plan {
  readonly status: LeaveStatus
  readonly type: keyof typeof leaveTypes
  readonly days: number
  readonly reason: string
  /** In days from this week's Monday, the last one counted; null for the next change of the clocks. */
  readonly span: readonly [first: number, last: number] | null
  /** For a leave of some hours: its times in UTC. */
  readonly hours?: readonly [start: string, end: string]
}

const plans: readonly Plan[] = [
  { span: [-70, -66], status: 'APPROVED', type: 'annual', days: 5, reason: 'At the lake' },
  { span: [-35, -34], status: 'APPROVED', type: 'sick', days: 2, reason: 'Flu' },
  { span: [-10, -10], status: 'CANCELLED', type: 'annual', days: 1, reason: 'Plans have changed' },
  { span: [9, 9], status: 'APPROVED', type: 'annual', days: 0.5, reason: 'School play' },
  {
    span: [15, 15],
    status: 'PENDING',
    type: 'special',
    days: 0.25,
    reason: 'At the dentist',
    hours: ['12:00', '14:00'],
  },
  { span: [24, 29], status: 'APPROVED', type: 'annual', days: 4, reason: 'A long weekend' },
  { span: [42, 46], status: 'REJECTED', type: 'annual', days: 5, reason: 'Release week after all' },
  { span: [63, 65], status: 'PENDING', type: 'annual', days: 3, reason: 'Visiting family' },
  { span: [154, 165], status: 'APPROVED', type: 'annual', days: 10, reason: 'A long journey' },
  { span: null, status: 'APPROVED', type: 'annual', days: 3, reason: 'Moving house' },
]

/** A person's leaves of all kinds and states, none over another; all but the one over the clock change so many weeks later. */
export function leavesOf(
  { key }: Person,
  today: PlainDate,
  weeksLater: number,
): CompanyRecords['leaves'][] {
  const change = overClockChange(today)
  const origin = addDays(mondayOf(today), weeksLater * 7)
  return plans.map((plan, index) => {
    const { first, last } = plan.span ? clearOf(change, spanFrom(origin, plan.span)) : change
    const [start, end] = plan.hours ?? ['00:00', '00:00']
    return {
      id: `lv_${key}_${index + 1}`,
      userId: `usr_${key}`,
      startDate: at(first, start),
      endDate: at(last, end),
      days: plan.days,
      reason: plan.reason,
      status: plan.status,
      leaveType: leaveTypes[plan.type],
    }
  })
}

interface Span {
  readonly first: PlainDate
  readonly last: PlainDate
}

/** From the Friday before the clocks change to the Tuesday after. */
function overClockChange(today: PlainDate): Span {
  const sunday = nextClockChange(today)
  return { first: addDays(sunday, -2), last: addDays(sunday, 2) }
}

function spanFrom(origin: PlainDate, [first, last]: readonly [number, number]): Span {
  return { first: addDays(origin, first), last: addDays(origin, last) }
}

/** The span, ten weeks later where it would touch the other: then no plan comes to lie over another. */
function clearOf(other: Span, { first, last }: Span): Span {
  const touches = first <= other.last && last >= other.first
  return touches ? { first: addDays(first, 70), last: addDays(last, 70) } : { first, last }
}
