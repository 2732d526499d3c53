import type { Person } from './people.ts'
import { type Project, project, type ProjectSurroundings, type SpokenPlan } from './projects.ts'
import { between, pick, type Random, randomOf, shuffled, turn } from './random.ts'
import { type TaskPlan, taskPriorities } from './task-plans.ts'
import type { SampleWords } from './words/words.ts'

const peoplePerProject = 18
const tasksPerPerson = 2

/** Projects for the people of a larger company: one for each eighteen, about two tasks for each person. */
export function* inventProjects(
  { people, today, seed }: Omit<ProjectSurroundings, 'random'> & { readonly seed: number },
  words: SampleWords,
): Generator<Project> {
  for (let index = 0; index * peoplePerProject < people.length; index += 1) {
    const random = randomOf(seed, 3, index)
    const team = people.slice(index * peoplePerProject, (index + 1) * peoplePerProject)
    const titles = shuffled(random, words.tasks)
    const plans = Array.from({ length: tasksOf(team, random) }, (__, task) =>
      inventPlan(turn(titles, task), teamOf(team, task, random), random),
    )
    const name = projectName(index, words)
    const key = String(index + 1).padStart(5, '0')
    yield project(key, { name, plans }, { today, random, people: team })
  }
}

/** No two alike: when every customer has had every undertaking, its second part begins. */
function projectName(index: number, { undertakings, customers }: SampleWords): string {
  const round = Math.floor(index / undertakings.length)
  const part = 1 + Math.floor(round / customers.length)
  const customer = turn(customers, (index % undertakings.length) + round)
  return `${turn(undertakings, index)}, ${customer}${part === 1 ? '' : ` (${part})`}`
}

/** About two for each; never a round number, at which lists look as if they were cut. */
function tasksOf(team: readonly Person[], random: Random): number {
  const count = Math.max(1, tasksPerPerson * team.length - pick(random, [1, 3]))
  return count % 25 === 0 ? count + 2 : count
}

/** Whose turn it is and, now and then, somebody beside them. */
function teamOf(team: readonly Person[], task: number, random: Random): readonly string[] {
  const own = team[task % team.length]?.key ?? ''
  const other = team[between(random, 0, team.length - 1)]?.key ?? own
  return random() < 0.25 && other !== own ? [own, other] : [own]
}

function inventPlan(title: string, who: readonly string[], random: Random): SpokenPlan {
  const due = between(random, -60, 240)
  const status = statusOf(due, random)
  const estimated = pick(random, [1, 2, 3, 4, 6, 8, 12, 16, 24, 40])
  const share = { TODO: 0, IN_PROGRESS: 0.1 + 0.9 * random(), DONE: 0.6 + 0.8 * random() }[status]
  const actual = Math.round(estimated * share * 4) / 4
  return { title, status, priority: pick(random, taskPriorities), due, who, estimated, actual }
}

function statusOf(due: number, random: Random): TaskPlan['status'] {
  if (due < 0) return random() < 0.9 ? 'DONE' : 'IN_PROGRESS'
  return random() < (due < 30 ? 0.6 : 0.15) ? 'IN_PROGRESS' : 'TODO'
}
