import type { Actor } from '../../domain/access/staff.ts'
import type { PersonNames } from '../../feeds/bulk/person-names.ts'
import { Invitations, type MailingDeps } from './invitations.ts'
import { LostLinks } from './lost-links.ts'
import { Mailer, type MailerDeps } from './mailer.ts'

export interface Mailing {
  readonly lostLinks: LostLinks
  readonly publicUrl: string
  /** False if only this machine can open these addresses, and the mail server is on another. */
  readonly reachesPeople: boolean
  invitationsBy(by: Actor, names: PersonNames): Invitations
  close(): Promise<void>
}

const closeWithinMs = 5000

/** Connects once there is something to mail. */
export function openMailing(
  settings: Omit<MailingDeps, 'mailer'> & MailerDeps & Pick<Mailing, 'reachesPeople'>,
): Mailing {
  const { publicUrl, reachesPeople, clock } = settings
  const mailer = new Mailer(settings)
  const deps = { ...settings, mailer }
  const lostLinks = new LostLinks(deps)
  return {
    lostLinks,
    publicUrl,
    reachesPeople,
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
