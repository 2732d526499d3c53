import type { Locale } from '../../domain/feed.ts'
import { addDays, type PlainDate } from '../../domain/plain-date.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import {
  at,
  midnight,
  workdayFrom,
  between,
  type Random,
  pick,
  randomOf,
  shuffled,
  turn,
} from './days.ts'
import { type Person, referenceTo } from './people.ts'
import type { SampleWords } from './words/words.ts'

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
function project(
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

export const taskStatuses = ['TODO', 'IN_PROGRESS', 'DONE'] as const
export const taskPriorities = ['LOW', 'MEDIUM', 'HIGH'] as const

/** A task of the sample company, as far as it is not the same for all. */
export interface TaskPlan {
  readonly title: Readonly<Record<Locale, string>>
  /** Hours. */
  readonly estimated: number
  readonly actual: number
  readonly status: (typeof taskStatuses)[number]
  readonly priority: (typeof taskPriorities)[number]
  /** In days from today; null for no due date. */
  readonly due: number | null
  /** In UTC, for a task that is due at a time of day. */
  readonly time?: string
  /** Keys of people. */
  readonly who: readonly string[]
  readonly archived?: boolean
}

/** The tasks of the website. */
const webPlans: readonly TaskPlan[] = [
  {
    title: { en: 'Launch the new home page', de: 'Die neue Startseite veröffentlichen' },
    estimated: 24,
    actual: 15.5,
    status: 'IN_PROGRESS',
    priority: 'HIGH',
    due: 12,
    who: ['ada', 'cleo'],
  },
  {
    title: {
      en: 'Make the sign-up form accessible',
      de: 'Das Anmeldeformular barrierefrei machen',
    },
    estimated: 12,
    actual: 7.25,
    status: 'IN_PROGRESS',
    priority: 'MEDIUM',
    due: 5,
    who: ['ada'],
  },
  {
    title: { en: 'Send the release notes', de: 'Die Neuerungen verschicken' },
    estimated: 2,
    actual: 0,
    status: 'TODO',
    priority: 'MEDIUM',
    due: 13,
    time: '15:00',
    who: ['ada', 'mia'],
  },
  {
    title: { en: 'Renew the icon set', de: 'Die Symbole erneuern' },
    estimated: 16,
    actual: 0,
    status: 'TODO',
    priority: 'LOW',
    due: 40,
    who: ['cleo'],
  },
  {
    title: { en: 'Measure page speed', de: 'Die Ladezeit messen' },
    estimated: 4,
    actual: 6.5,
    status: 'DONE',
    priority: 'MEDIUM',
    due: -14,
    who: ['ada'],
  },
  {
    title: { en: 'Choose next year’s topics', de: 'Die Themen für nächstes Jahr wählen' },
    estimated: 3,
    actual: 0,
    status: 'TODO',
    priority: 'LOW',
    due: 75,
    who: ['ada', 'bob', 'cleo', 'mia'],
  },
  {
    title: { en: 'Collect ideas for the blog', de: 'Ideen für das Blog sammeln' },
    estimated: 6,
    actual: 0,
    status: 'TODO',
    priority: 'LOW',
    due: null,
    who: ['cleo'],
  },
  {
    title: { en: 'Answer the survey', de: 'Die Umfrage beantworten' },
    estimated: 0.5,
    actual: 0,
    status: 'TODO',
    priority: 'MEDIUM',
    due: 20,
    who: [],
  },
  {
    title: { en: 'Old banner', de: 'Altes Banner' },
    estimated: 5,
    actual: 4,
    status: 'IN_PROGRESS',
    priority: 'LOW',
    due: 8,
    who: ['ada'],
    archived: true,
  },
]

/** The tasks of operations. */
const opsPlans: readonly TaskPlan[] = [
  {
    title: { en: 'Renew the certificates', de: 'Die Zertifikate erneuern' },
    estimated: 3,
    actual: 0,
    status: 'TODO',
    priority: 'HIGH',
    due: 3,
    who: ['bob'],
  },
  {
    title: { en: 'Rehearse the restore', de: 'Die Wiederherstellung proben' },
    estimated: 8,
    actual: 5.5,
    status: 'IN_PROGRESS',
    priority: 'HIGH',
    due: 26,
    who: ['bob', 'ada'],
  },
  {
    title: { en: 'Replace the office router', de: 'Den Büro-Router tauschen' },
    estimated: 6,
    actual: 0,
    status: 'TODO',
    priority: 'MEDIUM',
    due: 55,
    time: '17:30',
    who: ['bob'],
  },
  {
    title: {
      en: 'Write down the on-call rules',
      de: 'Die Regeln der Rufbereitschaft aufschreiben',
    },
    estimated: 10,
    actual: 12.75,
    status: 'DONE',
    priority: 'MEDIUM',
    due: -30,
    who: ['mia', 'bob'],
  },
  {
    title: { en: 'Budget for hardware', de: 'Budget für Geräte' },
    estimated: 7,
    actual: 0,
    status: 'TODO',
    priority: 'HIGH',
    due: 30,
    who: ['mia'],
  },
  {
    title: { en: 'Tidy the store room', de: 'Das Lager aufräumen' },
    estimated: 4,
    actual: 0,
    status: 'TODO',
    priority: 'LOW',
    due: null,
    who: [],
  },
  {
    title: { en: 'Retire the old file server', de: 'Den alten Dateiserver abschalten' },
    estimated: 20,
    actual: 18.25,
    status: 'DONE',
    priority: 'LOW',
    due: -60,
    who: ['bob'],
    archived: true,
  },
]
