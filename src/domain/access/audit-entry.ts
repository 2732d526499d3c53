import { AppError } from '../errors.ts'
import { dayMs, type Clock, type Instant, type Log, type Maybe } from '../world.ts'

export const auditActions = [
  'feed_created',
  'feed_changed',
  'feed_revoked',
  'feed_leaked',
  'feed_reopened',
  'feed_closed',
  'feed_opened',
  'link_created',
  'link_rotated',
  'link_replaced',
  'link_ended',
  'link_leaked',
  'link_reopened',
  'choices_changed',
  'staff_signed_in',
  'staff_signed_out',
  'token_created',
  'token_revoked',
  'mail_sent',
  'mail_refused',
  'defaults_changed',
  'company_held',
  'company_released',
  'departure_confirmed',
  'person_held',
  'person_released',
  'person_confirmed',
  'person_replaced',
  'person_exported',
  'person_erased',
  'calendar_viewed',
  'audit_exported',
  'people_exported',
  'mail_tested',
] as const
export type AuditAction = (typeof auditActions)[number]

export interface AuditEvent {
  readonly at: Instant
  /** As in `Actor`, or `holder` (of a link). */
  readonly actor: string
  readonly action: AuditAction
  /** How often that actor may do it within a day to one feed or link; then the store fails with `too_many_requests`. */
  readonly mostADay?: number
}

export interface AuditSubject {
  readonly companyId: string | null
  readonly feedId: string | null
  readonly userIds: readonly string[]
  readonly label: string | null
}

/** No secrets and no calendar content. */
export interface AuditEntry extends Omit<AuditEvent, 'mostADay'>, AuditSubject {
  readonly id: string
}

export interface AuditFilter {
  readonly companyId?: Maybe<string>
  readonly feedId?: Maybe<string>
  readonly userId?: Maybe<string>
  readonly actions?: Maybe<readonly AuditAction[]>
  readonly actors?: Maybe<readonly string[]>
  readonly since?: Maybe<Instant>
  /** Only entries before this instant. */
  readonly until?: Maybe<Instant>
  /** Only what follows that entry in the list. */
  readonly after?: Maybe<Pick<AuditEntry, 'at' | 'id'>>
  readonly limit: number
}

/** The audit log; other stores note their audit events together with their changes. */
export interface AuditStore {
  addEntry(auditEvent: AuditEvent, subject: AuditSubject): Promise<void>
  listEntries(filter: AuditFilter): Promise<readonly AuditEntry[]>
  dropBefore(instant: Instant): Promise<void>
}

export const auditKeptMs = 400 * 86_400_000

/** Notes and logs something that no other store notes. */
export async function saveAuditEvent(
  { audit, clock, log }: { readonly audit: AuditStore; readonly clock: Clock; readonly log: Log },
  done: Omit<AuditEvent, 'at'>,
  subject: Partial<AuditSubject> = {},
): Promise<void> {
  const auditEvent: AuditEvent = { ...done, at: clock.now() }
  const nothing = { companyId: null, feedId: null, userIds: [], label: null }
  await audit.addEntry(auditEvent, { ...nothing, ...subject })
  logAuditEvent(log, auditEvent, subject)
}

export function logAuditEvent(
  log: Log,
  { actor, action }: AuditEvent,
  { companyId, feedId, userIds, label }: Partial<AuditSubject>,
): void {
  const about = { company: companyId, feed: feedId, users: userIds, link: label }
  const known = Object.entries(about).filter(([, value]) => value != null && value.length > 0)
  log.info({ ...Object.fromEntries(known), actor }, action)
}

export function dayBefore(now: Instant): Instant {
  return now - dayMs
}

/** `too_many_requests`, with the time to wait, if something was done `most` times within the last day. */
export function refuseTooMany(most: number, times: readonly Instant[], now: Instant): void {
  const recent = times.filter((at) => at > dayBefore(now))
  if (recent.length < most) return
  const retryAfterMs = Math.max(1000, Math.min(...recent) + dayMs - now)
  const message = 'This was done too often within a day; wait until tomorrow.'
  throw new AppError('too_many_requests', message, { retryAfterMs })
}
