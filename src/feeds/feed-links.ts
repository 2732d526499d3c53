import type { Creation } from '../domain/creation.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import { type FeedLink, linkName } from '../domain/link.ts'
import { meantOrAll } from '../domain/nearest.ts'
import { dayMs } from '../domain/world.ts'
import type { FeedsDeps } from './deps.ts'
import { changeableFeed } from './feed-changes.ts'
import { newLinkSchema, parseInput, rotationSchema } from './feed-input.ts'
import { linkAddresses, type LinkView, type RotatedLinkView, viewLink } from './feed-view.ts'
import {
  auditEventOf,
  tellOfFeed,
  noFeed,
  activeLinks,
  refuseReplaced,
  replaceLink,
  activeLinkWarnings,
  newLink,
  sayConflict,
} from './link-replacement.ts'

const linksMax = 500

interface FeedWithLinks {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
  /** Those that have not ended. */
  readonly open: readonly FeedLink[]
}

export class FeedLinks {
  readonly #deps: FeedsDeps

  constructor(deps: FeedsDeps) {
    this.#deps = deps
  }

  /** A new link; its addresses are shown only here. `not_found`, `invalid`, `conflict` for a label in use or a revoked feed. */
  async create(feedId: string, input: unknown): Promise<LinkView> {
    const { label } = parseInput(newLinkSchema, input, { what: 'The link' })
    const { feed } = await this.#feedBelowLimit(feedId)
    const auditEvent = auditEventOf(this.#deps, 'link_created')
    const made = newLink({ feedId, label, createdAt: auditEvent.at })
    await this.#deps.links
      .createLink(made.link, auditEvent)
      .catch(sayConflict(`There is a link "${label}" already.`))
    tellOfFeed(this.#deps, auditEvent, feed, label)
    return this.#viewNew(feed, made)
  }

  /**
   * Replaces the link with that label, which ends now or after the grace days; warnings name the other links that keep
   * working. `not_found`, `invalid`, `conflict` for a revoked feed or a link that was already replaced, or if `once` is
   * stored already; it is stored together with the new link. With `meant`, `conflict` if that link is another by now.
   */
  async rotate(
    feedId: string,
    input: unknown,
    once?: Creation,
    meant?: FeedLink,
  ): Promise<RotatedLinkView> {
    const { label, graceDays } = parseInput(rotationSchema, input, {
      what: 'The rotation',
    })
    const { feed, links, open } = await this.#feedBelowLimit(feedId)
    const replaced = links.find((it) => it.label === label)
    if (replaced) refuseReplaced(feed, replaced, this.#deps.clock.now())
    const warnings = activeLinkWarnings(
      feed,
      open.filter((it) => it.label !== label),
    )
    const made = await replaceLink(this.#deps, feed, {
      action: 'link_rotated',
      label,
      graceMs: graceDays * dayMs,
      ...(once && { once }),
      ...(meant && { check: (now) => refuseAnother(now, meant) }),
    })
    if (!made) throw noLink(label, links)
    const view = this.#viewNew(feed, made)
    return warnings.length > 0 ? { ...view, warnings } : view
  }

  /** Ends a link now; with `purge` its calendar says so for 30 days. `not_found`. */
  async end(feedId: string, label: string, purge: boolean): Promise<void> {
    const { feeds, links } = this.#deps
    const feed = await feeds.findFeed(feedId)
    if (!feed) throw noFeed(feedId)
    const auditEvent = auditEventOf(this.#deps, 'link_ended')
    const end = { endsAt: auditEvent.at, purged: purge }
    const isChanged = await links.endLink(feedId, label, end, auditEvent)
    if (isChanged === undefined) throw noLink(label, await links.listLinks([feedId]))
    if (isChanged) tellOfFeed(this.#deps, auditEvent, feed, label)
  }

  async #feedBelowLimit(feedId: string): Promise<FeedWithLinks> {
    const feed = await changeableFeed(this.#deps.feeds, feedId)
    const links = await this.#deps.links.listLinks([feedId])
    const open = activeLinks(links, this.#deps.clock.now())
    if (open.length < linksMax) return { feed, links, open }
    throw new AppError('conflict', `The feed has ${linksMax} links; end some of them first.`)
  }

  #viewNew({ name }: Feed, { link, token }: ReturnType<typeof newLink>): LinkView {
    return viewLink(link, { addresses: linkAddresses(this.#deps.publicUrl, token, name) })
  }
}

function refuseAnother(links: readonly FeedLink[], meant: FeedLink): void {
  const found = links.find(({ label }) => label === meant.label)
  if (found && linkName(found) === linkName(meant)) return
  throw new AppError('conflict', 'This address was replaced meanwhile.')
}

export function noLink(label: string, links: readonly FeedLink[]): AppError {
  const known = links.map((it) => it.label)
  const message = `There is no link "${label}" of that feed${meantOrAll(label, known)}`
  return new AppError('not_found', message)
}
