import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'

/** Nobody reads more of them; `feed show` lists all. */
const namedMax = 20

type Named = Pick<Feed, 'id' | 'timezone'>

/** The links that have not ended. */
export function goingOn(links: readonly FeedLink[], now: Instant): readonly FeedLink[] {
  return links.filter(({ endsAt }) => endsAt === null || endsAt > now)
}

/** Says of each of these links that its address goes on, until when, and what ends it: one of them may be the one that leaked. */
export function sayGoingOn(feed: Named, links: readonly FeedLink[]): readonly string[] {
  const said = links.slice(0, namedMax).map((link) => {
    const address = `The address "${link.label}" goes on`
    return link.endsAt === null
      ? `${address}; ${revocation(feed, link)} ends it.`
      : `${address} until ${dayOf(feed, link.endsAt)}; ${revocation(feed, link)} ends it now.`
  })
  const more = links.length - namedMax
  return more > 0 ? [...said, `${more} more go on; feed show ${feed.id} lists them.`] : said
}

/**
 * `conflict` for a link that another one has taken the place of: a rotation of it would open a second address beside that
 * one. One that was ended by itself may be given a new address.
 */
export function refuseReplaced(feed: Named, link: FeedLink, now: Instant): void {
  const { endsAt, label } = link
  if (endsAt === null) return
  if (endsAt > now) {
    throw new AppError(
      'conflict',
      `This address was replaced already and goes on until ${dayOf(feed, endsAt)}; ${revocation(feed, link)} ends it now.`,
    )
  }
  if (rotatedLabels.test(label)) {
    throw new AppError('conflict', 'This address was replaced already and has ended.')
  }
}

/** What a link is called once another has its label: short enough to be named again, with a number behind it. */
export function rotatedLabel(label: string, now: Instant): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const base = label.slice(0, rotatedBaseMax).replace(/\p{Cs}$/u, '')
  return `${base} (rotated ${day})`
}

/** What a link was called before another took its label. */
export function labelBefore(label: string): string {
  return label.replace(rotatedLabels, '')
}

/** Characters of a label that are kept of it, out of 100, once it is rotated. */
const rotatedBaseMax = 75
const rotatedLabels = / \(rotated \d{4}-\d\d-\d\d\)( \d+)?$/

function revocation({ id }: Named, { label }: FeedLink): string {
  return `\`feed revoke ${id} --label "${label.replaceAll(/["$\\`]/g, '\\$&')}"\``
}

/** By the feed's clock, as its calendar says it. */
function dayOf({ timezone: timeZone }: Named, instant: Instant): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' }).format(instant)
}
