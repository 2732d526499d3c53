import { type AuditStore, saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { type Actor, bridge } from '../../domain/access/staff.ts'
import type { Brand } from '../../domain/brand.ts'
import { type Company, nameInWords } from '../../domain/company.ts'
import { AppError } from '../../domain/errors.ts'
import type { FeedStore } from '../../domain/feed-store.ts'
import { type Feed, anotherPerson } from '../../domain/feed.ts'
import {
  type FeedLink,
  type LinkAuditEvent,
  linkName,
  type LinkOfFeed,
  type LinkStore,
  type LostLinkStore,
  mailedLabel,
} from '../../domain/link.ts'
import type { Measures } from '../../domain/measures.ts'
import type { PeopleByMail, PeopleStore, PersonInCompany } from '../../domain/person.ts'
import { dayMs, type Clock, type Instant, type Log } from '../../domain/world.ts'
import type { PersonName, PersonNames } from '../../feeds/bulk/person-names.ts'
import { linkAddresses } from '../../feeds/feed-view.ts'
import { labelBefore, newLink, rotatedLabel, tellOfFeed } from '../../feeds/link-replacement.ts'
import { composeLetter, type LetterKind, type Sender } from './letters.ts'
import { type Letter, type Mailer, MailNotTaken, mayBeDelivered } from './mailer.ts'

export interface MailingDeps {
  readonly mailer: Mailer
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly lostLinks: LostLinkStore
  readonly people: PeopleStore
  readonly peopleByMail: PeopleByMail
  readonly audit: AuditStore
  /** By company; only those with a Read API. */
  readonly connections: ReadonlyMap<string, { readonly company: Pick<Company, 'name'> }>
  readonly brandOf: (companyId: string) => Brand
  /** Updates the person in the directory from the Read API, if it answers. */
  readonly reread: (person: PersonInCompany) => Promise<void>
  readonly publicUrl: string
  readonly measures?: Pick<Measures, 'watchQueue'> | undefined
  readonly clock: Clock
  readonly log: Log
}

export interface Invitation {
  readonly kind: 'invitation' | 'renewed'
  readonly feed: Pick<
    Feed,
    'id' | 'companyId' | 'userIds' | 'audience' | 'name' | 'locale' | 'timezone'
  >
  readonly label: string
  readonly page: string
  /** When the replaced address ends, if not now. */
  readonly oldEndsAt?: Instant | undefined
}

const reasons = {
  ended: 'has ended',
  anotherPerson: 'the id is another person’s by now',
  left: 'the person has left',
  notOwn: 'a calendar for others: nobody’s own',
  subscribed: 'has subscribed already',
  mailed: 'was mailed a link within a day, or may have been',
} as const
export type NoReminderReason = keyof typeof reasons | 'noCompany'

/** There is a good reason not to mail anyone about this feed; the message says which. */
export class NoReminder extends AppError {
  readonly reason: NoReminderReason

  constructor(reason: NoReminderReason, companyId = '') {
    super(
      'conflict',
      reason === 'noCompany' ? `no company "${companyId}" is set up` : reasons[reason],
    )
    this.reason = reason
  }
}

/** Mails people the pages of their calendars, on behalf of one actor. */
export class Invitations {
  readonly #deps: MailingDeps
  readonly #actor: string
  readonly #names: PersonNames

  constructor(deps: MailingDeps, { actor }: Actor, names: PersonNames) {
    this.#deps = deps
    this.#actor = actor
    this.#names = names
  }

  /**
   * Mails the page to the person of the feed and returns their name. Fails with a sentence if there is no such person or
   * address, or if the mail is not taken.
   */
  async send({ feed, label, page, kind, oldEndsAt }: Invitation): Promise<string> {
    const person = await this.#findAddressee(feed)
    await noteMailing(this.#deps, feed, label, this.#actor, async () => {
      const { to, firstName } = addressed(person, feed)
      const sender = senderOf(this.#deps, feed.companyId)
      await this.#deps.mailer.send(
        composeLetter({ kind, sender, to, firstName, feed, page, oldEndsAt }),
      )
    })
    return person?.displayName ?? ''
  }

  async requireAddress(feed: Invitation['feed']): Promise<void> {
    addressed(await this.#findAddressee(feed), feed)
  }

  /** Whether the mail server has taken a mail with an address of that feed. */
  async wasMailed(feedId: string, since?: Instant): Promise<boolean> {
    const actions = ['mail_sent'] as const
    return (await this.#deps.audit.listEntries({ feedId, actions, since, limit: 1 })).length > 0
  }

  /**
   * Mails a new link to the person of a feed, at most once a day; existing links keep working. A reminder is only for a feed
   * without a subscriber. Fails with `NoReminder`, or with a sentence if there is no address or the mail is not taken.
   */
  async remind(
    feedId: string,
    kind: 'reminder' | 'quiet' | 'invitation' = 'reminder',
  ): Promise<void> {
    const person = await this.#findAddressee(await this.#feedToRemindOf(feedId, kind))
    // Rereading the person may have closed the feed.
    const feed = await this.#feedToRemindOf(feedId, kind)
    const { companyId, userIds } = feed
    const [userId = ''] = userIds
    const isMailed = await mailInTurn(this.#deps, { companyId, userId }, 1, () =>
      mailNewLink(this.#deps, feed, this.#actor, (page) => {
        const { to, firstName } = addressed(person, feed)
        const sender = senderOf(this.#deps, companyId)
        return composeLetter({ kind, sender, to, firstName, feed, page })
      }),
    )
    if (!isMailed) throw new NoReminder('mailed')
  }

  /** The person of an own calendar, as the Read API knows them now; null for a calendar for others. */
  async #findAddressee({
    audience,
    companyId,
    userIds,
  }: Invitation['feed']): Promise<PersonName | null> {
    const [userId, ...others] = userIds
    if (audience !== 'own' || userId === undefined || others.length > 0) return null
    // The known address may belong to somebody else by now.
    await this.#deps.reread({ companyId, userId })
    return this.#names.find(companyId, userId)
  }

  async #feedToRemindOf(feedId: string, kind: LetterKind): Promise<Feed> {
    const feed = await this.#deps.feeds.findFeed(feedId)
    if (!feed) throw new NoReminder('ended')
    const why = await this.#whyNot(feed, kind)
    if (why) throw new NoReminder(why, feed.companyId)
    return feed
  }

  async #whyNot(feed: Feed, kind: LetterKind): Promise<NoReminderReason | undefined> {
    const { id, companyId, audience, userIds, revokedAt, closedAt, closedBecause } = feed
    const { connections, people, feeds } = this.#deps
    if (revokedAt !== null) return 'ended'
    if (closedAt !== null) return closedBecause === anotherPerson ? 'anotherPerson' : 'left'
    if (!connections.has(companyId)) return 'noCompany'
    if (audience !== 'own' || userIds.length !== 1) return 'notOwn'
    const { state = 'active' } = (await people.findPerson(companyId, userIds[0] ?? '')) ?? {}
    if (state !== 'active' && state !== 'unread') return 'left'
    if (kind !== 'reminder') return undefined
    const unused = await feeds.listFeeds({ companyId, userIds, neverPolled: true, limit: 1000 })
    return unused.some((it) => it.id === id) ? undefined : 'subscribed'
  }
}

