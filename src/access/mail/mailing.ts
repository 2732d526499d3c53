import type { AuditStore } from '../../domain/access/audit-entry.ts'
import type { Actor, Staff } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import { type FeedStore } from '../../domain/feed-store.ts'
import { type Feed, anotherPerson } from '../../domain/feed.ts'
import type { PersonInCompany, PeopleStore } from '../../domain/person.ts'
import type { Instant } from '../../domain/world.ts'
import type { PersonNames, PersonName } from '../../feeds/bulk/person-names.ts'
import { composeLetter } from './letters.ts'
import {
  LostLinks,
  type LostLinksDeps,
  isMailAddress,
  type MailAuditDeps,
  noteMailing,
  type LinkMailingDeps,
  mailInTurn,
  mailNewLink,
} from './mailed-links.ts'
import { Mailer, type MailerDeps } from './mailer.ts'

/** What can be done where a mail server is set. */
export interface Mailing {
  readonly lostLinks: LostLinks
  /** With what the addresses in mails begin. */
  readonly publicUrl: string
  /** False where only this machine can open these addresses, and the mail server is on another. */
  readonly reachesPeople: boolean
  /** For those whose audit events they are. */
  invitationsBy(by: Actor, names: PersonNames): Invitations
  remindersBy(by: Actor, names: PersonNames): Reminders
  close(): Promise<void>
}

/** What is being handed over when the process ends has so long to come to its end. */
const closeWithinMs = 5000

/** Opens no connection before there is something to mail. */
export function openMailing(
  deps: Omit<LostLinksDeps, 'mailer'> &
    MailerDeps &
    Pick<InvitationDeps, 'audit'> &
    Pick<ReminderDeps, 'feeds'> & { readonly directory: ReminderDeps['people'] } & Pick<
      Mailing,
      'reachesPeople'
    >,
): Mailing {
  const mailer = new Mailer(deps)
  const lostLinks = new LostLinks({ ...deps, mailer })
  return {
    lostLinks,
    publicUrl: deps.publicUrl,
    reachesPeople: deps.reachesPeople,
    invitationsBy: (by, names) => new Invitations({ ...deps, mailer, by, names }),
    remindersBy: (by, names) =>
      new Reminders({ ...deps, people: deps.directory, mailer, by, names }),
    close: async () => {
      const ended = new AbortController()
      const patience = deps.clock.sleep(closeWithinMs, ended.signal).catch(() => undefined)
      const closing = lostLinks.close()
      await Promise.race([closing, patience])
      ended.abort()
      mailer.close()
      await closing
    },
  }
}

/** What says who is mailed, and where. */
export interface AddresseeDeps {
  readonly names: Pick<PersonNames, 'find'>
  /** Has the directory say of that person what the Read API does now, as far as it answers. */
  readonly reread: (person: PersonInCompany) => Promise<void>
}

export interface InvitationDeps extends MailAuditDeps, AddresseeDeps {
  readonly mailer: Pick<Mailer, 'send'>
  readonly by: Pick<Staff, 'actor'>
  readonly audit: Pick<AuditStore, 'addEntry' | 'listEntries'>
}

/** A link that was just made, and whose it is. */
export interface Invitation {
  readonly kind: 'invitation' | 'renewed'
  readonly feed: Pick<
    Feed,
    'id' | 'companyId' | 'userIds' | 'audience' | 'name' | 'locale' | 'timezone'
  >
  readonly label: string
  readonly page: string
  /** When the address ends in whose place the new one stands, if that is not now. */
  readonly oldEndsAt?: Instant | undefined
}

/** Mails people the pages of their calendars. */
export class Invitations {
  readonly #deps: InvitationDeps

  constructor(deps: InvitationDeps) {
    this.#deps = deps
  }

  /**
   * Mails the page to the person of the feed, at the address that the directory or the Read API knows; gives what they are
   * called. Fails with a sentence where there is no such person or address, and where the mail is not taken.
   */
  async send({ feed, label, page, kind, oldEndsAt }: Invitation): Promise<string> {
    const { mailer, by } = this.#deps
    const person = await findAddressee(this.#deps, feed)
    const { displayName: name, email: address, firstName } = person ?? unknown
    await noteMailing(this.#deps, { feed, label, actor: by.actor }, async () => {
      refuseWithoutAddress(person, feed)
      await mailer.send(
        composeLetter({ kind, to: { name, address }, firstName, feed, page, oldEndsAt }),
      )
    })
    return name
  }

