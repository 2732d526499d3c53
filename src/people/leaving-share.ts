/* How many people may leave at once before a fault is likelier than the truth. */
import type { RecentDepartures } from '../domain/departure.ts'

const leavingMax = 3
const shareMax = 0.05
/** If one in twenty leaves, chance puts more than that into a sample of fifty three times in a thousand. */
const sampleShareMax = 0.15

/**
 * More than 3 people and 5 %, or all of two or more, within a day is more likely a fault than the truth. So are most people
 * in feeds, and any departure beside held-back ones.
 */
export function areTooManyLeaving({
  known,
  wereHere,
  heldBack,
  inFeeds,
}: RecentDepartures): boolean {
  const isMost = wereHere > leavingMax && wereHere > known.people * shareMax
  const isMostInFeeds = inFeeds.leaving > leavingMax && inFeeds.leaving > inFeeds.people / 2
  const isAll = [known, inFeeds].some(({ people, leaving }) => leaving >= 2 && leaving >= people)
  return isMost || isMostInFeeds || isAll || heldBack >= 2
}

export function withLeaving(recent: RecentDepartures, more: number): RecentDepartures {
  const { known, wereHere, inFeeds } = recent
  return {
    ...recent,
    known: { ...known, leaving: known.leaving + more },
    wereHere: wereHere + more,
    inFeeds: { ...inFeeds, leaving: inFeeds.leaving + more },
  }
}

export function areTooManyOfSample(asked: number, leaving: number): boolean {
  return leaving > leavingMax && leaving > asked * sampleShareMax
}
