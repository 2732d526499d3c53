import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { LeaveCover } from './leave-cover.ts'
import type { ExpandedLeave } from './leave-events.ts'
import type { WrittenEvent } from './render.ts'
import type { ShiftWriter } from './shift-events.ts'
import type { ShiftDay } from './shift-pattern.ts'

/** What a leave takes with its record, and a written event for each octet of its text. */
const bytesOfLeave = 1000
const bytesOfOctet = 3
/** More than any calendar holds. */
const writtenMax = 5000

interface Part<T> {
  readonly from: readonly unknown[]
  readonly made: T
}

/** Parts of something, by name: one that would be made of the very same objects as before stands as it is. */
class Parts<T> {
  readonly #parts = new Map<string, Part<T>>()

  /** The part of that name, made of these. */
  part(name: string, from: readonly unknown[], make: () => T): T {
    return this.#find(name, from) ?? this.#keep(name, { from, made: make() })
  }

  /** The same of one that is made step by step. */
  *partInSteps<S>(
    name: string,
    from: readonly unknown[],
    make: () => Generator<S, T>,
  ): Generator<S, T> {
    return this.#find(name, from) ?? this.#keep(name, { from, made: yield* make() })
  }

  values(): Iterable<T> {
    return this.#parts.values().map(({ made }) => made)
  }

  #find(name: string, from: readonly unknown[]): T | undefined {
    const part = this.#parts.get(name)
    return part?.from.every((it, index) => it === from[index]) ? part.made : undefined
  }

  #keep(name: string, part: Part<T>): T {
    this.#parts.set(name, part)
    return part.made
  }
}

/**
 * What a calendar was made of, for the next time that it is made. Of one feed with its options, one company and one
 * window, on which every part rests as well. Records are never changed: what says anything else is another object.
 */
export class Kept {
  /** By person. */
  readonly leaves = new Parts<readonly ExpandedLeave[]>()
  readonly covers = new Parts<LeaveCover>()
  /** By schedule. */
  readonly days = new Parts<readonly ShiftDay[]>()
  /** By person and schedule. */
  readonly shifts = new Parts<ShiftWriter>()
  readonly #written = new Map<CalendarEvent, WrittenEvent>()

  /** About what it takes in memory. */
  get bytes(): number {
    let bytes = 0
    for (const leaves of this.leaves.values()) bytes += bytesOfLeave * (1 + leaves.length)
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
