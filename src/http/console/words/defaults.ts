import type { OptionType } from '../../../domain/feed-options.ts'
import { peopleMax, reminderMinutesMax } from '../../../domain/feed-options.ts'

interface OptionText {
  readonly label: string
  readonly hint?: string
  /** Words for the values; statuses and names of the company stand as they are. */
  readonly values?: Readonly<Record<string, string>>
  /** What holds if the program's default is null. */
  readonly otherwise?: string
}

/** By the path of the option: `leaves.detail`. */
type OptionTexts = Readonly<Record<string, OptionText>>

const enOptions = {
  'window.pastDays': {
    label: 'Days back',
    hint: 'The calendar begins with the month that contains this day.',
  },
  'window.futureDays': {
    label: 'Days ahead',
    hint: 'The calendar ends with the month that contains this day.',
  },
  'leaves.show': { label: 'Show leave' },
  'leaves.statuses': {
    label: 'Statuses',
    values: { APPROVED: 'Approved', PENDING: 'Pending' },
  },
  'leaves.detail': {
    label: 'Details',
    values: { absent: 'Only “Away”', type: 'Kind of leave', full: 'Kind and reason' },
  },
  'leaves.privateCategories': {
    label: 'Always only “Away”',
    hint: 'Categories of leave, with commas between them. * is every category; *, !ANNUAL is all but ANNUAL.',
  },
  'leaves.showAs': {
    label: 'Show as',
    values: { outOfOffice: 'Out of office', busy: 'Busy', free: 'Free' },
  },
  'leaves.as': {
    label: 'Entries',
    values: { person: 'One for each leave', day: 'One for each day, with everybody who is away' },
  },
  'leaves.minimumPresent': {
    label: 'Warn if fewer are present',
    hint: 'Only with one entry for each day.',
    otherwise: 'no warning',
  },
  'shifts.show': { label: 'Show shifts' },
  'shifts.scheduleIds': {
    label: 'Schedules',
    hint: 'Ids, with commas between them.',
    otherwise: 'the company’s schedules',
  },
  'shifts.rotation': {
    label: 'Rotation',
    hint: 'Instead of schedules: one line of schedule ids for each week, repeating from that Monday.',
    otherwise: 'no rotation',
  },
  'shifts.duringLeave': {
    label: 'On days of leave',
    values: { hide: 'Hide shifts', show: 'Show shifts' },
  },
  'shifts.onHolidays': {
    label: 'On public holidays',
    values: { hide: 'Hide shifts', show: 'Show shifts' },
    otherwise: 'hidden, except rotations',
  },
  'shifts.as': {
    label: 'Entries',
    values: { hours: 'Blocks with their hours', day: 'One line a day' },
  },
  'shifts.showAs': {
    label: 'Show as',
    values: { busy: 'Busy', free: 'Free' },
    otherwise: 'busy, but free for lines',
  },
  'timesheets.show': { label: 'Show timesheets' },
  'timesheets.statuses': {
    label: 'Statuses',
    values: {
      DRAFT: 'Draft',
      SUBMITTED: 'Submitted',
      APPROVED: 'Approved',
      REJECTED: 'Rejected',
    },
  },
  'timesheets.as': {
    label: 'Entries',
    values: {
      period: 'Over their period',
      deadline: 'On their last day',
      both: 'Period and last day',
      todo: 'On their last day while there is something to do',
    },
  },
  'tasks.show': { label: 'Show tasks' },
  'tasks.projectIds': {
    label: 'Projects',
    hint: 'Ids, with commas between them.',
    otherwise: 'the company’s projects',
  },
  'tasks.hideStatuses': { label: 'Hide statuses', hint: 'With commas between them.' },
  'invoices.show': { label: 'Show invoices' },
  'invoices.invoiceIds': { label: 'Invoices', hint: 'Ids, with commas between them.' },
  'invoices.hideStatuses': { label: 'Hide statuses', hint: 'With commas between them.' },
  reminderMinutes: {
    label: 'Reminder',
    hint: 'Minutes before an entry with a time.',
    otherwise: 'no reminder',
  },
  colors: { label: 'Colours', hint: 'A colour for each kind of entry.' },
  selfService: {
    label: 'People may choose',
    hint: 'On the page of their calendar they can hide kinds and show less.',
  },
} satisfies OptionTexts

