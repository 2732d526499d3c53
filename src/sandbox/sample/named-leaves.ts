import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { mondayOf, nextClockChange } from './days.ts'
import type { LeavePlan } from './leave-plans.ts'
import { leavesOf, type LeaveSurroundings } from './leaves.ts'
import type { Person } from './people.ts'

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
