import { AppError, asAppError } from '../../domain/errors.ts'
import { readOptions } from '../../domain/feed-options.ts'
import {
  anotherPerson,
  type Feed,
  type FeedState,
  type FeedStore,
  type Locale,
} from '../../domain/feed.ts'
import type { FeedLink } from '../../domain/link.ts'
import { tokenOfForm } from '../../domain/links/replacement.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { changesADayMax, deedOf, tellOfFeed } from '../deeds.ts'
import type { FeedCreation } from '../feed-creation.ts'
import { patchOptions } from '../options/patch-options.ts'
import { type MadeLink, OwnLinks, type OwnLinksDeps, type WantedLink } from './own-links.ts'
import { WrongForm } from './wrong-form.ts'

/** Somebody may be in more feeds about several. */
const pageSize = 100

export interface OwnCalendarDeps extends OwnLinksDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds' | 'changeFeed'>
  readonly creation: Pick<FeedCreation, 'drafts' | 'makeOnly'>
}

/** A person's own feed and those of its links that have not ended. */
export interface OwnFeed {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
}

/** What a person may set of their own feed. */
export interface OwnSettings {
  readonly locale: Locale
  readonly reminderMinutes: number | null
}

/**
 * What a person who has signed in does with their own calendar. Of what is not theirs there is nothing: feeds are found among
 * their own alone, whatever comes from outside.
 */
export class OwnCalendar {
  readonly links: OwnLinks
  readonly #deps: OwnCalendarDeps
  readonly #person: PersonInCompany

  constructor(deps: OwnCalendarDeps, person: PersonInCompany) {
    this.#deps = deps
    this.#person = person
    this.links = new OwnLinks(deps)
  }

  /** Their open feeds, the first made first. */
  list(): Promise<readonly Feed[]> {
    return this.#list('open')
  }

  /**
   * What has become of the feed that they had: one that the bridge has closed, which may open again, else the one revoked
   * last; undefined where they never had any.
   */
  async findEnded(): Promise<Feed | undefined> {
    const closed = (await this.#list('closed')).find(isOfTheirs)
    if (closed) return closed
    const revoked = await this.#list('revoked')
    return revoked.toSorted((a, b) => (b.revokedAt ?? 0) - (a.revokedAt ?? 0))[0]
  }

  /** The feed of that id, the first one where none is named; undefined where they have none. `not_found` for any other. */
  async find(id?: string): Promise<OwnFeed | undefined> {
    const feeds = await this.list()
    const feed = id === undefined ? feeds[0] : feeds.find((it) => it.id === id)
    if (feed) return { feed, links: await this.links.list([feed.id]) }
    if (id === undefined) return undefined
    throw noCalendar()
  }

  /**
   * Makes their calendar with the company's defaults, and gives the secret of its first link; undefined where they have one.
   * `forbidden` where staff have revoked theirs, until staff make another. `WrongForm` where the Read API does not know them as somebody who works there. A form that is sent again is answered as it was the first time.
   */
  async make(key: string): Promise<MadeLink | undefined> {
    const { companyId, userId } = this.#person
    const token = tokenOfForm(key, 'calendar', companyId, userId)
    const { creation } = this.#deps
    const before = await this.links.findMade(token)
    if (before === undefined && !(await this.#hadOne())) {
      const draft = creation.drafts().draft({ companyId, userIds: [userId] })
      await creation.makeOnly(await draft.catch(refuseUnknown), token)
    }
    const made = before === undefined ? await this.links.findMade(token) : before
    if (made) return { feed: made.feed, label: made.link.label, token }
    await this.#refuseRevoked()
    return undefined
  }

  /** As `OwnLinks` does. */
  async addLink(feedId: string, wanted: WantedLink): Promise<MadeLink> {
    return this.links.add(await this.#own(feedId), wanted)
  }

  /** As `OwnLinks` does. */
  async replaceLink(feedId: string, label: string, key: string): Promise<MadeLink> {
    return this.links.replace(await this.#own(feedId), label, key)
  }

  /** As `OwnLinks` does. */
  async endLink(feedId: string, label: string): Promise<void> {
    await this.links.end(await this.#own(feedId), label)
  }

  /**
   * Changes what differs; `forbidden` where HR lets nobody choose, as the feed stands when it is written; `too_many_requests`
   * once that has been done too often within a day.
   */
  async change(feedId: string, settings: OwnSettings): Promise<void> {
    const { id } = await this.#own(feedId)
    const deed = { ...deedOf(this.#deps, 'feed_changed'), mostADay: changesADayMax }
    let before: Feed | undefined
    const changed = await this.#deps.feeds.changeFeed(
      id,
      (now) => {
        before = now
        return withSettings(this.#open(now), settings)
      },
      deed,
    )
    if (!changed) throw noCalendar()
    if (changed.revision !== before?.revision) tellOfFeed(this.#deps, deed, changed)
  }

  async #hadOne(): Promise<boolean> {
    return (await this.list()).length > 0 || (await this.findEnded()) !== undefined
  }

  /** Nobody but staff revokes a feed. */
  async #refuseRevoked(): Promise<void> {
    if ((await this.list()).length > 0) return
    const ended = await this.findEnded()
    if (!ended || ended.revokedAt === null) return
    throw new AppError('forbidden', 'HR has ended your calendar; only HR can make you another.')
  }

  async #list(state: FeedState): Promise<readonly Feed[]> {
    const { companyId, userId } = this.#person
    const own: Feed[] = []
    let page: readonly Feed[] = []
    do {
      const after = page.at(-1)
      const filter = { companyId, userIds: [userId], state, after, limit: pageSize }
      page = await this.#deps.feeds.listFeeds(filter)
      own.push(...page.filter((feed) => isOwn(feed, userId)))
    } while (page.length === pageSize)
    return own
  }

  async #own(id: string): Promise<Feed> {
    const found = (await this.list()).find((feed) => feed.id === id)
    if (found) return found
    throw noCalendar()
  }

  /** The feed; `not_found` where it has ended, or is no longer theirs. */
  #open(feed: Feed): Feed {
    const hasEnded = feed.revokedAt !== null || feed.closedAt !== null
    if (hasEnded || !isOwn(feed, this.#person.userId)) throw noCalendar()
    return feed
  }
}

/** The feed once that is set, null where nothing differs; `forbidden` where HR lets nobody choose. */
function withSettings(feed: Feed, { locale, reminderMinutes }: OwnSettings): Feed | null {
  const { options, audience } = feed
  if (!options.selfService) throw new AppError('forbidden', 'HR decides what this calendar shows.')
  const isReminder = reminderMinutes !== options.reminderMinutes
  if (!isReminder && locale === feed.locale) return null
  const ownOptions = isReminder
    ? patchOptions(feed.ownOptions, { reminderMinutes })
    : feed.ownOptions
  return { ...feed, locale, ownOptions, options: readOptions(audience, ownOptions) }
}

function noCalendar(): AppError {
  return new AppError('not_found', 'There is no such calendar of yours.')
}

/** Nothing else of what is asked for can be wrong: it is all of the bridge's own. */
function refuseUnknown(error: unknown): never {
  throw asAppError(error)?.code === 'invalid' ? new WrongForm('not_known') : error
}

/** Whether it was closed for the person who has that id now, and not for one who had it before. */
function isOfTheirs({ closedBecause }: Feed): boolean {
  return closedBecause !== anotherPerson
}

function isOwn({ audience, userIds }: Feed, userId: string): boolean {
  return audience === 'own' && userIds.length === 1 && userIds[0] === userId
}
