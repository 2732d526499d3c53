import type { HashedEvent } from '../calendar/vevent.ts'
import type { Revision } from '../domain/calendar-event.ts'
import {
  type Ledger,
  type LedgerEntry,
  ledgerKeptMs,
  type NamedEntry,
  type NextLedger,
} from '../domain/ledger.ts'
import type { Instant } from '../domain/world.ts'

/** The ledger after showing some events, and whether it differs from before. */
export interface RevisedLedger {
  readonly ledger: NextLedger
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
  /** All events that were asked for, in their order. */
  readonly #asked: NamedEntry[] = []

  constructor(ledger: Ledger, now: Instant) {
    this.#ledger = ledger
    this.#second = Math.floor(now / 1000) * 1000
  }

  /** The revision of the event if it is shown. */
  of({ uidHash, contentHash }: HashedEvent): Revision {
    const entry = reviseEntry(this.#ledger.entries.get(uidHash), contentHash, this.#second)
    this.#asked.push([uidHash, entry])
    return entry
  }

  /** The ledger once the first `shown` of the events that were asked for are shown, and no others. */
  after(shown: number): RevisedLedger {
    const before = this.#ledger.entries
    const asked = this.#asked.slice(0, shown)
    const names = new Set(asked.map(([key]) => key))
    const gone = [...before].flatMap(([key, entry]): NamedEntry[] => {
      const next = names.has(key) ? undefined : goneSince(entry, this.#second)
      return next ? [[key, next]] : []
    })
    const entries = [...asked, ...gone]
    const isAsBefore =
      entries.length === before.size && entries.every(([key, entry]) => entry === before.get(key))
    return { ledger: { ...this.#ledger, entries }, changed: !isAsBefore }
  }
}

function reviseEntry(
  before: LedgerEntry | undefined,
  contentHash: string,
  second: Instant,
): LedgerEntry {
  if (!before) return { contentHash, sequence: 0, changedAt: second, goneAt: null }
  if (before.contentHash === contentHash) {
    return before.goneAt === null ? before : { ...before, goneAt: null }
  }
  return {
    contentHash,
    sequence: before.sequence + 1,
    changedAt: Math.max(second, before.changedAt),
    goneAt: null,
  }
}

/** What is remembered of an event that is not shown; undefined once that is long ago. */
function goneSince(entry: LedgerEntry, second: Instant): LedgerEntry | undefined {
  if (entry.goneAt === null) return { ...entry, goneAt: second }
  return second - entry.goneAt <= ledgerKeptMs ? entry : undefined
}
