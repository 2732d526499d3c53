import type { NoReminderReason } from '../../../access/mail/invitations.ts'
import type { PeopleGroup, Trouble } from '../../../domain/people-list.ts'

type GroupWords = Readonly<Record<PeopleGroup, { readonly name: string; readonly hint: string }>>

const enGroups: GroupWords = {
  'no-calendar': {
    name: 'Without a calendar',
    hint: 'People who are here and have no open calendar of their own.',
  },
  'never-subscribed': {
    name: 'Never subscribed',
    hint: 'They have a calendar, and no calendar program has ever asked for it.',
  },
  quiet: {
    name: 'Gone quiet',
    hint: 'A calendar program asked at least three times, and none has asked for two weeks.',
  },
  trouble: {
    name: 'With trouble',
    hint: 'A mail that was refused, an id that may be somebody else’s, disputed leave, or a departure that is held back.',
  },
  left: {
    name: 'Left',
    hint: 'They are no longer active, or the workforce system no longer knows them.',
  },
}

const deGroups: GroupWords = {
  'no-calendar': {
    name: 'Ohne Kalender',
    hint: 'Personen, die hier arbeiten und keinen offenen eigenen Kalender haben.',
  },
  'never-subscribed': {
    name: 'Nie abonniert',
    hint: 'Sie haben einen Kalender, aber noch nie hat ihn ein Kalenderprogramm abgerufen.',
  },
  quiet: {
    name: 'Verstummt',
    hint: 'Ein Kalenderprogramm hat mindestens dreimal abgerufen, aber seit zwei Wochen keines mehr.',
  },
  trouble: {
    name: 'Mit Problemen',
    hint: 'Eine abgelehnte Mail, eine ID, die vielleicht jemand anderem gehört, strittige Abwesenheiten oder ein zurückgehaltener Austritt.',
  },
  left: {
    name: 'Ausgeschieden',
    hint: 'Sie sind nicht mehr aktiv, oder das Personalsystem kennt sie nicht mehr.',
  },
}

type TroubleWords = Readonly<
  Record<Trouble | 'left' | 'unread' | 'neverSubscribed' | 'quiet', string>
>

const enTroubles: TroubleWords = {
  held: 'Id may be somebody else’s',
  misnamed: 'Answers with another id',
  heldBack: 'Departure held back',
  mailRefused: 'Mail refused',
  disputed: 'Leave disputed',
  left: 'Left',
  unread: 'Not read yet',
  neverSubscribed: 'Never subscribed',
  quiet: 'Gone quiet',
}

const deTroubles: TroubleWords = {
  held: 'ID vielleicht von jemand anderem',
  misnamed: 'Antwortet mit anderer ID',
  heldBack: 'Austritt zurückgehalten',
  mailRefused: 'Mail abgelehnt',
  disputed: 'Abwesenheit strittig',
  left: 'Ausgeschieden',
  unread: 'Noch nicht gelesen',
  neverSubscribed: 'Nie abonniert',
  quiet: 'Verstummt',
}

const enNoReminder: Readonly<Record<NoReminderReason, string>> = {
  ended: 'The calendar has ended.',
  anotherPerson: 'The id is another person’s by now.',
  left: 'The person has left.',
  notOwn: 'It is a calendar for others, and nobody’s own.',
  subscribed: 'They have subscribed meanwhile.',
  mailed: 'They were mailed a link within a day, or may have been.',
  noCompany: 'The company is not set up.',
}

const deNoReminder: typeof enNoReminder = {
  ended: 'Der Kalender ist beendet.',
  anotherPerson: 'Die ID gehört inzwischen jemand anderem.',
  left: 'Die Person ist ausgeschieden.',
  notOwn: 'Es ist ein Kalender für andere und niemandes eigener.',
  subscribed: 'Die Person hat den Kalender inzwischen abonniert.',
  mailed:
    'Die Person hat innerhalb eines Tages schon einen Link bekommen oder vielleicht bekommen.',
  noCompany: 'Das Unternehmen ist nicht eingerichtet.',
}

