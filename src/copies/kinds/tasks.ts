import type { Company } from '../../domain/company.ts'
import { fittingRecords } from '../../domain/copy.ts'
import type { Feed } from '../../domain/feed.ts'
import { anyScope, type Kind } from './kind.ts'

/** A project's tasks, shared by all who are shown some of them. */
export const tasks: Kind<'tasks'> = {
  shownAs: 'tasks',
  neededBy: ['tasks'],
  isPersonal: false,
  mayBeMissing: true,
  freshMs: null,
  subjectsOf: projectsOf,
  scopeOf: () => anyScope,
  async read({ collection: { subject } }, { api, ...asking }) {
    const answer = await api.listUnlessKnown('tasks', { project: subject }, asking)
    return answer && fittingRecords(answer)
  },
  // That it is there counts all the same: what an older copy of it says does not.
  ofPeople: (task, userIds) =>
    task.assignees?.some(({ id }) => userIds.includes(id)) ? task : { id: task.id },
  keep: (task) => ({
    id: task.id,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    dueDate: task.dueDate,
    estimatedHours: task.estimatedHours,
    actualHours: task.actualHours,
    assignees: task.assignees?.map(({ id, firstName, lastName }) => ({ id, firstName, lastName })),
  }),
  people: {
    named: ({ assignees }) => assignees ?? [],
    naming: (task, assignees) => ({ ...task, assignees }),
  },
  // Without a day or a person it is in no calendar.
  countedBy: ({ id, dueDate, assignees }) =>
    dueDate === null || dueDate === undefined || !assignees?.length ? [] : [id],
}

/** The projects whose tasks the feed reads. */
export function projectsOf(
  { options }: Pick<Feed, 'options'>,
  company: Company,
): readonly string[] {
  return options.tasks.projectIds ?? company.projects
}
