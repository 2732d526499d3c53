import { type Finding, findingOf } from '../../domain/examination.ts'
import type { EndDatesVerdict } from '../verdicts/end-dates.ts'
import { counted } from './counted.ts'
import type { Advise } from './setting-advice.ts'

/** Says whether an end that is a bare day is the last day or the day after. */
export function sayEndDates(verdict: EndDatesVerdict, advise: Advise): Finding {
  const { ok, right } = verdict
  const set = ok || right === null ? null : advise('endDates', right)
  const known = right === null ? 'note' : 'ok'
  const level = ok ? known : 'wrong'
  const [seen, means] = [seenOf(verdict), meansOf(verdict)]
  return findingOf({ check: 'end-dates', level, seen, means, set })
}

function seenOf({ inclusive, exclusive, compared }: EndDatesVerdict): string {
  if (compared === 0) return 'No leaves of whole days came to compare with their number of days.'
  return `Of ${counted(compared, 'leave')} of whole days the number of days fits ${inclusive} only if the end is the last day, and ${exclusive} only if it is the day after.`
}

function meansOf({ ok, right }: EndDatesVerdict): string {
  if (right === null)
    return 'Whether an end is the last day or the day after cannot be told; ends are read as it is set.'
  if (ok) return 'Ends are read as they are written.'
  return right === 'exclusive'
    ? 'Ends are the day after the last: leaves are shown a day too long.'
    : 'Ends are the last day: leaves are shown a day too short, and those of one day not at all.'
}
