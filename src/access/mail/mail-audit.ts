import { type AuditStore, noteDeed } from '../../domain/access/audit-entry.ts'
import type { Feed } from '../../domain/feed.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { MailNotTaken } from './mail-faults.ts'

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
