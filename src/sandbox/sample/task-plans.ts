import type { Locale } from '../../domain/feed.ts'

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
export const webPlans: readonly TaskPlan[] = [
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
export const opsPlans: readonly TaskPlan[] = [
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
