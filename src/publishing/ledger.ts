import { createHash } from 'node:crypto'

import { eventContent } from '../calendar/render.ts'
import type { CalendarEvent, RevisedEvent, Revision } from '../domain/calendar-event.ts'
import { type Ledger, type LedgerEntry, ledgerKeptMs } from '../domain/ledger.ts'
import type { Instant } from '../domain/world.ts'

/** An event as the ledger sees it: its name and everything it says. */
export interface LedgerSubject {
  readonly uid: string
  readonly content: string
}

/** The ledger after showing these events, and the revision of each by UID. */
export interface RevisedLedger {
  readonly ledger: Ledger
  readonly changed: boolean
  readonly revisions: ReadonlyMap<string, Revision>
}

/**
 * Compares what the link shows now with what it showed last: other content is SEQUENCE + 1 and now, the same
 * content changes nothing, and an event that went and comes back goes on counting (RFC 5545 section 3.8.7.4).
 */
export function reviseLedger(
  ledger: Ledger,
  subjects: readonly LedgerSubject[],
  now: Instant,
): RevisedLedger {
  const second = Math.floor(now / 1000) * 1000
  const shown = new Map<string, LedgerEntry>()
  const revisions = new Map<string, Revision>()
  for (const { uid, content } of subjects) {
    const key = shortHash(uid)
    const entry = reviseEntry(ledger.entries.get(key), shortHash(content), second)
    shown.set(key, entry)
    revisions.set(uid, entry)
  }
  const entries = new Map([...shown, ...goneEntries(ledger, shown, second)])
  return { ledger: { ...ledger, entries }, changed: differs(ledger.entries, entries), revisions }
}

/** The same for the events of a calendar, and each of them with its revision. */
export function reviseEvents(
  ledger: Ledger,
  events: readonly CalendarEvent[],
  now: Instant,
): Omit<RevisedLedger, 'revisions'> & { readonly events: readonly RevisedEvent[] } {
  const subjects = events.map((event) => ({ uid: event.uid, content: eventContent(event) }))
  const { revisions, ...revised } = reviseLedger(ledger, subjects, now)
  const withRevisions = events.flatMap((event) => {
    const revision = revisions.get(event.uid)
    if (!revision) return []
    return [{ ...event, sequence: revision.sequence, changedAt: revision.changedAt }]
  })
  return { ...revised, events: withRevisions }
}

/** Seven bytes suffice: two of a feed’s few hundred events share them once in 10^12 feeds. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 7).toString('base64url')
}

function reviseEntry(
  before: LedgerEntry | undefined,
  contentHash: string,
  second: Instant,
): LedgerEntry {
  if (!before) return { contentHash, sequence: 0, changedAt: second, goneAt: null }
  if (before.contentHash === contentHash) return before.goneAt === null ? before : back(before)
  return {
    contentHash,
    sequence: before.sequence + 1,
    changedAt: Math.max(second, before.changedAt),
    goneAt: null,
  }
}

function back(entry: LedgerEntry): LedgerEntry {
  return { ...entry, goneAt: null }
}

function goneEntries(
  ledger: Ledger,
  shown: ReadonlyMap<string, LedgerEntry>,
  second: Instant,
): [string, LedgerEntry][] {
  return [...ledger.entries]
    .filter(([key]) => !shown.has(key))
    .map(([key, entry]): [string, LedgerEntry] => [
      key,
      { ...entry, goneAt: entry.goneAt ?? second },
    ])
    .filter(([, { goneAt }]) => second - (goneAt ?? second) <= ledgerKeptMs)
}

function differs(
  before: ReadonlyMap<string, LedgerEntry>,
  after: ReadonlyMap<string, LedgerEntry>,
): boolean {
  if (before.size !== after.size) return true
  return [...after].some(([key, entry]) => {
    const earlier = before.get(key)
    return (
      earlier?.contentHash !== entry.contentHash ||
      earlier.goneAt !== entry.goneAt ||
      earlier.sequence !== entry.sequence
    )
  })
}