const deOptions: Readonly<Record<keyof typeof enOptions, OptionText>> = {
  'window.pastDays': {
    label: 'Tage zurück',
    hint: 'Der Kalender beginnt mit dem Monat, in dem dieser Tag liegt.',
  },
  'window.futureDays': {
    label: 'Tage voraus',
    hint: 'Der Kalender endet mit dem Monat, in dem dieser Tag liegt.',
  },
  'leaves.show': { label: 'Abwesenheiten zeigen' },
  'leaves.statuses': {
    label: 'Status',
    values: { APPROVED: 'Genehmigt', PENDING: 'Beantragt' },
  },
  'leaves.detail': {
    label: 'Details',
    values: { absent: 'Nur „Abwesend“', type: 'Art der Abwesenheit', full: 'Art und Grund' },
  },
  'leaves.privateCategories': {
    label: 'Immer nur „Abwesend“',
    hint: 'Kategorien von Abwesenheiten, mit Kommas dazwischen. * ist jede Kategorie; *, !ANNUAL sind alle außer ANNUAL.',
  },
  'leaves.showAs': {
    label: 'Anzeigen als',
    values: { outOfOffice: 'Außer Haus', busy: 'Beschäftigt', free: 'Frei' },
  },
  'leaves.as': {
    label: 'Einträge',
    values: {
      person: 'Einer je Abwesenheit',
      day: 'Einer je Tag, mit allen, die abwesend sind',
    },
  },
  'leaves.minimumPresent': {
    label: 'Warnen, wenn weniger da sind',
    hint: 'Nur mit einem Eintrag je Tag.',
    otherwise: 'keine Warnung',
  },
  'shifts.show': { label: 'Schichten zeigen' },
  'shifts.scheduleIds': {
    label: 'Schichtpläne',
    hint: 'IDs, mit Kommas dazwischen.',
    otherwise: 'die des Unternehmens',
  },
  'shifts.rotation': {
    label: 'Wechsel',
    hint: 'Statt der Schichtpläne: für jede Woche eine Zeile mit IDs von Schichtplänen; sie wiederholen sich ab diesem Montag.',
    otherwise: 'kein Wechsel',
  },
  'shifts.duringLeave': {
    label: 'An Tagen mit Abwesenheit',
    values: { hide: 'Schichten ausblenden', show: 'Schichten zeigen' },
  },
  'shifts.onHolidays': {
    label: 'An Feiertagen',
    values: { hide: 'Schichten ausblenden', show: 'Schichten zeigen' },
    otherwise: 'nur im Wechsel zeigen',
  },
  'shifts.as': {
    label: 'Einträge',
    values: { hours: 'Blöcke mit ihren Uhrzeiten', day: 'Eine Zeile am Tag' },
  },
  'shifts.showAs': {
    label: 'Anzeigen als',
    values: { busy: 'Beschäftigt', free: 'Frei' },
    otherwise: 'beschäftigt, Zeilen frei',
  },
  'timesheets.show': { label: 'Stundenzettel zeigen' },
  'timesheets.statuses': {
    label: 'Status',
    values: {
      DRAFT: 'Entwurf',
      SUBMITTED: 'Eingereicht',
      APPROVED: 'Genehmigt',
      REJECTED: 'Abgelehnt',
    },
  },
  'timesheets.as': {
    label: 'Einträge',
    values: {
      period: 'Über ihren Zeitraum',
      deadline: 'Am letzten Tag',
      both: 'Zeitraum und letzter Tag',
      todo: 'Am letzten Tag, solange etwas zu tun ist',
    },
  },
  'tasks.show': { label: 'Aufgaben zeigen' },
  'tasks.projectIds': {
    label: 'Projekte',
    hint: 'IDs, mit Kommas dazwischen.',
    otherwise: 'die des Unternehmens',
  },
  'tasks.hideStatuses': { label: 'Status ausblenden', hint: 'Mit Kommas dazwischen.' },
  'invoices.show': { label: 'Rechnungen zeigen' },
  'invoices.invoiceIds': { label: 'Rechnungen', hint: 'IDs, mit Kommas dazwischen.' },
  'invoices.hideStatuses': { label: 'Status ausblenden', hint: 'Mit Kommas dazwischen.' },
  reminderMinutes: {
    label: 'Erinnerung',
    hint: 'Minuten vor einem Eintrag mit Uhrzeit.',
    otherwise: 'keine Erinnerung',
  },
  colors: { label: 'Farben', hint: 'Eine Farbe für jede Art von Eintrag.' },
  selfService: {
    label: 'Personen dürfen wählen',
    hint: 'Auf der Seite ihres Kalenders können sie Arten ausblenden und weniger zeigen.',
  },
}

