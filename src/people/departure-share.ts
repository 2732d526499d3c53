import type { RecentDepartures } from '../domain/departure.ts'

const leavingMax = 3
const shareMax = 0.05

/**
 * Whether more than 3 people and more than 5 % of them, or all of two or more, leave within a day: more likely a fault than the
 * truth. Who leaves beside others who are held back is one of too many as well.
 */
export function leavesTooMany({ known, wereHere, heldBack, inFeeds }: RecentDepartures): boolean {
  const isMost = wereHere > leavingMax && wereHere > known.people * shareMax
  const isAll = [known, inFeeds].some(({ people, leaving }) => leaving >= 2 && leaving >= people)
  return isMost || isAll || heldBack >= 2
}
