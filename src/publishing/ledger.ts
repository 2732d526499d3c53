import type { Steps } from '../calendar/expand.ts'
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

/** The ledger after showing some events, and whether it says anything else than before. */
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
  /** Of all events that were asked for, in their order, and what each had been before. */
  readonly #asked: NamedEntry[] = []
  readonly #before: (LedgerEntry | undefined)[] = []

  constructor(ledger: Ledger, now: Instant) {
    this.#ledger = ledger
    this.#second = Math.floor(now / 1000) * 1000
  }

  /** The revision of the event if it is shown. */
  of({ uidHash, contentHash }: HashedEvent): Revision {
    const before = this.#ledger.entries.get(uidHash)
    const entry = reviseEntry(before, contentHash, this.#second)
    this.#asked.push([uidHash, entry])
    this.#before.push(before)
    return entry
  }

  /** The ledger once so many of the events that were asked for are shown, the first ones, and no others. */
  *after(shown: number): Steps<RevisedLedger> {
    const { entries } = this.#ledger
    const asked = this.#asked.slice(0, shown)
    const before = this.#before.slice(0, shown)
    const known = before.filter((entry) => entry !== undefined)
    const gone = known.length === entries.size ? [] : yield* this.#gone(asked)
    const isAsBefore =
      asked.length + gone.length === entries.size &&
      asked.every(([, entry], index) => entry === before[index]) &&
      gone.every(([key, entry]) => entry === entries.get(key))
    return { ledger: { ...this.#ledger, entries: asked.concat(gone) }, changed: !isAsBefore }
  }

  /** What is remembered of events that are shown no longer. */
  *#gone(asked: readonly NamedEntry[]): Steps<readonly NamedEntry[]> {
    const gone: NamedEntry[] = []
    const shown = new Set(asked.map(([key]) => key))
    for (const [key, entry] of this.#ledger.entries) {
      const next = shown.has(key) ? undefined : goneSince(entry, this.#second)
      if (next) gone.push([key, next])
      yield
    }
    return gone
  }
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
