import type { Task } from '../domain/task.ts'
import type { PersonReference } from '../domain/user.ts'
import type { Maybe } from '../domain/world.ts'
import { buildEvent } from './build-event.ts'
import { readDue } from './event-time.ts'
import { expandEach, fullName, type Expanding, type Outcome } from './expansion.ts'
import { singleLine } from './text.ts'

/** How long a task that is due at a time of day stands in the calendar before it. */
const dueMinutes = 30

/** The tasks of which one of the feed's users is an assignee (event-rules section 6). */
export function expandTasks(expanding: Expanding): Outcome[] {
  const { feed, records } = expanding
  const { show, hideStatuses } = feed.options.tasks
  if (!show) return []
  return expandEach('task', records.tasks, (task) => {
    const isOurs = task.assignees?.some(({ id }) => feed.userIds.includes(id)) ?? false
    return isOurs && !hideStatuses.includes(task.status ?? '') ? expandTask(task, expanding) : []
  })
}

function expandTask(task: Task, expanding: Expanding): Outcome[] {
  const { id, dueDate, title, priority } = task
  if (dueDate === null || dueDate === undefined) return []
  const event = buildEvent(
    {
      kind: 'task',
      id,
      time: readDue(dueDate, dueMinutes, expanding.reading),
      title,
      priority: priority === 'HIGH' ? 1 : null,
      details: taskDetails(task, expanding),
    },
    expanding,
  )
  return [event]
}

/** The facts first, so that a long description cannot push them out. */
function taskDetails(task: Task, expanding: Expanding): Maybe<string>[] {
  const { words, feed } = expanding
  const { status, estimatedHours, actualHours, description } = task
  const assignees = task.assignees ?? []
  const isShared = assignees.length > 1 || feed.audience === 'others'
  const names = isShared ? assignees.flatMap((it) => assigneeName(it, expanding) ?? []) : []
  return [
    status && words.status(singleLine(status)),
    isNumber(estimatedHours) ? words.estimatedHours(estimatedHours) : null,
    isNumber(actualHours) ? words.actualHours(actualHours) : null,
    names.length > 0 ? words.assignees(names) : null,
    description,
  ]
}

function assigneeName(assignee: PersonReference, { records }: Expanding): string | null {
  return fullName(assignee) ?? fullName(records.users.get(assignee.id))
}

function isNumber(value: Maybe<number>): value is number {
  return Number.isFinite(value)
}
