import { refuseTooMany } from '../../domain/access/audit-entry.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import { readOptions } from '../../domain/feed-options.ts'
import type { FeedStore } from '../../domain/feed-store.ts'
import { type Feed, anotherPerson, type FeedState, type Locale } from '../../domain/feed.ts'
import {
  type FeedLink,
  type LinkOfFeed,
  type LinkStore,
  onlyAway,
  mailedLabel,
} from '../../domain/link.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { hashSecret, secretOfForm } from '../../domain/secrets.ts'
import type { Instant } from '../../domain/world.ts'
import { isVisible } from '../../text/plain-text.ts'
import type { FeedCreation } from '../feed-creation.ts'
import { linkLabelField } from '../feed-input.ts'
import { patchOptions } from '../feed-options.ts'
import {
  type AuditDeps,
  auditEventOf,
  tellOfFeed,
  goingOn,
  labelBefore,
  replaceLink,
  newLink,
  changesADayMax,
} from '../link-replacement.ts'
import { isHeld } from './held-link.ts'

/** Why a form of one's own page was not taken. */
export type FormFault =
  | 'not_known'
  | 'label_missing'
  | 'label_unseen'
  | 'label_unfit'
  | 'label_of_mail'
  | 'label_in_use'
  | 'too_many_links'
  | 'nothing_shown'
  | 'sent_before'
  | 'unconfirmed'

const sentences: Readonly<Record<FormFault, string>> = {
  not_known: 'The Read API knows no active person with that id.',
  label_missing: 'The label must not be empty.',
  label_unseen: 'The label must hold a character that can be seen.',
  label_unfit: 'The label must have at most 100 characters, and not be of dots alone.',
  label_of_mail: `"${mailedLabel}" is the link that is mailed to who has lost theirs; take another label.`,
  label_in_use: 'There is a link of this label already.',
  too_many_links: 'The calendar has as many links as it may have; end one first.',
  nothing_shown: 'The calendar shows no leave, so that nothing would be left.',
  sent_before: 'This form was sent before; send a new one.',
  unconfirmed: 'The box must be ticked.',
}

/** `invalid`: what was not taken of a form, so that its page can say so beside it. */
export class WrongForm extends AppError {
  readonly about: FormFault

  constructor(about: FormFault) {
    super('invalid', sentences[about])
    this.about = about
  }
}

/** Nobody has more devices. */
const linksMax = 20
/** Each is remembered for long, ended or not. */
const madeADayMax = 50
/** For how long a form that was sent again is answered as it was the first time. */
const sentAgainMs = 600_000

/** A link just made: the only time its secret is known. */
export interface MadeLink {
  readonly feed: Feed
  readonly label: string
  readonly token: string
}

/** A link that is wanted. */
export interface WantedLink {
  readonly label: string
  /** Whether it is to say only that the person is away, anyone who holds it. */
  readonly isOnlyAway: boolean
  /** Of the form. */
  readonly key: string
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

/** Somebody may be in more feeds about several. */
const pageSize = 100

export interface OwnCalendarDeps extends AuditDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds' | 'changeFeed'>
  readonly links: LinkStore
  readonly creation: FeedCreation
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
  readonly #deps: OwnCalendarDeps
  readonly #person: PersonInCompany

