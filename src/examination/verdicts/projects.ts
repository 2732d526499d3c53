import { AppError } from '../../domain/errors.ts'
import type { ListFacts } from './list-facts.ts'
import { isMissing } from './lists.ts'
import { judgeNamed, type NamedInVain } from './named.ts'

/** Either which projects that settings name are not there, or which are. */
export type ProjectsVerdict =
  | NamedInVain
  | {
      readonly ok: true
      readonly named: readonly string[]
      /** Those of them of which nothing is known, since their tasks cannot be read. */
      readonly unread: readonly string[]
    }

/** Whether the projects that settings name are there. */
export function judgeProjects({ tasks }: ListFacts, named: readonly string[]): ProjectsVerdict {
  const unread = named.filter((id) => tasks.get(id) instanceof AppError)
  return judgeNamed(named, (id) => !isMissing(tasks.get(id))) ?? { ok: true, named, unread }
}
