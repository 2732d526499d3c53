import type { Locale } from '../domain/feed.ts'
import type { EventKind, FeedKind } from '../domain/kinds.ts'
import type { PlainDate } from '../domain/plain-date.ts'
import type { TimesheetStatus } from '../domain/timesheet.ts'

const english = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
const german = new Intl.NumberFormat('de', { maximumFractionDigits: 3 })
const englishDates = datesIn('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec', '')
const germanDates = datesIn('Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.', '.')

/** Common statuses of workforce systems. The English words are derived from the status itself. */
const germanStatuses: Readonly<Record<string, string>> = {
  NEW: 'Neu',
  OPEN: 'Offen',
  BACKLOG: 'Vorgemerkt',
  TO_DO: 'Zu erledigen',
  PLANNED: 'Geplant',
  READY: 'Bereit',
  ASSIGNED: 'Zugewiesen',
  IN_PROGRESS: 'In Arbeit',
  IN_REVIEW: 'In Prüfung',
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
}
const englishStatuses: typeof germanStatuses = Object.fromEntries(
  Object.keys(germanStatuses).map((status) => [
    status,
    status.charAt(0) + status.slice(1).toLowerCase().replaceAll('_', ' '),
  ]),
)
export const statusAliases: typeof germanStatuses = { TODO: 'TO_DO', REVIEW: 'IN_REVIEW' }

const en = {
  /** The category of an event, and its title if it has no other. */
  kinds: {
    leave: 'Leave',
    absence: 'Absences',
    shift: 'Shift',
    timesheet: 'Timesheet',
    timesheetdue: 'Timesheet',
    task: 'Task',
    invoice: 'Invoice',
    notice: 'Notice',
  } satisfies Record<EventKind, string>,
  feedKinds: {
    leaves: 'Leave',
    shifts: 'Shifts',
    timesheets: 'Timesheets',
    tasks: 'Tasks',
    invoices: 'Invoices',
  } satisfies Record<FeedKind, string>,
  calendar: 'Calendar',
  away: 'Away',
  pending: 'pending',
  flexible: 'flexible',
  compareNames: new Intl.Collator('en').compare,
  /** A person without a name. */
  somebody: 'somebody',
  /** How much of a day somebody is away, beside the name. */
  partAway: (days: number) => (days === 0.5 ? 'half' : `${english.format(days)} day`),
  awayOf: (away: number, people: number, names: string) =>
    `${english.format(away)} of ${people} away: ${names}`,
  onlyHere: (here: number, people: number, names: string) =>
    `Only ${english.format(here)} of ${people} here: ${names} away`,
  andMore: (names: string, count: number) => `${names} and ${count} more`,
  /** Of how many people the leaves are not known. */
  unknown: (count: number) => `${count} unknown`,
  notKnown: (names: readonly string[]) => `Not known: ${names.join(', ')}`,
  noEnd: 'no end given',
  /** Beside a shift; null if it is unknown which part. */
  partOff: (days: number | null): string => (days === 0.5 ? 'half day off' : 'part of the day off'),
  /** Times of day. */
  hoursOff: (spans: readonly string[]) => `Off: ${spans.join(', ')}`,
  rejected: 'Rejected',
  partOfDay: (days: number) => (days === 0.5 ? 'half day' : `${english.format(days)} day`),
  days: (days: number) => `${english.format(days)} days`,
  /** `1–15 Mar`; with years only where they differ. */
  period: englishDates.period,
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
  statuses: englishStatuses,
  status: (status: string) => `Status: ${status}`,
  estimatedHours: (hours: number) => `Estimated hours: ${english.format(hours)}`,
  actualHours: (hours: number) => `Actual hours: ${english.format(hours)}`,
  assignees: (names: readonly string[]) => `Assigned to: ${names.join(', ')}`,
  invoiceDue: (number: string | null, amount: string | null) =>
    `Invoice${number === null ? '' : ` ${number}`} due${amount === null ? '' : `: ${amount}`}`,
  recipient: (name: string) => `Recipient: ${name}`,
  linkEnds: (date: PlainDate) => `This link ends on ${englishDates.date(date)} ${year(date)}`,
  ended: 'This calendar has ended',
  leftOut: (past: number, future: number) =>
    `This calendar is too large to be shown whole. Left out: ${past} past and ${future} future events.`,
}

export type Words = typeof en

const de: Words = {
  kinds: {
    leave: 'Abwesenheit',
    absence: 'Abwesenheiten',
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
  compareNames: new Intl.Collator('de').compare,
  somebody: 'jemand',
  partAway: (days) => (days === 0.5 ? 'halber Tag' : `${german.format(days)} Tag`),
  awayOf: (away, people, names) => `${german.format(away)} von ${people} abwesend: ${names}`,
  onlyHere: (here, people, names) =>
    `Nur ${german.format(here)} von ${people} da: ${names} abwesend`,
  andMore: (names, count) => `${names} und ${count} weitere`,
  unknown: (count) => `${count} unbekannt`,
  notKnown: (names) => `Nicht bekannt: ${names.join(', ')}`,
  noEnd: 'kein Ende angegeben',
  partOff: (days) => (days === 0.5 ? 'halber Tag frei' : 'teilweise frei'),
  hoursOff: (spans) => `Frei: ${spans.join(', ')}`,
  rejected: 'Abgelehnt',
  partOfDay: (days) => (days === 0.5 ? 'halber Tag' : `${german.format(days)} Tag`),
  days: (days) => `${german.format(days)} Tage`,
  period: germanDates.period,
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
  statuses: germanStatuses,
  status: (status) => `Status: ${status}`,
  estimatedHours: (hours) => `Geschätzte Stunden: ${german.format(hours)}`,
  actualHours: (hours) => `Geleistete Stunden: ${german.format(hours)}`,
  assignees: (names) => `Zuständig: ${names.join(', ')}`,
  invoiceDue: (number, amount) =>
    `Rechnung${number === null ? '' : ` ${number}`} fällig${amount === null ? '' : `: ${amount}`}`,
  recipient: (name) => `Empfänger: ${name}`,
  linkEnds: (date) => `Dieser Link endet am ${germanDates.date(date)} ${year(date)}`,
  ended: 'Dieser Kalender ist beendet',
  leftOut: (past, future) =>
    `Dieser Kalender ist zu groß, um ganz gezeigt zu werden. Weggelassen: ${past} vergangene und ${future} künftige Termine.`,
}

export const languages: Readonly<Record<Locale, Words>> = { en, de }

interface Dates {
  readonly date: (date: PlainDate) => string
  readonly period: (first: PlainDate, last: PlainDate) => string
}

function datesIn(monthNames: string, dayMark: '' | '.'): Dates {
  const months = monthNames.split(' ')
  const day = (date: PlainDate): string => `${Number(date.slice(8))}${dayMark}`
  const dayAndMonth = (date: PlainDate): string =>
    `${day(date)} ${months[Number(date.slice(5, 7)) - 1]}`
  return {
    date: dayAndMonth,
    period: (first, last) => {
      if (first === last) return dayAndMonth(first)
      if (year(first) !== year(last)) {
        return `${dayAndMonth(first)} ${year(first)}–${dayAndMonth(last)} ${year(last)}`
      }
      const isOneMonth = first.slice(0, 7) === last.slice(0, 7)
      return `${isOneMonth ? day(first) : dayAndMonth(first)}–${dayAndMonth(last)}`
    },
  }
}

function year(date: PlainDate): number {
  return Number(date.slice(0, 4))
}
