/* What is kept about one person of a company: their own copies, and tasks of others that name them. */
import { personalKeys } from '../copies/kinds.ts'
import type { Connection } from '../domain/connection.ts'
import { contentHashOf, type Copy, type CopyStore } from '../domain/copy.ts'
import type { ErasedPerson, ErasureStore } from '../domain/erasure.ts'
import type { PersonInCompany } from '../domain/person.ts'

/** The person, whose copies lie in all connections but those of other companies: a company may have had others before. */
export function erasedPerson(
  connections: ReadonlyMap<string, Connection>,
  { companyId, userId }: PersonInCompany,
  isStaffAnywhere: boolean,
): ErasedPerson {
  const others = [...connections].filter(([id]) => id !== companyId)
  const otherConnectionIds = others.map(([, { id }]) => id)
  return { companyId, userId, copyKeys: personalKeys(userId), otherConnectionIds, isStaffAnywhere }
}

interface TasksDeps {
  readonly erasure: ErasureStore
  readonly copies: CopyStore
}

/** Copies of tasks that name the person, with their connections. */
export async function findTasksNaming(
  { erasure, copies }: TasksDeps,
  person: ErasedPerson,
): Promise<readonly { readonly connectionId: string; readonly copy: Copy<'tasks'> }[]> {
  const found = []
  for (const { connectionId, key } of await erasure.listTaskCopies(person)) {
    const copy = await copies.findCopy<'tasks'>(connectionId, key)
    const isNamed = copy?.records.some((it) => it.assignees?.some(({ id }) => id === person.userId))
    if (copy && isNamed) found.push({ connectionId, copy })
  }
  return found
}

/** Takes the person out of these tasks; gives the number of copies changed. Newer copies stay as they are. */
export async function removeFromTasks(deps: TasksDeps, person: ErasedPerson): Promise<number> {
  let count = 0
  for (const { connectionId, copy } of await findTasksNaming(deps, person)) {
    const records = copy.records.map((task) => ({
      ...task,
      assignees: task.assignees?.filter(({ id }) => id !== person.userId),
    }))
    const without = { ...copy, contentHash: contentHashOf(records), records }
    if (await deps.copies.keepCopy(connectionId, without)) count += 1
  }
  return count
}
