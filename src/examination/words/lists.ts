import { type Finding, findingOf } from '../../domain/examination.ts'
import type { ListVerdict } from '../verdicts/lists.ts'
import { counted } from './counted.ts'

/** Says whether a list can be read. */
export function sayList(verdict: ListVerdict): Finding {
  const { list } = verdict
  const check = `list-${list}`
  if (!verdict.ok) {
    const means = `Calendars that show ${list} are not served, or show them as last read.`
    return findingOf({ check, level: 'wrong', seen: verdict.fault.message, means, set: null })
  }
  const { records, projects } = verdict
  const of = projects === undefined ? '' : ` of ${counted(projects, 'project')}`
  const seen = `The list of ${list} answers with ${counted(records, singular(list))}${of}.`
  return findingOf({ check, level: 'ok', seen, means: 'It can be read.', set: null })
}

/** One of a list, which is called after them. */
function singular(list: string): string {
  return list.replace(/s$/, '')
}
