import type { LeaveStatus } from '../../domain/leave.ts'
import { type PlainDate, addDays, weekdayOf } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import {
  at,
  mondayOf,
  workdayFrom,
  nextClockChange,
  between,
  type Random,
  type Surroundings,
  turn,
  pick,
} from './days.ts'
import type { Person } from './people.ts'
import type { LeaveCause, LeaveType } from './words.ts'

interface LeavePlan {
  readonly status: LeaveStatus
  readonly type: LeaveType
  readonly first: PlainDate
  readonly last: PlainDate
  /** Number of working days. */
  readonly days: number
  /** Start and end in UTC, for a leave of a few hours. */
  readonly hours?: readonly [start: string, end: string]
}

function leavesOf(
  { key }: Person,
  plans: readonly LeavePlan[],
  { today, words, random }: Surroundings,
): CompanyRecords['leaves'][] {
  // Reasons rotate, so that none repeats while others are left.
  const from = between(random, 0, 1000)
  return plans.map((plan, index) => {
    const { first, last, days, status, type, hours: [start, end] = ['00:00', '00:00'] } = plan
    return {
      id: `lv_${key}_${index + 1}`,
      userId: `usr_${key}`,
      startDate: at(first, start),
      endDate: at(last, end),
      days,
      reason: turn(words.reasons[causeOf(plan, today)], from + index),
      status,
      leaveType: { name: words.leaveTypes[type], category: type.toUpperCase() },
    }
  })
}

/** Bereavement is never planned ahead. */
function causeOf({ type, days, hours, first }: LeavePlan, today: PlainDate): LeaveCause {
  if (hours) return 'appointment'
  if (type === 'special') return first < today && days < 3 ? 'bereavement' : 'occasion'
  if (type !== 'annual') return causes[type]
  if (days < 1) return 'errand'
  return days < 5 ? 'shortBreak' : 'holiday'
}

const causes = { sick: 'illness', training: 'course', unpaid: 'longAbsence' } as const

/** Weighted by repetition; illness cannot be planned ahead. */
const types: Readonly<Record<'ahead' | 'behind', readonly LeaveType[]>> = {
  ahead: ['annual', 'annual', 'annual', 'annual', 'annual', 'special', 'training', 'training'],
  behind: ['annual', 'annual', 'annual', 'annual', 'sick', 'sick', 'sick', 'special', 'training'],
}

/** Possible lengths in working days. */
const lengths: Readonly<Record<LeaveType, readonly number[]>> = {
  annual: [1, 1, 2, 3, 4, 5, 5, 8, 10, 10, 15],
  sick: [0.5, 1, 1, 2, 3, 5],
  special: [1, 1, 2],
  training: [1, 2, 3],
  unpaid: [20, 40],
}

/** Days between two leaves: some people take short leaves often, some rarely take any. */
const pauses: readonly (readonly [least: number, most: number])[] = [
  [10, 60],
  [20, 90],
  [40, 160],
]

/** Annual leave days per person. */
const daysOfYear = 32
const pastDays = 85
const futureDays = 340

/** Generates the leaves of an invented person without overlap, from three months ago (or their first day) to a year ahead. */
export function inventedLeaves(who: Person, around: Surroundings): CompanyRecords['leaves'][] {
  const { today, random } = around
  const plans: LeavePlan[] = []
  const [least, most] = pick(random, pauses)
  let daysLeft = daysOfYear
  let day = addDays(today, -Math.min(who.since, pastDays))
  for (;;) {
    day = workdayFrom(addDays(day, between(random, least, most)))
    if (day > addDays(today, futureDays)) break
    const plan = inventLeave(day, today, random)
    if (plan.type === 'annual') daysLeft -= plan.days
    if (daysLeft < 0) break
    plans.push(plan)
    day = addDays(plan.last, 1)
  }
  return leavesOf(who, plans, around)
}

