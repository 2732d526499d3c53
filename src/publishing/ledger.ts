import { createHash } from 'node:crypto'

import type { Steps } from '../calendar/expand.ts'
import type { Revision } from '../domain/calendar-event.ts'
import { type Ledger, type LedgerEntry, ledgerKeptMs } from '../domain/ledger.ts'
import type { Instant } from '../domain/world.ts'

/** An event as the ledger sees it: its name and everything it says. */
export interface LedgerSubject {
  readonly uid: string
  readonly content: string
}

/** The ledger after showing some events, and whether it says anything else than before. */
export interface RevisedLedger {
  readonly ledger: Ledger
  readonly changed: boolean
}

/**
 * Compares what the link shows now with what it showed last: other content is SEQUENCE + 1 and now, the same
 * content changes nothing, and an event that went and comes back goes on counting (RFC 5545 section 3.8.7.4), whether
 * its record was gone or there was no room for it.
 */
export class Revisions {
  readonly #ledger: Ledger
  readonly #second: Instant
  /** Of all events that were asked for, by UID. */
  readonly #asked = new Map<string, readonly [key: string, entry: LedgerEntry]>()

  constructor(ledger: Ledger, now: Instant) {
    this.#ledger = ledger
    this.#second = Math.floor(now / 1000) * 1000
  }

  /** The revision of the event if it is shown. */
  of({ uid, content }: LedgerSubject): Revision {
    const key = shortHash(uid)
    const entry = reviseEntry(this.#ledger.entries.get(key), shortHash(content), this.#second)
    this.#asked.set(uid, [key, entry])
    return entry
  }

  /** The ledger once these are shown and no others; the revision of each was asked for. */
  *after(shown: readonly Pick<LedgerSubject, 'uid'>[]): Steps<RevisedLedger> {
    const before = this.#ledger.entries
    const entries = new Map<string, LedgerEntry>()
    let changed = false
    for (const { uid } of shown) {
      const asked = this.#asked.get(uid)
      if (!asked) continue
      entries.set(...asked)
      changed ||= before.get(asked[0]) !== asked[1]
    }
    for (const [key, entry] of before) {
      if (entries.has(key)) continue
      const gone = goneSince(entry, this.#second)
      if (gone) entries.set(key, gone)
      changed ||= gone !== entry
      yield
    }
    return { ledger: { ...this.#ledger, entries }, changed }
  }
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

/** What is remembered of an event that is not shown; undefined once that is long ago. */
function goneSince(entry: LedgerEntry, second: Instant): LedgerEntry | undefined {
  if (entry.goneAt === null) return { ...entry, goneAt: second }
  return second - entry.goneAt <= ledgerKeptMs ? entry : undefined
}
