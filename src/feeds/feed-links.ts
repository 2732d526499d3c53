import { AppError } from '../domain/errors.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import { type FeedLink, type LinkStore, hashToken, makeToken } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { noFeed } from './company-lookup.ts'
import { type DeedDeps, deedOf, tellOfFeed } from './deeds.ts'
import { changeableFeed } from './feed-changes.ts'
import { newLinkSchema, parseInput, rotationSchema } from './feed-input.ts'
import { linkAddresses, type LinkView, type RotatedLinkView, viewLink } from './feed-view.ts'

const dayMs = 86_400_000
/** Of one feed at once. */
const linksMax = 500

interface FeedLinksDeps extends DeedDeps {
  readonly feeds: Pick<FeedStore, 'findFeed'>
  readonly links: Pick<LinkStore, 'listLinks' | 'createLink' | 'rotateLink' | 'endLink'>
  readonly publicUrl: string
}

interface FeedWithLinks {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
  /** Those of them that have not ended. */
  readonly open: readonly FeedLink[]
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
    const { feed } = await this.#roomyFeed(feedId)
    return this.#withNewLink(feed, label, async (link) => {
      const deed = deedOf(this.#deps, 'link_created')
      await this.#deps.links.createLink(link, deed).catch((error: unknown) => {
        throw labelInUse(error, label)
      })
      tellOfFeed(this.#deps, deed, feed, label)
    })
  }

  /**
   * A new link in the place of the one of that label, whose end comes now or after the days of grace; the warnings name the
   * feed's other links that go on. `not_found` for an unknown feed or label, `invalid`, `conflict` for a revoked feed and
   * for a link that was replaced already.
   */
  async rotate(feedId: string, input: unknown): Promise<RotatedLinkView> {
    const { label, graceDays } = parseInput(rotationSchema, input, {
      what: 'The rotation',
    })
    const { feed, links, open } = await this.#roomyFeed(feedId)
    const replaced = links.find((it) => it.label === label)
    if (replaced) refuseReplaced(feed, replaced, this.#deps.clock.now())
    const warnings = sayGoingOn(
      feed,
      open.filter((it) => it.label !== label),
    )
    const made = await this.#withNewLink(feed, label, async (link) => {
      const { createdAt: now } = link
      const old = { label: rotatedLabel(label, now), endsAt: now + graceDays * dayMs }
      const deed = deedOf(this.#deps, 'link_rotated')
      if (!(await this.#deps.links.rotateLink(link, old, deed))) throw noLink(label)
      tellOfFeed(this.#deps, deed, feed, label)
    })
    return warnings.length > 0 ? { ...made, warnings } : made
  }

  /** Ends a link now, with `purge` after 30 days of a calendar that says so. `not_found` where there is none of that label. */
  async end(feedId: string, label: string, purge: boolean): Promise<void> {
    const { feeds, links } = this.#deps
    const feed = await feeds.findFeed(feedId)
    if (!feed) throw noFeed(feedId)
    const deed = deedOf(this.#deps, 'link_ended')
    const end = { endsAt: deed.at, purged: purge }
    if (!(await links.endLink(feedId, label, end, deed))) throw noLink(label)
    tellOfFeed(this.#deps, deed, feed, label)
  }

  async #roomyFeed(feedId: string): Promise<FeedWithLinks> {
    const feed = await changeableFeed(this.#deps.feeds, feedId)
    const links = await this.#deps.links.listLinks([feedId])
    const open = goingOn(links, this.#deps.clock.now())
    if (open.length < linksMax) return { feed, links, open }
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

function labelInUse(error: unknown, label: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'conflict') return error
  return new AppError('conflict', `There is a link "${label}" already.`, { cause: error })
}

function noLink(label: string): AppError {
  return new AppError('not_found', `There is no link "${label}" of that feed.`)
}

/** An open link of a new secret, which has served nothing yet. */
export function newLink(
  of: Pick<FeedLink, 'feedId' | 'label' | 'createdAt'>,
  token = makeToken(),
): {
  readonly link: FeedLink
  readonly token: string
} {
  const tokenHash = hashToken(token)
  if (!tokenHash) throw new Error('A new token is always well formed.')
  const link = {
    ...of,
    tokenHash,
    endsAt: null,
    endingSince: null,
    purged: false,
    awaitsPoll: false,
    choices: {},
    publication: null,
  }
  return { link, token }
}

/** Nobody reads more of them; `feed show` lists all. */
const namedMax = 20

type Named = Pick<Feed, 'id' | 'timezone'>

/** The links that have not ended. */
export function goingOn(links: readonly FeedLink[], now: Instant): readonly FeedLink[] {
  return links.filter(({ endsAt }) => endsAt === null || endsAt > now)
}

/** Says of each of these links that its address goes on, until when, and what ends it: one of them may be the one that leaked. */
function sayGoingOn(feed: Named, links: readonly FeedLink[]): readonly string[] {
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
