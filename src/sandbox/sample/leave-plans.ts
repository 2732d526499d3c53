import type { LeaveStatus } from '../../domain/leave.ts'
import { addDays, type PlainDate, weekdayOf } from '../../domain/plain-date.ts'
import { mondayOf, workdayFrom } from './days.ts'
import type { LeaveCause, LeaveType } from './leave-types.ts'
import { between, pick, type Random } from './random.ts'

/** A leave of the sample company, its reason not yet chosen. */
export interface LeavePlan {
  readonly status: LeaveStatus
  readonly type: LeaveType
  /** The first day and the last. */
  readonly span: readonly [first: PlainDate, last: PlainDate]
  /** Working days in it. */
  readonly days: number
  /** For a leave of some hours: its times in UTC. */
  readonly hours?: readonly [start: string, end: string]
}

/** As often as they stand here; ahead, since nobody knows today that they will be ill, and behind. */
const types: Readonly<Record<'ahead' | 'behind', readonly LeaveType[]>> = {
  ahead: ['annual', 'annual', 'annual', 'annual', 'annual', 'special', 'training', 'training'],
  behind: ['annual', 'annual', 'annual', 'annual', 'sick', 'sick', 'sick', 'special', 'training'],
}

/** How many working days a leave of that type lasts. */
const lengths: Readonly<Record<LeaveType, readonly number[]>> = {
  annual: [1, 1, 2, 3, 4, 5, 5, 8, 10, 10, 15],
  sick: [0.5, 1, 1, 2, 3, 5],
  special: [1, 1, 2],
  training: [1, 2, 3],
  unpaid: [20, 40],
}

/** Between two leaves, in days, the least and the most: some are away often and short, some seldom. */
const pauses: readonly (readonly [least: number, most: number])[] = [
  [10, 60],
  [20, 90],
  [40, 160],
]

/** Of annual leave. */
const daysOfYear = 32
const pastDays = 85
const futureDays = 340

/** From three months ago, or since they came, to a year from now, one after the other, as somebody takes leave who is like no other. */
export function inventLeaves(
  { since }: { readonly since: number },
  { today, random }: { readonly today: PlainDate; readonly random: Random },
): readonly LeavePlan[] {
  const plans: LeavePlan[] = []
  const [least, most] = pick(random, pauses)
  let daysLeft = daysOfYear
  let day = addDays(today, -Math.min(since, pastDays))
  for (;;) {
    day = workdayFrom(addDays(day, between(random, least, most)))
    if (day > addDays(today, futureDays)) return plans
    const plan = inventLeave(day, today, random)
    if (plan.type === 'annual') daysLeft -= plan.days
    if (daysLeft < 0) return plans
    plans.push(plan)
    day = addDays(plan.span[1], 1)
  }
}

function inventLeave(first: PlainDate, today: PlainDate, random: Random): LeavePlan {
  const isAhead = first > addDays(today, 2)
  const isUnpaid = isAhead && random() < 0.02
  const type = isUnpaid ? 'unpaid' : pick(random, types[isAhead ? 'ahead' : 'behind'])
  const status = statusOf(type, isAhead, random)
  if (type === 'annual' && random() < 0.15) {
    return { status, type, span: [first, first], days: 0.5 }
  }
  if (type === 'special' && random() < 0.5) {
    return { status, type, span: [first, first], days: 0.25, hours: pick(random, times) }
  }
  const days = pick(random, lengths[type])
  return { status, type, span: [first, lastOf(first, days)], days }
}

const times: readonly (readonly [start: string, end: string])[] = [
  ['08:00', '10:00'],
  ['12:00', '14:00'],
  ['13:30', '15:30'],
]

function statusOf(type: LeaveType, isAhead: boolean, random: Random): LeaveStatus {
  if (type === 'sick' || random() < 0.6) return 'APPROVED'
  const others: readonly LeaveStatus[] = isAhead
    ? ['APPROVED', 'PENDING', 'PENDING', 'PENDING', 'REJECTED']
    : ['APPROVED', 'APPROVED', 'APPROVED', 'CANCELLED']
  return pick(random, others)
}

/** The last of so many working days. */
function lastOf(first: PlainDate, days: number): PlainDate {
  const afterMonday = weekdayOf(first) + Math.ceil(days) - 1
  return addDays(mondayOf(first), Math.floor(afterMonday / 5) * 7 + (afterMonday % 5))
}

/** For what a leave like that is taken; nobody knows of a death beforehand. */
export function causeOf({ type, days, hours, span }: LeavePlan, today: PlainDate): LeaveCause {
  if (hours) return 'appointment'
  if (type === 'special') return span[0] < today && days < 3 ? 'bereavement' : 'occasion'
  if (type !== 'annual') return causes[type]
  if (days < 1) return 'errand'
  return days < 5 ? 'shortBreak' : 'holiday'
}

const causes = { sick: 'illness', training: 'course', unpaid: 'longAbsence' } as const
