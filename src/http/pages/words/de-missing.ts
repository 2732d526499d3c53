import type { enMissing } from './en-missing.ts'

const lists = new Intl.ListFormat('de', { type: 'conjunction' })
const either = new Intl.ListFormat('de', { type: 'disjunction' })

const correct = 'Korrigieren Sie die Daten oder bitten Sie die Personalabteilung darum.'
const checked = 'Bitten Sie die Personalabteilung, das zu prüfen.'
const byItself = 'Nichts zu tun: Das aktualisiert sich von selbst.'
const otherSchedule = 'Bitten Sie die Personalabteilung, einen anderen auszuwählen.'
const ifWrong = 'Wenden Sie sich an die Personalabteilung, falls das nicht stimmt.'
const newCalendar = 'Bitten Sie die Personalabteilung um einen neuen.'

export const deMissing: typeof enMissing = {
  heading: 'Fehlt etwas?',
  hint: 'Wählen Sie einen Tag und sehen Sie, was dieser Kalender zeigt, was er weglässt und warum.',
  day: 'Tag',
  action: 'Nachsehen',
  shown: 'In diesem Kalender',
  hidden: 'Nicht in diesem Kalender',
  notes: 'Wie aktuell das ist',
  changes: 'Wann Änderungen erscheinen',
  failed: 'Das lässt sich gerade nicht nachsehen. Versuchen Sie es in einigen Minuten noch einmal.',
  kinds: {
    leave: 'Abwesenheit',
    timesheet: 'Stundenzettel',
    task: 'Aufgabe',
    invoice: 'Rechnung',
    schedule: 'Schicht',
  },
  away: 'Abwesend',
  pending: 'noch nicht genehmigt',
  ofPerson: 'Name',
  otherSchedules: (count) =>
    count === 1 ? 'Ein anderer Schichtplan' : `${count} andere Schichtpläne`,
  nothing: {
    own: (kinds) =>
      `Im System Ihres Unternehmens stehen für Sie an diesem Tag keine ${either.format(kinds)}. Vielleicht ist etwas noch nicht eingetragen oder steht an einem anderen Tag.`,
    others: 'An diesem Tag steht nichts an.',
    unread: 'Über diesen Tag ist noch nichts bekannt.',
    outside: (first, last) =>
      `Dieser Kalender reicht von ${first} bis ${last}. Andere Tage sind leer.`,
  },
  more: (kinds) =>
    `Weitere ${either.format(kinds)} stehen für Sie an diesem Tag nicht im System Ihres Unternehmens. Vielleicht ist etwas noch nicht eingetragen.`,
  switchedOff: 'Bei diesem Link ausgeschaltet.',
  inGeneral: (kinds, { names, count }) => {
    const who =
      names.length > 0 ? lists.format(names) : count === 1 ? 'einer Person' : `${count} Personen`
    return `Dieser Kalender zeigt ${lists.format(kinds)} von ${who} und sonst nichts.`
  },
  approvedLeave: 'genehmigte Abwesenheiten',
  anyLeave: 'genehmigte und beantragte Abwesenheiten',
  choose: { link: 'Unten mehr auswählen.', me: 'Unter „Ihre Links“ mehr auswählen.' },
  notOn: (labels) =>
    `Nicht bei ${lists.format(labels.map((label) => `„${label}“`))}: dort ausgeschaltet.`,
  leaveStatuses: {
    PENDING: {
      why: 'Ihre Führungskraft hat das noch nicht genehmigt; dieser Kalender zeigt nur genehmigte Abwesenheiten.',
      todo: 'Bitten Sie Ihre Führungskraft um die Genehmigung.',
    },
    APPROVED: {
      why: 'Das ist genehmigt; dieser Kalender zeigt nur Abwesenheiten, die noch zu genehmigen sind.',
      todo: 'Wenden Sie sich an die Personalabteilung, wenn Sie genehmigte Abwesenheiten hier sehen möchten.',
    },
    REJECTED: {
      why: 'Das wurde abgelehnt, Sie sind also nicht abwesend.',
      todo: 'Fragen Sie Ihre Führungskraft, falls Sie das nicht erwartet haben.',
    },
    CANCELLED: {
      why: 'Das wurde storniert, Sie sind also nicht abwesend.',
      todo: 'Nichts zu tun, außer es wurde versehentlich storniert.',
    },
  },
  otherStatus: ({ kinds, status }) => ({
    why: `Der Status ist „${status}“; ${kinds} mit diesem Status lässt dieser Kalender weg.`,
    todo: 'Wenden Sie sich an die Personalabteilung, wenn Sie diese hier sehen möchten.',
  }),
  reasons: {
    shown_unreadable: ({ since }) => ({
      why: `Seit ${since} nicht mehr lesbar; der Kalender zeigt den Stand davor.`,
      todo: checked,
    }),
    kind_not_shown: ({ kinds }) => ({
      why: `Dieser Kalender zeigt keine ${kinds}.`,
      todo: 'Wenden Sie sich an die Personalabteilung, wenn Sie diese hier sehen möchten.',
    }),
    hidden_by_holder: ({ isOfAllLinks }) => ({
      why: isOfAllLinks ? 'Bei allen Ihren Links ausgeschaltet.' : 'Bei diesem Link ausgeschaltet.',
      todo: '',
    }),
    only_away: () => ({
      why: 'Ihr einziger Link zeigt nur „Abwesend“.',
      todo: 'Erstellen Sie einen weiteren Link für sich.',
    }),
    nothing_to_do: () => ({
      why: 'Schon eingereicht; dieser Kalender zeigt nur Stundenzettel, die Sie noch einreichen müssen.',
      todo: 'Nichts zu tun: Bei einer Ablehnung erscheint er wieder.',
    }),
    no_due_date: () => ({
      why: 'Es gibt kein Fälligkeitsdatum.',
      todo: 'Nichts zu tun: Mit einem Fälligkeitsdatum erscheint der Eintrag.',
    }),
    outside_window: ({ first, last, isPast }) => ({
      why: `Dieser Kalender reicht von ${first} bis ${last}.`,
      todo: isPast
        ? 'Wenden Sie sich an die Personalabteilung, wenn er weiter zurückreichen soll.'
        : 'Nichts zu tun: Der Eintrag erscheint, wenn der Tag näher rückt.',
    }),
    end_before_start: () => ({ why: 'Das Ende liegt vor dem Beginn.', todo: correct }),
    no_length: () => ({ why: 'Beginn und Ende sind gleich.', todo: correct }),
    out_of_range: () => ({ why: 'Die Daten können nicht stimmen.', todo: correct }),
    not_begun: () => ({
      why: 'Es gibt noch kein Ende, und der Beginn steht noch bevor.',
      todo: 'Nichts zu tun: Der Eintrag erscheint mit dem Beginn.',
    }),
    unknown_status: () => ({ why: 'Wir wissen nicht, was der Status bedeutet.', todo: checked }),
    unknown_type: () => ({ why: 'Wir kennen diese Art von Schichtplan nicht.', todo: checked }),
    unknown_timezone: () => ({
      why: 'Der Schichtplan nennt eine Zeitzone, die es nicht gibt.',
      todo: checked,
    }),
    malformed_day: () => ({
      why: 'Die Arbeitszeiten dieses Tages sind nicht lesbar.',
      todo: checked,
    }),
    missing_schedule: () => ({
      why: 'Ein Schichtplan dieses Kalenders existiert nicht mehr.',
      todo: otherSchedule,
    }),
    inactive_schedule: () => ({ why: 'Dieser Schichtplan gilt nicht mehr.', todo: otherSchedule }),
    needs_rotation: () => ({
      why: 'Es ist nicht festgelegt, welche Woche des Schichtrhythmus gilt.',
      todo: 'Bitten Sie die Personalabteilung, das festzulegen.',
    }),
    unreadable: () => ({
      why: 'Das System Ihres Unternehmens liefert hier etwas, das nicht lesbar ist.',
      todo: checked,
    }),
    schedule_not_chosen: () => ({
      why: 'Dieser Kalender folgt einem anderen Schichtplan.',
      todo: ifWrong,
    }),
    project_not_chosen: () => ({
      why: 'Dieser Kalender zeigt das Projekt dieser Aufgabe nicht.',
      todo: 'Wenden Sie sich an die Personalabteilung, wenn Sie es hier sehen möchten.',
    }),
    during_leave: () => ({
      why: 'Sie sind dann abwesend.',
      todo: 'Nichts zu tun: Ohne die Abwesenheit erscheint die Schicht wieder.',
    }),
    on_holiday: () => ({
      why: 'Es ist ein Feiertag; dann zeigt dieser Kalender keine Schichten.',
      todo: 'Wenden Sie sich an die Personalabteilung, falls Sie an diesem Tag arbeiten.',
    }),
    not_in_rotation: () => ({
      why: 'Im Schichtrhythmus ist dann eine andere Schicht an der Reihe.',
      todo: ifWrong,
    }),
    no_shifts: () => ({ why: 'An diesem Tag gibt es keine Schicht.', todo: ifWrong }),
    nobody_works: () => ({
      why: 'Laut Schichtplan arbeitet an diesem Tag niemand.',
      todo: ifWrong,
    }),
    calendar_full: () => ({
      why: 'Dieser Kalender ist voll: Die Tage um heute herum gehen vor.',
      todo: 'Nichts zu tun: Der Eintrag erscheint, wenn der Tag näher rückt.',
    }),
    belongs_to_another: () => ({
      why: 'Das System Ihres Unternehmens führt diese Abwesenheit auch bei einer anderen Person; sie zählt als deren Abwesenheit.',
      todo: ifWrong,
    }),
    newer_copy: () => ({
      why: 'Das ist Ihnen nicht mehr zugewiesen.',
      todo: 'Nichts zu tun, falls das stimmt.',
    }),
    person_left: () => ({
      why: 'Das System Ihres Unternehmens führt diese Person nicht mehr als beschäftigt.',
      todo: ifWrong,
    }),
    feed_revoked: () => ({ why: 'Dieser Kalender ist beendet.', todo: newCalendar }),
    feed_closed: () => ({ why: 'Dieser Kalender ist beendet.', todo: newCalendar }),
    link_ended: () => ({ why: 'Dieser Link ist beendet.', todo: newCalendar }),
    unavailable: () => ({
      why: 'Das System Ihres Unternehmens antwortet gerade nicht richtig. Kalender-Apps behalten ihren Stand.',
      todo: 'Nichts zu tun: Der Eintrag erscheint, sobald das System antwortet.',
    }),
    left_out: () => ({
      why: 'Dieser Kalender lässt das weg.',
      todo: 'Fragen Sie die Personalabteilung nach dem Grund.',
    }),
  },
  states: {
    not_answered: () => ({
      why: 'Noch nicht gelesen: Das System Ihres Unternehmens hat nicht geantwortet.',
      todo: 'Nichts zu tun: Die Einträge erscheinen, sobald es antwortet.',
    }),
    not_asked: () => ({
      why: 'Noch nicht gelesen.',
      todo: 'Sehen Sie in einigen Minuten noch einmal nach.',
    }),
    missing: () => ({
      why: 'Das System Ihres Unternehmens hat nicht mehr, was dieser Kalender zeigen soll.',
      todo: 'Bitten Sie die Personalabteilung zu prüfen, was er zeigen soll.',
    }),
    stale: (since) => ({
      why: `Stand ${since}: Seitdem hat das System Ihres Unternehmens nicht geantwortet.`,
      todo: byItself,
    }),
    late: (since) => ({
      why: `Stand ${since}: Neueres ist unterwegs.`,
      todo: 'Sehen Sie in einer Minute noch einmal nach.',
    }),
    not_stored: (since) => ({
      why:
        since === ''
          ? 'Gerade lässt sich nichts speichern.'
          : `Stand ${since}: Neuere Daten lassen sich gerade nicht speichern.`,
      todo: byItself,
    }),
    doubted: (since) => ({
      why: `Stand ${since}: Die letzte Antwort hatte viel weniger Einträge und wird geprüft.`,
      todo: byItself,
    }),
    not_believed: (since) => ({
      why: `Stand ${since}: Seitdem ist nicht sicher, wessen Abwesenheiten das System Ihres Unternehmens liefert.`,
      todo: 'Nichts zu tun: Neuere erscheinen, sobald das feststeht.',
    }),
    unproven: () => ({
      why: 'Der Kalender zeigt keine: Noch ist nicht sicher, wessen Abwesenheiten das System Ihres Unternehmens liefert.',
      todo: 'Nichts zu tun: Sie erscheinen, sobald das feststeht.',
    }),
    person_held: (since) => ({
      why: `${since === '' ? 'Noch nicht gezeigt' : `Stand ${since}`}: Das System Ihres Unternehmens nennt für diese Person jetzt einen anderen Namen und eine andere Mailadresse.`,
      todo: 'Bitten Sie die Personalabteilung zu bestätigen, dass es dieselbe Person ist.',
    }),
    misnamed: () => ({
      why: 'Das System Ihres Unternehmens führt diese Person jetzt anders.',
      todo: 'Bitten Sie die Personalabteilung um einen neuen Kalender.',
    }),
  },
  unreadable: (count) => ({
    why:
      count === 1
        ? 'Ein Eintrag ist nicht mehr lesbar und bleibt, wie er war.'
        : `${count} Einträge sind nicht mehr lesbar und bleiben, wie sie waren.`,
    todo: checked,
  }),
  asks: {
    next: (client, ago, pause, by) =>
      `${client} hat ${ago} synchronisiert und tut das etwa ${every(pause)}: Änderungen erscheinen bis etwa ${by}.`,
    due: (client, ago) =>
      `${client} hat ${ago} synchronisiert und sollte das bald wieder tun: Dann erscheinen Änderungen.`,
    unknown: (client, ago) =>
      `${client} hat ${ago} synchronisiert. Wann das wieder geschieht, ist nicht bekannt: Aktualisieren Sie den Kalender dort.`,
    now: 'gerade eben',
    none: 'Noch hat keine Kalender-App synchronisiert. Fügen Sie den Kalender zuerst hinzu.',
  },
}

function every(minutes: number): string {
  if (minutes < 50) return `alle ${Math.max(5, 5 * Math.round(minutes / 5))} Minuten`
  const hours = Math.round(minutes / 60)
  if (hours <= 1) return 'jede Stunde'
  if (hours < 20) return `alle ${hours} Stunden`
  const days = Math.round(hours / 24)
  return days === 1 ? 'einmal am Tag' : `alle ${days} Tage`
}