/** In whose name that company's people get mail. */
export function senderOf(
  { brandOf, connections }: Pick<MailingDeps, 'brandOf' | 'connections'>,
  companyId: string,
): Sender {
  const { name = companyId } = { ...connections.get(companyId)?.company }
  return { brand: brandOf(companyId), company: nameInWords({ id: companyId, name }) }
}

/** Where the person gets mail; fails with a sentence if there is no person or no valid address. */
function addressed(
  person: PersonName | null,
  { userIds }: Pick<Feed, 'userIds'>,
): { readonly to: Letter['to']; readonly firstName: string } {
  const ids = userIds.join(', ')
  const why = !person
    ? 'It is a calendar for others; only the person of an own one is mailed.'
    : person.email === ''
      ? `No mail address of ${ids} is known.`
      : `The Read API has no valid mail address for ${ids}.`
  if (!person || !isMailAddress(person.email)) throw new AppError('conflict', why)
  const { displayName, firstName, email } = person
  return { to: { name: displayName, address: email }, firstName }
}

const addressLengthMax = 254

/**
 * One address that no reader can take for several: no quoted words, comments or literals. ASCII before the @ (RFC 5321 section
 * 4.1.2): a server without SMTPUTF8 may take other letters for another mailbox.
 */
const addressPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u