const enBulk = {
  with: 'With these people',
  ticked: 'ticked',
  tick: 'Tick {name}',
  tickAll: 'Tick everybody on this page',
  all: 'Everybody in this list, on all pages',
  acts: {
    handOut: 'Hand out calendars',
    mail: 'Mail a new link',
    remind: 'Remind',
    rotate: 'Replace links',
    options: 'Change options',
    revoke: 'Revoke',
  },
  noneTicked: 'Tick somebody first, or choose everybody in this list.',
  tooMany:
    'These are more than 500 people. Search or filter until there are fewer, or tick some of them.',
  unknown: 'This form is not complete. Open the people and choose again.',
  noMail: 'No mail server is set, or people cannot open the address of this program.',
  countPeople: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  countCalendars: (count: number) => (count === 1 ? '1 calendar' : `${count} calendars`),
  titles: {
    handOut: 'Hand out calendars to {people}',
    mail: 'Mail a new link to {people}',
    remind: 'Remind {people}',
    rotate: 'Replace the links of {calendars}',
    options: 'Change {calendars}',
    revoke: 'Revoke {calendars}',
  },
  explained: {
    handOut: 'On the next page you choose what the calendars show and how people get them.',
    mail: 'Each person gets a mail with a new link to their calendar. The links that they have go on; one that was mailed before ends once a program asks for the new one. Nobody gets two of these mails within a day.',
    remind:
      'Each person gets a mail with a new link to their calendar: people who never subscribed, and people with a calendar app that has gone quiet. Nobody gets two of these mails within a day.',
    rotate:
      'Each calendar gets a new link in place of the one that is in use. The next page shows the new links once: give them to the people, who then subscribe again.',
    options: 'What you do not choose stays as it is in each calendar.',
    revoke:
      'All links of these calendars end now, and calendar apps get nothing more. Within a day, a calendar can be reopened on the page of its person.',
  },
  buttons: {
    handOut: 'Go on with {people}',
    mail: 'Mail {people}',
    remind: 'Remind {people}',
    rotate: 'Replace the links of {calendars}',
    options: 'Change {calendars}',
    revoke: 'Revoke {calendars}',
  },
  cancel: 'Cancel',
  affected: 'Who is affected',
  leftOut: 'Who is left out',
  leftOutHint: 'They were chosen, but nothing happens to them.',
  nobody: 'This is for none of the people who were chosen.',
  whyNot: {
    noCalendar: 'has no calendar',
    hasCalendar: 'has a calendar already',
    ended: 'the calendar has ended',
    left: 'has left',
    held: 'the id may be somebody else’s',
    misnamed: 'the workforce system answers with another id',
    noMail: 'no mail address is known',
    subscribed: 'has subscribed already',
  },
  graceDays: 'Days that the old links go on',
  graceHint: '0 ends them now. At most {most}.',
  wrongDays: 'Write a whole number from 0 to 365.',
  newName: 'Name of the calendar',
  nameHint: 'The same for all of them; empty leaves the names as they are.',
  usualName: 'Give them their usual names back',
  wrongName: 'This name is not possible: at most 255 characters in one line.',
  nothingChosen: 'Choose at least one change.',
  unchanged: 'As it is',
  asCompany: 'As the company has it',
  results: {
    mail: 'New links were mailed',
    remind: 'Reminders were mailed',
    rotate: 'Links were replaced',
    options: 'Calendars were changed',
    revoke: 'Calendars were revoked',
  },
  noResult: 'Nothing was changed or mailed',
  running: 'This is under way: {count} of {total} are done. It goes on if you leave this page.',
  lookAgain: 'Look again',
  stopped: 'This stopped before the end. The audit log says what was done.',
  once: 'The new addresses are shown only here and only now. Copy or print them before you leave this page.',
  print: 'Print',
  outcome: 'Result',
  outcomes: { done: 'Done', skipped: 'Left out', failed: 'Failed' },
  page: 'Page with the calendar',
  back: 'To the people',
  othersGoOn: 'Other links of this calendar go on.',
  notTried: 'Not tried: the mail server failed many times in a row.',
  noReminder: enNoReminder,
  forgotten: 'This result is no longer here. The audit log says what was done.',
}

