import type { EventKind } from '../domain/kinds.ts'
import type { PlainDate } from '../domain/plain-date.ts'

/** The thing that an event shows. */
export interface UidSubject {
  readonly companyId: string
  readonly kind: EventKind
  /** The record's id. */
  readonly id: string
  /** Of a shift: whose it is, and the local date on which it starts. */
  readonly shift?: { readonly userId: string; readonly date: PlainDate }
}

/**
 * `{kind}-{id}[-{user}-{date}]@{company}.calendar-feed-bridge`: names the thing and not its time, so that it stays when
 * the thing moves (RFC 7986 section 5.3). Ids are encoded, so that no two things share a UID.
 */
export function eventUid({ companyId, kind, id, shift }: UidSubject): string {
  const names = [id, ...(shift ? [shift.userId, shift.date.replaceAll('-', '')] : [])]
  return `${[kind, ...names.map(encodeId)].join('-')}@${encodeId(companyId)}.calendar-feed-bridge`
}

/** Every byte outside `[A-Za-z0-9_]` as `=HH`. */
function encodeId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_]+/g, (other) =>
    [...new TextEncoder().encode(other)]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
