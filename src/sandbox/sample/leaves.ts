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
  turn,
  pick,
} from './days.ts'
import { leaveCategories, type LeaveCause, type LeaveType } from './leave-types.ts'
import type { Person } from './people.ts'
import type { SampleWords } from './words/words.ts'

export interface LeaveSurroundings {
  readonly today: PlainDate
  readonly words: SampleWords
  readonly random: Random
}

/** The leaves of somebody invented, none over another. */
export function inventedLeaves(who: Person, around: LeaveSurroundings): CompanyRecords['leaves'][] {
  return leavesOf(who, inventLeaves(who, around), around)
}

/** These leaves as somebody's records, with a reason each. */
function leavesOf(
  { key }: Person,
  planned: readonly LeavePlan[],
  { today, words, random }: LeaveSurroundings,
): CompanyRecords['leaves'][] {
  // Each from another one on, so that nobody has one reason twice while there are others.
  const from = between(random, 0, 1000)
  return planned.map((plan, index) => {
    const [first, last] = plan.span
    const [start, end] = plan.hours ?? ['00:00', '00:00']
    return {
      id: `lv_${key}_${index + 1}`,
      userId: `usr_${key}`,
      startDate: at(first, start),
      endDate: at(last, end),
      days: plan.days,
      reason: turn(words.reasons[causeOf(plan, today)], from + index),
      status: plan.status,
      leaveType: { name: words.leaveTypes[plan.type], category: leaveCategories[plan.type] },
    }
  })
}

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
function inventLeaves(
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
function causeOf({ type, days, hours, span }: LeavePlan, today: PlainDate): LeaveCause {
  if (hours) return 'appointment'
  if (type === 'special') return span[0] < today && days < 3 ? 'bereavement' : 'occasion'
  if (type !== 'annual') return causes[type]
  if (days < 1) return 'errand'
  return days < 5 ? 'shortBreak' : 'holiday'
}

const causes = { sick: 'illness', training: 'course', unpaid: 'longAbsence' } as const

/** In days from a Monday, the last one counted. */
type Offsets = readonly [first: number, last: number]

interface FixedPlan extends Omit<LeavePlan, 'span'> {
  readonly span: Offsets
  /** Whether it is counted from the next Sunday on which the clocks change. */
  readonly isOverChange?: boolean
}

/** Leaves of all kinds and states: what the documentation and the demo speak of. */
const plans: readonly FixedPlan[] = [
  { span: [-70, -66], status: 'APPROVED', type: 'annual', days: 5 },
  { span: [-35, -34], status: 'APPROVED', type: 'sick', days: 2 },
  { span: [-10, -10], status: 'CANCELLED', type: 'annual', days: 1 },
  { span: [9, 9], status: 'APPROVED', type: 'annual', days: 0.5 },
  { span: [15, 15], status: 'PENDING', type: 'special', days: 0.25, hours: ['12:00', '14:00'] },
  { span: [24, 29], status: 'APPROVED', type: 'annual', days: 4 },
  { span: [42, 46], status: 'REJECTED', type: 'annual', days: 5 },
  { span: [63, 65], status: 'PENDING', type: 'annual', days: 3 },
  { span: [154, 165], status: 'APPROVED', type: 'annual', days: 10 },
  { span: [-2, 2], isOverChange: true, status: 'APPROVED', type: 'special', days: 3 },
]

/** What each of the four has otherwise: who takes it shorter, who was not ill, who goes on a course. */
const changes: Readonly<Record<string, Readonly<Record<number, Partial<FixedPlan> | null>>>> = {
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

/** The leaves of one of the four, none over another; all but the one over the clock change so many weeks later. */
export function namedLeaves(
  who: Person,
  weeksLater: number,
  around: LeaveSurroundings,
): CompanyRecords['leaves'][] {
  const sunday = nextClockChange(around.today)
  const origin = addDays(mondayOf(around.today), weeksLater * 7)
  const own = plans.flatMap((plan, index) => {
    const changed = changes[who.key]?.[index]
    return changed === null ? [] : { ...plan, ...changed }
  })
  const change = own.flatMap((plan) => (plan.isOverChange ? datesOf(sunday, plan.span) : []))
  const dated = own.map(({ isOverChange, ...plan }) => {
    const span = datesOf(isOverChange ? sunday : origin, plan.span)
    return { ...plan, span: isOverChange ? span : clearOf(change, span) }
  })
  return leavesOf(who, dated, around)
}

type Span = LeavePlan['span']

function datesOf(origin: PlainDate, [first, last]: Offsets): Span {
  return [addDays(origin, first), addDays(origin, last)]
}

/** The span, ten weeks later where it would touch the other: then no plan comes to lie over another. */
function clearOf([from = '', to = '']: readonly PlainDate[], [first, last]: Span): Span {
  const touches = first <= to && last >= from
  return touches ? [addDays(first, 70), addDays(last, 70)] : [first, last]
}
