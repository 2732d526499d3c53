import type { Actor } from '../../domain/access/staff.ts'
import type { Locale } from '../../domain/feed.ts'
import type { PersonNames } from '../../feeds/bulk/person-names.ts'
import { Invitations, type MailingDeps } from './invitations.ts'
import { LostLinks } from './lost-links.ts'
import { type Mailbox, Mailer, type MailerDeps, type MailServer } from './mailer.ts'
import { composeTest } from './test-letter.ts'

export interface Mailing {
  readonly lostLinks: LostLinks
  readonly publicUrl: string
  /** False if only this machine can open these addresses, and the mail server is on another. */
  readonly reachesPeople: boolean
  readonly server: Pick<MailServer, 'host' | 'port'>
  readonly protection: 'tls' | 'starttls' | 'optional'
  readonly from: Mailbox
  /** Sends a mail that only shows that mails arrive. `MailNotTaken` at the first failure. */
  sendTest(address: string, locale: Locale): Promise<void>
  invitationsBy(by: Actor, names: PersonNames): Invitations
  close(): Promise<void>
}

const closeWithinMs = 5000

/** Connects once there is something to mail. */
export function openMailing(
  settings: Omit<MailingDeps, 'mailer'> & MailerDeps & Pick<Mailing, 'reachesPeople'>,
): Mailing {
  const { publicUrl, reachesPeople, server, from, mustBeSecure, clock } = settings
  const mailer = new Mailer(settings)
  const deps = { ...settings, mailer }
  const lostLinks = new LostLinks(deps)
  return {
    lostLinks,
    publicUrl,
    reachesPeople,
    server,
    protection: server.startsSecure ? 'tls' : mustBeSecure ? 'starttls' : 'optional',
    from,
    sendTest: (address, locale) => mailer.sendOnce(composeTest(address, locale, publicUrl)),
    invitationsBy: (by, names) => new Invitations(deps, by, names),
    close: async () => {
      const ended = new AbortController()
      const patience = clock.sleep(closeWithinMs, ended.signal).catch(() => undefined)
      const closing = lostLinks.close()
      await Promise.race([closing, patience])
      ended.abort()
      mailer.close()
      await closing
    },
  }
}