export const enDefaults = {
  title: 'Defaults',
  intro:
    'What calendars show unless somebody has chosen something else for them. Calendars follow a change the next time a program asks for them.',
  readOnly: 'Admins can change these.',
  groups: {
    name: 'Name and language',
    window: 'Period',
    leaves: 'Leave',
    shifts: 'Shifts',
    timesheets: 'Timesheets',
    tasks: 'Tasks',
    invoices: 'Invoices',
    other: 'Everything else',
  },
  option: 'Option',
  audiences: { own: 'Own calendars', others: 'Calendars for others' },
  name: 'Name',
  nameHint:
    'Leave it empty for the usual names. {firstName} stands for the first name of the person.',
  locale: 'Language',
  noName: 'the usual names',
  otherwise: 'Usual: {value}',
  noneTicked: 'Usual, if none is ticked: {value}',
  set: 'set here',
  none: 'None',
  yes: 'Yes',
  no: 'No',
  days: (count: string): string => (count === '1' ? '1 day' : `${count} days`),
  minutes: (count: string): string => (count === '1' ? '1 minute' : `${count} minutes`),
  from: 'From Monday',
  check: 'Check the change',
  checkHint: 'Shows how many calendars the change reaches. Nothing is saved yet.',
  checked: {
    title: 'Not saved yet',
    reaches: 'This change reaches {reached} of {open} open calendars.',
    reachesNone:
      'No open calendar follows this change: all have their own choice. Calendars that are made later follow it.',
    others: 'The others have their own choice of what changes.',
    change: 'Change',
    before: 'Before',
    after: 'After',
    cancel: 'Discard',
  },
  save: (count: number): string =>
    count === 1 ? 'Save for 1 calendar' : `Save for ${count} calendars`,
  unchanged: 'Nothing is different from what is set now.',
  conflict:
    'Somebody else has changed the defaults in the meantime. Below is what holds now, together with your change. Check it, then save.',
  invalid: 'Some values are not right. Nothing was saved.',
  faults: {
    flag: 'Choose one of these.',
    choice: 'Choose one of these.',
    choices: 'Choose from these.',
    days: 'Write a whole number from 0 to 3660.',
    minutes: `Write a whole number from 0 to ${reminderMinutesMax}.`,
    people: `Write a whole number from 1 to ${peopleMax}.`,
    ids: 'Write at most 1000 ids, with commas between them.',
    texts: 'Write at most 100 words, with commas between them.',
    categories:
      'Write categories with commas between them. A category with ! needs * in the same list.',
    rotation: 'Write one line of schedule ids for each week, and the Monday with which it begins.',
  } satisfies Readonly<Record<OptionType, string>>,
  unknownSchedule: 'There is no schedule {id}.',
  wrongName: 'Write at most 255 characters, with no braces but those of one {firstName}.',
  options: enOptions as Readonly<Record<string, OptionText>>,
}

