import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { at, midnight, workdayFrom } from './days.ts'
import { type Person, referenceTo } from './people.ts'
import { pick } from './random.ts'
import { opsPlans, type TaskPlan, taskPriorities, taskStatuses, webPlans } from './task-plans.ts'

const peoplePerProject = 25
const tasksPerPerson = 2

const titles = [
  'Prepare the inspection',
  'Review the contract',
  'Train the new colleagues',
  'Update the handbook',
  'Visit the customer',
] as const

type Project = CompanyRecords['projects']

/** The two projects that the documentation and the demo name. */
export function namedProjects(people: readonly Person[], today: PlainDate): Project[] {
  return [
    project('web', { name: 'Website', plans: webPlans }, { people, today }),
    project('ops', { name: 'Operations', plans: opsPlans }, { people, today }),
  ]
}

/** Projects for the people of a larger company: one for each twenty-five, two tasks for each person. */
export function inventProjects(
  people: readonly Person[],
  today: PlainDate,
  random: () => number,
): Project[] {
  return Array.from({ length: Math.ceil(people.length / peoplePerProject) }, (_, index) => {
    const team = people.slice(index * peoplePerProject, (index + 1) * peoplePerProject)
    const plans = Array.from({ length: team.length * tasksPerPerson }, (__, task) =>
      inventPlan(team[task % team.length]?.key ?? '', random),
    )
    const number = String(index + 1).padStart(5, '0')
    return project(number, { name: `Project ${index + 1}`, plans }, { people: team, today })
  })
}

function inventPlan(who: string, random: () => number): TaskPlan {
  return {
    title: pick(random, titles),
    status: pick(random, taskStatuses),
    priority: pick(random, taskPriorities),
    due: Math.floor(random() * 300) - 60,
    who: [who],
  }
}

interface Surroundings {
  readonly people: readonly Person[]
  readonly today: PlainDate
}

function project(
  key: string,
  { name, plans }: { name: string; plans: readonly TaskPlan[] },
  surroundings: Surroundings,
): Project {
  const tasks = plans.map((plan, index) => taskOf(`tsk_${key}_${index + 1}`, plan, surroundings))
  return { id: `prj_${key}`, name, tasks }
}

function taskOf(
  id: string,
  plan: TaskPlan,
  { people, today }: Surroundings,
): Project['tasks'][number] {
  const { title, status, priority, who, archived = false } = plan
  return {
    id,
    title,
    description: '',
    status,
    priority,
    dueDate: dueDateOf(plan, today),
    estimatedHours: 8,
    actualHours: status === 'TODO' ? 0 : 5.5,
    createdAt: at(addDays(today, -75), '08:00'),
    updatedAt: at(addDays(today, -3), '08:00'),
    assignees: people.filter(({ key }) => who.includes(key)).map(referenceTo),
    archived,
  }
}

function dueDateOf({ due, time }: TaskPlan, today: PlainDate): string | null {
  if (due === null) return null
  const day = workdayFrom(addDays(today, due))
  return time === undefined ? midnight(day) : at(day, time)
}
