import type { Choices, FeedLink, LinkOfFeed } from '../link.ts'
import type { Instant } from '../world.ts'

/** What becomes of a link that another one replaces. */
export interface RotatedLink {
  /** Where it is given the link must be this very one and have no end yet: another may have its label meanwhile. */
  readonly tokenHash?: Uint8Array
  /** Its new label; a number is added where that is taken. */
  readonly label: string
  readonly endsAt: Instant
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
