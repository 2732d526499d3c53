import type { Locale } from '../../domain/feed.ts'
import { addDays } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import {
  at,
  workdayFrom,
  between,
  type Random,
  pick,
  randomOf,
  shuffled,
  type Surroundings,
  turn,
} from './days.ts'
import named from './named.json' with { type: 'json' }
import { type Person, referenceTo } from './people.ts'
import type { SampleWords } from './words.ts'

type Project = CompanyRecords['projects']

type Around = Pick<Surroundings, 'today' | 'random'> & { readonly people: readonly Person[] }

interface TaskPlan {
  readonly title: string
  /** In hours. */
  readonly estimated: number
  readonly actual: number
  readonly status: string
  readonly priority: string
  /** Days from today; null for no due date. */
  readonly due: number | null
  /** `HH:MM` in UTC, for a task that is due at a time of day. */
  readonly time?: string
  /** Keys of the assignees. */
  readonly who: readonly string[]
  readonly archived?: boolean
}

/** Returns the two projects that the documentation and the demo name. */
export function namedProjects(around: Around, locale: Locale): Project[] {
  return named.projects.map(({ key, name, tasks }) =>
    project(
      { key, name: name[locale] },
      tasks.map((task) => ({ ...task, title: task.title[locale] })),
      around,
    ),
  )
}

/** Returns a project with its tasks; their ids contain the project's key. */
function project(
  { key, name }: { readonly key: string; readonly name: string },
  plans: readonly TaskPlan[],
  around: Around,
): Project {
  const tasks = plans.map((plan, index) => taskOf(`tsk_${key}_${index + 1}`, plan, around))
  return { id: `prj_${key}`, name, tasks }
}

function taskOf(
  id: string,
  { title, status, priority, due, time = '00:00', who, estimated, actual, archived }: TaskPlan,
  { people, today, random }: Around,
): Project['tasks'][number] {
  const age = between(random, 61, 160)
  return {
    id,
    title,
    description: '',
    status,
    priority,
    dueDate: due === null ? null : at(workdayFrom(addDays(today, due)), time),
    estimatedHours: estimated,
    actualHours: actual,
    createdAt: at(addDays(today, -age), '08:00'),
    updatedAt: at(addDays(today, -between(random, 1, 60)), '08:00'),
    assignees: people.filter(({ key }) => who.includes(key)).map(referenceTo),
    archived: archived ?? false,
  }
}

const peoplePerProject = 18
const tasksPerPerson = 2

/** Generates projects for the people of a larger company: one per 18 people, with about two tasks per person. */
export function* inventProjects(
  people: readonly Person[],
  { today, words, seed }: Omit<Surroundings, 'random'> & { readonly seed: number },
): Generator<Project> {
  for (let index = 0; index * peoplePerProject < people.length; index += 1) {
    const random = randomOf(seed, 3, index)
    const team = people.slice(index * peoplePerProject, (index + 1) * peoplePerProject)
    const titles = shuffled(random, words.tasks)
    const plans = Array.from({ length: tasksOf(team, random) }, (__, task) =>
      inventPlan(turn(titles, task), teamOf(team, task, random), random),
    )
    const key = String(index + 1).padStart(5, '0')
    yield project({ key, name: projectName(index, words) }, plans, { today, random, people: team })
  }
}

/** Unique names: once every customer has had every undertaking, second parts begin. */
function projectName(index: number, { undertakings, customers }: SampleWords): string {
  const round = Math.floor(index / undertakings.length)
  const part = 1 + Math.floor(round / customers.length)
  const customer = turn(customers, (index % undertakings.length) + round)
  return `${turn(undertakings, index)}, ${customer}${part === 1 ? '' : ` (${part})`}`
}

/** About two per person; never a round number, because the lists would look truncated. */
function tasksOf(team: readonly Person[], random: Random): number {
  const count = Math.max(1, tasksPerPerson * team.length - pick(random, [1, 3]))
  return count % 25 === 0 ? count + 2 : count
}

function teamOf(team: readonly Person[], task: number, random: Random): readonly string[] {
  const own = turn(team, task).key
  const other = team[between(random, 0, team.length - 1)]?.key ?? own
  return random() < 0.25 && other !== own ? [own, other] : [own]
}

function inventPlan(title: string, who: readonly string[], random: Random): TaskPlan {
  const due = between(random, -60, 240)
  const status = statusOf(due, random)
  const estimated = pick(random, [1, 2, 3, 4, 6, 8, 12, 16, 24, 40])
  const share = { TODO: 0, IN_PROGRESS: 0.1 + 0.9 * random(), DONE: 0.6 + 0.8 * random() }[status]
  const actual = Math.round(estimated * share * 4) / 4
  const priority = pick(random, ['LOW', 'MEDIUM', 'HIGH'])
  return { title, status, priority, due, who, estimated, actual }
}

function statusOf(due: number, random: Random): 'TODO' | 'IN_PROGRESS' | 'DONE' {
  if (due < 0) return random() < 0.9 ? 'DONE' : 'IN_PROGRESS'
  return random() < (due < 30 ? 0.6 : 0.15) ? 'IN_PROGRESS' : 'TODO'
}
