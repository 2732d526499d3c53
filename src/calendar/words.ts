import type { Locale } from '../domain/feed.ts'
import type { EventKind, FeedKind } from '../domain/kinds.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { TimesheetStatus } from '../domain/timesheet.ts'

const english = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
const german = new Intl.NumberFormat('de', { maximumFractionDigits: 3 })
const englishMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const germanMonths = 'Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.'.split(' ')

const en = {
  /** What such a thing is called: its category, and its title where it has none. */
  kinds: {
    leave: 'Leave',
    shift: 'Shift',
    timesheet: 'Timesheet',
    timesheetdue: 'Timesheet',
    task: 'Task',
    invoice: 'Invoice',
    notice: 'Notice',
  } satisfies Record<EventKind, string>,
  /** What a feed can show, each kind in the plural. */
  feedKinds: {
    leaves: 'Leave',
    shifts: 'Shifts',
    timesheets: 'Timesheets',
    tasks: 'Tasks',
    invoices: 'Invoices',
  } satisfies Record<FeedKind, string>,
  /** What a calendar without a name is called. */
  calendar: 'Calendar',
  /** A leave of which no more is told. */
  away: 'Away',
  pending: 'pending',
  flexible: 'flexible',
  /** Of a leave. */
  noEnd: 'no end given',
  partOfDay: (days: number) => (days === 0.5 ? 'half day' : `${english.format(days)} day`),
  days: (days: number) => `${english.format(days)} days`,
  /** `1–15 Mar`; with years only where they differ. */
  period: (first: PlainDate, last: PlainDate) => periodOf(first, last, englishDate, ''),
  timesheetStates: {
    DRAFT: 'draft',
    SUBMITTED: 'submitted',
    APPROVED: 'approved ✓',
    REJECTED: 'rejected: hand in again',
  } satisfies Record<TimesheetStatus, string>,
  timesheet: (span: string) => `Timesheet ${span}`,
  timesheetDue: (span: string) => `Timesheet due: ${span}`,
  hoursWorked: (worked: number, expected: number | null) =>
    expected === null
      ? `Hours: ${english.format(worked)}`
      : `Hours: ${english.format(worked)} of ${english.format(expected)} expected`,
  /** Statuses that workforce systems commonly use, of whatever they are. */
  statuses: {
    NEW: 'New',
    OPEN: 'Open',
    BACKLOG: 'Backlog',
    TODO: 'To do',
    TO_DO: 'To do',
    PLANNED: 'Planned',
    READY: 'Ready',
    ASSIGNED: 'Assigned',
    IN_PROGRESS: 'In progress',
    IN_REVIEW: 'In review',
    REVIEW: 'In review',
    TESTING: 'Testing',
    BLOCKED: 'Blocked',
    ON_HOLD: 'On hold',
    PENDING: 'Pending',
    DRAFT: 'Draft',
    SUBMITTED: 'Submitted',
    APPROVED: 'Approved',
    REJECTED: 'Rejected',
    LOCKED: 'Locked',
    ARCHIVED: 'Archived',
    REOPENED: 'Reopened',
    DONE: 'Done',
    COMPLETED: 'Completed',
    CLOSED: 'Closed',
    CANCELLED: 'Cancelled',
  },
  status: (status: string) => `Status: ${status}`,
  estimatedHours: (hours: number) => `Estimated hours: ${english.format(hours)}`,
  actualHours: (hours: number) => `Actual hours: ${english.format(hours)}`,
  assignees: (names: readonly string[]) => `Assigned to: ${names.join(', ')}`,
  invoiceDue: (number: string | null, amount: string | null) =>
    `Invoice${number === null ? '' : ` ${number}`} due${amount === null ? '' : `: ${amount}`}`,
  recipient: (name: string) => `Recipient: ${name}`,
  linkEnds: (date: PlainDate) => `This link ends on ${englishDate(date)} ${year(date)}`,
  ended: 'This calendar has ended',
  /** In the description of a calendar that is too large to be shown whole. */
  leftOut: (past: number, future: number) =>
    `This calendar is too large to be shown whole. Left out: ${past} past and ${future} future events.`,
}

/** Everything that a calendar says in one language. */
export type Words = typeof en

