import { refuseTooMany } from '../../domain/access/audit-entry.ts'
import { withDefaults } from '../../domain/company-defaults.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import { inLanguage } from '../../domain/feed-name.ts'
import { type OwnOptions, readOptions } from '../../domain/feed-options.ts'
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
  activeLinks,
  labelBefore,
  replaceLink,
  newLink,
  changesADayMax,
} from '../link-replacement.ts'
import { chooseForLink, type ChoiceMade, isHeld, sentAgainMs } from './held-link.ts'

/** Why a form of `/me` was refused. */
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

/** `invalid`, with a reason that the page shows beside the form. */
export class WrongForm extends AppError {
  readonly about: FormFault

  constructor(about: FormFault) {
    super('invalid', sentences[about])
    this.about = about
  }
}

const linksMax = 20
/** Ended links are kept for long, too. */
const madeADayMax = 50

/** A new link; its secret is known only here. */
export interface MadeLink {
  readonly feed: Feed
  readonly label: string
  readonly token: string
  /** The link shows only "Away": it is for somebody else. */
  readonly isOnlyAway: boolean
}

export interface WantedLink {
  readonly label: string
  /** The link shows only "Away". */
  readonly isOnlyAway: boolean
  readonly key: string
}

/** `WrongForm` if there are too many at once, `too_many_requests` if too many were made. */
function refuseMoreAtOnce(links: readonly FeedLink[], now: Instant): void {
  refuseTooManyMade(links, now)
  // Mailed links do not count until they are used: strangers may have asked for them.
  const used = activeLinks(links, now).filter(({ awaitsPoll }) => !awaitsPoll)
  if (used.length >= linksMax) throw new WrongForm('too_many_links')
}

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

const pageSize = 100

export interface OwnCalendarDeps extends AuditDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds' | 'changeFeed'>
  readonly links: LinkStore
  readonly creation: FeedCreation
}

/** A feed and its links that have not ended. */
export interface OwnFeed {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
}

export interface OwnSettings {
  readonly locale: Locale
  readonly reminderMinutes: number | null
}

/** What a signed-in person does with their own calendar. Feeds are looked up among their own only, whatever the request says. */
export class OwnCalendar {
  readonly #deps: OwnCalendarDeps
  readonly #person: PersonInCompany

  constructor(deps: OwnCalendarDeps, person: PersonInCompany) {
    this.#deps = deps
    this.#person = person
  }

  /** Their open feeds, oldest first. */
  list(): Promise<readonly Feed[]> {
    return this.#list('open')
  }

