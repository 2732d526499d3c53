import type { DepartureShare, DepartureStore } from '../domain/departure.ts'
import type { Instant } from '../domain/world.ts'

const leavingMax = 3
const shareMax = 0.05

/** How many of a company's people leave since then, where they are too many to be believed; null where they are not. */
export async function findDepartureShare(
  departures: Pick<DepartureStore, 'shareOfDepartures'>,
  companyId: string,
  since: Instant,
): Promise<DepartureShare | null> {
  const share = await departures.shareOfDepartures(companyId, since)
  return leavesTooMany(share) ? share : null
}

/** Whether more than 3 people and more than 5 % of them, or all of two or more, leave within a day: more likely a fault than the truth. */
export function leavesTooMany({ people, leaving }: DepartureShare): boolean {
  return (
    (leaving > leavingMax && leaving > people * shareMax) || (leaving >= 2 && leaving === people)
  )
}
