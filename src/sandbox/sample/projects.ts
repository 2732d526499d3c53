import type { Locale } from '../../domain/feed.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at, midnight, workdayFrom } from './days.ts'
import { type Person, referenceTo } from './people.ts'
import { between, type Random } from './random.ts'
import { opsPlans, type TaskPlan, webPlans } from './task-plans.ts'

export type Project = CompanyRecords['projects']
type Task = Project['tasks'][number]

/** What is the same for all tasks of a project. */
export interface ProjectSurroundings {
  readonly people: readonly Person[]
  readonly today: PlainDate
  readonly random: Random
}

/** A task with its title in the language of the company. */
export type SpokenPlan = Omit<TaskPlan, 'title'> & { readonly title: string }

/** The two projects that the documentation and the demo name. */
export function namedProjects(around: ProjectSurroundings, locale: Locale): Project[] {
  const spoken = (plans: readonly TaskPlan[]): SpokenPlan[] =>
    plans.map((plan) => ({ ...plan, title: plan.title[locale] }))
  const names = locale === 'de' ? ['Webauftritt', 'Betrieb'] : ['Website', 'Operations']
  return [
    project('web', { name: names[0] ?? '', plans: spoken(webPlans) }, around),
    project('ops', { name: names[1] ?? '', plans: spoken(opsPlans) }, around),
  ]
}

/** A project with its tasks, whose ids begin with its own. */
export function project(
  key: string,
  { name, plans }: { name: string; plans: readonly SpokenPlan[] },
  around: ProjectSurroundings,
): Project {
  const tasks = plans.map((plan, index) => taskOf(`tsk_${key}_${index + 1}`, plan, around))
  return { id: `prj_${key}`, name, tasks }
}

function taskOf(
  id: string,
  plan: SpokenPlan,
  { people, today, random }: ProjectSurroundings,
): Task {
  const { title, status, priority, who, estimated, actual, archived = false } = plan
  const age = between(random, 61, 160)
  return {
    id,
    title,
    description: '',
    status,
    priority,
    dueDate: dueDateOf(plan, today),
    estimatedHours: estimated,
    actualHours: actual,
    createdAt: at(addDays(today, -age), '08:00'),
    updatedAt: at(addDays(today, -between(random, 1, 60)), '08:00'),
    assignees: people.filter(({ key }) => who.includes(key)).map(referenceTo),
    archived,
  }
}

function dueDateOf({ due, time }: SpokenPlan, today: PlainDate): string | null {
  if (due === null) return null
  const day = workdayFrom(addDays(today, due))
  return time === undefined ? midnight(day) : at(day, time)
}
