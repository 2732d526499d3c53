import { Kept } from '../calendar/kept.ts'
import type { CalendarWindow } from '../calendar/local-time.ts'
import type { CalendarSource } from '../calendar/source.ts'
import type { Connection } from '../domain/connection.ts'
import { Recent } from '../domain/memo.ts'

const bytesMaxOfAll = 24 * 1024 * 1024

/** Everything that a calendar is made of but its records. */
interface Settled {
  readonly feed: CalendarSource['feed']
  readonly source: { readonly connection: Pick<Connection, 'id' | 'company'> }
  readonly window: CalendarWindow
}

/**
 * What calendars of several people were made of last, within a fixed number of bytes: where one of them changes, the
 * others' parts stand. One person's calendar is as fast made anew.
 */
export class KeptCalendars {
  readonly #recent: Recent<Kept>

  constructor(bytesMax = bytesMaxOfAll) {
    this.#recent = new Recent(bytesMax)
  }

  /** What is kept of that calendar; at first nothing. */
  find(state: Settled): Kept {
    return this.#recent.find(nameOf(state)) ?? new Kept()
  }

  keep(state: Settled, kept: Kept): void {
    this.#recent.keep(nameOf(state), kept, kept.bytes)
  }
}

function nameOf({ feed, source, window }: Settled): string {
  const { id, company } = source.connection
  return JSON.stringify([id, company, feed, window])
}
