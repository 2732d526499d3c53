import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { mondayOf, nextClockChange } from './days.ts'
import type { LeavePlan } from './leave-plans.ts'
import { leavesOf, type LeaveSurroundings } from './leaves.ts'
import type { Person } from './people.ts'

/** In days from a Monday, the last one counted. */
type Offsets = readonly [first: number, last: number]

interface FixedPlan extends Omit<LeavePlan, 'span'> {
  /** null for the next change of the clocks. */
  readonly span: Offsets | null
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
  { span: null, status: 'APPROVED', type: 'special', days: 3 },
]

/** What each of the four has otherwise: who takes it shorter, who was not ill, who goes on a course. */
const changes: Readonly<Record<string, Readonly<Record<number, Partial<FixedPlan> | null>>>> = {
  bob: { 1: null, 7: { type: 'training' }, 8: { span: [161, 165], days: 5 } },
  cleo: { 0: { span: [-70, -69], days: 2, type: 'training' }, 8: { span: [154, 172], days: 15 } },
  mia: { 1: { span: [-35, -35], days: 1 }, 7: null, 9: { type: 'annual' } },
}

/** The leaves of one of the four, none over another; all but the one over the clock change so many weeks later. */
export function namedLeaves(
  who: Person,
  weeksLater: number,
  around: LeaveSurroundings,
): CompanyRecords['leaves'][] {
  const change = overClockChange(around.today)
  const origin = addDays(mondayOf(around.today), weeksLater * 7)
  const own = plans.flatMap((plan, index) => {
    const changed = changes[who.key]?.[index]
    return changed === null ? [] : { ...plan, ...changed }
  })
  const dated = own.map((plan) => {
    const span = plan.span ? clearOf(change, datesOf(origin, plan.span)) : change
    return { ...plan, span }
  })
  return leavesOf(who, dated, around)
}

type Span = LeavePlan['span']

/** From the Friday before the clocks change to the Tuesday after. */
function overClockChange(today: PlainDate): Span {
  const sunday = nextClockChange(today)
  return [addDays(sunday, -2), addDays(sunday, 2)]
}

function datesOf(origin: PlainDate, [first, last]: Offsets): Span {
  return [addDays(origin, first), addDays(origin, last)]
}

/** The span, ten weeks later where it would touch the other: then no plan comes to lie over another. */
function clearOf(other: Span, [first, last]: Span): Span {
  const touches = first <= other[1] && last >= other[0]
  return touches ? [addDays(first, 70), addDays(last, 70)] : [first, last]
}
