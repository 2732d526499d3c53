import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { Leave } from '../domain/leave.ts'
import type { Piece, LeaveCover, ShiftDay, ShiftWriter } from './pieces.ts'
import type { WrittenEvent } from './vevent.ts'

/** What a leave takes with its record, and a written event for each octet of its text. */
const bytesOfLeave = 1000
const bytesOfOctet = 4
/** More than any calendar holds. */
const writtenMax = 5000

/** Parts of a calendar by name: a part that would be made of the very same objects as before is used again. */
class Parts<T> {
  readonly #parts = new Map<string, { readonly from: readonly unknown[]; readonly made: T }>()

  part(name: string, from: readonly unknown[], make: () => T): T {
    const before = this.#parts.get(name)
    if (before?.from.every((it, index) => it === from[index])) return before.made
    const made = make()
    this.#parts.set(name, { from, made })
    return made
  }

  values(): Iterable<T> {
    return this.#parts.values().map(({ made }) => made)
  }
}

/**
 * What a calendar was made of, for the next time that it is made. It belongs to one feed with its options, one company and
 * one window, on which every part depends as well. Records are never changed: a changed record is another object.
 */
export class Kept {
  /** By person. */
  readonly leaves = new Parts<Map<Leave, readonly Piece[]>>()
  readonly covers = new Parts<LeaveCover>()
  /** By schedule. */
  readonly days = new Parts<readonly ShiftDay[]>()
  /** By person and schedule. */
  readonly shifts = new Parts<ShiftWriter>()
  readonly #written = new Map<CalendarEvent, WrittenEvent>()

  /** About what it takes in memory. */
  get bytes(): number {
    let bytes = 0
    for (const { size } of this.leaves.values()) bytes += bytesOfLeave * (1 + size)
    for (const { octets } of this.#written.values()) bytes += bytesOfOctet * octets
    return bytes
  }

  /** The event as it was written last. */
  findWritten(event: CalendarEvent): WrittenEvent | undefined {
    return this.#written.get(event)
  }

  keepWritten(written: WrittenEvent): void {
    if (this.#written.size >= writtenMax) this.#written.clear()
    this.#written.set(written.event, written)
  }
}