  /** Their former feed: one that the bridge has closed, which may open again, else the one revoked last. */
  async findEnded(): Promise<Feed | undefined> {
    const closed = (await this.#list('closed')).find((it) => it.closedBecause !== anotherPerson)
    if (closed) return closed
    const revoked = await this.#list('revoked')
    return revoked.toSorted((a, b) => (b.revokedAt ?? 0) - (a.revokedAt ?? 0))[0]
  }

  /** The feed with that id, or the first one; undefined if they have none. `not_found` for any other id. */
  async find(id?: string): Promise<OwnFeed | undefined> {
    const feeds = await this.list()
    const feed = id === undefined ? feeds[0] : feeds.find((it) => it.id === id)
    if (feed) return { feed, links: await this.#openLinks(feed.id) }
    if (id === undefined) return undefined
    throw noCalendar()
  }

  /**
   * Creates their calendar with the company's defaults and returns the secret of its first link; undefined if they have a
   * calendar. `forbidden` if staff have revoked it; `WrongForm` if the Read API does not know them as active. Sending the
   * form again gets the same answer.
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
    if (made) return { feed: made.feed, label: made.link.label, token, isOnlyAway: false }
    await this.#refuseRevoked()
    return undefined
  }

  /** `WrongForm` if it is not possible. */
  async addLink(feedId: string, { label: given, isOnlyAway, key }: WantedLink): Promise<MadeLink> {
    const feed = await this.#own(feedId)
    const label = readLabel(given)
    if (isOnlyAway && !feed.options.leaves.show) throw new WrongForm('nothing_shown')
    const token = secretOfForm(key, 'link', feed.id, label, String(isOnlyAway))
    const made = { feed, label, token, isOnlyAway }
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

  /** The old link ends now. `not_found`; `forbidden` if it is about to end anyway. */
  async replaceLink(feedId: string, label: string, key: string): Promise<MadeLink> {
    const feed = await this.#own(feedId)
    const token = secretOfForm(key, 'replacement', feed.id, label)
    const old = await this.#held(feed, label)
    const made = { feed, label, token, isOnlyAway: old.choices.onlyAway === true }
    if (await this.#isSentAgain(token)) return made
    const check = (links: readonly FeedLink[]): void =>
      refuseTooManyMade(links, this.#deps.clock.now())
    const { tokenHash } = old
    const replacement = { action: 'link_replaced', label, token, tokenHash, check } as const
    return this.#unlessMade(made, async () => {
      if (!(await replaceLink(this.#deps, feed, replacement))) throw noLink()
    })
  }

  /** `not_found` if there is none. */
  async endLink(feedId: string, label: string): Promise<void> {
    const feed = await this.#own(feedId)
    const link = await this.#held(feed, label)
    const auditEvent = auditEventOf(this.#deps, 'link_ended')
    if (!(await this.#deps.links.endByToken(link, auditEvent.at, auditEvent))) throw noLink()
    tellOfFeed(this.#deps, auditEvent, feed, label)
  }

  /** As the holder of the link could choose on its page. `not_found`; otherwise as `chooseForLink`. */
  async choose(feedId: string, label: string, form: unknown): Promise<ChoiceMade> {
    const link = await this.#held(await this.#own(feedId), label)
    return chooseForLink(this.#deps, link, form)
  }

  /** What a form with that secret has made; null if that may not be shown any more, undefined if it has made nothing. */
  async #findMade(token: string): Promise<LinkOfFeed | null | undefined> {
    const tokenHash = hashSecret('cfb', token)
    const found = tokenHash && (await this.#deps.links.findByTokenHash(tokenHash))
    if (!found) return undefined
    const { link, feed } = found
    const hasEnded = link.endsAt !== null || feed.revokedAt !== null || feed.closedAt !== null
    return hasEnded || link.createdAt < this.#deps.clock.now() - sentAgainMs ? null : found
  }

  /** `WrongForm` if the form made a link long ago, or one that has ended since. */
  async #isSentAgain(token: string): Promise<boolean> {
    const before = await this.#findMade(token)
    if (before === null) throw new WrongForm('sent_before')
    return before !== undefined
  }

  /** Unless the same form, sent twice at once, has just made it. */
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
    return activeLinks(await this.#deps.links.listLinks([feedId]), this.#deps.clock.now())
  }

  /** `forbidden` if HR lets people choose nothing when it is stored; `too_many_requests`. */
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

  /** Only staff revoke feeds. */
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

  /** `not_found` if the feed has ended, or is no longer theirs. */
  #open(feed: Feed): Feed {
    const hasEnded = feed.revokedAt !== null || feed.closedAt !== null
    if (hasEnded || !isOwn(feed, this.#person.userId)) throw noCalendar()
    return feed
  }
}

/** null if nothing differs; `forbidden` if HR lets people choose nothing. */
function withSettings(feed: Feed, { locale, reminderMinutes }: OwnSettings): Feed | null {
  const { options } = feed
  if (!options.selfService) throw new AppError('forbidden', 'HR decides what this calendar shows.')
  const isReminder = reminderMinutes !== options.reminderMinutes
  if (!isReminder && locale === feed.locale) return null
  const ownOptions = isReminder ? withReminder(feed, reminderMinutes) : feed.ownOptions
  const isLocaleSet = feed.isLocaleSet || locale !== feed.locale
  return withDefaults({ ...inLanguage(feed, locale), isLocaleSet, ownOptions })
}

/** A value that equals the default is not set; `none` is set if the company has another default. */
function withReminder(
  { audience, defaults, ownOptions }: Feed,
  reminderMinutes: OwnSettings['reminderMinutes'],
): OwnOptions {
  const others = patchOptions(ownOptions, { reminderMinutes: null })
  const usual = readOptions(audience, defaults[audience], others).reminderMinutes
  if (reminderMinutes === usual) return others
  // A patch cannot set null.
  return reminderMinutes === null
    ? { ...others, reminderMinutes }
    : patchOptions(others, { reminderMinutes })
}

function noCalendar(): AppError {
  return new AppError('not_found', 'There is no such calendar of yours.')
}

/** Nothing but the user can be wrong in this input. */
function refuseUnknown(error: unknown): never {
  throw asAppError(error)?.code === 'invalid' ? new WrongForm('not_known') : error
}

function isOwn({ audience, userIds }: Feed, userId: string): boolean {
  return audience === 'own' && userIds.length === 1 && userIds[0] === userId
}
