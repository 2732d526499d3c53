import type { Task } from '../domain/task.ts'
import type { Maybe } from '../domain/world.ts'
import { buildEvent } from './build-event.ts'
import { readDue } from './event-time.ts'
import {
  type Expansible,
  type ExpansionContext,
  fullName,
  isNumber,
  knownName,
  latestOf,
  statusName,
} from './expansion.ts'

/** Length of the event of a task with a due time. */
export const dueMinutes = 30

/** Expands the tasks of the feed's users, except those without a due date or with hidden statuses. */
export function expandTasks(context: ExpansionContext): Expansible<Task> {
  const { feed, records, convention } = context
  const { hideStatuses } = feed.options.tasks
  return {
    kind: 'task',
    records: latestOf(records.tasks.values()),
    expand: (task) => {
      const { id, dueDate, title, status, assignees } = task
      if (!assignees?.some((it) => feed.userIds.includes(it.id))) return null
      if (dueDate == null || hideStatuses.includes(status ?? '')) return []
      const draft = {
        kind: 'task',
        id,
        time: readDue(dueDate, dueMinutes, convention),
        title,
        priority: task.priority === 'HIGH' ? 1 : null,
        details: taskDetails(task, context),
      } as const
      return [buildEvent(draft, context)]
    },
  }
}

/** Facts first, so that a long description cannot push them out. */
function taskDetails(task: Task, context: ExpansionContext): Maybe<string>[] {
  const { words, feed } = context
  const { status, estimatedHours, actualHours, description } = task
  const assignees = task.assignees ?? []
  const isShared = assignees.length > 1 || feed.audience === 'others'
  const names = isShared
    ? assignees.flatMap((it) => fullName(it) ?? knownName(context, it.id) ?? [])
    : []
  return [
    status && words.status(statusName(status, words)),
    isNumber(estimatedHours) ? words.estimatedHours(estimatedHours) : null,
    isNumber(actualHours) ? words.actualHours(actualHours) : null,
    names.length > 0 ? words.assignees(names) : null,
    description,
  ]
}
