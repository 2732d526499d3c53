import {
  type AuditStore,
  type Deed,
  type DeedObject,
  tellDeed,
} from '../../domain/access/audit-entry.ts'
import type { Feed } from '../../domain/feed.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { MailNotTaken } from './mail-faults.ts'

/** Where it is noted who mailed what, and by what clock. */
export interface MailDeedDeps {
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
  deps: MailDeedDeps,
  mailed: MailedLink,
  mail: () => Promise<void>,
): Promise<void> {
  const { id: feedId, companyId, userIds } = mailed.feed
  const object: DeedObject = { companyId, feedId, userIds, label: mailed.label }
  try {
    await mail()
  } catch (error) {
    await note(deps, mailed, 'mail_refused', object)
    // The server's reply may hold the address.
    const { fault, status } = error instanceof MailNotTaken ? error : {}
    deps.log.warn(
      { company: companyId, feed: feedId, fault: fault ?? 'not_sent', status },
      'mail_failed',
    )
    throw error
  }
  await note(deps, mailed, 'mail_sent', object)
}

async function note(
  { audit, clock, log }: MailDeedDeps,
  { actor }: MailedLink,
  action: 'mail_sent' | 'mail_refused',
  object: DeedObject,
): Promise<void> {
  const deed: Deed = { at: clock.now(), actor, action }
  await audit.addEntry(deed, object)
  tellDeed(log, deed, object)
}
