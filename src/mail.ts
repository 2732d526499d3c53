import { LostLinks, type LostLinksDeps } from './access/lost-links.ts'
import { Invitations } from './access/mail/invitations.ts'
import { Mailer } from './access/mail/mailer.ts'
import type { Staff } from './domain/access/staff.ts'
import type { PersonNames } from './feeds/many/person-names.ts'
import { isLoopbackName } from './settings/access-faults.ts'
import type { Settings } from './settings/read-settings.ts'

/** What can be done where a mail server is set. */
export interface Mailing {
  readonly lostLinks: LostLinks
  /** For those whose deeds they are. */
  invitationsBy(by: Staff, names: PersonNames): Invitations
  close(): Promise<void>
}

/** What is being handed over when the process ends has so long to come to its end. */
const closeWithinMs = 5000

/** Opens no connection before there is something to mail; null where no mail server is set. */
export function openMail(settings: Settings, deps: Omit<LostLinksDeps, 'mailer'>): Mailing | null {
  const { smtpUrl: server, mailFrom: from } = settings
  if (server === undefined || from === undefined) return null
  const { publicUrl, clock } = deps
  const mustBeSecure = !settings.allowInsecure && !isLoopbackName(server.host)
  const mailer = new Mailer({ server, from, mustBeSecure, publicUrl, clock })
  const lostLinks = new LostLinks({ ...deps, mailer })
  return {
    lostLinks,
    invitationsBy: (by, names) => new Invitations({ ...deps, mailer, by, names }),
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