const deBulk: typeof enBulk = {
  with: 'Mit diesen Personen',
  ticked: 'angekreuzt',
  tick: '{name} ankreuzen',
  tickAll: 'Alle auf dieser Seite ankreuzen',
  all: 'Alle in dieser Liste, auf allen Seiten',
  acts: {
    handOut: 'Kalender verteilen',
    mail: 'Neuen Link mailen',
    remind: 'Erinnern',
    rotate: 'Links ersetzen',
    options: 'Optionen ändern',
    revoke: 'Widerrufen',
  },
  noneTicked: 'Kreuzen Sie zuerst jemanden an, oder wählen Sie alle in dieser Liste.',
  tooMany:
    'Das sind mehr als 500 Personen. Suchen oder filtern Sie, bis es weniger sind, oder kreuzen Sie einige an.',
  unknown: 'Dieses Formular ist unvollständig. Öffnen Sie die Personen und wählen Sie noch einmal.',
  noMail:
    'Es ist kein Mailserver eingestellt, oder die Adresse dieses Programms ist von anderen Geräten aus nicht erreichbar.',
  countPeople: (count) => (count === 1 ? '1 Person' : `${count} Personen`),
  countCalendars: (count) => (count === 1 ? '1 Kalender' : `${count} Kalender`),
  titles: {
    handOut: 'Kalender an {people} verteilen',
    mail: 'Neuen Link an {people} mailen',
    remind: '{people} erinnern',
    rotate: 'Links ersetzen: {calendars}',
    options: '{calendars} ändern',
    revoke: '{calendars} widerrufen',
  },
  explained: {
    handOut:
      'Auf der nächsten Seite wählen Sie, was die Kalender zeigen und wie die Personen sie bekommen.',
    mail: 'Jede Person bekommt eine Mail mit einem neuen Link zu ihrem Kalender. Die vorhandenen Links gelten weiter; ein früher gemailter endet, sobald ein Programm den neuen abruft. Niemand bekommt innerhalb eines Tages zwei dieser Mails.',
    remind:
      'Jede Person bekommt eine Mail mit einem neuen Link zu ihrem Kalender: alle, die nie abonniert haben, und alle, deren Kalender-App verstummt ist. Niemand bekommt innerhalb eines Tages zwei dieser Mails.',
    rotate:
      'Jeder Kalender bekommt einen neuen Link anstelle des benutzten. Die nächste Seite zeigt die neuen Links einmal: Geben Sie sie den Personen, die damit neu abonnieren.',
    options: 'Was Sie nicht wählen, bleibt in jedem Kalender, wie es ist.',
    revoke:
      'Alle Links dieser Kalender enden jetzt, und Kalender-Apps bekommen nichts mehr. Innerhalb eines Tages können Sie einen Kalender auf der Seite der Person wieder öffnen.',
  },
  buttons: {
    handOut: 'Weiter mit {people}',
    mail: '{people} anschreiben',
    remind: '{people} erinnern',
    rotate: 'Links ersetzen ({calendars})',
    options: '{calendars} ändern',
    revoke: '{calendars} widerrufen',
  },
  cancel: 'Abbrechen',
  affected: 'Wen das betrifft',
  leftOut: 'Wen das nicht betrifft',
  leftOutHint: 'Sie wurden gewählt, aber für sie ändert sich nichts.',
  nobody: 'Das gilt für keine der gewählten Personen.',
  whyNot: {
    noCalendar: 'hat keinen Kalender',
    hasCalendar: 'hat schon einen Kalender',
    ended: 'der Kalender ist beendet',
    left: 'ist ausgeschieden',
    held: 'die ID gehört vielleicht jemand anderem',
    misnamed: 'das Personalsystem antwortet mit einer anderen ID',
    noMail: 'es ist keine Mailadresse bekannt',
    subscribed: 'hat schon abonniert',
  },
  graceDays: 'Tage, die die alten Links noch gelten',
  graceHint: '0 beendet sie sofort. Höchstens {most}.',
  wrongDays: 'Geben Sie eine ganze Zahl von 0 bis 365 ein.',
  newName: 'Name des Kalenders',
  nameHint: 'Für alle derselbe; leer lässt die Namen, wie sie sind.',
  usualName: 'Die üblichen Namen wiederherstellen',
  wrongName: 'Dieser Name ist nicht möglich: höchstens 255 Zeichen in einer Zeile.',
  nothingChosen: 'Wählen Sie mindestens eine Änderung.',
  unchanged: 'Wie bisher',
  asCompany: 'Wie im Unternehmen üblich',
  results: {
    mail: 'Neue Links wurden gemailt',
    remind: 'Erinnerungen wurden gemailt',
    rotate: 'Links wurden ersetzt',
    options: 'Kalender wurden geändert',
    revoke: 'Kalender wurden widerrufen',
  },
  noResult: 'Nichts wurde geändert oder gemailt',
  running:
    'Das läuft noch: {count} von {total} sind erledigt. Es läuft weiter, auch wenn Sie diese Seite verlassen.',
  lookAgain: 'Noch einmal nachsehen',
  stopped: 'Das hat vor dem Ende aufgehört. Das Protokoll zeigt, was getan wurde.',
  once: 'Die neuen Adressen stehen nur hier und nur jetzt. Kopieren oder drucken Sie sie, bevor Sie diese Seite verlassen.',
  print: 'Drucken',
  outcome: 'Ergebnis',
  outcomes: { done: 'Erledigt', skipped: 'Ausgelassen', failed: 'Fehlgeschlagen' },
  page: 'Seite mit dem Kalender',
  back: 'Zu den Personen',
  othersGoOn: 'Andere Links dieses Kalenders gelten weiter.',
  notTried: 'Nicht versucht: Der Mailserver hat viele Male hintereinander versagt.',
  noReminder: deNoReminder,
  forgotten: 'Dieses Ergebnis ist nicht mehr hier. Das Protokoll zeigt, was getan wurde.',
}

