import type { DepartureShare } from '../../domain/departure.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'

/** Says that too many people leave at once to be believed, as has been judged where they are held back. */
export function sayDepartures({ people, leaving }: DepartureShare): Finding {
  return findingOf({
    check: 'departures',
    level: 'wrong',
    seen: `Of ${people} known people ${leaving} became inactive or were not found, too many within a day.`,
    means:
      'That is more likely a fault of the Read API than the truth: no calendar is closed for it unless seven days confirm it.',
    set: null,
  })
}
