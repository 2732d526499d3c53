import { hash } from 'node:crypto'

import type { Steps } from '../calendar/expand.ts'
import type { Revision } from '../domain/calendar-event.ts'
import { type Ledger, type LedgerEntry, ledgerKeptMs } from '../domain/ledger.ts'
import type { Instant } from '../domain/world.ts'

const base64Url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

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
  /** Of all events that were asked for. */
  readonly #asked = new Map<string, LedgerEntry>()

  constructor(ledger: Ledger, now: Instant) {
    this.#ledger = ledger
    this.#second = Math.floor(now / 1000) * 1000
  }

  /** The revision of the event if it is shown. */
  of({ uid, content }: LedgerSubject): Revision {
    const key = shortHash(uid)
    const entry = reviseEntry(this.#ledger.entries.get(key), shortHash(content), this.#second)
    this.#asked.set(key, entry)
    return entry
  }

  /** The ledger once so many of the events that were asked for are shown, the first ones, and no others. */
  *after(shown: number): Steps<RevisedLedger> {
    const before = this.#ledger.entries
    const entries = this.#asked
    for (const key of entries.keys().drop(shown)) entries.delete(key)
    let changed = false
    for (const [key, entry] of before) {
      const asked = entries.get(key)
      const next = asked ?? goneSince(entry, this.#second)
      changed ||= next !== entry
      if (asked) continue
      if (next) entries.set(key, next)
      yield
    }
    return {
      ledger: { ...this.#ledger, entries },
      changed: changed || entries.size !== before.size,
    }
  }
}

/** Seven bytes suffice: two of a feed’s few hundred events share them once in 10^12 feeds. */
function shortHash(text: string): string {
  const digits = hash('sha256', text, 'base64url')
  // Of the six bits of the tenth digit four belong to the eighth byte.
  return digits.slice(0, 9) + base64Url[base64Url.indexOf(digits[9]!) & 0b110000]!
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
