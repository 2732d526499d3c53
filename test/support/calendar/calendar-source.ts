import {
  type Agenda,
  createAgenda,
  type Expansion,
  expandInSlices,
} from '../../../src/calendar/expand.ts'
import type { CalendarSource } from '../../../src/calendar/expansion.ts'
import { calendarWindow } from '../../../src/calendar/local-time.ts'
import { type CalendarContents, renderCalendar } from '../../../src/calendar/render.ts'
import { writeVevent } from '../../../src/calendar/vevent.ts'
import type { CalendarEvent } from '../../../src/domain/calendar-event.ts'
import type { Company } from '../../../src/domain/company.ts'
import type { FeedOptions } from '../../../src/domain/feed-options.ts'
import type { RecordOf, RecordsBySubject } from '../../../src/domain/kinds.ts'
import type { Leave } from '../../../src/domain/leave.ts'
import type { PlainDate } from '../../../src/domain/plain-date.ts'
import type { Timesheet } from '../../../src/domain/timesheet.ts'
import type { Instant } from '../../../src/domain/world.ts'
import type { RevisedEvent } from './revised-event.ts'

/** One approved day of leave. */
export const dayOff: Leave = {
  id: 'lv_1',
  startDate: at('2026-03-20'),
  endDate: at('2026-03-20'),
  status: 'APPROVED',
}

/** Ada's, of half a month. */
export const draftTimesheet: Timesheet = {
  id: 'clq1',
  userId: 'usr_ada',
  periodStart: at('2026-03-01'),
  periodEnd: at('2026-03-15'),
  status: 'DRAFT',
}

/** What most events say, and nothing more. */
export const plainEvent = {
  description: null,
  status: 'CONFIRMED',
  priority: null,
  color: null,
  url: null,
  reminderMinutes: null,
} as const

/** Every kind is shown; each test says what it changes. */
const everything: FeedOptions = {
  window: { pastDays: 90, futureDays: 365 },
  leaves: {
    show: true,
    statuses: ['APPROVED', 'PENDING'],
    detail: 'type',
    privateCategories: [],
    showAs: 'outOfOffice',
    as: 'person',
    minimumPresent: null,
  },
  shifts: {
    show: true,
    scheduleIds: [],
    rotation: null,
    duringLeave: 'hide',
    onHolidays: null,
    as: 'hours',
    showAs: null,
  },
  timesheets: {
    show: true,
    statuses: ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'],
    as: 'period',
  },
  tasks: { show: true, projectIds: null, hideStatuses: ['DONE', 'COMPLETED', 'CANCELLED'] },
  invoices: {
    show: true,
    invoiceIds: ['inv_1'],
    hideStatuses: ['PAID', 'CANCELLED', 'VOID', 'DRAFT'],
  },
  reminderMinutes: null,
  colors: false,
  selfService: true,
}

interface OptionChanges {
  readonly window?: Partial<FeedOptions['window']>
  readonly leaves?: Partial<FeedOptions['leaves']>
  readonly shifts?: Partial<FeedOptions['shifts']>
  readonly timesheets?: Partial<FeedOptions['timesheets']>
  readonly tasks?: Partial<FeedOptions['tasks']>
  readonly invoices?: Partial<FeedOptions['invoices']>
  readonly reminderMinutes?: number | null
  readonly colors?: boolean
}

interface RecordLists {
  readonly users?: readonly RecordOf['user'][]
  readonly schedules?: readonly RecordOf['schedules'][]
  readonly timesheets?: readonly RecordOf['timesheets'][]
  readonly tasks?: readonly RecordOf['tasks'][]
  readonly invoices?: readonly RecordOf['invoice'][]
}

/** What differs from Ada's feed of an empty company in Berlin on 10 March 2026. */
export interface SourceChanges {
  readonly now?: Instant
  readonly feed?: Partial<Omit<CalendarSource['feed'], 'options'>>
  readonly options?: OptionChanges
  readonly company?: Partial<Company>
  readonly records?: RecordLists
  /** Ada's. */
  readonly leaves?: readonly Leave[]
  /** By user id, where it is not only Ada's. */
  readonly leavesOf?: Readonly<Record<string, readonly Leave[]>>
}

