import type { PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at } from './days.ts'
import { causeOf, inventLeaves, type LeavePlan } from './leave-plans.ts'
import { leaveCategories } from './leave-types.ts'
import type { Person } from './people.ts'
import { between, type Random, turn } from './random.ts'
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
export function leavesOf(
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
