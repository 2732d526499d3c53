import { type AuditAction, type Deed, tellDeed } from '../domain/access/audit-entry.ts'
import type { Feed } from '../domain/feed.ts'
import type { Clock, Log } from '../domain/world.ts'

/** How often the choices of a link, or one's own settings, change within a day: each change is remembered for long. */
export const changesADayMax = 50

/** Who does it, by what clock, and where that is told. */
export interface DeedDeps {
  readonly by: { readonly actor: string }
  readonly clock: Clock
  readonly log: Log
}

/** That one does this now. */
export function deedOf({ by, clock }: Omit<DeedDeps, 'log'>, action: AuditAction): Deed {
  return { at: clock.now(), actor: by.actor, action }
}

/** Tells what was done to a feed, or to the link of it by that label. */
export function tellOfFeed(
  { log }: Pick<DeedDeps, 'log'>,
  deed: Deed,
  { id: feedId, companyId, userIds }: Pick<Feed, 'id' | 'companyId' | 'userIds'>,
  label?: string,
): void {
  tellDeed(log, deed, { companyId, feedId, userIds, label: label ?? null })
}
