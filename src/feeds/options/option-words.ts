import type { FeedOptions } from '../../domain/feed-options.ts'

/** What is said of one option; its default and its values follow from the program. */
export interface OptionWords<Value = unknown> {
  /** A sentence without its end. */
  readonly meaning: string
  readonly example: Value
  /** What holds where nothing is set, if null says too little. */
  readonly otherwise?: string
}

type Words<Group> = { readonly [M in keyof Group]: OptionWords<Group[M]> }

type AllWords = {
  readonly [K in keyof FeedOptions]: FeedOptions[K] extends object
    ? Words<FeedOptions[K]>
    : OptionWords<FeedOptions[K]>
}

/** Every option in the order in which people are told of them: the API's document, its page, the help and the README. */
export const optionWords: AllWords = {
  window: {
    pastDays: {
      meaning: 'How many days the calendar reaches back, to the begin of that month',
      example: 30,
    },
    futureDays: {
      meaning: 'How many days it reaches ahead, to the end of that month',
      example: 180,
    },
  },
  leaves: {
    show: { meaning: 'Whether leaves are shown', example: false },
    statuses: { meaning: 'The statuses of leaves that are shown', example: ['APPROVED'] },
    detail: {
      meaning:
        'How much is said of a leave: absent only "Away", type what kind of leave it is, full its reason as well',
      example: 'full',
    },
  },
  shifts: {
    show: { meaning: 'Whether shifts are shown', example: false },
    scheduleIds: {
      meaning: 'The schedules whose shifts are shown; filled in when the feed is made',
      example: ['sch_day'],
      otherwise: 'the company’s',
    },
    rotation: {
      meaning:
        'Instead of scheduleIds: schedules that follow each other week by week, again and again from the Monday that from names',
      example: { weeks: [['sch_day'], ['sch_night']], from: '2026-01-05' },
    },
    duringLeave: { meaning: 'What becomes of shifts on days of leave', example: 'show' },
  },
  timesheets: {
    show: { meaning: 'Whether timesheets are shown', example: false },
    statuses: { meaning: 'The statuses of timesheets that are shown', example: ['DRAFT'] },
    as: {
      meaning: 'Where a timesheet stands: over its period, on its last day (deadline) or both',
      example: 'deadline',
    },
  },
  tasks: {
    show: { meaning: 'Whether tasks are shown', example: false },
    projectIds: {
      meaning: 'The projects whose tasks are shown',
      example: ['prj_web'],
      otherwise: 'the company’s',
    },
    hideStatuses: { meaning: 'The statuses of tasks that are not shown', example: ['DONE'] },
  },
  invoices: {
    show: { meaning: 'Whether invoices are shown', example: true },
    invoiceIds: { meaning: 'The invoices that are shown', example: ['inv_1'] },
    hideStatuses: { meaning: 'The statuses of invoices that are not shown', example: ['PAID'] },
  },
  reminderMinutes: {
    meaning: 'How many minutes before it begins an event with a time reminds',
    example: 15,
    otherwise: 'none',
  },
  selfService: {
    meaning: 'Whether the holder of a link may hide kinds and lower the detail on its page',
    example: false,
  },
}
