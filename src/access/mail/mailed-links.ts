import { bridge } from '../../domain/access/staff.ts'
import type { Feed } from '../../domain/feed.ts'
import {
  type FeedLink,
  type LinkAuditEvent,
  linkName,
  type LinkOfFeed,
  type LinkStore,
  mailedLabel,
} from '../../domain/link.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { labelBefore, rotatedLabel, tellOfFeed } from '../../feeds/link-replacement.ts'

/** An older mailed link that nobody polls ends so long after a newer one was mailed. */
const unusedMs = 7 * 86_400_000
/** As many as a person is mailed a day: each works for a day at least, however often strangers ask for more. */
const untouchedMax = 3

interface MailedLinksDeps {
  readonly links: LinkStore
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps a link that was mailed to its person. Anyone can request one, so it ends no link that is polled: that one works until
 * the new link is polled.
 */
export async function keepMailedLink(
  deps: MailedLinksDeps,
  { feed, link, actor }: LinkOfFeed & { readonly actor: string },
): Promise<void> {
  const at = deps.clock.now()
  const before = {
    label: rotatedLabel(link.label, at),
    unusedEndAt: at + unusedMs,
    untouchedMax,
  }
  const mailed = { ...link, awaitsPoll: true }
  logAll(deps.log, feed, await deps.links.mailLink(mailed, before, { at, actor }))
}

/** Ends the links mailed before this one, now that a calendar program polls it. */
export async function takeUpMailedLink(
  deps: MailedLinksDeps,
  { feed, link }: LinkOfFeed,
): Promise<void> {
  const isBefore = (other: FeedLink): boolean =>
    labelBefore(other.label) === mailedLabel &&
    other.createdAt <= link.createdAt &&
    linkName(other) !== linkName(link)
  const by = { at: deps.clock.now(), actor: bridge.actor }
  logAll(deps.log, feed, await deps.links.takeUp(link, isBefore, by))
}

function logAll(log: Log, feed: Feed, events: readonly LinkAuditEvent[]): void {
  for (const { auditEvent, label } of events) tellOfFeed({ log }, auditEvent, feed, label)
}