/** Whether mail can be sent to that address, and only to it. */
export function isMailAddress(text: string): boolean {
  return text.length <= addressLengthMax && addressPattern.test(text)
}

/**
 * Mails the person a link, on any node, unless they were mailed `most` within a day: then false. A mail that was not sent does
 * not count; one that may have been sent does.
 */
export async function mailInTurn(
  { lostLinks, clock }: MailingDeps,
  { companyId, userId }: PersonInCompany,
  most: number,
  mail: () => Promise<void>,
): Promise<boolean> {
  const now = clock.now()
  const person = { companyId, userId }
  if (!(await lostLinks.takeTurn(person, { now, since: now - dayMs, most }))) return false
  await mail().catch(async (error: unknown) => {
    if (!mayBeDelivered(error)) await lostLinks.returnTurn(person, now)
    throw error
  })
  return true
}

/** An older mailed link without polls ends this long after a newer one was mailed. */
const unusedMs = 7 * 86_400_000
/** As many as a person is mailed a day: each works for a day at least, however often strangers ask for more. */
const untouchedMax = 3

/**
 * Mails a new link, and keeps it if the mail was taken or may have been; fails if it was not taken. Anyone can request one, so
 * it ends no link that is polled: that one works until the new link is polled.
 */
export async function mailNewLink(
  deps: MailingDeps,
  feed: Feed,
  actor: string,
  letter: (page: string) => Letter,
): Promise<void> {
  const { mailer, links, clock, publicUrl } = deps
  const { link, token } = newLink({ feedId: feed.id, label: mailedLabel, createdAt: clock.now() })
  const { page } = linkAddresses(publicUrl, token, feed.name)
  const keep = async (): Promise<void> => {
    const at = clock.now()
    const before = {
      label: rotatedLabel(mailedLabel, at),
      unusedEndAt: at + unusedMs,
      untouchedMax,
    }
    const mailed = { ...link, awaitsPoll: true }
    logAll(deps.log, feed, await links.mailLink(mailed, before, { at, actor }))
  }
  await noteMailing(deps, feed, mailedLabel, actor, () => mailer.send(letter(page))).catch(
    async (error: unknown) => {
      if (mayBeDelivered(error)) await keep()
      throw error
    },
  )
  await keep()
}

/** Mails, and notes in the audit log whether the mail was taken; fails as `mail` does. */
async function noteMailing(
  deps: MailingDeps,
  { id: feedId, companyId, userIds }: Invitation['feed'],
  label: string,
  actor: string,
  mail: () => Promise<void>,
): Promise<void> {
  const object = { companyId, feedId, userIds, label }
  try {
    await mail()
  } catch (error) {
    await saveAuditEvent(deps, { actor, action: 'mail_refused' }, object)
    // Not its message: the server's reply may hold the address.
    const { fault = 'not_sent', status } = error instanceof MailNotTaken ? error : {}
    deps.log.warn({ company: companyId, feed: feedId, fault, status, actor }, 'mail_failed')
    throw error
  }
  await saveAuditEvent(deps, { actor, action: 'mail_sent' }, object)
}

/** Ends the links mailed before this one, now that a calendar program polls it. */
export async function takeUpMailedLink(
  deps: Pick<MailingDeps, 'links' | 'clock' | 'log'>,
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
