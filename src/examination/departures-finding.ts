import type { DepartureShare } from '../domain/departure.ts'
import type { Finding } from '../domain/examination.ts'

/** Says that too many people are leaving at once to be believed; none where they are not. */
export function departuresFindings(heldBack: DepartureShare | null): readonly Finding[] {
  if (!heldBack) return []
  const { people, leaving } = heldBack
  return [
    {
      check: 'leavers',
      ok: false,
      seen: `Of ${people} people with calendars ${leaving} are inactive or not found within a day.`,
      means:
        'That is more likely a fault of the Read API than the truth, so no calendar is closed for it.',
      set: null,
    },
  ]
}
