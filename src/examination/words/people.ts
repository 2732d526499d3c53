import { type Finding, findingOf } from '../../domain/examination.ts'
import type { SightingProblem } from '../../domain/person.ts'

/** Says how many people the bridge knows, and where it could not look for more. */
export function sayPeople(problems: readonly SightingProblem[], people: number): Finding {
  const known = `Known people of the company: ${people}.`
  const missing = problems.map(({ source, reason }) => `The ${source} could not be read: ${reason}`)
  const ok = problems.length === 0
  return findingOf({
    check: 'people',
    level: ok ? 'ok' : 'wrong',
    seen: [known, ...missing].join(' '),
    means: ok
      ? 'They were seen in timesheets, tasks and feeds; the Read API has no list of people.'
      : 'People who are named nowhere else are not known: nobody finds them, and leaves are not compared with theirs.',
    set: null,
  })
}
