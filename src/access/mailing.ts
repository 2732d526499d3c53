import type { Actor } from '../domain/access/staff.ts'
import type { PersonNames } from '../feeds/many/person-names.ts'
import { LostLinks, type LostLinksDeps } from './lost-links.ts'
import { type InvitationDeps, Invitations } from './mail/invitations.ts'
import { Mailer, type MailerDeps } from './mail/mailer.ts'
import { type ReminderDeps, Reminders } from './reminders.ts'

/** What can be done where a mail server is set. */
export interface Mailing {
  readonly lostLinks: LostLinks
  /** With what the addresses in mails begin. */
  readonly publicUrl: string
  /** False where only this machine can open these addresses, and the mail server is on another. */
  readonly reachesPeople: boolean
  /** For those whose deeds they are. */
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
