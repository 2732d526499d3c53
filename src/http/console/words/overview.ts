export const enOverview = {
  title: 'Overview',
  sample: 'This is a sample company with invented people.',
  isNew: 'Not everything is set up yet.',
  firstSteps: 'First steps',
  counts: {
    heading: 'Numbers',
    people: 'People',
    calendars: 'Calendars',
    asked: 'Fetched today',
    without: 'No calendar',
    counting: 'Counting. The numbers follow.',
  },
  system: {
    heading: 'System',
    readApi: 'Read API',
    up: 'Answers',
    down: 'Does not answer',
    since: 'Since {time}. Calendars stay as last read.',
    oldest: 'Oldest calendar',
    fresh: 'All are up to date',
    age: (minutes: number): string => `Read ${ageIn(minutes, ['minute', 'hour', 'day'], 's')} ago`,
    examination: 'Examination',
    well: 'Calendars are complete',
    ill: 'Calendars are not complete',
    never: 'Not examined yet',
    examined: 'Examined {ago}.',
    wrong: 'Wrong: {count}.',
    notes: 'Notes: {count}.',
    findings: 'See the findings',
    lines: 'Set this in .env',
    members: 'Set this in COMPANIES_FILE',
    copy: 'Copy',
    copied: 'Copied',
  },
  work: {
    heading: 'To do',
    none: 'Nothing to do.',
    noneText: 'Whatever needs a decision shows up here.',
    heldBack: {
      heading: (count: number): string =>
        count === 1 ? 'One departure is held back' : `${format(count)} departures are held back`,
      text: 'So many left at once that it may be a fault of the Read API. Their calendars continue until that is said for a week, or until you confirm it.',
      show: 'Who it is',
      because: { user_inactive: 'inactive', user_missing: 'not found' },
      since: 'since {time}',
      more: (count: number): string => `and ${format(count)} more`,
      action: (count: number): string =>
        count === 1
          ? 'Confirm that one person has left'
          : `Confirm that ${format(count)} people have left`,
      effect: 'This ends their own calendars. If somebody comes back, theirs opens again.',
      changed: 'Meanwhile, other people are held back. Look at the list again before you confirm.',
    },
    held: {
      heading: 'May be somebody else now: {person}',
      text: 'Since {time}, the id {id} has been read with another name and another mail address. The calendars keep what they showed until you decide.',
      unknown: 'A person without a name',
      same: 'It is the same person',
      other: 'It is somebody else …',
      otherEffect: 'This ends the calendars of {person}. The new person gets none of them.',
      otherAction: 'End the calendars of {person}',
      more: (count: number): string => `${format(count)} more ids may be somebody else’s.`,
      settled: 'There is nothing left to decide about this id.',
    },
    doubted: {
      heading: 'The credential may open another company',
      text: 'Since {time}, the Read API answers with people other than those known here. Nothing is read until that is settled. The findings say how.',
    },
    unreadable: { heading: 'Records are left out', link: 'See the findings' },
    people: {
      disputed: (count: number): string =>
        `${peopleIn(count)} ${count === 1 ? 'has' : 'have'} leave that also came for somebody else`,
      misnamed: (count: number): string =>
        `${peopleIn(count)} ${count === 1 ? 'has' : 'have'} another id in the Read API`,
      mailRefused: (count: number): string =>
        `The mail to ${peopleIn(count, 'one person')} was refused`,
      'never-subscribed': (count: number): string =>
        `${peopleIn(count)} ${count === 1 ? 'has' : 'have'} not subscribed to ${count === 1 ? 'the' : 'their'} calendar yet`,
      quiet: (count: number): string =>
        `${peopleIn(count)} stopped: asked for regularly before, not any more`,
    },
    look: 'Look at them',
  },
  others: {
    heading: 'Other companies',
    company: 'Company',
    readApi: 'Read API',
    examination: 'Examination',
    heldBack: 'Held back',
  },
}

