import type { Deed } from '../access/audit-entry.ts'
import type { Choices, FeedLink, LinkOfFeed } from '../link.ts'
import type { Instant } from '../world.ts'

/** For so many days an old link goes on at most. */
export const graceDaysMax = 365

/** What becomes of a link that another one replaces. */
export interface RotatedLink {
  /** Where it is given the link must be this very one and have no end yet: another may have its label meanwhile. */
  readonly tokenHash?: Uint8Array
  /** Its new label; a number is added where that is taken. */
  readonly label: string
  readonly endsAt: Instant
}

/** What becomes of the links of a feed that were mailed before another one is. */
export interface MailedBefore {
  /** The new label of the one that has the label; a number is added where that is taken. */
  readonly label: string
  /** When those end that no calendar program has asked for, unless one does until then. */
  readonly unusedEndAt: Instant
  /** How many, with the new one, may go on that nobody at all has asked for; the oldest end now. */
  readonly untouchedMax: number
}

/** What was done to the link of that label. */
export interface LinkDeed {
  readonly deed: Deed
  readonly label: string
}

/** When a link ends, and whether a calendar then says so for 30 days. */
export interface NamedEnd {
  readonly endsAt: Instant
  readonly purged?: boolean
}

/** Throws what refuses one more link of a feed that has these, ended ones among them. */
export type LinksCheck = (links: readonly FeedLink[]) => void

/** The choices that a link is to have; those that it has change nothing. */
export type ChoiceChange = (now: LinkOfFeed) => Choices
