import type { DepartureShare } from '../../domain/departure.ts'
import type { Finding } from '../../domain/examination.ts'

/** Says that too many people leave at once to be believed, as has been judged where they are held back. */
export function sayDepartures({ people, leaving }: DepartureShare): Finding {
  return {
    check: 'departures',
    ok: false,
    seen: `Of ${people} people with calendars ${leaving} are inactive or not found within a day.`,
    means:
      'That is more likely a fault of the Read API than the truth, so no calendar is closed for it.',
    set: null,
  }
}
