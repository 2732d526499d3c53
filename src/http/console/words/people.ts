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
  first: 'Erste Seite',
  next: 'Nächste Seite',
}
