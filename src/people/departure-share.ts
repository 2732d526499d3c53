import type { RecentDepartures } from '../domain/departure.ts'

const leavingMax = 3
const shareMax = 0.05
/** If one in twenty leaves, chance puts more than that into a sample of fifty three times in a thousand. */
const sampleShareMax = 0.15

/**
 * Whether more than 3 people and more than 5 % of them, or all of two or more, leave within a day: more likely a fault than the
 * truth. So are most of those in feeds, however many others are known. Who leaves beside others who are held back is one of
 * too many as well.
 */
export function leavesTooMany({ known, wereHere, heldBack, inFeeds }: RecentDepartures): boolean {
  const isMost = wereHere > leavingMax && wereHere > known.people * shareMax
  const isMostInFeeds = inFeeds.leaving > leavingMax && inFeeds.leaving > inFeeds.people / 2
  const isAll = [known, inFeeds].some(({ people, leaving }) => leaving >= 2 && leaving >= people)
  return isMost || isMostInFeeds || isAll || heldBack >= 2
}

/** The same with so many more of those in feeds. */
export function withLeaving(recent: RecentDepartures, more: number): RecentDepartures {
  const { known, wereHere, inFeeds } = recent
  return {
    ...recent,
    known: { ...known, leaving: known.leaving + more },
    wereHere: wereHere + more,
    inFeeds: { ...inFeeds, leaving: inFeeds.leaving + more },
  }
}

/** Whether so many of a sample leave that they are too many of all, by more than chance. */
export function leavesTooManyOf(asked: number, leaving: number): boolean {
  return leaving > leavingMax && leaving > asked * sampleShareMax
}