  constructor(deps: OwnCalendarDeps, person: PersonInCompany) {
    this.#deps = deps
    this.#person = person
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
    if (feed) return { feed, links: await this.#openLinks(feed.id) }
    if (id === undefined) return undefined
    throw noCalendar()
  }

  /**
   * Makes their calendar with the company's defaults, and gives the secret of its first link; undefined where they have one.
   * `forbidden` where staff have revoked theirs, until staff make another. `WrongForm` where the Read API does not know them as somebody who works there. A form that is sent again is answered as it was the first time.
   */
  async make(key: string): Promise<MadeLink | undefined> {
    const { companyId, userId } = this.#person
    const token = secretOfForm(key, 'calendar', companyId, userId)
    const { creation } = this.#deps
    const before = await this.#findMade(token)
    if (before === undefined && !(await this.#hadOne())) {
      const draft = creation.drafts().draft({ companyId, userIds: [userId] })
      await creation.makeOnly(await draft.catch(refuseUnknown), token)
    }
    const made = before === undefined ? await this.#findMade(token) : before
    if (made) return { feed: made.feed, label: made.link.label, token }
    await this.#refuseRevoked()
    return undefined
  }

  /** One more link; `WrongForm` where it is not to be. */
  async addLink(feedId: string, { label: given, isOnlyAway, key }: WantedLink): Promise<MadeLink> {
    const feed = await this.#own(feedId)
    const label = readLabel(given)
    if (isOnlyAway && !feed.options.leaves.show) throw new WrongForm('nothing_shown')
    const token = secretOfForm(key, 'link', feed.id, label, String(isOnlyAway))
    const made = { feed, label, token }
    if (await this.#isSentAgain(token)) return made
    const now = this.#deps.clock.now()
    const { link } = newLink({ feedId: feed.id, label, createdAt: now }, token)
    const choices = isOnlyAway ? onlyAway : {}
    const check = (links: readonly FeedLink[]): void => refuseMoreAtOnce(links, now)
    const auditEvent = auditEventOf(this.#deps, 'link_created')
    return this.#unlessMade(made, async () => {
      const kept = this.#deps.links.createLink({ ...link, choices }, auditEvent, check)
      await kept.catch((error: unknown) => {
        throw asAppError(error)?.code === 'conflict' ? new WrongForm('label_in_use') : error
      })
      tellOfFeed(this.#deps, auditEvent, feed, label)
    })
  }

  /** A new link in the place of the one of that label, which ends now. `not_found`; `forbidden` for one that is to end. */
  async replaceLink(feedId: string, label: string, key: string): Promise<MadeLink> {
    const feed = await this.#own(feedId)
    const token = secretOfForm(key, 'replacement', feed.id, label)
    const made = { feed, label, token }
    const old = await this.#held(feed, label)
    if (await this.#isSentAgain(token)) return made
    const check = (links: readonly FeedLink[]): void =>
      refuseTooManyMade(links, this.#deps.clock.now())
    const { tokenHash } = old
    const replacement = { action: 'link_replaced', label, token, tokenHash, check } as const
    return this.#unlessMade(made, async () => {
      if (!(await replaceLink(this.#deps, feed, replacement))) throw noLink()
    })
  }

  /** Ends the link of that label now; `not_found` where there is none that goes on. */
  async endLink(feedId: string, label: string): Promise<void> {
    const feed = await this.#own(feedId)
    const link = await this.#held(feed, label)
    const auditEvent = auditEventOf(this.#deps, 'link_ended')
    if (!(await this.#deps.links.endThis(link, auditEvent.at, auditEvent))) throw noLink()
    tellOfFeed(this.#deps, auditEvent, feed, label)
  }

  /** What a form of that secret has made; null where that is no longer to be shown, undefined where it has made nothing. */
  async #findMade(token: string): Promise<LinkOfFeed | null | undefined> {
    const tokenHash = hashSecret('cfb', token)
    const found = tokenHash && (await this.#deps.links.findByTokenHash(tokenHash))
    if (!found) return undefined
    const { link, feed } = found
    const hasEnded = link.endsAt !== null || feed.revokedAt !== null || feed.closedAt !== null
    return hasEnded || link.createdAt < this.#deps.clock.now() - sentAgainMs ? null : found
  }

  /** Whether that form has just made its link; `WrongForm` where that was long ago, or it has ended since. */
  async #isSentAgain(token: string): Promise<boolean> {
    const before = await this.#findMade(token)
    if (before === null) throw new WrongForm('sent_before')
    return before !== undefined
  }

  /** Makes the link, unless the same form, sent twice at once, has just made it. */
  async #unlessMade(made: MadeLink, make: () => Promise<void>): Promise<MadeLink> {
    try {
      await make()
    } catch (error) {
      if (!(await this.#findMade(made.token))) throw error
    }
    return made
  }

  async #held({ id }: Feed, label: string): Promise<FeedLink> {
    const link = (await this.#openLinks(id)).find((it) => it.label === label)
    if (!link) throw noLink()
    if (isHeld(link)) return link
    throw new AppError('forbidden', 'This link is about to end.')
  }

  async #openLinks(feedId: string): Promise<readonly FeedLink[]> {
    return goingOn(await this.#deps.links.listLinks([feedId]), this.#deps.clock.now())
  }

  /**
   * Changes what differs; `forbidden` where HR lets nobody choose, as the feed stands when it is written; `too_many_requests`
   * once that has been done too often within a day.
   */
  async change(feedId: string, settings: OwnSettings): Promise<void> {
    const { id } = await this.#own(feedId)
    const auditEvent = { ...auditEventOf(this.#deps, 'feed_changed'), mostADay: changesADayMax }
    let before: Feed | undefined
    const changed = await this.#deps.feeds.changeFeed(
      id,
      (now) => {
        before = now
        return withSettings(this.#open(now), settings)
      },
      auditEvent,
    )
    if (!changed) throw noCalendar()
    if (changed.revision !== before?.revision) tellOfFeed(this.#deps, auditEvent, changed)
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
