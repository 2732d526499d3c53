import { type Finding, findingOf } from '../../domain/examination.ts'
import type { RecordFault } from '../../domain/read-api.ts'
import type { Oddity, RecordsVerdict } from '../verdicts/records.ts'
import { counted, listed } from './counted.ts'

const check = 'records'

const oddityWords: Readonly<Record<Oddity['oddity'], string>> = {
  unlisted_status: 'of a status that the spec does not list',
  backward: 'that ends before it starts',
}

/** Says which records do not fit the spec, counted by field. */
export function sayRecords({ ok, faults, oddities }: RecordsVerdict): Finding {
  if (ok) {
    const seen = 'Every record that came fits the spec.'
    return findingOf({ check, level: 'ok', seen, means: 'Nothing is left out.', set: null })
  }
  const misfits = [...faults.map(faultWords), ...oddities.map(oddityOf)]
  const seen = `Records that do not fit the spec: ${listed(misfits)}.`
  const means =
    'What does not fit is left out of calendars; all else is shown. Have it mended in the workforce system.'
  return findingOf({ check, level: 'wrong', seen, means, set: null })
}

function faultWords({ resource, field, count, example, expected }: RecordFault): string {
  return `${count} of ${resource} at ${field} (${expected}, the first at ${example})`
}

function oddityOf({ noun, oddity, count }: Oddity): string {
  return `${counted(count, noun)} ${oddityWords[oddity]}`
}
