import type { FeedKind } from './kinds.ts'
import { type LeaveDetail, type ShownLeaveStatus, shownLeaveStatuses } from './leave.ts'
import type { PlainDate } from './plain-date.ts'
import { type TimesheetStatus, timesheetStatuses } from './timesheet.ts'

/** For whom a calendar is: the one person in it, or others who want to know about several. */
export const audiences = ['own', 'others'] as const
export type Audience = (typeof audiences)[number]

/** Whether shifts are shown on days of leave. */
export const duringLeaves = ['hide', 'show'] as const
/** Where in its period a timesheet stands. */
export const timesheetForms = ['period', 'deadline', 'both'] as const

/** Four weeks. */
export const reminderMinutesMax = 40_320

/** What a feed shows, whole. */
export interface FeedOptions extends KindOptions {
  readonly window: WindowOption
  readonly reminderMinutes: number | null
  /** Whether the holder of a link may choose what it shows, and how. */
  readonly selfService: boolean
}

/** What a feed shows of each kind. */
export interface KindOptions extends Readonly<Record<FeedKind, { readonly show: boolean }>> {
  readonly leaves: {
    readonly show: boolean
    readonly statuses: readonly ShownLeaveStatus[]
    readonly detail: LeaveDetail
  }
  readonly shifts: {
    readonly show: boolean
    /** null: not known yet, since nobody has named them and the company's could not be read. */
    readonly scheduleIds: readonly string[] | null
    readonly rotation: Rotation | null
    readonly duringLeave: (typeof duringLeaves)[number]
  }
  readonly timesheets: {
    readonly show: boolean
    readonly statuses: readonly TimesheetStatus[]
    readonly as: (typeof timesheetForms)[number]
  }
  readonly tasks: {
    readonly show: boolean
    /** null: the company's projects. */
    readonly projectIds: readonly string[] | null
    readonly hideStatuses: readonly string[]
  }
  readonly invoices: {
    readonly show: boolean
    readonly invoiceIds: readonly string[]
    readonly hideStatuses: readonly string[]
  }
}

export interface WindowOption {
  readonly pastDays: number
  readonly futureDays: number
}

/** Whether all of `want` lies in `have`; null is no window. */
export function covers(have: WindowOption | null, want: WindowOption | null): boolean {
  if (!want) return true
  return !!have && have.pastDays >= want.pastDays && have.futureDays >= want.futureDays
}

/** The window that holds both: what is asked for never narrows, since a copy serves all feeds of its person. */
export function widest(one: WindowOption | null, other: WindowOption | null): WindowOption | null {
  if (!one || !other) return one
  return {
    pastDays: Math.max(one.pastDays, other.pastDays),
    futureDays: Math.max(one.futureDays, other.futureDays),
  }
}

/** Schedule ids week by week, repeating from the Monday `from`. */
export interface Rotation {
  readonly weeks: readonly (readonly string[])[]
  readonly from: PlainDate
}

/** What is set of the options and nothing else: what is not there takes its default, now and in later versions. */
export type OwnOptions = {
  readonly [K in keyof FeedOptions]?: FeedOptions[K] extends object
    ? Partial<FeedOptions[K]>
    : FeedOptions[K]
}

/** The options whole: the program's defaults for the audience, over them what each layer sets. */
export function readOptions(audience: Audience, ...layers: readonly OwnOptions[]): FeedOptions {
  return layers.reduce<FeedOptions>(withLayer, defaultOptions(audience))
}

function withLayer(options: FeedOptions, layer: OwnOptions): FeedOptions {
  return {
    window: { ...options.window, ...layer.window },
    leaves: { ...options.leaves, ...layer.leaves },
    shifts: { ...options.shifts, ...layer.shifts },
    timesheets: { ...options.timesheets, ...layer.timesheets },
    tasks: { ...options.tasks, ...layer.tasks },
    invoices: { ...options.invoices, ...layer.invoices },
    reminderMinutes: layer.reminderMinutes ?? options.reminderMinutes,
    selfService: layer.selfService ?? options.selfService,
  }
}

/** What each option is where nothing is said. */
function defaultOptions(audience: Audience): FeedOptions {
  const own = audience === 'own'
  return {
    window: { pastDays: 90, futureDays: 365 },
    leaves: {
      show: true,
      statuses: own ? shownLeaveStatuses : ['APPROVED'],
      detail: own ? 'type' : 'absent',
    },
    shifts: { show: own, scheduleIds: null, rotation: null, duringLeave: 'hide' },
    timesheets: { show: own, statuses: timesheetStatuses, as: 'period' },
    tasks: { show: own, projectIds: null, hideStatuses: ['DONE', 'COMPLETED', 'CANCELLED'] },
    invoices: { show: false, invoiceIds: [], hideStatuses: ['PAID', 'CANCELLED', 'VOID', 'DRAFT'] },
    reminderMinutes: null,
    selfService: own,
  }
}