export const deOverview: typeof enOverview = {
  title: 'Übersicht',
  sample: 'Dies ist ein Beispielunternehmen mit erfundenen Personen.',
  isNew: 'Die Einrichtung ist noch nicht abgeschlossen.',
  firstSteps: 'Erste Schritte',
  counts: {
    heading: 'Zahlen',
    people: 'Personen',
    calendars: 'Kalender',
    asked: 'Heute abgerufen',
    without: 'Ohne Kalender',
    counting: 'Es wird gezählt. Die Zahlen folgen.',
  },
  system: {
    heading: 'System',
    readApi: 'Read API',
    up: 'Antwortet',
    down: 'Antwortet nicht',
    since: 'Seit {time}. Die Kalender bleiben, wie sie zuletzt gelesen wurden.',
    oldest: 'Ältester Kalender',
    fresh: 'Alle sind aktuell',
    age: (minutes: number): string =>
      `Vor ${ageIn(minutes, ['Minute', 'Stunde', 'Tag'], 'n', 'en')} gelesen`,
    examination: 'Prüfung',
    well: 'Die Kalender sind vollständig',
    ill: 'Die Kalender sind nicht vollständig',
    never: 'Noch nicht geprüft',
    examined: 'Geprüft {ago}.',
    wrong: 'Falsch: {count}.',
    notes: 'Hinweise: {count}.',
    findings: 'Befunde ansehen',
    lines: 'Setzen Sie dies in .env',
    members: 'Setzen Sie dies in COMPANIES_FILE',
    copy: 'Kopieren',
    copied: 'Kopiert',
  },
  work: {
    heading: 'Zu tun',
    none: 'Nichts zu tun.',
    noneText: 'Was eine Entscheidung braucht, erscheint hier.',
    heldBack: {
      heading: (count: number): string =>
        count === 1
          ? 'Ein Austritt wird zurückgehalten'
          : `${format(count, 'de')} Austritte werden zurückgehalten`,
      text: 'So viele sind auf einmal gegangen, dass es ein Fehler der Read API sein kann. Ihre Kalender laufen weiter, bis sie das eine Woche lang sagt oder bis Sie es bestätigen.',
      show: 'Wer es ist',
      because: { user_inactive: 'inaktiv', user_missing: 'nicht gefunden' },
      since: 'seit {time}',
      more: (count: number): string => `und ${format(count, 'de')} weitere`,
      action: (count: number): string =>
        count === 1
          ? 'Bestätigen, dass eine Person gegangen ist'
          : `Bestätigen, dass ${format(count, 'de')} Personen gegangen sind`,
      effect:
        'Das beendet ihre eigenen Kalender. Kommt jemand zurück, wird der Kalender wieder geöffnet.',
      changed:
        'Inzwischen werden andere Personen zurückgehalten. Sehen Sie sich die Liste noch einmal an, bevor Sie bestätigen.',
    },
    held: {
      heading: 'Vielleicht jetzt jemand anderes: {person}',
      text: 'Seit {time} kommt die ID {id} mit einem anderen Namen und einer anderen Mailadresse. Die Kalender zeigen weiter das Bisherige, bis Sie entscheiden.',
      unknown: 'Eine Person ohne Namen',
      same: 'Es ist dieselbe Person',
      other: 'Es ist jemand anderes …',
      otherEffect: 'Das beendet die Kalender von {person}. Die neue Person bekommt keinen davon.',
      otherAction: 'Kalender von {person} beenden',
      more: (count: number): string =>
        `${format(count, 'de')} weitere IDs gehören vielleicht jemand anderem.`,
      settled: 'Zu dieser ID ist nichts mehr zu entscheiden.',
    },
    doubted: {
      heading: 'Die Zugangsdaten öffnen vielleicht ein anderes Unternehmen',
      text: 'Seit {time} antwortet die Read API mit anderen Personen als den hier bekannten. Bis das geklärt ist, wird nichts gelesen. Wie, steht in den Befunden.',
    },
    unreadable: { heading: 'Einträge werden ausgelassen', link: 'Befunde ansehen' },
    people: {
      disputed: (count: number): string =>
        `${personenIn(count)} ${count === 1 ? 'hat' : 'haben'} Abwesenheiten, die auch für jemand anderen kamen`,
      misnamed: (count: number): string =>
        `${personenIn(count)} ${count === 1 ? 'hat' : 'haben'} in der Read API eine andere ID`,
      mailRefused: (count: number): string =>
        `Die Mail an ${personenIn(count, 'eine Person')} wurde abgelehnt`,
      'never-subscribed': (count: number): string =>
        `${personenIn(count)} ${count === 1 ? 'hat' : 'haben'} den Kalender noch nicht abonniert`,
      quiet: (count: number): string =>
        `Bei ${count === 1 ? 'einer Person' : `${format(count, 'de')} Personen`} ruft kein Programm mehr ab, obwohl es das regelmäßig tat`,
    },
    look: 'Ansehen',
  },
  others: {
    heading: 'Andere Unternehmen',
    company: 'Unternehmen',
    readApi: 'Read API',
    examination: 'Prüfung',
    heldBack: 'Zurückgehalten',
  },
}

function format(count: number, locale = 'en'): string {
  return count.toLocaleString(locale)
}

function peopleIn(count: number, one = 'One person'): string {
  return count === 1 ? one : `${format(count)} people`
}

function personenIn(count: number, one = 'Eine Person'): string {
  return count === 1 ? one : `${format(count, 'de')} Personen`
}

/** `many` ends the plural of minutes and hours, `manyDays` that of days. */
function ageIn(
  minutes: number,
  [minute, hour, day]: readonly [string, string, string],
  many: string,
  manyDays = many,
): string {
  if (minutes < 60) return `${minutes} ${minute}${minutes === 1 ? '' : many}`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} ${hour}${hours === 1 ? '' : many}`
  return `${Math.floor(hours / 24)} ${day}${manyDays}`
}
