import type { FeedKind } from './kinds.ts'
import { leaveDetails, leaveForms, leaveShownAs, shownLeaveStatuses } from './leave.ts'
import type { PlainDate } from './plain-date.ts'
import { shiftForms, type ShiftsShownAs, shiftsShownAs } from './schedule.ts'
import { timesheetForms, timesheetStatuses } from './timesheet.ts'

/** A calendar is for the one person in it, or for others who want to know about several. */
export const audiences = ['own', 'others'] as const
export type Audience = (typeof audiences)[number]

/** Four weeks. */
export const reminderMinutesMax = 40_320
/** How many people a calendar may have. */
export const peopleMax = 500

/** Schedule ids week by week, from the Monday `from` on. */
export interface Rotation {
  readonly weeks: readonly (readonly string[])[]
  readonly from: PlainDate
}

/** What an option holds: `choice` is one of its `values`, `choices` several. */
export type OptionType =
  | 'flag'
  | 'days'
  | 'minutes'
  | 'ids'
  | 'texts'
  | 'categories'
  | 'people'
  | 'rotation'
  | 'choice'
  | 'choices'

/** One option: its schema, its place in the API's document, in the help and in the docs follow from this. */
export interface Option<Value = unknown> {
  readonly type: OptionType
  readonly values: readonly string[]
  readonly isNullable?: boolean
  readonly defaults: Readonly<Record<Audience, Value>>
  /** A sentence without its full stop. */
  readonly meaning: string
  readonly example: Value
  /** The default in words, if null says too little. */
  readonly otherwise?: string
}

type About<Value> = Omit<Option<Value>, 'type' | 'values' | 'defaults'> & {
  readonly own: Value
  readonly others?: Value
}

function option<Value>(
  type: OptionType,
  { own, others = own, ...about }: About<Value>,
  values: readonly string[] = [],
): Option<Value> {
  return { type, values, defaults: { own, others }, ...about }
}

function choice<const Value extends string>(
  values: readonly Value[],
  about: About<NoInfer<Value>>,
): Option<Value> {
  return option<Value>('choice', about, values)
}

function choices<const Value extends string>(
  values: readonly Value[],
  about: About<readonly NoInfer<Value>[]>,
): Option<readonly Value[]> {
  return option<readonly Value[]>('choices', about, values)
}

function show(own: boolean, others: boolean, meaning: string): Option<boolean> {
  return option('flag', { own, others, meaning, example: !own })
}

/** Every option, in the order in which they are documented. */
export const optionTable = {
  window: {
    pastDays: option<number>('days', {
      own: 90,
      meaning: 'How many days the calendar reaches back, to the start of that month',
      example: 30,
    }),
    futureDays: option<number>('days', {
      own: 365,
      meaning: 'How many days it reaches ahead, to the end of that month',
      example: 180,
    }),
  },
  leaves: {
    show: show(true, true, 'Whether leave is shown'),
    statuses: choices(shownLeaveStatuses, {
      own: shownLeaveStatuses,
      others: ['APPROVED'],
      meaning: 'The statuses of leave to show',
      example: ['APPROVED'],
    }),
    detail: choice(leaveDetails, {
      own: 'type',
      others: 'absent',
      meaning:
        'How much to show of a leave: absent only "Away", type the kind of leave, full its reason as well',
      example: 'full',
    }),
    privateCategories: option<readonly string[]>('categories', {
      own: [],
      others: ['*', '!ANNUAL'],
      meaning:
        'The categories of leave that are only ever "Away", whatever detail says: "*" is every category, even a missing one; ["*","!ANNUAL"] is all but ANNUAL',
      example: ['SICK'],
    }),
    showAs: choice(leaveShownAs, {
      own: 'outOfOffice',
      meaning: 'Whether leave marks the time as out of office, busy or free',
      example: 'busy',
    }),
    as: choice(leaveForms, {
      own: 'person',
      meaning:
        'Whether there is an event for each leave, or for each day on which somebody is away (day, only for others)',
      example: 'day',
    }),
    minimumPresent: option<number | null>('people', {
      isNullable: true,
      own: null,
      meaning: 'With leaves.as day: a day with fewer people present says so',
      example: 4,
      otherwise: 'none',
    }),
  },
  shifts: {
    show: show(true, false, 'Whether shifts are shown'),
    scheduleIds: option<readonly string[] | null>('ids', {
      isNullable: true,
      own: null,
      meaning: 'The schedules to show shifts of; filled in when the feed is created',
      example: ['sch_day'],
      otherwise: 'the company’s',
    }),
    rotation: option<Rotation | null>('rotation', {
      isNullable: true,
      own: null,
      meaning:
        'Instead of scheduleIds: schedules that follow each other week by week, repeating from the Monday in from',
      example: { weeks: [['sch_day'], ['sch_night']], from: '2026-01-05' },
    }),
    duringLeave: choice(['hide', 'show'], {
      own: 'hide',
      meaning: 'Whether shifts are shown on days of leave',
      example: 'show',
    }),
    onHolidays: option<'hide' | 'show' | null>(
      'choice',
      {
        isNullable: true,
        own: null,
        meaning: 'Whether shifts are shown on public holidays',
        example: 'show',
        otherwise:
          'hide for fixed and flexible schedules where public holidays are set, show for rotations',
      },
      ['hide', 'show'],
    ),
    as: choice(shiftForms, {
      own: 'hours',
      meaning:
        'Whether a shift is an event with its hours, or one all-day line with the hours in its title (day)',
      example: 'day',
    }),
    showAs: option<ShiftsShownAs | null>(
      'choice',
      {
        isNullable: true,
        own: null,
        meaning: 'Whether shifts mark the time as busy or free',
        example: 'free',
        otherwise: 'busy, but free for lines, which would mark the whole day',
      },
      shiftsShownAs,
    ),
  },
  timesheets: {
    show: show(true, false, 'Whether timesheets are shown'),
    statuses: choices(timesheetStatuses, {
      own: timesheetStatuses,
      meaning: 'The statuses of timesheets to show',
      example: ['DRAFT'],
    }),
    as: choice(timesheetForms, {
      own: 'period',
      meaning:
        'Where a timesheet is shown: over its period, on its last day (deadline), both, or on its last day only while it is a draft or rejected (todo)',
      example: 'todo',
    }),
  },
  tasks: {
    show: show(true, false, 'Whether tasks are shown'),
    projectIds: option<readonly string[] | null>('ids', {
      isNullable: true,
      own: null,
      meaning: 'The projects to show tasks of',
      example: ['prj_web'],
      otherwise: 'the company’s',
    }),
    hideStatuses: option<readonly string[]>('texts', {
      own: ['DONE', 'COMPLETED', 'CANCELLED'],
      meaning: 'The statuses of tasks to leave out',
      example: ['DONE'],
    }),
  },
  invoices: {
    show: show(false, false, 'Whether invoices are shown'),
    invoiceIds: option<readonly string[]>('ids', {
      own: [],
      meaning: 'The invoices to show',
      example: ['inv_1'],
    }),
    hideStatuses: option<readonly string[]>('texts', {
      own: ['PAID', 'CANCELLED', 'VOID', 'DRAFT'],
      meaning: 'The statuses of invoices to leave out',
      example: ['PAID'],
    }),
  },
  reminderMinutes: option<number | null>('minutes', {
    isNullable: true,
    own: null,
    meaning: 'How many minutes before an event with a time to remind',
    example: 15,
    otherwise: 'none',
  }),
  colors: option<boolean>('flag', {
    own: true,
    meaning: 'Whether events have a colour by their kind, and rejected timesheets a category',
    example: false,
  }),
  selfService: option<boolean>('flag', {
    own: true,
    others: false,
    meaning: 'Whether the holder of a link can hide kinds and lower the detail on its page',
    example: false,
  }),
} satisfies Readonly<Record<FeedKind, OptionGroup & { readonly show: Option<boolean> }>> &
  Readonly<Record<string, OptionGroup | Option>>

