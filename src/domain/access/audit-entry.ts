import type { Clock, Instant, Log, Maybe } from '../world.ts'

/** Everything that is noted of who did what. */
export const auditActions = [
  'feed_created',
  'feed_changed',
  'feed_revoked',
  'feed_closed',
  'feed_opened',
  'link_created',
  'link_rotated',
  'link_replaced',
  'link_ended',
  'choices_changed',
  'staff_signed_in',
  'staff_signed_out',
  'token_created',
  'token_revoked',
  'mail_sent',
  'mail_refused',
  'company_held',
  'company_released',
  'person_held',
  'person_released',
  'person_confirmed',
  'person_replaced',
  'person_erased',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Who does what, and when: what it is done to is known where it is done. */
export interface AuditEvent {
  readonly at: Instant
  /** `admin`, `token:NAME`, `staff:MAIL`, `person:ID`, `holder` (of a link), `command-line` or `bridge`. */
  readonly actor: string
  readonly action: AuditAction
  /**
   * How often that actor may do it within a day to one feed, or to one link of it; beyond that nothing is done, and the store
   * fails with `too_many_requests`. Left out: as often as they like.
   */
  readonly mostADay?: number
}

/** What a audit event was done to. */
export interface AuditSubject {
  readonly companyId: string | null
  readonly feedId: string | null
  readonly userIds: readonly string[]
  /** Of the link, or the name of a token. */
  readonly label: string | null
}

/** Who did what: no secret, and nothing of what a calendar holds. */
export interface AuditEntry extends Omit<AuditEvent, 'mostADay'>, AuditSubject {
  readonly id: string
}

export interface AuditFilter {
  readonly companyId?: Maybe<string>
  readonly feedId?: Maybe<string>
  readonly userId?: Maybe<string>
  readonly actions?: Maybe<readonly AuditAction[]>
  /** Not before that instant. */
  readonly since?: Maybe<Instant>
  /** Only what stands behind that entry in the order of the list. */
  readonly after?: Maybe<Pick<AuditEntry, 'at' | 'id'>>
  readonly limit: number
}

/** What was done, by whom; the stores of what is changed note it with the change itself. */
export interface AuditStore {
  addEntry(auditEvent: AuditEvent, object: AuditSubject): Promise<void>
  /** The last first. */
  listEntries(filter: AuditFilter): Promise<readonly AuditEntry[]>
  dropBefore(instant: Instant): Promise<void>
}

/** For how long it is known who did what. */
export const auditKeptMs = 400 * 86_400_000

const nothing: AuditSubject = { companyId: null, feedId: null, userIds: [], label: null }

/** Notes that this is done now, and tells it: for what is no change of a store that would note it itself. */
export async function saveAuditEvent(
  {
    audit,
    clock,
    log,
  }: { readonly audit: Pick<AuditStore, 'addEntry'>; readonly clock: Clock; readonly log: Log },
  done: Omit<AuditEvent, 'at'>,
  object: Partial<AuditSubject> = {},
): Promise<void> {
  const auditEvent: AuditEvent = { ...done, at: clock.now() }
  await audit.addEntry(auditEvent, { ...nothing, ...object })
  logAuditEvent(log, auditEvent, object)
}

/** The line of the log for a audit event, beside the entry that is kept. */
export function logAuditEvent(
  log: Log,
  { actor, action }: AuditEvent,
  object: Partial<AuditSubject>,
): void {
  const { companyId, feedId, userIds, label } = object
  const about = { company: companyId, feed: feedId, users: userIds, link: label }
  const known = Object.entries(about).filter(([, value]) => value != null && value.length > 0)
  log.info({ ...Object.fromEntries(known), actor }, action)
}
