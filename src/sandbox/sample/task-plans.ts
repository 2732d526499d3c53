export const taskStatuses = ['TODO', 'IN_PROGRESS', 'DONE'] as const
export const taskPriorities = ['LOW', 'MEDIUM', 'HIGH'] as const

/** A task of the sample company, as far as it is not the same for all. */
export interface TaskPlan {
  readonly title: string
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

/** The tasks of operations. */
export const opsPlans: readonly TaskPlan[] = [
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