export const enPeople = {
  title: 'People',
  filters: 'Search and filter',
  search: 'Search',
  searchHint: 'Name, mail address or id',
  group: 'Show',
  everybody: 'Everybody',
  groups: enGroups,
  find: 'Search',
  clear: 'Show everybody',
  wrongGroup: 'There is no such filter: open the people and choose one there.',
  export: 'Export CSV',
  exportNote:
    'The export has everybody that this list shows, on all pages; the audit log notes it.',
  handOut: 'Hand out calendars',
  name: 'Name',
  mail: 'Mail address',
  id: 'User id',
  calendar: 'Calendar',
  language: 'Language',
  asked: 'Last asked',
  askedIn: 'Last asked ({timezone})',
  program: 'Program',
  trouble: 'Trouble',
  none: 'None',
  ended: 'Ended',
  several: '{count} calendars',
  never: 'Never',
  justNow: 'Just now',
  troubles: enTroubles,
  nobody: 'Nobody is known yet.',
  nobodyHint:
    'The program looks for people in the workforce system by itself. The overview says whether that works.',
  noneFound: 'Nobody matches.',
  bulk: enBulk,
  first: 'First page',
  next: 'Next page',
}

export const dePeople: typeof enPeople = {
  title: 'Personen',
  filters: 'Suchen und filtern',
  search: 'Suche',
  searchHint: 'Name, Mailadresse oder ID',
  group: 'Anzeigen',
  everybody: 'Alle',
  groups: deGroups,
  find: 'Suchen',
  clear: 'Alle anzeigen',
  wrongGroup: 'Diesen Filter gibt es nicht: Öffnen Sie die Personen und wählen Sie dort einen.',
  export: 'CSV exportieren',
  exportNote:
    'Der Export enthält alle Personen dieser Liste, auf allen Seiten; das Protokoll vermerkt ihn.',
  handOut: 'Kalender verteilen',
  name: 'Name',
  mail: 'Mailadresse',
  id: 'Benutzer-ID',
  calendar: 'Kalender',
  language: 'Sprache',
  asked: 'Zuletzt abgerufen',
  askedIn: 'Zuletzt abgerufen ({timezone})',
  program: 'Programm',
  trouble: 'Probleme',
  none: 'Keiner',
  ended: 'Beendet',
  several: '{count} Kalender',
  never: 'Nie',
  justNow: 'Gerade eben',
  troubles: deTroubles,
  nobody: 'Noch ist niemand bekannt.',
  nobodyHint:
    'Das Programm sucht im Personalsystem von selbst nach Personen. Die Übersicht zeigt, ob das klappt.',
  noneFound: 'Niemand passt dazu.',
  bulk: deBulk,
  first: 'Erste Seite',
  next: 'Nächste Seite',
}
