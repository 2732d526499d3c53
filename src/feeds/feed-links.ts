import { AppError } from '../domain/errors.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import { makeToken, type LinkStore } from '../domain/link.ts'
import type { Instant, Clock } from '../domain/world.ts'
import { newLinkSchema, parseInput, rotationSchema } from './feed-input.ts'
import { changeableFeed } from './feed-manager.ts'
import { feedUrl, type LinkView, viewLink } from './feed-view.ts'
import { newLink } from './new-link.ts'

const dayMs = 86_400_000
/** Of one feed at once. */
const linksMax = 500
/** Characters of a label that are kept of it, out of 100, once it is rotated. */
const rotatedBaseMax = 75

interface FeedLinksDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'changeFeed'>
  readonly links: LinkStore
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
    const { label } = parseInput(newLinkSchema, input, 'The link')
    const feed = await this.#roomyFeed(feedId)
    const token = makeToken()
    const link = newLink(token, { feedId, label, createdAt: this.#deps.clock.now() })
    await this.#deps.links.createLink(link).catch((error: unknown) => {
      throw labelInUse(error, label)
    })
    return viewLink(link, { url: this.#urlOf(feed, token) })
  }

  /**
   * A new link in the place of the one of that label, whose end comes now or after the days of grace. `not_found` for
   * an unknown feed or label, `invalid`, `conflict` for a revoked feed.
   */
  async rotate(feedId: string, input: unknown): Promise<LinkView> {
    const { label, graceDays } = parseInput(rotationSchema, input, 'The rotation')
    const feed = await this.#roomyFeed(feedId)
    const token = makeToken()
    const now = this.#deps.clock.now()
    const link = newLink(token, { feedId, label, createdAt: now })
    const old = { label: rotatedLabel(label, now), endsAt: now + graceDays * dayMs }
    if (!(await this.#deps.links.rotateLink(link, old))) throw noLink(label)
    return viewLink(link, { url: this.#urlOf(feed, token) })
  }

  /** Ends one link now, with `purge` after 30 days of a calendar that says so; `not_found` where there is none. */
  async end(feedId: string, label: string, purge: boolean): Promise<void> {
    const ended = await this.#deps.links.endLink(feedId, label, this.#deps.clock.now(), purge)
    if (!ended) throw noLink(label)
  }

  /**
   * Ends a feed now, with `purge` after 30 days of a calendar that says so; a second time only adds the purge.
   * `not_found` where there is none.
   */
  async revoke(feedId: string, purge: boolean): Promise<void> {
    const { feeds, clock } = this.#deps
    const revoked = await feeds.changeFeed(feedId, (feed) =>
      feed.revokedAt !== null && (feed.purged || !purge)
        ? null
        : { ...feed, revokedAt: feed.revokedAt ?? clock.now(), purged: feed.purged || purge },
    )
    if (!revoked) throw new AppError('not_found', `There is no feed ${feedId}.`)
  }

  async #roomyFeed(feedId: string): Promise<Feed> {
    const feed = await changeableFeed(this.#deps.feeds, feedId)
    const links = await this.#deps.links.listLinks([feedId])
    const now = this.#deps.clock.now()
    const open = links.filter(({ endsAt }) => endsAt === null || endsAt > now)
    if (open.length < linksMax) return feed
    throw new AppError('conflict', `The feed has ${linksMax} links; end some of them first.`)
  }

  #urlOf({ name }: Feed, token: string): string {
    return feedUrl(this.#deps.publicUrl, token, name)
  }
}

/** Short enough to be named again, with a number behind it. */
function rotatedLabel(label: string, now: Instant): string {
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
