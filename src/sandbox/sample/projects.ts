import type { PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { addDays, at, midnight, workdayFrom } from './days.ts'
import { type Person, referenceTo } from './people.ts'
import { pick } from './random.ts'

type Project = CompanyRecords['projects']

interface Plan {
  readonly title: string
  readonly status: 'TODO' | 'IN_PROGRESS' | 'DONE'
  readonly priority: 'LOW' | 'MEDIUM' | 'HIGH'
  /** In days from today; null for no due date. */
  readonly due: number | null
  /** In UTC, for a task that is due at a time of day. */
  readonly time?: string
  /** Keys of people. */
  readonly who: readonly string[]
  readonly archived?: boolean
}

const web: readonly Plan[] = [
  {
    title: 'Launch the new home page',
    status: 'IN_PROGRESS',
    priority: 'HIGH',
    due: 12,
    who: ['ada', 'cleo'],
  },
  {
    title: 'Make the sign-up form accessible',
    status: 'IN_PROGRESS',
    priority: 'MEDIUM',
    due: 5,
    who: ['ada'],
  },
  {
    title: 'Send the release notes',
    status: 'TODO',
    priority: 'MEDIUM',
    due: 13,
    time: '15:00',
    who: ['ada', 'mia'],
  },
  { title: 'Renew the icon set', status: 'TODO', priority: 'LOW', due: 40, who: ['cleo'] },
  { title: 'Measure page speed', status: 'DONE', priority: 'MEDIUM', due: -14, who: ['ada'] },
  {
    title: 'Choose next year’s topics',
    status: 'TODO',
    priority: 'LOW',
    due: 75,
    who: ['ada', 'bob', 'cleo', 'mia'],
  },
  {
    title: 'Collect ideas for the blog',
    status: 'TODO',
    priority: 'LOW',
    due: null,
    who: ['cleo'],
  },
  { title: 'Answer the survey', status: 'TODO', priority: 'MEDIUM', due: 20, who: [] },
  {
    title: 'Old banner',
    status: 'IN_PROGRESS',
    priority: 'LOW',
    due: 8,
    who: ['ada'],
    archived: true,
  },
]

const ops: readonly Plan[] = [
  { title: 'Renew the certificates', status: 'TODO', priority: 'HIGH', due: 3, who: ['bob'] },
  {
    title: 'Rehearse the restore',
    status: 'IN_PROGRESS',
    priority: 'HIGH',
    due: 26,
    who: ['bob', 'ada'],
  },
  {
    title: 'Replace the office router',
    status: 'TODO',
    priority: 'MEDIUM',
    due: 55,
    time: '17:30',
    who: ['bob'],
  },
  {
    title: 'Write down the on-call rules',
    status: 'DONE',
    priority: 'MEDIUM',
    due: -30,
    who: ['mia', 'bob'],
  },
  { title: 'Budget for hardware', status: 'TODO', priority: 'HIGH', due: 30, who: ['mia'] },
  { title: 'Tidy the store room', status: 'TODO', priority: 'LOW', due: null, who: [] },
  {
    title: 'Retire the old file server',
    status: 'DONE',
    priority: 'LOW',
    due: -60,
    who: ['bob'],
    archived: true,
  },
]

/** The two projects that the documentation and the demo name. */
export function namedProjects(people: readonly Person[], today: PlainDate): Project[] {
  return [
    project('web', { name: 'Website', plans: web }, { people, today }),
    project('ops', { name: 'Operations', plans: ops }, { people, today }),
  ]
}

const PEOPLE_PER_PROJECT = 25
const TASKS_PER_PERSON = 2

const titles = [
  'Prepare the inspection',
  'Review the contract',
  'Train the new colleagues',
  'Update the handbook',
  'Visit the customer',
] as const
const statuses = ['TODO', 'IN_PROGRESS', 'DONE'] as const
const priorities = ['LOW', 'MEDIUM', 'HIGH'] as const

/** Projects for the people of a larger company: one for each twenty-five, two tasks for each person. */
export function inventProjects(
  people: readonly Person[],
  today: PlainDate,
  random: () => number,
): Project[] {
  return Array.from({ length: Math.ceil(people.length / PEOPLE_PER_PROJECT) }, (_, index) => {
    const team = people.slice(index * PEOPLE_PER_PROJECT, (index + 1) * PEOPLE_PER_PROJECT)
    const plans = Array.from({ length: team.length * TASKS_PER_PERSON }, (__, task) =>
      inventPlan(team[task % team.length]?.key ?? '', random),
    )
    const number = String(index + 1).padStart(5, '0')
    return project(number, { name: `Project ${index + 1}`, plans }, { people: team, today })
  })
}

function inventPlan(who: string, random: () => number): Plan {
  return {
    title: pick(random, titles),
    status: pick(random, statuses),
    priority: pick(random, priorities),
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
  { name, plans }: { name: string; plans: readonly Plan[] },
  surroundings: Surroundings,
): Project {
  const tasks = plans.map((plan, index) => taskOf(`tsk_${key}_${index + 1}`, plan, surroundings))
  return { id: `prj_${key}`, name, tasks }
}

function taskOf(id: string, plan: Plan, { people, today }: Surroundings): Project['tasks'][number] {
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

function dueDateOf({ due, time }: Plan, today: PlainDate): string | null {
  if (due === null) return null
  const day = workdayFrom(addDays(today, due))
  return time === undefined ? midnight(day) : at(day, time)
}
