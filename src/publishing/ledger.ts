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

export interface RevisedLedger {
  readonly ledger: NextLedger
  readonly changed: boolean
}

/**
 * Compares what a link shows now with what it showed last: new content gets SEQUENCE + 1 and the current time, the same
 * content keeps both, and an event that returns continues to count (RFC 5545 section 3.8.7.4), whether its record was gone
 * or there was no room for it.
 */
export class Revisions {
  readonly #ledger: Ledger
  readonly #second: Instant
  /** In the order of the calls of `of`. */
  readonly #asked: NamedEntry[] = []

  constructor(ledger: Ledger, now: Instant) {
    this.#ledger = ledger
    this.#second = Math.floor(now / 1000) * 1000
  }

  /** The revision of the event, if it will be shown. */
  of({ uidHash, contentHash }: HashedEvent): Revision {
    const entry = reviseEntry(this.#ledger.entries.get(uidHash), contentHash, this.#second)
    this.#asked.push([uidHash, entry])
    return entry
  }

  /** The ledger if only the first `shown` events are shown. */
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

/** The entry of an event that is not shown; undefined after a long time. */
function goneSince(entry: LedgerEntry, second: Instant): LedgerEntry | undefined {
  if (entry.goneAt === null) return { ...entry, goneAt: second }
  return second - entry.goneAt <= ledgerKeptMs ? entry : undefined
}
