import { contentHashOf, type Copy, type CopyName, type CopyStore } from '../domain/copy.ts'
import type { ErasedPerson, ErasureStore } from '../domain/erasure.ts'

interface TasksDeps {
  readonly erasure: Pick<ErasureStore, 'listTaskCopies'>
  readonly copies: Pick<CopyStore, 'findCopy' | 'keepCopy'>
}

/** Tasks in which a person is named, and where they are kept. */
interface FoundTasks extends CopyName {
  readonly copy: Copy<'tasks'>
}

/** Copies of tasks, other companies' not among them, in which the person is named. */
export async function findTasksNaming(
  { erasure, copies }: TasksDeps,
  person: ErasedPerson,
): Promise<readonly FoundTasks[]> {
  const found: FoundTasks[] = []
  for (const { connectionId, key } of await erasure.listTaskCopies(person)) {
    const copy = await copies.findCopy<'tasks'>(connectionId, key)
    if (copy && names(copy, person.userId)) found.push({ connectionId, key, copy })
  }
  return found
}

function names({ records }: Copy<'tasks'>, userId: string): boolean {
  return records.some(({ assignees }) => assignees?.some(({ id }) => id === userId))
}

/** Keeps these tasks without the person; false where newer ones have been kept meanwhile. */
export function removeFromTasks(
  { copies }: Pick<TasksDeps, 'copies'>,
  { connectionId, copy }: FoundTasks,
  userId: string,
): Promise<boolean> {
  const records = copy.records.map((task) => ({
    ...task,
    assignees: task.assignees?.filter(({ id }) => id !== userId),
  }))
  return copies.keepCopy(connectionId, { ...copy, contentHash: contentHashOf(records), records })
}