export const deDefaults: typeof enDefaults = {
  title: 'Vorgaben',
  intro:
    'Was Kalender zeigen, solange niemand für sie etwas anderes gewählt hat. Kalender übernehmen eine Änderung, sobald ein Programm sie das nächste Mal abruft.',
  readOnly: 'Ändern können dies Personen mit der Rolle Admin.',
  groups: {
    name: 'Name und Sprache',
    window: 'Zeitraum',
    leaves: 'Abwesenheiten',
    shifts: 'Schichten',
    timesheets: 'Stundenzettel',
    tasks: 'Aufgaben',
    invoices: 'Rechnungen',
    other: 'Alles andere',
  },
  option: 'Option',
  audiences: { own: 'Eigene Kalender', others: 'Kalender für andere' },
  name: 'Name',
  nameHint:
    'Leer lassen, wenn die üblichen Namen gelten sollen. {firstName} steht für den Vornamen der Person.',
  locale: 'Sprache',
  noName: 'die üblichen Namen',
  otherwise: 'Üblich: {value}',
  noneTicked: 'Üblich, wenn nichts angekreuzt ist: {value}',
  set: 'hier gesetzt',
  none: 'Keine',
  yes: 'Ja',
  no: 'Nein',
  days: (count) => (count === '1' ? '1 Tag' : `${count} Tage`),
  minutes: (count) => (count === '1' ? '1 Minute' : `${count} Minuten`),
  from: 'Ab Montag',
  check: 'Änderung prüfen',
  checkHint: 'Zeigt, für wie viele Kalender die Änderung gilt. Gespeichert wird noch nichts.',
  checked: {
    title: 'Noch nicht gespeichert',
    reaches: 'Diese Änderung gilt für {reached} von {open} offenen Kalendern.',
    reachesNone:
      'Kein offener Kalender übernimmt diese Änderung: Alle haben eine eigene Wahl. Für Kalender, die später entstehen, gilt sie.',
    others: 'Für die anderen ist schon etwas Eigenes gewählt.',
    change: 'Änderung',
    before: 'Bisher',
    after: 'Neu',
    cancel: 'Verwerfen',
  },
  save: (count) => `Für ${count} Kalender speichern`,
  unchanged: 'Das entspricht dem, was schon gilt.',
  conflict:
    'Inzwischen hat jemand anderes die Vorgaben geändert. Unten steht, was jetzt gilt, zusammen mit Ihrer Änderung. Prüfen Sie es und speichern Sie dann.',
  invalid: 'Einige Werte stimmen nicht. Es wurde nichts gespeichert.',
  faults: {
    flag: 'Wählen Sie einen dieser Werte.',
    choice: 'Wählen Sie einen dieser Werte.',
    choices: 'Wählen Sie aus diesen Werten.',
    days: 'Schreiben Sie eine ganze Zahl von 0 bis 3660.',
    minutes: `Schreiben Sie eine ganze Zahl von 0 bis ${reminderMinutesMax}.`,
    people: `Schreiben Sie eine ganze Zahl von 1 bis ${peopleMax}.`,
    ids: 'Schreiben Sie höchstens 1000 IDs, mit Kommas dazwischen.',
    texts: 'Schreiben Sie höchstens 100 Wörter, mit Kommas dazwischen.',
    categories:
      'Schreiben Sie Kategorien mit Kommas dazwischen. Eine Kategorie mit ! braucht * in derselben Liste.',
    rotation:
      'Schreiben Sie für jede Woche eine Zeile mit IDs von Schichtplänen, dazu den Montag, an dem der Wechsel beginnt.',
  },
  unknownSchedule: 'Es gibt keinen Schichtplan {id}.',
  wrongName:
    'Schreiben Sie höchstens 255 Zeichen und keine geschweiften Klammern außer denen von einem {firstName}.',
  options: deOptions,
}