type OptionGroup = Readonly<Record<string, Option>>
type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value>
    ? Value
    : ValuesOf<Table[Name]>
}

/** What a feed shows, whole. `shifts.scheduleIds` is null while the company's schedules are not known. */
export type FeedOptions = ValuesOf<typeof optionTable>
export type WindowOption = FeedOptions['window']

/** What is set, and nothing else: anything left out takes its default, now and in later versions. */
export type OwnOptions = {
  readonly [K in keyof FeedOptions]?: FeedOptions[K] extends object
    ? Partial<FeedOptions[K]>
    : FeedOptions[K]
}

/** Calls `visit` for every option and puts what it gives in the place of the option. */
export function mapOptions(
  visit: (option: Option, path: readonly string[]) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries<OptionGroup | Option>(optionTable).map(([name, entry]) => [
      name,
      isOption(entry)
        ? visit(entry, [name])
        : Object.fromEntries(
            Object.entries(entry).map(([member, it]) => [member, visit(it, [name, member])]),
          ),
    ]),
  )
}

function isOption(entry: OptionGroup | Option): entry is Option {
  return 'meaning' in entry
}

const defaults: Readonly<Record<Audience, FeedOptions>> = {
  own: defaultsOf('own'),
  others: defaultsOf('others'),
}

/** The table says what each option holds, which TypeScript cannot follow through its entries. */
function defaultsOf(audience: Audience): FeedOptions
function defaultsOf(audience: Audience): object {
  return mapOptions((it) => it.defaults[audience])
}

/** All options: the defaults of the audience, overridden by each layer in turn. Only calendars for others count who is away. */
export function readOptions(audience: Audience, ...layers: readonly OwnOptions[]): FeedOptions {
  const options = layers.reduce<FeedOptions>(withLayer, defaults[audience])
  const { leaves } = options
  if (audience === 'others' || leaves.as === 'person') return options
  return { ...options, leaves: { ...leaves, as: 'person' } }
}

function withLayer(options: FeedOptions, layer: OwnOptions): FeedOptions {
  return {
    window: { ...options.window, ...layer.window },
    leaves: { ...options.leaves, ...layer.leaves },
    shifts: { ...options.shifts, ...layer.shifts },
    timesheets: { ...options.timesheets, ...layer.timesheets },
    tasks: { ...options.tasks, ...layer.tasks },
    invoices: { ...options.invoices, ...layer.invoices },
    // null takes away what the layers below say.
    reminderMinutes:
      layer.reminderMinutes === undefined ? options.reminderMinutes : layer.reminderMinutes,
    colors: layer.colors ?? options.colors,
    selfService: layer.selfService ?? options.selfService,
  }
}

/** Whether all of `want` is in `have`; null is no window. */
export function covers(have: WindowOption | null, want: WindowOption | null): boolean {
  if (!want) return true
  return !!have && have.pastDays >= want.pastDays && have.futureDays >= want.futureDays
}

/** The window that holds both: requests never narrow, since a copy serves all feeds of its person. */
export function widest(one: WindowOption | null, other: WindowOption | null): WindowOption | null {
  if (!one || !other) return one
  return {
    pastDays: Math.max(one.pastDays, other.pastDays),
    futureDays: Math.max(one.futureDays, other.futureDays),
  }
}
