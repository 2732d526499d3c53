import { AppError } from '../domain/errors.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import type { FeedLink, LinkStore } from '../domain/link.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { linkAddresses } from './feed-address.ts'
import { changeableFeed } from './feed-changes.ts'
import { newLinkSchema, parseInput, rotationSchema } from './feed-input.ts'
import { type LinkView, viewLink } from './feed-view.ts'
import { newLink } from './new-link.ts'

const dayMs = 86_400_000
/** Of one feed at once. */
const linksMax = 500
/** Characters of a label that are kept of it, out of 100, once it is rotated. */
const rotatedBaseMax = 75

interface FeedLinksDeps {
  readonly feeds: Pick<FeedStore, 'findFeed'>
  readonly links: Pick<LinkStore, 'listLinks' | 'createLink' | 'rotateLink' | 'endLink'>
  readonly clock: Clock
  readonly publicUrl: string
}

/** Adds, rotates and ends the links of feeds. */
export class FeedLinks {
  readonly #deps: FeedLinksDeps

  constructor(deps: FeedLinksDeps) {
    this.#deps = deps
  }

  /** Another link with its address, shown only here. `not_found`, `invalid`; `conflict` for a label in use or a revoked feed. */
  async create(feedId: string, input: unknown): Promise<LinkView> {
    const { label } = parseInput(newLinkSchema, input, { what: 'The link' })
    const feed = await this.#roomyFeed(feedId)
    return this.#withNewLink(feed, label, async (link) => {
      await this.#deps.links.createLink(link).catch((error: unknown) => {
        throw labelInUse(error, label)
      })
    })
  }

  /**
   * A new link in the place of the one of that label, whose end comes now or after the days of grace. `not_found` for
   * an unknown feed or label, `invalid`, `conflict` for a revoked feed.
   */
  async rotate(feedId: string, input: unknown): Promise<LinkView> {
    const { label, graceDays } = parseInput(rotationSchema, input, {
      what: 'The rotation',
    })
    const feed = await this.#roomyFeed(feedId)
    return this.#withNewLink(feed, label, async (link) => {
      const { createdAt: now } = link
      const old = { label: rotatedLabel(label, now), endsAt: now + graceDays * dayMs }
      if (!(await this.#deps.links.rotateLink(link, old))) throw noLink(label)
    })
  }

  /** Ends a link now, with `purge` after 30 days of a calendar that says so. `not_found` where there is none of that label. */
  async end(feedId: string, label: string, purge: boolean): Promise<void> {
    const ended = await this.#deps.links.endLink(feedId, label, this.#deps.clock.now(), purge)
    if (!ended) throw noLink(label)
  }

  async #roomyFeed(feedId: string): Promise<Feed> {
    const feed = await changeableFeed(this.#deps.feeds, feedId)
    const links = await this.#deps.links.listLinks([feedId])
    const now = this.#deps.clock.now()
    const open = links.filter(({ endsAt }) => endsAt === null || endsAt > now)
    if (open.length < linksMax) return feed
    throw new AppError('conflict', `The feed has ${linksMax} links; end some of them first.`)
  }

  async #withNewLink(
    { id: feedId, name }: Feed,
    label: string,
    keep: (link: FeedLink) => Promise<void>,
  ): Promise<LinkView> {
    const { link, token } = newLink({ feedId, label, createdAt: this.#deps.clock.now() })
    await keep(link)
    return viewLink(link, { addresses: linkAddresses(this.#deps.publicUrl, token, name) })
  }
}

/** What a link is called once another has its label: short enough to be named again, with a number behind it. */
export function rotatedLabel(label: string, now: Instant): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const base = label.slice(0, rotatedBaseMax).replace(/\p{Cs}$/u, '')
  return `${base} (rotated ${day})`
}

function labelInUse(error: unknown, label: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'conflict') return error
  return new AppError('conflict', `There is a link "${label}" already.`, { cause: error })
}

function noLink(label: string): AppError {
  return new AppError('not_found', `There is no link "${label}" of that feed.`)
}