export function calendarSource(changes: SourceChanges): CalendarSource {
  const { now = Date.parse('2026-03-10T12:00:00Z'), leaves = [], leavesOf = {} } = changes
  const feed = {
    id: 'feed_1',
    companyId: 'main',
    userIds: ['usr_ada'],
    audience: 'own' as const,
    name: "Ada's work calendar",
    timezone: 'Europe/Berlin',
    locale: 'en' as const,
    ...changes.feed,
    options: feedOptions(changes.options ?? {}),
  }
  return {
    feed,
    company: {
      id: feed.companyId,
      name: 'Main',
      timezone: 'Europe/Berlin',
      dates: 'utc',
      endDates: 'inclusive',
      projects: [],
      schedules: [],
      scheduleTimezones: {},
      holidays: [],
      scheduleHolidays: {},
      recordUrl: null,
      ...changes.company,
    },
    window: calendarWindow(now, feed.timezone, feed.options.window),
    records: bySubject(changes.records ?? {}, { usr_ada: leaves, ...leavesOf }),
  }
}

function bySubject(
  { users = [], schedules = [], timesheets = [], tasks = [], invoices = [] }: RecordLists,
  leavesOf: Readonly<Record<string, readonly Leave[]>>,
): RecordsBySubject {
  return {
    leaves: new Map(Object.entries(leavesOf)),
    schedules: new Map([['', schedules]]),
    timesheets: new Map([['usr_ada', timesheets]]),
    tasks: new Map([['prj_1', tasks]]),
    invoice: new Map(invoices.map((invoice) => [invoice.id, [invoice]])),
    user: new Map(users.map((user) => [user.id, [user]])),
  }
}

function feedOptions(changes: OptionChanges): FeedOptions {
  return {
    window: { ...everything.window, ...changes.window },
    leaves: { ...everything.leaves, ...changes.leaves },
    shifts: { ...everything.shifts, ...changes.shifts },
    timesheets: { ...everything.timesheets, ...changes.timesheets },
    tasks: { ...everything.tasks, ...changes.tasks },
    invoices: { ...everything.invoices, ...changes.invoices },
    reminderMinutes: changes.reminderMinutes ?? null,
    colors: changes.colors ?? everything.colors,
    selfService: true,
  }
}

/** All events in their order, and what is set aside. */
interface WholeExpansion extends Pick<Expansion, 'setAside'> {
  readonly events: readonly CalendarEvent[]
}

export function expand(changes: SourceChanges): WholeExpansion {
  return expandSource(calendarSource(changes))
}

function expandSource(source: CalendarSource): WholeExpansion {
  const { agenda, setAside } = expandAtOnce(source)
  return { events: eventsOf(agenda), setAside }
}

export function eventsOf(agenda: Agenda): readonly CalendarEvent[] {
  const events = [...agenda.behind(), ...agenda.ahead()]
  return events.toSorted((a, b) => startOf(a) - startOf(b) || (a.uid < b.uid ? -1 : 1))
}

function startOf({ time: { start } }: CalendarEvent): Instant {
  return typeof start === 'string' ? Date.parse(start) : start
}

/** All of a calendar's events, without a pause. */
export function expandAtOnce(...of: Parameters<typeof expandInSlices>): Expansion {
  const slices = expandInSlices(...of)
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/** The one event that these records become. */
export function expandOne(changes: SourceChanges): CalendarEvent {
  const { events } = expand(changes)
  const [event] = events
  if (!event || events.length > 1) throw new Error(`${events.length} events instead of one`)
  return event
}

export function revised(
  event: CalendarEvent,
  changedAt: Instant = Date.parse('2026-03-01T00:00:00Z'),
): RevisedEvent {
  return { ...event, sequence: 0, changedAt }
}

/** The calendar's text, every event unchanged since 1 March 2026. */
export function renderSource(source: CalendarSource): string {
  const { name, locale } = source.feed
  const { turn } = source.window
  const events = expandSource(source).events.map((event) => revised(event))
  return renderEvents({ name, description: null, locale, turn, events })
}

/** A calendar of events that have their revisions. */
export interface EventList extends Omit<CalendarContents, 'agenda' | 'revise'> {
  readonly turn: PlainDate
  readonly events: readonly RevisedEvent[]
}

export function renderEvents({ turn, events, ...calendar }: EventList): string {
  const agenda = createAgenda(events, turn)
  const revisions = new Map(events.map((event) => [event.uid, event]))
  const revise: CalendarContents['revise'] = ({ uid }) => revisions.get(uid)!
  return renderCalendar({ ...calendar, agenda, revise }).bytes.toString()
}

/** Everything that an event says but its revision, as the ledger is told. */
export function eventContent(event: CalendarEvent): string {
  return writeVevent(event)
}

export function at(timestamp: string): Instant {
  const instant = Date.parse(timestamp)
  if (Number.isNaN(instant)) throw new Error(`${timestamp} is no timestamp`)
  return instant
}
