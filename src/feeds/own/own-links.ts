import type { AuditAction, Deed } from '../../domain/access/audit-entry.ts'
import { refuseTooMany } from '../../domain/access/daily-limit.ts'
import { mailedLabel } from '../../domain/access/lost-link.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import {
  type FeedLink,
  hashToken,
  type LinkOfFeed,
  type LinkStore,
  onlyAway,
} from '../../domain/link.ts'
import { tokenOfForm } from '../../domain/links/replacement.ts'
import type { Instant } from '../../domain/world.ts'
import { isVisible } from '../../text/plain-text.ts'
import { type DeedDeps, deedOf, tellOfFeed } from '../deeds.ts'
import { linkLabelField } from '../feed-input.ts'
import { isHeld } from '../holding/link-holding.ts'
import { goingOn, labelBefore, rotatedLabel } from '../links-going-on.ts'
import { newLink } from '../new-link.ts'
import { WrongForm } from './wrong-form.ts'

/** Nobody has more devices. */
const linksMax = 20
/** Each is remembered for long, ended or not. */
const madeADayMax = 50
/** For how long a form that was sent again is answered as it was the first time. */
const sentAgainMs = 600_000

export interface OwnLinksDeps extends DeedDeps {
  readonly links: Pick<
    LinkStore,
    'listLinks' | 'createLink' | 'rotateLink' | 'endThis' | 'findByTokenHash'
  >
}

/** A link just made: the only time its secret is known. */
export interface MadeLink {
  readonly feed: Feed
  readonly label: string
  readonly token: string
}

/** A link that is wanted. */
export interface WantedLink {
  readonly label: string
  /** Whether it is to say only that the person is away, whoever holds it. */
  readonly isOnlyAway: boolean
  /** Of the form. */
  readonly key: string
}

/** The links of a person's own calendar, as the person makes and ends them. */
export class OwnLinks {
  readonly #deps: OwnLinksDeps

  constructor(deps: OwnLinksDeps) {
    this.#deps = deps
  }

  /** Those that have not ended, the first made first. */
  async list(feedIds: readonly string[]): Promise<readonly FeedLink[]> {
    return goingOn(await this.#deps.links.listLinks(feedIds), this.#deps.clock.now())
  }

  /** One more; `WrongForm` where it is not to be. */
  async add(feed: Feed, { label: given, isOnlyAway, key }: WantedLink): Promise<MadeLink> {
    const label = readLabel(given)
    if (isOnlyAway && !feed.options.leaves.show) throw new WrongForm('nothing_shown')
    const token = tokenOfForm(key, 'link', feed.id, label, String(isOnlyAway))
    const made = { feed, label, token }
    if (await this.#isSentAgain(token)) return made
    const now = this.#deps.clock.now()
    const { link } = newLink({ feedId: feed.id, label, createdAt: now }, token)
    const choices = isOnlyAway ? onlyAway : {}
    const check = (links: readonly FeedLink[]): void => refuseMoreAtOnce(links, now)
    return this.#make(made, 'link_created', async (deed) => {
      const kept = this.#deps.links.createLink({ ...link, choices }, deed, check)
      await kept.catch((error: unknown) => {
        throw asAppError(error)?.code === 'conflict' ? new WrongForm('label_in_use') : error
      })
    })
  }

  /** A new link in the place of the one of that label, which ends now. `not_found`; `forbidden` for one that is to end. */
  async replace(feed: Feed, label: string, key: string): Promise<MadeLink> {
    const token = tokenOfForm(key, 'replacement', feed.id, label)
    const made = { feed, label, token }
    const old = await this.#held(feed, label)
    if (await this.#isSentAgain(token)) return made
    const now = this.#deps.clock.now()
    const { link } = newLink({ feedId: feed.id, label, createdAt: now }, token)
    const rotated = { label: rotatedLabel(label, now), endsAt: now, tokenHash: old.tokenHash }
    const check = (links: readonly FeedLink[]): void => refuseTooManyMade(links, now)
    return this.#make(made, 'link_replaced', async (deed) => {
      if (!(await this.#deps.links.rotateLink(link, rotated, deed, check))) throw noLink()
    })
  }

  /** Ends the link of that label now; `not_found` where there is none that goes on. */
  async end(feed: Feed, label: string): Promise<void> {
    const link = await this.#held(feed, label)
    const deed = deedOf(this.#deps, 'link_ended')
    if (!(await this.#deps.links.endThis(link, deed.at, deed))) throw noLink()
    tellOfFeed(this.#deps, deed, feed, label)
  }

  /** What a form of that secret has made; null where that is no longer to be shown, undefined where it has made nothing. */
  async findMade(token: string): Promise<LinkOfFeed | null | undefined> {
    const tokenHash = hashToken(token)
    const found = tokenHash && (await this.#deps.links.findByTokenHash(tokenHash))
    if (!found) return undefined
    const { link, feed } = found
    const hasEnded = link.endsAt !== null || feed.revokedAt !== null || feed.closedAt !== null
    return hasEnded || link.createdAt < this.#deps.clock.now() - sentAgainMs ? null : found
  }

  /** Whether that form has just made its link; `WrongForm` where that was long ago, or it has ended since. */
  async #isSentAgain(token: string): Promise<boolean> {
    const before = await this.findMade(token)
    if (before === null) throw new WrongForm('sent_before')
    return before !== undefined
  }

  /** Makes the link, unless the same form, sent twice at once, has just made it. */
  async #make(
    made: MadeLink,
    action: AuditAction,
    keep: (deed: Deed) => Promise<void>,
  ): Promise<MadeLink> {
    const deed = deedOf(this.#deps, action)
    try {
      await keep(deed)
    } catch (error) {
      if (await this.findMade(made.token)) return made
      throw error
    }
    tellOfFeed(this.#deps, deed, made.feed, made.label)
    return made
  }

  async #held({ id }: Feed, label: string): Promise<FeedLink> {
    const link = (await this.list([id])).find((it) => it.label === label)
    if (!link) throw noLink()
    if (isHeld(link)) return link
    throw new AppError('forbidden', 'This link is about to end.')
  }
}

/** `WrongForm` where as many go on as there may be; else as `refuseTooManyMade`. */
function refuseMoreAtOnce(links: readonly FeedLink[], now: Instant): void {
  refuseTooManyMade(links, now)
  // Those that wait in a mailbox take no place: strangers may have asked for them.
  const used = goingOn(links, now).filter(({ awaitsPoll }) => !awaitsPoll)
  if (used.length >= linksMax) throw new WrongForm('too_many_links')
}

/** `too_many_requests` where too many of the links are of the last day. */
function refuseTooManyMade(links: readonly FeedLink[], now: Instant): void {
  const made = links.map(({ createdAt }) => createdAt)
  refuseTooMany(madeADayMax, made, now)
}

function readLabel(given: string): string {
  if (given.trim() === '') throw new WrongForm('label_missing')
  if (!isVisible(given)) throw new WrongForm('label_unseen')
  const read = linkLabelField.safeParse(given)
  if (!read.success) throw new WrongForm('label_unfit')
  if (labelBefore(read.data) === mailedLabel) throw new WrongForm('label_of_mail')
  return read.data
}

function noLink(): AppError {
  return new AppError('not_found', 'There is no such link of this calendar.')
}