function inventLeave(first: PlainDate, today: PlainDate, random: Random): LeavePlan {
  const isAhead = first > addDays(today, 2)
  const isUnpaid = isAhead && random() < 0.02
  const type = isUnpaid ? 'unpaid' : pick(random, types[isAhead ? 'ahead' : 'behind'])
  const plan = { status: statusOf(type, isAhead, random), type, first }
  if (type === 'annual' && random() < 0.15) return { ...plan, last: first, days: 0.5 }
  if (type === 'special' && random() < 0.5) {
    return { ...plan, last: first, days: 0.25, hours: pick(random, times) }
  }
  const days = pick(random, lengths[type])
  const afterMonday = weekdayOf(first) + Math.ceil(days) - 1
  const last = addDays(mondayOf(first), Math.floor(afterMonday / 5) * 7 + (afterMonday % 5))
  return { ...plan, last, days }
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

/** `span` counts the first and last day from a Monday. */
interface NamedPlan extends Omit<LeavePlan, 'first' | 'last'> {
  readonly span: readonly [first: number, last: number]
}

/**
 * Leaves of several types and all statuses, used by the documentation and the demo. The last one is counted from the next
 * clock change.
 */
const plans: readonly NamedPlan[] = [
  { span: [-70, -66], status: 'APPROVED', type: 'annual', days: 5 },
  { span: [-35, -34], status: 'APPROVED', type: 'sick', days: 2 },
  { span: [-10, -10], status: 'CANCELLED', type: 'annual', days: 1 },
  { span: [9, 9], status: 'APPROVED', type: 'annual', days: 0.5 },
  { span: [15, 15], status: 'PENDING', type: 'special', days: 0.25, hours: ['12:00', '14:00'] },
  { span: [24, 29], status: 'APPROVED', type: 'annual', days: 4 },
  { span: [42, 46], status: 'REJECTED', type: 'annual', days: 5 },
  { span: [63, 65], status: 'PENDING', type: 'annual', days: 3 },
  { span: [154, 165], status: 'APPROVED', type: 'annual', days: 10 },
  { span: [-2, 2], status: 'APPROVED', type: 'special', days: 3 },
]

/** How the plans of the other people differ, by index: a shorter leave, a course; null removes one. */
const changes: Readonly<Record<string, Readonly<Record<number, Partial<NamedPlan> | null>>>> = {
  bob: {
    1: null,
    7: { type: 'training' },
    8: { span: [161, 165], days: 5 },
    9: { span: [-3, 1], type: 'annual' },
  },
  cleo: {
    0: { span: [-70, -69], days: 2, type: 'training' },
    8: { span: [154, 165], days: 10 },
    9: { span: [-6, 5], days: 10, type: 'annual' },
  },
  mia: {
    1: { span: [-35, -35], days: 1 },
    7: null,
    9: { span: [-2, 1], days: 2, type: 'training' },
  },
}

/** Returns the leaves of a named person without overlap, shifted by `weeksLater` except the one at the clock change. */
export function namedLeaves(
  who: Person,
  weeksLater: number,
  around: Surroundings,
): CompanyRecords['leaves'][] {
  const origin = addDays(mondayOf(around.today), weeksLater * 7)
  const own = plans.map((plan, index) => {
    const changed = changes[who.key]?.[index]
    return changed === null ? null : { ...plan, ...changed }
  })
  const change = datedPlan(own.pop() ?? null, nextClockChange(around.today))
  const others = own
    .flatMap((plan) => datedPlan(plan, origin))
    .map((plan) => {
      const touches = change.some(({ first, last }) => plan.first <= last && plan.last >= first)
      // Nothing else is planned ten weeks later.
      return touches
        ? { ...plan, first: addDays(plan.first, 70), last: addDays(plan.last, 70) }
        : plan
    })
  return leavesOf(who, [...others, ...change], around)
}

function datedPlan(plan: NamedPlan | null, origin: PlainDate): LeavePlan[] {
  if (plan === null) return []
  const {
    span: [first, last],
    ...others
  } = plan
  return [{ ...others, first: addDays(origin, first), last: addDays(origin, last) }]
}
