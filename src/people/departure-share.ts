import type { DepartureShare } from '../domain/departure.ts'

const leavingMax = 3
const shareMax = 0.05

/** Whether more than 3 people and more than 5 % of them, or all of two or more, leave within a day: more likely a fault than the truth. */
export function leavesTooMany({ people, leaving }: DepartureShare): boolean {
  return (
    (leaving > leavingMax && leaving > people * shareMax) || (leaving >= 2 && leaving === people)
  )
}
