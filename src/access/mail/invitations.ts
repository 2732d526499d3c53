import { type AuditStore, noteDeed } from '../../domain/access/audit-entry.ts'
import type { Staff } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import type { Instant, Clock, Log } from '../../domain/world.ts'
import type { PersonName, PersonNames } from '../../feeds/bulk/person-names.ts'
import { composeLetter } from './letters.ts'
import { isMailAddress, type Mailer, MailNotTaken } from './mailer.ts'

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
export async function findAddressee(
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
export function refuseWithoutAddress(
  person: PersonName | null,
  { userIds }: Pick<Feed, 'userIds'>,
): void {
  const whose = userIds.join(', ')
  if (!person) {
    throw new AppError(
      'conflict',
      'It is a calendar for others; only the person of an own one is mailed.',
    )
  }
  if (person.email === '') {
    throw new AppError('conflict', `No mail address of ${whose} is known.`)
  }
  if (!isMailAddress(person.email)) {
    throw new AppError('conflict', `What the Read API calls the mail address of ${whose} is none.`)
  }
}

/** Where it is noted who mailed what, and by what clock. */
export interface MailAuditDeps {
  readonly audit: Pick<AuditStore, 'addEntry'>
  readonly clock: Clock
  readonly log: Log
}

/** Whose mail it was, and for which link. */
export interface MailedLink {
  readonly feed: Pick<Feed, 'id' | 'companyId' | 'userIds'>
  readonly label: string
  readonly actor: string
}

/** Does the mailing and notes whether it was taken; fails as it does. */
export async function noteMailing(
  deps: MailAuditDeps,
  { feed, label, actor }: MailedLink,
  mail: () => Promise<void>,
): Promise<void> {
  const { id: feedId, companyId, userIds } = feed
  const object = { companyId, feedId, userIds, label }
  try {
    await mail()
  } catch (error) {
    await noteDeed(deps, { actor, action: 'mail_refused' }, object)
    // The server's reply may hold the address.
    const { fault, status } = error instanceof MailNotTaken ? error : {}
    deps.log.warn(
      { company: companyId, feed: feedId, fault: fault ?? 'not_sent', status, actor },
      'mail_failed',
    )
    throw error
  }
  await noteDeed(deps, { actor, action: 'mail_sent' }, object)
}
