import type { HashedEvent } from '../calendar/vevent.ts'
import type { Revision } from '../domain/calendar-event.ts'
import {
  type Ledger,
  type LedgerEntry,
  ledgerKeptMs,
  type NamedEntry,
  type NextLedger,
  type PublishedRange,
  type SyncHistory,
} from '../domain/ledger.ts'
import type { Instant } from '../domain/world.ts'

export interface RevisedLedger {
  readonly ledger: NextLedger
  readonly changed: boolean
}

/** The publication that the revised ledger goes with. */
export interface RevisedFor {
  /** The link, by `syncName`. */
  readonly link: string
  /** Last-Modified of the publication, if it differs from the one before. */
  readonly at: Instant
  /** Last-Modified of the one before, if there is one. */
  readonly before: Instant | undefined
}

/**
 * Compares what a link shows now with what it showed last: new content gets SEQUENCE + 1 and the current time, the same
 * content keeps both, and an event that returns continues to count (RFC 5545 section 3.8.7.4), whether its record was gone
 * or there was no room for it.
 */
export class Revisions {
  readonly #ledger: Ledger
  readonly #second: Instant
  readonly #published: RevisedFor | undefined
  /** In the order of the calls of `of`. */
  readonly #asked: NamedEntry[] = []

  /** `published` is left out if nothing is published. */
  constructor(ledger: Ledger, now: Instant, published?: RevisedFor) {
    this.#ledger = ledger
    this.#second = Math.floor(now / 1000) * 1000
    this.#published = published
  }

  /** The revision of the event, if it will be shown. */
  of({ uidHash, contentHash }: HashedEvent): Revision {
    const before = this.#ledger.entries.get(uidHash)
    const entry = this.#dated(reviseEntry(before, contentHash, this.#second), before)
    this.#asked.push([uidHash, entry])
    return entry
  }

  /** The ledger if only the first `shown` events are shown. */
  after(shown: number): RevisedLedger {
    const before = this.#ledger.entries
    const asked = this.#asked.slice(0, shown)
    const names = new Set(asked.map(([key]) => key))
    const hidden = [...before].filter(([key]) => !names.has(key))
    const gone = hidden.flatMap(([key, entry]): NamedEntry[] => {
      const next = goneSince(entry, this.#second)
      return next ? [[key, this.#dated(next, entry)]] : []
    })
    const remembered = new Set(gone.map(([key]) => key))
    const forgotten = hidden.filter(([key]) => !remembered.has(key)).map(([, entry]) => entry)
    const entries = [...asked, ...gone]
    const isAsBefore =
      entries.length === before.size && entries.every(([key, entry]) => entry === before.get(key))
    const { version } = this.#ledger
    const history = this.#history(forgotten)
    const dated = entries.map(([key, entry]): NamedEntry => {
      const { publishedAt = history?.since } = entry
      return [key, publishedAt === entry.publishedAt ? entry : { ...entry, publishedAt }]
    })
    return { ledger: { version, entries: dated, history }, changed: !isAsBefore }
  }

  #dated(entry: LedgerEntry, before: LedgerEntry | undefined): LedgerEntry {
    return entry === before ? entry : { ...entry, publishedAt: this.#published?.at }
  }

  #history(forgotten: readonly LedgerEntry[]): SyncHistory | undefined {
    const { history } = this.#ledger
    if (!this.#published) return history
    if (!history) return this.#newHistory(this.#published)
    const { link, at, before = at } = this.#published
    const removals = forgotten.map(({ publishedAt = 0 }) => publishedAt)
    const since = Math.max(history.since, ...removals)
    const { ranges } = history
    const last = ranges.at(-1)
    const isOwn = last?.[0] === link
    const own: PublishedRange = [link, isOwn ? last[1] : before, at]
    const all = [...(isOwn ? ranges.slice(0, -1) : ranges), own]
    return { since, ranges: all.filter(([, , end]) => end >= since) }
  }

  /**
   * Begins with the publication before this one, the only earlier one that the ledger knows. Tokens of all others are
   * refused, since a restored database may have lost what they removed.
   */
  #newHistory({ link, at, before }: RevisedFor): SyncHistory {
    const own: PublishedRange = [link, at, at]
    // A purged ledger has forgotten what its link published.
    if (before === undefined || this.#ledger.version === 0) return { since: at, ranges: [own] }
    return { since: before, ranges: [[link, before, before], own] }
  }
}

/** The ledger to store; undefined if neither it nor the publication has changed. */
export function nextLedger(
  before: Ledger,
  { ledger, changed }: RevisedLedger,
  isSamePublication: boolean,
): NextLedger | undefined {
  if (!isSamePublication) return ledger
  if (!changed) return undefined
  const { since } = ledger.history ?? {}
  const history = before.history && since !== undefined ? { ...before.history, since } : undefined
  return { ...ledger, history }
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
