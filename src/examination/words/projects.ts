import { type Finding, findingOf } from '../../domain/examination.ts'
import type { ProjectsVerdict } from '../verdicts/projects.ts'
import { listed } from './counted.ts'
import type { Advise } from './setting-advice.ts'

const check = 'projects'

/** Says whether the projects that settings name are there. */
export function sayProjects(verdict: ProjectsVerdict, advise: Advise): Finding {
  if (!verdict.ok) {
    const seen = `Settings name ${listed(verdict.gone)}, which the Read API does not know.`
    const means = 'Calendars show no tasks of them.'
    return findingOf({ check, level: 'wrong', seen, means, set: advise('projects', verdict.kept) })
  }
  if (verdict.unread.length > 0) {
    const seen = `Whether ${listed(verdict.unread)} is there is not known: the tasks cannot be read.`
    const means = 'What list-tasks says comes first.'
    return findingOf({ check, level: 'note', seen, means, set: null })
  }
  if (verdict.named.length > 0) {
    const seen = `Settings name ${listed(verdict.named)}, and each is there.`
    const means =
      'Calendars show their tasks. The Read API lists no projects: others can only be named.'
    return findingOf({ check, level: 'ok', seen, means, set: null })
  }
  const seen = 'No setting names a project.'
  const means =
    'Calendars show tasks only where they name projects themselves. The Read API lists none to choose from.'
  return findingOf({ check, level: 'note', seen, means, set: null })
}