const de: Words = {
  kinds: {
    leave: 'Abwesenheit',
    shift: 'Schicht',
    timesheet: 'Stundenzettel',
    timesheetdue: 'Stundenzettel',
    task: 'Aufgabe',
    invoice: 'Rechnung',
    notice: 'Hinweis',
  },
  feedKinds: {
    leaves: 'Abwesenheiten',
    shifts: 'Schichten',
    timesheets: 'Stundenzettel',
    tasks: 'Aufgaben',
    invoices: 'Rechnungen',
  },
  calendar: 'Kalender',
  away: 'Abwesend',
  pending: 'beantragt',
  flexible: 'flexibel',
  noEnd: 'kein Ende angegeben',
  partOfDay: (days) => (days === 0.5 ? 'halber Tag' : `${german.format(days)} Tag`),
  days: (days) => `${german.format(days)} Tage`,
  period: (first, last) => periodOf(first, last, germanDate, '.'),
  timesheetStates: {
    DRAFT: 'Entwurf',
    SUBMITTED: 'eingereicht',
    APPROVED: 'genehmigt ✓',
    REJECTED: 'abgelehnt: erneut einreichen',
  },
  timesheet: (span) => `Stundenzettel ${span}`,
  timesheetDue: (span) => `Stundenzettel fällig: ${span}`,
  hoursWorked: (worked, expected) =>
    expected === null
      ? `Stunden: ${german.format(worked)}`
      : `Stunden: ${german.format(worked)} von ${german.format(expected)} erwarteten`,
  statuses: {
    NEW: 'Neu',
    OPEN: 'Offen',
    BACKLOG: 'Vorgemerkt',
    TODO: 'Zu erledigen',
    TO_DO: 'Zu erledigen',
    PLANNED: 'Geplant',
    READY: 'Bereit',
    ASSIGNED: 'Zugewiesen',
    IN_PROGRESS: 'In Arbeit',
    IN_REVIEW: 'In Prüfung',
    REVIEW: 'In Prüfung',
    TESTING: 'Im Test',
    BLOCKED: 'Blockiert',
    ON_HOLD: 'Pausiert',
    PENDING: 'Ausstehend',
    DRAFT: 'Entwurf',
    SUBMITTED: 'Eingereicht',
    APPROVED: 'Genehmigt',
    REJECTED: 'Abgelehnt',
    LOCKED: 'Gesperrt',
    ARCHIVED: 'Archiviert',
    REOPENED: 'Wieder geöffnet',
    DONE: 'Erledigt',
    COMPLETED: 'Abgeschlossen',
    CLOSED: 'Geschlossen',
    CANCELLED: 'Storniert',
  },
  status: (status) => `Status: ${status}`,
  estimatedHours: (hours) => `Geschätzte Stunden: ${german.format(hours)}`,
  actualHours: (hours) => `Geleistete Stunden: ${german.format(hours)}`,
  assignees: (names) => `Zuständig: ${names.join(', ')}`,
  invoiceDue: (number, amount) =>
    `Rechnung${number === null ? '' : ` ${number}`} fällig${amount === null ? '' : `: ${amount}`}`,
  recipient: (name) => `Empfänger: ${name}`,
  linkEnds: (date) => `Dieser Link endet am ${germanDate(date)} ${year(date)}`,
  ended: 'Dieser Kalender ist beendet',
  leftOut: (past, future) =>
    `Dieser Kalender ist zu groß, um ganz gezeigt zu werden. Weggelassen: ${past} vergangene und ${future} künftige Termine.`,
}

/** Every language a calendar can be in. */
export const languages: Readonly<Record<Locale, Words>> = { en, de }

function periodOf(
  first: PlainDate,
  last: PlainDate,
  dayAndMonth: (date: PlainDate) => string,
  dayMark: string,
): string {
  if (first === last) return dayAndMonth(first)
  if (year(first) !== year(last)) {
    return `${dayAndMonth(first)} ${year(first)}–${dayAndMonth(last)} ${year(last)}`
  }
  const sameMonth = first.slice(0, 7) === last.slice(0, 7)
  return `${sameMonth ? `${day(first)}${dayMark}` : dayAndMonth(first)}–${dayAndMonth(last)}`
}

function englishDate(date: PlainDate): string {
  return `${day(date)} ${englishMonths[month(date)]}`
}

function germanDate(date: PlainDate): string {
  return `${day(date)}. ${germanMonths[month(date)]}`
}

function day(date: PlainDate): number {
  return Number(date.slice(8))
}

function month(date: PlainDate): number {
  return Number(date.slice(5, 7)) - 1
}

function year(date: PlainDate): number {
  return Number(date.slice(0, 4))
}