  /** Fails as sending would where there is no person or address that could be mailed; mails nothing. */
  async requireAddress(feed: Invitation['feed']): Promise<void> {
    refuseWithoutAddress(await findAddressee(this.#deps, feed), feed)
  }

  /** Whether the mail server is known to have taken a mail with an address of that feed. */
  async wasMailed(feedId: string): Promise<boolean> {
    const actions = ['mail_sent'] as const
    const [mailed] = await this.#deps.audit.listEntries({ feedId, actions, limit: 1 })
    return mailed !== undefined
  }
}

/** The person of an own calendar, as the Read API knows them now; null for a calendar for others. */
async function findAddressee(
  { names, reread }: AddresseeDeps,
  { audience, companyId, userIds }: Pick<Feed, 'audience' | 'companyId' | 'userIds'>,
): Promise<PersonName | null> {
  const [userId, ...others] = userIds
  if (audience !== 'own' || userId === undefined || others.length > 0) return null
  // The address that they had may be another's by now.
  await reread({ companyId, userId })
  return names.find(companyId, userId)
}

const unknown: PersonName = { displayName: '', firstName: '', email: '' }

/** Fails with a sentence where there is no person or address that could be mailed. */
function refuseWithoutAddress(person: PersonName | null, { userIds }: Pick<Feed, 'userIds'>): void {
  const whom = userIds.join(', ')
  if (!person) {
    throw new AppError(
      'conflict',
      'It is a calendar for others; only the person of an own one is mailed.',
    )
  }
  if (person.email === '') {
    throw new AppError('conflict', `No mail address of ${whom} is known.`)
  }
  if (!isMailAddress(person.email)) {
    throw new AppError('conflict', `The Read API has no valid mail address for ${whom}.`)
  }
}

const ownFeedsMax = 1000

export interface ReminderDeps extends LinkMailingDeps, AddresseeDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'listFeeds'>
  readonly people: Pick<PeopleStore, 'findPerson'>
  /** Those whose Read API is set. */
  readonly companies: { has(companyId: string): boolean }
  readonly by: Pick<Staff, 'actor'>
}

/** There is nobody to remind of a feed, in a few words why. */
export class NobodyToRemind extends AppError {
  constructor(why: string) {
    super('conflict', why)
  }
}

/** Mails a new link to people who have not subscribed; what they have goes on. */
export class Reminders {
  readonly #deps: ReminderDeps

  constructor(deps: ReminderDeps) {
    this.#deps = deps
  }

  /**
   * Reminds the person of the feed, once a day at most. Fails as `NobodyToRemind` where nobody is mailed for good reason, and with
   * a sentence where there is no address or the mail is not taken.
   */
  async remind(feedId: string): Promise<void> {
    const person = await findAddressee(this.#deps, await this.#feedToRemindOf(feedId))
    // What was just read of them may have closed it.
    const feed = await this.#feedToRemindOf(feedId)
    const { companyId, userIds } = feed
    const [userId = ''] = userIds
    const isMailed = await mailInTurn(this.#deps, { companyId, userId }, 1, () =>
      mailNewLink(this.#deps, {
        feed,
        actor: this.#deps.by.actor,
        letter: (page) => {
          refuseWithoutAddress(person, feed)
          const { displayName: name, email: address, firstName } = person ?? nobody
          return composeLetter({ kind: 'reminder', to: { name, address }, firstName, feed, page })
        },
      }),
    )
    if (!isMailed) throw new NobodyToRemind('was mailed a link within a day, or may have been')
  }

  async #feedToRemindOf(feedId: string): Promise<Feed> {
    const feed = await this.#deps.feeds.findFeed(feedId)
    if (!feed) throw new NobodyToRemind(hasEnded)
    const why = this.#whyNoCalendar(feed) ?? (await this.#whyNoPerson(feed))
    if (why !== undefined) throw new NobodyToRemind(why)
    return feed
  }

  #whyNoCalendar({ revokedAt, closedAt, closedBecause, ...feed }: Feed): string | undefined {
    if (revokedAt !== null) return hasEnded
    if (closedAt !== null) return closedBecause === anotherPerson ? isAnothers : hasLeft
    const { companyId, audience, userIds } = feed
    if (!this.#deps.companies.has(companyId)) return `no company "${companyId}" is set up`
    const isOwn = audience === 'own' && userIds.length === 1
    return isOwn ? undefined : 'a calendar for others: nobody’s own'
  }

  async #whyNoPerson(feed: Feed): Promise<string | undefined> {
    if (!(await this.#isHere(feed))) return hasLeft
    return (await this.#isNeverPolled(feed)) ? undefined : 'has subscribed already'
  }

  async #isHere({ companyId, userIds: [userId = ''] }: Feed): Promise<boolean> {
    const { state } = (await this.#deps.people.findPerson(companyId, userId)) ?? {}
    return state === undefined || state === 'active' || state === 'unread'
  }

  /** As lists of feeds say it. */
  async #isNeverPolled({ id, companyId, userIds }: Feed): Promise<boolean> {
    const filter = { companyId, userIds, neverPolled: true, limit: ownFeedsMax }
    return (await this.#deps.feeds.listFeeds(filter)).some((feed) => feed.id === id)
  }
}

const nobody: PersonName = { displayName: '', firstName: '', email: '' }

const hasEnded = 'has ended'
const hasLeft = 'the person has left'
const isAnothers = 'the id is another person’s by now'
