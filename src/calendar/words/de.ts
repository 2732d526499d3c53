import type { PlainDate } from '../../domain/plain-date.ts'
import type { Words } from './words.ts'

const months = 'Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.'.split(' ')
const numbers = new Intl.NumberFormat('de', { maximumFractionDigits: 3 })

/** German. */
export const de: Words = {
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
  partOfDay: (days) => (days === 0.5 ? 'halber Tag' : `${numbers.format(days)} Tag`),
  days: (days) => `${numbers.format(days)} Tage`,
  period,
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
      ? `Stunden: ${numbers.format(worked)}`
      : `Stunden: ${numbers.format(worked)} von ${numbers.format(expected)} erwarteten`,
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
  estimatedHours: (hours) => `Geschätzte Stunden: ${numbers.format(hours)}`,
  actualHours: (hours) => `Geleistete Stunden: ${numbers.format(hours)}`,
  assignees: (names) => `Zuständig: ${names.join(', ')}`,
  invoiceDue: (number, amount) =>
    `Rechnung${number === null ? '' : ` ${number}`} fällig${amount === null ? '' : `: ${amount}`}`,
  recipient: (name) => `Empfänger: ${name}`,
  linkEnds: (date) => `Dieser Link endet am ${dayAndMonth(date)} ${year(date)}`,
  ended: 'Dieser Kalender ist beendet',
  leftOut: (past, future) =>
    `Dieser Kalender ist zu groß, um ganz gezeigt zu werden. Weggelassen: ${past} vergangene und ${future} künftige Termine.`,
}

function period(first: PlainDate, last: PlainDate): string {
  if (first === last) return dayAndMonth(first)
  if (year(first) !== year(last)) {
    return `${dayAndMonth(first)} ${year(first)}–${dayAndMonth(last)} ${year(last)}`
  }
  const sameMonth = first.slice(0, 7) === last.slice(0, 7)
  return `${sameMonth ? `${day(first)}.` : dayAndMonth(first)}–${dayAndMonth(last)}`
}

function dayAndMonth(date: PlainDate): string {
  return `${day(date)}. ${months[Number(date.slice(5, 7)) - 1]}`
}

function day(date: PlainDate): number {
  return Number(date.slice(8))
}

function year(date: PlainDate): number {
  return Number(date.slice(0, 4))
}
